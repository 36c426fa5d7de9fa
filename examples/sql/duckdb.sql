-- Requests by handler, as `aggctl usage` counts them:
--   aggctl routes --dump dump.tar.gz -o csv > routes.csv
--   duckdb < duckdb.sql        (with routes.csv and audit.log here)
CREATE TABLE routes AS
SELECT * FROM read_csv('routes.csv', all_varchar = true, header = true, nullstr = '');

-- Every event of a request has the same URI: one row an audit ID.
CREATE TABLE requests AS
SELECT path,
       regexp_extract(path, '^(/api/[^/]+|/apis/[^/]+/[^/]+)/.', 1) AS prefix,
       CASE WHEN path LIKE '/apis/%' THEN '/apis/*'
            WHEN path LIKE '/api/%' THEN '/api/*'
            ELSE '/*' END AS rest
FROM (SELECT auditID, any_value(split_part(requestURI, '?', 1)) AS path
      FROM read_json('audit.log', format = 'newline_delimited', maximum_object_size = 67108864,
                     columns = {auditID: 'VARCHAR', requestURI: 'VARCHAR'})
      GROUP BY auditID);

-- The most exact row wins: the path itself, everything below the group version, everything else.
SELECT coalesce(exact.handler, below.handler, rest.handler) AS apiservice, count(*) AS requests
FROM requests
LEFT JOIN routes AS exact ON exact.resource IS NULL AND exact.path = requests.path
LEFT JOIN routes AS below ON below.resource IS NULL AND below.path = requests.prefix || '/*'
JOIN routes AS rest ON rest.resource IS NULL AND rest.path = requests.rest
GROUP BY 1 ORDER BY 2 DESC, 1;
