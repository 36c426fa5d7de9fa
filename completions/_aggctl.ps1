
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'aggctl' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'aggctl'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'aggctl' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('route', 'route', [CompletionResultType]::ParameterValue, 'Say which server answers a request, and why')
            [CompletionResult]::new('discovery', 'discovery', [CompletionResultType]::ParameterValue, 'Show discovery documents, as served or merged from their parts')
            [CompletionResult]::new('order', 'order', [CompletionResultType]::ParameterValue, 'Show groups and versions in priority order, and why')
            [CompletionResult]::new('sort-versions', 'sort-versions', [CompletionResultType]::ParameterValue, 'Sort version strings as the API server does, preferred first')
            [CompletionResult]::new('apiservices', 'apiservices', [CompletionResultType]::ParameterValue, 'Show every APIService: where it leads, and what is odd about it')
            [CompletionResult]::new('chain', 'chain', [CompletionResultType]::ParameterValue, 'Show the chain of servers, with what each of them holds')
            [CompletionResult]::new('conflicts', 'conflicts', [CompletionResultType]::ParameterValue, 'Show what fights over a group version or a name')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Say why APIServices do not work, and what to do')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Compare two sources, or one with manifests applied to it')
            [CompletionResult]::new('test', 'test', [CompletionResultType]::ParameterValue, 'Check requests against expectations, or record them')
            [CompletionResult]::new('lint', 'lint', [CompletionResultType]::ParameterValue, 'Check APIService manifests before they break a cluster')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List the rules of the linter')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain an error, a condition, a lint rule or a stuck namespace')
            [CompletionResult]::new('dump', 'dump', [CompletionResultType]::ParameterValue, 'Write a live cluster''s facts to a directory or an archive, for use with --dump')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of an answer')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Show the versions of aggctl, of what is built into it, and of the server')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page, or write all pages into a directory')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'aggctl;route' {
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'The namespace of resources that are named as behind `kubectl get`')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'The namespace of resources that are named as behind `kubectl get`')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Exit with 1 if any request ends like this')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;discovery' {
            [CompletionResult]::new('--form', '--form', [CompletionResultType]::ParameterName, 'The form of /apis and /api; aggregated for servers that have it (1.27 and later)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--merged', '--merged', [CompletionResultType]::ParameterName, 'Merge the parts into what the aggregator serves')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;order' {
            [CompletionResult]::new('--form', '--form', [CompletionResultType]::ParameterName, 'Whose order')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say why one of two groups, or of two group versions, comes before the other')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;sort-versions' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say why each version is where it is')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Only check: exit with 1 if they are not sorted')
            [CompletionResult]::new('--reverse', '--reverse', [CompletionResultType]::ParameterName, 'Least preferred first')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;apiservices' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--odd', '--odd', [CompletionResultType]::ParameterName, 'Only those that are odd or not available')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'List every one on a terminal, those that are built in and available too')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;chain' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;conflicts' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Also names that only built-in groups share, such as events')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Exit with 1 if anything fights')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;doctor' {
            [CompletionResult]::new('--wait-for', '--wait-for', [CompletionResultType]::ParameterName, 'Look again until all that are named, or all, are so; --timeout says how long')
            [CompletionResult]::new('--interval', '--interval', [CompletionResultType]::ParameterName, 'How long to pause between looks')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'What makes the exit code 1')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'The time to measure ages and expiry against, such as 2026-11-16T12:00:00Z; now if not given')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Show built-in APIServices and those of CRDs one by one, and notes too')
            [CompletionResult]::new('--direct', '--direct', [CompletionResultType]::ParameterName, 'Connect to each Service''s address from here, and show what is really served there')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Look again and again, and tell what changes')
            [CompletionResult]::new('--watch', '--watch', [CompletionResultType]::ParameterName, 'Look again and again, and tell what changes')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;diff' {
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Exit with 1 on such a difference')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;test' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--record', '--record', [CompletionResultType]::ParameterName, 'Write a file from how things are: of the requests behind it, or of all that are known')
            [CompletionResult]::new('--only-failures', '--only-failures', [CompletionResultType]::ParameterName, 'Show only what fails')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;lint' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'The format of the report; may be given several times')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'The format of the report; may be given several times')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output file for the preceding --format; - is standard output')
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'The least severity that makes the exit code 1 [default: error]')
            [CompletionResult]::new('--select', '--select', [CompletionResultType]::ParameterName, 'Only these rules or categories, separated by commas')
            [CompletionResult]::new('--ignore', '--ignore', [CompletionResultType]::ParameterName, 'Not these rules or categories, separated by commas')
            [CompletionResult]::new('--kubernetes-version', '--kubernetes-version', [CompletionResultType]::ParameterName, 'The version of Kubernetes to judge for, such as 1.33 [default: that of the source, or the newest]')
            [CompletionResult]::new('--expires-within', '--expires-within', [CompletionResultType]::ParameterName, 'How long certificates must still be valid: 30d, 12h, 2w [default: 30d]')
            [CompletionResult]::new('--config', '--config', [CompletionResultType]::ParameterName, 'The configuration file [default: the nearest aggctl.toml, upwards from each input]')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--fail-if-empty', '--fail-if-empty', [CompletionResultType]::ParameterName, 'Fail where the input has no APIService at all')
            [CompletionResult]::new('--show-suppressed', '--show-suppressed', [CompletionResultType]::ParameterName, 'Show findings that were allowed, too')
            [CompletionResult]::new('-q', '-q', [CompletionResultType]::ParameterName, 'Show only what makes it fail, and no summary')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Show only what makes it fail, and no summary')
            [CompletionResult]::new('--no-config', '--no-config', [CompletionResultType]::ParameterName, 'Use no configuration file')
            [CompletionResult]::new('--fix', '--fix', [CompletionResultType]::ParameterName, 'Fix what is safe and mechanical, in place')
            [CompletionResult]::new('--diff', '--diff', [CompletionResultType]::ParameterName, 'Show what --fix would change, and change nothing')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;rules' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write them')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write them')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;explain' {
            [CompletionResult]::new('--file', '--file', [CompletionResultType]::ParameterName, 'Read the text from a file')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;dump' {
            [CompletionResult]::new('--for', '--for', [CompletionResultType]::ParameterName, 'What the dump should be good for')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--full', '--full', [CompletionResultType]::ParameterName, 'Keep the schemas of CRDs')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Replace the dump that is there; anything else is left alone')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;schema' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;version' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of that version, built in')
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Answer as if these manifests were applied')
            [CompletionResult]::new('--without', '--without', [CompletionResultType]::ParameterName, 'Answer as if this APIService, CRD or Service was gone')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'The context of the kubeconfig')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'The kubeconfig [default: as kubectl]')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'The cluster of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'The user of the kubeconfig, instead of the context''s')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'The API server, instead of the cluster''s')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'The bearer token')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'The certificates that sign the API server''s')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'The name that the API server''s certificate must have')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'Ask as this user')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Ask as a member of this group; may be given several times')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'Ask as a user with this UID')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long one request may take, as 5s or 1m; 0 for as long as --timeout')
            [CompletionResult]::new('--timeout', '--timeout', [CompletionResultType]::ParameterName, 'How long all requests to a cluster may take together')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--client', '--client', [CompletionResultType]::ParameterName, 'Do not ask a server')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Skip certificate verification: another server could answer and read the credentials')
            [CompletionResult]::new('--all-contexts', '--all-contexts', [CompletionResultType]::ParameterName, 'All contexts of the kubeconfig, one answer each')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;completions' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;man' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'Write aggctl.1 and a page for every command into this directory')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Print tables without their headers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and leave nothing out')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;help' {
            [CompletionResult]::new('route', 'route', [CompletionResultType]::ParameterValue, 'Say which server answers a request, and why')
            [CompletionResult]::new('discovery', 'discovery', [CompletionResultType]::ParameterValue, 'Show discovery documents, as served or merged from their parts')
            [CompletionResult]::new('order', 'order', [CompletionResultType]::ParameterValue, 'Show groups and versions in priority order, and why')
            [CompletionResult]::new('sort-versions', 'sort-versions', [CompletionResultType]::ParameterValue, 'Sort version strings as the API server does, preferred first')
            [CompletionResult]::new('apiservices', 'apiservices', [CompletionResultType]::ParameterValue, 'Show every APIService: where it leads, and what is odd about it')
            [CompletionResult]::new('chain', 'chain', [CompletionResultType]::ParameterValue, 'Show the chain of servers, with what each of them holds')
            [CompletionResult]::new('conflicts', 'conflicts', [CompletionResultType]::ParameterValue, 'Show what fights over a group version or a name')
            [CompletionResult]::new('doctor', 'doctor', [CompletionResultType]::ParameterValue, 'Say why APIServices do not work, and what to do')
            [CompletionResult]::new('diff', 'diff', [CompletionResultType]::ParameterValue, 'Compare two sources, or one with manifests applied to it')
            [CompletionResult]::new('test', 'test', [CompletionResultType]::ParameterValue, 'Check requests against expectations, or record them')
            [CompletionResult]::new('lint', 'lint', [CompletionResultType]::ParameterValue, 'Check APIService manifests before they break a cluster')
            [CompletionResult]::new('rules', 'rules', [CompletionResultType]::ParameterValue, 'List the rules of the linter')
            [CompletionResult]::new('explain', 'explain', [CompletionResultType]::ParameterValue, 'Explain an error, a condition, a lint rule or a stuck namespace')
            [CompletionResult]::new('dump', 'dump', [CompletionResultType]::ParameterValue, 'Write a live cluster''s facts to a directory or an archive, for use with --dump')
            [CompletionResult]::new('schema', 'schema', [CompletionResultType]::ParameterValue, 'Print the JSON Schema of an answer')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Show the versions of aggctl, of what is built into it, and of the server')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page, or write all pages into a directory')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'aggctl;help;route' {
            break
        }
        'aggctl;help;discovery' {
            break
        }
        'aggctl;help;order' {
            break
        }
        'aggctl;help;sort-versions' {
            break
        }
        'aggctl;help;apiservices' {
            break
        }
        'aggctl;help;chain' {
            break
        }
        'aggctl;help;conflicts' {
            break
        }
        'aggctl;help;doctor' {
            break
        }
        'aggctl;help;diff' {
            break
        }
        'aggctl;help;test' {
            break
        }
        'aggctl;help;lint' {
            break
        }
        'aggctl;help;rules' {
            break
        }
        'aggctl;help;explain' {
            break
        }
        'aggctl;help;dump' {
            break
        }
        'aggctl;help;schema' {
            break
        }
        'aggctl;help;version' {
            break
        }
        'aggctl;help;completions' {
            break
        }
        'aggctl;help;man' {
            break
        }
        'aggctl;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
