-- Requests by handler, as `aggctl usage` counts them:
--   aggctl routes --dump dump.tar.gz -o csv > routes.csv
--   clickhouse local --queries-file clickhouse.sql        (with routes.csv and audit.log here)
WITH routes AS (
    SELECT * FROM file('routes.csv', CSVWithNames,
        'api_group String, version String, resource String, subresource String, verb String, path String, handler String')
), resources AS (
    -- All verbs of a resource have one handler.
    SELECT DISTINCT api_group, version, resource, handler FROM routes WHERE notEmpty(resource)
), patterns AS (
    SELECT path, handler FROM routes WHERE empty(resource)
), requests AS (
    -- Every event of a request has the same URI: one row an audit ID.
    SELECT any(splitByChar('?', requestURI)[1]) AS path,
           any(objectRef.apiGroup) AS api_group,
           any(objectRef.apiVersion) AS version,
           any(objectRef.resource) AS resource,
           concat(extract(path, '^(/api/[^/]+|/apis/[^/]+/[^/]+)/'), '/*') AS below,
           multiIf(startsWith(path, '/apis/'), '/apis/*', startsWith(path, '/api/'), '/api/*', '/*') AS rest
    FROM file('audit.log', JSONEachRow,
        'auditID String, requestURI String, objectRef Tuple(apiGroup String, apiVersion String, resource String)')
    GROUP BY auditID
)
-- The most exact row wins: the resource, the path, all below the group version, all else.
SELECT multiIf(notEmpty(resources.handler), resources.handler,
               notEmpty(exact.handler), exact.handler,
               notEmpty(below.handler), below.handler,
               rest.handler) AS apiservice,
       count() AS requests
FROM requests
LEFT JOIN resources ON resources.resource = requests.resource
                   AND resources.version = requests.version
                   AND resources.api_group = requests.api_group
LEFT JOIN patterns AS exact ON exact.path = requests.path
LEFT JOIN patterns AS below ON below.path = requests.below
LEFT JOIN patterns AS rest ON rest.path = requests.rest
GROUP BY apiservice ORDER BY requests DESC, apiservice
FORMAT CSV;
