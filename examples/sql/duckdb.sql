-- Requests by handler, as `aggctl usage` counts them:
--   aggctl routes --dump dump.tar.gz -o csv > routes.csv
--   duckdb < duckdb.sql        (with routes.csv and audit.log here)
CREATE TABLE routes AS
SELECT * FROM read_csv('routes.csv', all_varchar = true, header = true, nullstr = '');

-- Every event of a request has the same URI: one row an audit ID.
CREATE TABLE requests AS
SELECT path, object,
       regexp_extract(path, '^(/api/[^/]+|/apis/[^/]+/[^/]+)/', 1) AS prefix,
       CASE WHEN path LIKE '/apis/%' THEN '/apis/*'
            WHEN path LIKE '/api/%' THEN '/api/*'
            ELSE '/*' END AS rest
FROM (SELECT auditID, any_value(split_part(requestURI, '?', 1)) AS path, any_value(objectRef) AS object
      FROM read_json('audit.log', format = 'newline_delimited', maximum_object_size = 67108864,
                     columns = {auditID: 'VARCHAR', requestURI: 'VARCHAR',
                                objectRef: 'STRUCT(apiGroup VARCHAR, apiVersion VARCHAR, resource VARCHAR)'})
      GROUP BY auditID);

-- All verbs of a resource have one handler.
CREATE TABLE resources AS
SELECT DISTINCT coalesce(api_group, '') AS api_group, version, resource, handler
FROM routes WHERE resource IS NOT NULL;

-- The most exact row wins: the resource, the path, all below the group version, all else.
SELECT coalesce(resources.handler, exact.handler, below.handler, rest.handler) AS apiservice,
       count(*) AS requests
FROM requests
LEFT JOIN resources ON resources.resource = object.resource
                   AND resources.version = object.apiVersion
                   AND resources.api_group = coalesce(object.apiGroup, '')
LEFT JOIN routes AS exact ON exact.resource IS NULL AND exact.path = requests.path
LEFT JOIN routes AS below ON below.resource IS NULL AND below.path = requests.prefix || '/*'
JOIN routes AS rest ON rest.resource IS NULL AND rest.path = requests.rest
GROUP BY 1 ORDER BY 2 DESC, 1;
