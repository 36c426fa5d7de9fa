-- Requests by handler, as `aggctl usage` counts them:
--   aggctl routes --dump dump.tar.gz -o csv > routes.csv
--   clickhouse local --queries-file clickhouse.sql        (with routes.csv and audit.log here)
WITH routes AS (
    SELECT path, handler FROM file('routes.csv', CSVWithNames) WHERE empty(resource)
), requests AS (
    -- Every event of a request has the same URI: one row an audit ID.
    SELECT any(splitByChar('?', requestURI)[1]) AS path,
           extract(path, '^(/api/[^/]+|/apis/[^/]+/[^/]+)/.') AS prefix,
           multiIf(startsWith(path, '/apis/'), '/apis/*', startsWith(path, '/api/'), '/api/*', '/*') AS rest
    FROM file('audit.log', JSONEachRow, 'auditID String, requestURI String')
    GROUP BY auditID
)
-- The most exact row wins: the path itself, everything below the group version, everything else.
SELECT multiIf(notEmpty(exact.handler), exact.handler, notEmpty(below.handler), below.handler, other.handler) AS apiservice,
       count() AS requests
FROM requests
LEFT JOIN routes AS exact ON exact.path = requests.path
LEFT JOIN routes AS below ON below.path = concat(requests.prefix, '/*')
LEFT JOIN routes AS other ON other.path = requests.rest
GROUP BY apiservice ORDER BY requests DESC, apiservice
FORMAT CSV;
