
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
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('-V', '-V ', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print version')
            [CompletionResult]::new('route', 'route', [CompletionResultType]::ParameterValue, 'Say which server answers a request, and why')
            [CompletionResult]::new('discovery', 'discovery', [CompletionResultType]::ParameterValue, 'Show discovery documents, as the server gives them or merged from their parts')
            [CompletionResult]::new('order', 'order', [CompletionResultType]::ParameterValue, 'Show groups and versions in priority order, and what put each in its place')
            [CompletionResult]::new('sort-versions', 'sort-versions', [CompletionResultType]::ParameterValue, 'Sort version strings as the API server does, most preferred first')
            [CompletionResult]::new('apiservices', 'apiservices', [CompletionResultType]::ParameterValue, 'Show every APIService: where it leads, whether it works, what is odd about it')
            [CompletionResult]::new('apiservice', 'apiservice', [CompletionResultType]::ParameterValue, 'Show every APIService: where it leads, whether it works, what is odd about it')
            [CompletionResult]::new('chain', 'chain', [CompletionResultType]::ParameterValue, 'Show the chain of servers, with what each of them holds')
            [CompletionResult]::new('completions', 'completions', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('man', 'man', [CompletionResultType]::ParameterValue, 'Print the manual page, or write all pages into a directory')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'aggctl;route' {
            [CompletionResult]::new('--fail-on', '--fail-on', [CompletionResultType]::ParameterName, 'Exit with 1 if any request ends like this')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input; may be given several times')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of a minor version that is part of the binary')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;discovery' {
            [CompletionResult]::new('--form', '--form', [CompletionResultType]::ParameterName, 'The form of /apis and /api; aggregated for servers that have it (1.27 and later)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input; may be given several times')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of a minor version that is part of the binary')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--merged', '--merged', [CompletionResultType]::ParameterName, 'Merge the parts into what the aggregator serves')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;order' {
            [CompletionResult]::new('--form', '--form', [CompletionResultType]::ParameterName, 'Whose order')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say why one of two groups, or of two group versions, comes before the other')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input; may be given several times')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of a minor version that is part of the binary')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;sort-versions' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--explain', '--explain', [CompletionResultType]::ParameterName, 'Say why each stands where it stands')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Sort nothing: exit with 1 if they are not sorted')
            [CompletionResult]::new('--reverse', '--reverse', [CompletionResultType]::ParameterName, 'Least preferred first')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;apiservices' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input; may be given several times')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of a minor version that is part of the binary')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--odd', '--odd', [CompletionResultType]::ParameterName, 'Only those that are odd or not available')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;apiservice' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input; may be given several times')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of a minor version that is part of the binary')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('--odd', '--odd', [CompletionResultType]::ParameterName, 'Only those that are odd or not available')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;chain' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'How to write the answer')
            [CompletionResult]::new('--dump', '--dump', [CompletionResultType]::ParameterName, 'A dump: a directory, a file, or - for standard input; may be given several times')
            [CompletionResult]::new('--builtin', '--builtin', [CompletionResultType]::ParameterName, 'A plain Kubernetes of a minor version that is part of the binary')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;completions' {
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;man' {
            [CompletionResult]::new('--dir', '--dir', [CompletionResultType]::ParameterName, 'Write aggctl.1 and a page for every command into this directory')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use colour')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('--verbose', '--verbose', [CompletionResultType]::ParameterName, 'Say where the facts come from, and what was skipped')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'aggctl;help' {
            [CompletionResult]::new('route', 'route', [CompletionResultType]::ParameterValue, 'Say which server answers a request, and why')
            [CompletionResult]::new('discovery', 'discovery', [CompletionResultType]::ParameterValue, 'Show discovery documents, as the server gives them or merged from their parts')
            [CompletionResult]::new('order', 'order', [CompletionResultType]::ParameterValue, 'Show groups and versions in priority order, and what put each in its place')
            [CompletionResult]::new('sort-versions', 'sort-versions', [CompletionResultType]::ParameterValue, 'Sort version strings as the API server does, most preferred first')
            [CompletionResult]::new('apiservices', 'apiservices', [CompletionResultType]::ParameterValue, 'Show every APIService: where it leads, whether it works, what is odd about it')
            [CompletionResult]::new('chain', 'chain', [CompletionResultType]::ParameterValue, 'Show the chain of servers, with what each of them holds')
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
