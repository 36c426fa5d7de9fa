# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_aggctl_global_optspecs
    string join \n color= v/verbose h/help V/version
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
complete -c aggctl -n "__fish_aggctl_needs_command" -s v -l verbose -d 'Say where the facts come from, and what was skipped'
complete -c aggctl -n "__fish_aggctl_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_needs_command" -s V -l version -d 'Print version'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "route" -d 'Say which server answers a request, and why'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "discovery" -d 'Show discovery documents, as the server gives them or merged from their parts'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "order" -d 'Show groups and versions in priority order, and what put each in its place'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "sort-versions" -d 'Sort version strings as the API server does, most preferred first'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "apiservices" -d 'Show every APIService: where it leads, whether it works, what is odd about it'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "apiservice" -d 'Show every APIService: where it leads, whether it works, what is odd about it'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "chain" -d 'Show the chain of servers, with what each of them holds'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "completions" -d 'Print a completion script for a shell'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "man" -d 'Print the manual page, or write all pages into a directory'
complete -c aggctl -n "__fish_aggctl_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l fail-on -d 'Exit with 1 if any request ends like this' -r -f -a "served\t''
proxied\t''
unavailable\t''
not-found\t''
method-not-allowed\t''
redirect\t''
bad-request\t''
unknown\t''"
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -s o -l output -d 'How to write the answer' -r -f -a "table\t'Aligned columns, or a picture for a single route'
wide\t'As table, with more columns'
json\t'Indented JSON'
yaml\t'YAML'
jsonl\t'One compact JSON object a line'
name\t'Names only'"
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l dump -d 'A dump: a directory, a file, or - for standard input; may be given several times' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l builtin -d 'A plain Kubernetes of a minor version that is part of the binary' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -s v -l verbose -d 'Say where the facts come from, and what was skipped'
complete -c aggctl -n "__fish_aggctl_using_subcommand route" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l form -d 'The form of /apis and /api; aggregated for servers that have it (1.27 and later)' -r -f -a "legacy\t'Groups and versions only'
aggregated\t'Groups, versions and resources in one document'"
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -s o -l output -d 'How to write the answer' -r -f -a "table\t'Aligned columns, or a picture for a single route'
wide\t'As table, with more columns'
json\t'Indented JSON'
yaml\t'YAML'
jsonl\t'One compact JSON object a line'
name\t'Names only'"
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l dump -d 'A dump: a directory, a file, or - for standard input; may be given several times' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l builtin -d 'A plain Kubernetes of a minor version that is part of the binary' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -l merged -d 'Merge the parts into what the aggregator serves'
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -s v -l verbose -d 'Say where the facts come from, and what was skipped'
complete -c aggctl -n "__fish_aggctl_using_subcommand discovery" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l form -d 'Whose order' -r -f -a "legacy\t'GET /apis'
aggregated\t'GET /apis in aggregated form'
openapi-v2\t'GET /openapi/v2'"
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l explain -d 'Say why one of two groups, or of two group versions, comes before the other' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -s o -l output -d 'How to write the answer' -r -f -a "table\t'Aligned columns, or a picture for a single route'
wide\t'As table, with more columns'
json\t'Indented JSON'
yaml\t'YAML'
jsonl\t'One compact JSON object a line'
name\t'Names only'"
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l dump -d 'A dump: a directory, a file, or - for standard input; may be given several times' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l builtin -d 'A plain Kubernetes of a minor version that is part of the binary' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -s v -l verbose -d 'Say where the facts come from, and what was skipped'
complete -c aggctl -n "__fish_aggctl_using_subcommand order" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -s o -l output -d 'How to write the answer' -r -f -a "table\t'Aligned columns, or a picture for a single route'
wide\t'As table, with more columns'
json\t'Indented JSON'
yaml\t'YAML'
jsonl\t'One compact JSON object a line'
name\t'Names only'"
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -l explain -d 'Say why each stands where it stands'
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -l check -d 'Sort nothing: exit with 1 if they are not sorted'
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -l reverse -d 'Least preferred first'
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -s v -l verbose -d 'Say where the facts come from, and what was skipped'
complete -c aggctl -n "__fish_aggctl_using_subcommand sort-versions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -s o -l output -d 'How to write the answer' -r -f -a "table\t'Aligned columns, or a picture for a single route'
wide\t'As table, with more columns'
json\t'Indented JSON'
yaml\t'YAML'
jsonl\t'One compact JSON object a line'
name\t'Names only'"
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l dump -d 'A dump: a directory, a file, or - for standard input; may be given several times' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l builtin -d 'A plain Kubernetes of a minor version that is part of the binary' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -l odd -d 'Only those that are odd or not available'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -s v -l verbose -d 'Say where the facts come from, and what was skipped'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservices" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservice" -s o -l output -d 'How to write the answer' -r -f -a "table\t'Aligned columns, or a picture for a single route'
wide\t'As table, with more columns'
json\t'Indented JSON'
yaml\t'YAML'
jsonl\t'One compact JSON object a line'
name\t'Names only'"
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservice" -l dump -d 'A dump: a directory, a file, or - for standard input; may be given several times' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservice" -l builtin -d 'A plain Kubernetes of a minor version that is part of the binary' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservice" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservice" -l odd -d 'Only those that are odd or not available'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservice" -s v -l verbose -d 'Say where the facts come from, and what was skipped'
complete -c aggctl -n "__fish_aggctl_using_subcommand apiservice" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -s o -l output -d 'How to write the answer' -r -f -a "table\t'A tree'
json\t'Indented JSON'
yaml\t'YAML'
mermaid\t'A Mermaid flowchart'
dot\t'A graph for Graphviz'"
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l dump -d 'A dump: a directory, a file, or - for standard input; may be given several times' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l builtin -d 'A plain Kubernetes of a minor version that is part of the binary' -r
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -s v -l verbose -d 'Say where the facts come from, and what was skipped'
complete -c aggctl -n "__fish_aggctl_using_subcommand chain" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand completions" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand completions" -s v -l verbose -d 'Say where the facts come from, and what was skipped'
complete -c aggctl -n "__fish_aggctl_using_subcommand completions" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand man" -l dir -d 'Write aggctl.1 and a page for every command into this directory' -r -F
complete -c aggctl -n "__fish_aggctl_using_subcommand man" -l color -d 'When to use colour' -r -f -a "auto\t'On a terminal, unless NO_COLOR is set'
always\t'Always'
never\t'Never'"
complete -c aggctl -n "__fish_aggctl_using_subcommand man" -s v -l verbose -d 'Say where the facts come from, and what was skipped'
complete -c aggctl -n "__fish_aggctl_using_subcommand man" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain completions man help" -f -a "route" -d 'Say which server answers a request, and why'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain completions man help" -f -a "discovery" -d 'Show discovery documents, as the server gives them or merged from their parts'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain completions man help" -f -a "order" -d 'Show groups and versions in priority order, and what put each in its place'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain completions man help" -f -a "sort-versions" -d 'Sort version strings as the API server does, most preferred first'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain completions man help" -f -a "apiservices" -d 'Show every APIService: where it leads, whether it works, what is odd about it'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain completions man help" -f -a "chain" -d 'Show the chain of servers, with what each of them holds'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain completions man help" -f -a "completions" -d 'Print a completion script for a shell'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain completions man help" -f -a "man" -d 'Print the manual page, or write all pages into a directory'
complete -c aggctl -n "__fish_aggctl_using_subcommand help; and not __fish_seen_subcommand_from route discovery order sort-versions apiservices chain completions man help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
