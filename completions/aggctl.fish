# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_aggctl_global_optspecs
    string join \n color= no-headers v/verbose h/help V/version
end

function __fish_aggctl_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_aggctl_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_aggctl_using_subcommand
    set -l cmd (__fish_aggctl_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c aggctl -n "__fish_aggctl_needs_command" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_needs_command" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_needs_command" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_needs_command" -s V -l version -d 'Print version'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "route" -d 'Say which server answers a request, and why'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "discovery" -d 'Show discovery documents, as served or merged from their parts'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "order" -d 'Show groups and versions in priority order, and why'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "sort-versions" -d 'Sort version strings as the API server does, preferred first'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "apiservices" -d 'Show every APIService: where it leads, and what is odd about it'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "chain" -d 'Show the chain of servers, with what each of them holds'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "conflicts" -d 'Show what fights over a group version or a name'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "doctor" -d 'Say why APIServices do not work, and what to do'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "diff" -d 'Compare two sources, or one with manifests applied to it'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "test" -d 'Check requests against expectations, or record them'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "lint" -d 'Check APIService manifests before they break a cluster'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "rules" -d 'List the rules of the linter'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "explain" -d 'Explain an error, a condition, a lint rule or a stuck namespace'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "dump" -d 'Write a live cluster\'s facts to a directory or an archive, for use with --dump'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "schema" -d 'Print the JSON Schema of an answer'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "version" -d 'Show the versions of aggctl, of what is built into it, and of the server'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "completions" -d 'Print a completion script for a shell'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "man" -d 'Print the manual page, or write all pages into a directory'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -s n -l namespace -d 'The namespace of resources that are named as behind `kubectl get`' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l fail-on -d 'Exit with 1 if any request ends like this' -r -f -a "served\t''
proxied\t''
unavailable\t''
not-found\t''
method-not-allowed\t''
redirect\t''
bad-request\t''
unknown\t''"
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
wide\t'For people, with more details'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
name\t'Names only, for other commands'"
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l form -d 'The form of /apis and /api; aggregated for servers that have it (1.27 and later)' -r -f -a "legacy\t'Groups and versions only'
aggregated\t'Groups, versions and resources in one document'"
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
wide\t'For people, with more details'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
name\t'Names only, for other commands'"
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l merged -d 'Merge the parts into what the aggregator serves'
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l form -d 'Whose order' -r -f -a "legacy\t'GET /apis'
aggregated\t'GET /apis in aggregated form'
openapi-v2\t'GET /openapi/v2'"
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l explain -d 'Say why one of two groups, or of two group versions, comes before the other' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
wide\t'For people, with more details'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
name\t'Names only, for other commands'"
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
wide\t'For people, with more details'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
name\t'Names only, for other commands'"
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -l explain -d 'Say why each version is where it is'
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -l check -d 'Only check: exit with 1 if they are not sorted'
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -l reverse -d 'Least preferred first'
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
wide\t'For people, with more details'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
name\t'Names only, for other commands'"
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l odd -d 'Only those that are odd or not available'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l all -d 'List every one on a terminal, those that are built in and available too'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
wide\t'For people, with more details'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
mermaid\t'A Mermaid flowchart'
dot\t'A graph for Graphviz'"
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'"
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l all -d 'Also names that only built-in groups share, such as events'
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l check -d 'Exit with 1 if anything fights'
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand conflicts" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l wait-for -d 'Look again until all that are named, or all, are so; --timeout says how long' -r -f -a "available\t'Available=True'"
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l interval -d 'How long to pause between looks' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l fail-on -d 'What makes the exit code 1' -r -f -a "broken\t'Something does not work'
warning\t'Something does not work, or should be looked at'
never\t'Nothing does'"
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l now -d 'The time to measure ages and expiry against, such as 2026-11-16T12:00:00Z; now if not given' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
wide\t'For people, with more details'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
name\t'Names only, for other commands'"
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l all -d 'Show built-in APIServices and those of CRDs one by one, and notes too'
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l direct -d 'Connect to each Service\'s address from here, and show what is really served there'
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -s w -l watch -d 'Look again and again, and tell what changes'
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand doctor" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l fail-on -d 'Exit with 1 on such a difference' -r -f -a "any\t'Anything at all'
removed\t'An APIService, a CRD, a group version or a resource is gone'
route\t'A request ends elsewhere'
availability\t'An APIService is no longer available, or a group version is stale'
order\t'A preferred version, or the order of groups or versions'"
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
markdown\t'Markdown'"
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand diff" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
name\t'Names only, for other commands'
junit\t'JUnit XML, for test reports'"
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l record -d 'Write a file from how things are: of the requests behind it, or of all that are known'
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l only-failures -d 'Show only what fails'
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand test" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -s o -l format -d 'The format of the report; may be given several times' -r -f -a "table\t'For people'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
name\t'Names only, for other commands'
sarif\t'SARIF 2.1.0, for code scanning'
junit\t'JUnit XML, for test reports'
github\t'GitHub Actions annotations'"
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l output -d 'Output file for the preceding --format; - is standard output' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l fail-on -d 'The least severity that makes the exit code 1 [default: error]' -r -f -a "error\t'Errors only'
warning\t'Warnings and errors'
info\t'Anything'
never\t'Nothing'"
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l select -d 'Only these rules or categories, separated by commas' -r -f -a "input\t''
server\t''
certificates\t''
references\t''
priorities\t''
conflicts\t''
operation\t''
aggregator-own-group\t''
automanaged-label\t''
ca-bundle-expired\t''
ca-bundle-expires-soon\t''
ca-bundle-not-base64\t''
ca-bundle-not-pem\t''
ca-bundle-not-yet-valid\t''
ca-bundle-with-private-key\t''
ca-bundle-without-ca\t''
ca-bundle-without-certificate\t''
dead-ca-annotation\t''
duplicate-api-service\t''
duplicate-field\t''
ghost\t''
group-priority-mismatch\t''
group-without-dot\t''
impossible-service-reference\t''
incomplete-service-reference\t''
insecure-skip-tls-verify\t''
insecure-with-ca-bundle\t''
insecure-with-injection\t''
invalid-annotations\t''
invalid-group\t''
invalid-group-priority\t''
invalid-labels\t''
invalid-metadata\t''
invalid-name\t''
invalid-port\t''
invalid-version\t''
invalid-version-priority\t''
joins-built-in-group\t''
local-with-tls-settings\t''
missing-auth-delegator\t''
missing-authentication-reader\t''
missing-ca-bundle\t''
namespace-in-manifest\t''
outranks-built-in-groups\t''
priority-tie\t''
protected-group\t''
removed-api-version\t''
server-set-metadata\t''
service-external-name\t''
service-headless\t''
service-is-the-api-server\t''
service-not-found\t''
service-port-name-mismatch\t''
service-port-not-found\t''
service-without-ready-endpoints\t''
shadows-built-in\t''
shadows-crd\t''
similar-service-name\t''
status-in-manifest\t''
suppression-without-reason\t''
syntax-error\t''
unknown-api-version\t''
unknown-field\t''
unrendered-template\t''
unstable-version-preferred\t''
unused-suppression\t''
version-not-kube-like\t''
wrong-type\t''"
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l ignore -d 'Not these rules or categories, separated by commas' -r -f -a "input\t''
server\t''
certificates\t''
references\t''
priorities\t''
conflicts\t''
operation\t''
aggregator-own-group\t''
automanaged-label\t''
ca-bundle-expired\t''
ca-bundle-expires-soon\t''
ca-bundle-not-base64\t''
ca-bundle-not-pem\t''
ca-bundle-not-yet-valid\t''
ca-bundle-with-private-key\t''
ca-bundle-without-ca\t''
ca-bundle-without-certificate\t''
dead-ca-annotation\t''
duplicate-api-service\t''
duplicate-field\t''
ghost\t''
group-priority-mismatch\t''
group-without-dot\t''
impossible-service-reference\t''
incomplete-service-reference\t''
insecure-skip-tls-verify\t''
insecure-with-ca-bundle\t''
insecure-with-injection\t''
invalid-annotations\t''
invalid-group\t''
invalid-group-priority\t''
invalid-labels\t''
invalid-metadata\t''
invalid-name\t''
invalid-port\t''
invalid-version\t''
invalid-version-priority\t''
joins-built-in-group\t''
local-with-tls-settings\t''
missing-auth-delegator\t''
missing-authentication-reader\t''
missing-ca-bundle\t''
namespace-in-manifest\t''
outranks-built-in-groups\t''
priority-tie\t''
protected-group\t''
removed-api-version\t''
server-set-metadata\t''
service-external-name\t''
service-headless\t''
service-is-the-api-server\t''
service-not-found\t''
service-port-name-mismatch\t''
service-port-not-found\t''
service-without-ready-endpoints\t''
shadows-built-in\t''
shadows-crd\t''
similar-service-name\t''
status-in-manifest\t''
suppression-without-reason\t''
syntax-error\t''
unknown-api-version\t''
unknown-field\t''
unrendered-template\t''
unstable-version-preferred\t''
unused-suppression\t''
version-not-kube-like\t''
wrong-type\t''"
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l kubernetes-version -d 'The version of Kubernetes to judge for, such as 1.33 [default: that of the source, or the newest]' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l expires-within -d 'How long certificates must still be valid: 30d, 12h, 2w [default: 30d]' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l config -d 'The configuration file [default: the nearest aggctl.toml, upwards from each input]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l fail-if-empty -d 'Fail where the input has no APIService at all'
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l show-suppressed -d 'Show findings that were allowed, too'
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -s q -l quiet -d 'Show only what makes it fail, and no summary'
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l no-config -d 'Use no configuration file'
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l fix -d 'Fix what is safe and mechanical, in place'
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l diff -d 'Show what --fix would change, and change nothing'
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand lint" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand rules" -s o -l output -d 'How to write them' -r -f -a "table\t'For people'
wide\t'For people, with more details'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
name\t'Names only, for other commands'
markdown\t'Markdown'"
complete -c aggctl -n "__fish_aggctl_using_subcommand rules" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand rules" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand rules" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand rules" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l file -d 'Read the text from a file' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'
name\t'Names only, for other commands'"
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand explain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l for -d 'What the dump should be good for' -r -f -a "route\t'route, discovery, order, apiservices, chain'
doctor\t'doctor, apiservices, chain'
all\t'Every command'"
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l full -d 'Keep the schemas of CRDs'
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l force -d 'Replace the dump that is there; anything else is left alone'
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand dump" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand schema" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand schema" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand schema" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand schema" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -s o -l output -d 'How to write the answer' -r -f -a "table\t'For people'
json\t'One document of indented JSON'
yaml\t'The same document as YAML'
jsonl\t'One JSON object per line'"
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l dump -d 'A dump: a directory, a file, or - for standard input' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l builtin -d 'A plain Kubernetes of that version, built in' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -s f -l filename -d 'Answer as if these manifests were applied' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l without -d 'Answer as if this APIService, CRD or Service was gone' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l context -d 'The context of the kubeconfig' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l kubeconfig -d 'The kubeconfig [default: as kubectl]' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l cluster -d 'The cluster of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l user -d 'The user of the kubeconfig, instead of the context\'s' -r -f
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l server -d 'The API server, instead of the cluster\'s' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l token -d 'The bearer token' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l certificate-authority -d 'The certificates that sign the API server\'s' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l tls-server-name -d 'The name that the API server\'s certificate must have' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l as -d 'Ask as this user' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l as-group -d 'Ask as a member of this group; may be given several times' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l as-uid -d 'Ask as a user with this UID' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l request-timeout -d 'How long one request may take, as 5s or 1m; 0 for as long as --timeout' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l timeout -d 'How long all requests to a cluster may take together' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l client -d 'Do not ask a server'
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l insecure-skip-tls-verify -d 'Skip certificate verification: another server could answer and read the credentials'
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l all-contexts -d 'All contexts of the kubeconfig, one answer each'
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand version" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand completions" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand completions" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand completions" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand man" -l dir -d 'Write aggctl.1 and a page for every command into this directory' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand man" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand man" -l no-headers -d 'Print tables without their headers'
complete -c aggctl -n "__fish_aggctl_using_subcommand man" -s v -l verbose -d 'Say where the facts come from, and leave nothing out'
complete -c aggctl -n "__fish_aggctl_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "route" -d 'Say which server answers a request, and why'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "discovery" -d 'Show discovery documents, as served or merged from their parts'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "order" -d 'Show groups and versions in priority order, and why'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "sort-versions" -d 'Sort version strings as the API server does, preferred first'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "apiservices" -d 'Show every APIService: where it leads, and what is odd about it'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "chain" -d 'Show the chain of servers, with what each of them holds'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "conflicts" -d 'Show what fights over a group version or a name'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "doctor" -d 'Say why APIServices do not work, and what to do'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "diff" -d 'Compare two sources, or one with manifests applied to it'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "test" -d 'Check requests against expectations, or record them'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "lint" -d 'Check APIService manifests before they break a cluster'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "rules" -d 'List the rules of the linter'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "explain" -d 'Explain an error, a condition, a lint rule or a stuck namespace'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "dump" -d 'Write a live cluster\'s facts to a directory or an archive, for use with --dump'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "schema" -d 'Print the JSON Schema of an answer'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "version" -d 'Show the versions of aggctl, of what is built into it, and of the server'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "man" -d 'Print the manual page, or write all pages into a directory'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain conflicts doctor diff test lint rules explain dump schema version completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
