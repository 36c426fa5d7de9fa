
use builtin;
use str;

set edit:completion:arg-completer[aggctl] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'aggctl'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'aggctl'= {
            cand --color 'When to use colour'
            cand -v 'Say where the facts come from, and what was skipped'
            cand --verbose 'Say where the facts come from, and what was skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand -V 'Print version'
            cand --version 'Print version'
            cand route 'Say which server answers a request, and why'
            cand discovery 'Show discovery documents, as the server gives them or merged from their parts'
            cand order 'Show groups and versions in priority order, and what put each in its place'
            cand sort-versions 'Sort version strings as the API server does, most preferred first'
            cand apiservices 'Show every APIService: where it leads, whether it works, what is odd about it'
            cand apiservice 'Show every APIService: where it leads, whether it works, what is odd about it'
            cand chain 'Show the chain of servers, with what each of them holds'
            cand completions 'Print a completion script for a shell'
            cand man 'Print the manual page, or write all pages into a directory'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'aggctl;route'= {
            cand --fail-on 'Exit with 1 if any request ends like this'
            cand -o 'How to write the answer'
            cand --output 'How to write the answer'
            cand --dump 'A dump: a directory, a file, or - for standard input; may be given several times'
            cand --builtin 'A plain Kubernetes of a minor version that is part of the binary'
            cand --color 'When to use colour'
            cand -v 'Say where the facts come from, and what was skipped'
            cand --verbose 'Say where the facts come from, and what was skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'aggctl;discovery'= {
            cand --form 'The form of /apis and /api; aggregated for servers that have it (1.27 and later)'
            cand -o 'How to write the answer'
            cand --output 'How to write the answer'
            cand --dump 'A dump: a directory, a file, or - for standard input; may be given several times'
            cand --builtin 'A plain Kubernetes of a minor version that is part of the binary'
            cand --color 'When to use colour'
            cand --merged 'Merge the parts into what the aggregator serves'
            cand -v 'Say where the facts come from, and what was skipped'
            cand --verbose 'Say where the facts come from, and what was skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'aggctl;order'= {
            cand --form 'Whose order'
            cand --explain 'Say why one of two groups, or of two group versions, comes before the other'
            cand -o 'How to write the answer'
            cand --output 'How to write the answer'
            cand --dump 'A dump: a directory, a file, or - for standard input; may be given several times'
            cand --builtin 'A plain Kubernetes of a minor version that is part of the binary'
            cand --color 'When to use colour'
            cand -v 'Say where the facts come from, and what was skipped'
            cand --verbose 'Say where the facts come from, and what was skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'aggctl;sort-versions'= {
            cand -o 'How to write the answer'
            cand --output 'How to write the answer'
            cand --color 'When to use colour'
            cand --explain 'Say why each stands where it stands'
            cand --check 'Sort nothing: exit with 1 if they are not sorted'
            cand --reverse 'Least preferred first'
            cand -v 'Say where the facts come from, and what was skipped'
            cand --verbose 'Say where the facts come from, and what was skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'aggctl;apiservices'= {
            cand -o 'How to write the answer'
            cand --output 'How to write the answer'
            cand --dump 'A dump: a directory, a file, or - for standard input; may be given several times'
            cand --builtin 'A plain Kubernetes of a minor version that is part of the binary'
            cand --color 'When to use colour'
            cand --odd 'Only those that are odd or not available'
            cand -v 'Say where the facts come from, and what was skipped'
            cand --verbose 'Say where the facts come from, and what was skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'aggctl;apiservice'= {
            cand -o 'How to write the answer'
            cand --output 'How to write the answer'
            cand --dump 'A dump: a directory, a file, or - for standard input; may be given several times'
            cand --builtin 'A plain Kubernetes of a minor version that is part of the binary'
            cand --color 'When to use colour'
            cand --odd 'Only those that are odd or not available'
            cand -v 'Say where the facts come from, and what was skipped'
            cand --verbose 'Say where the facts come from, and what was skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'aggctl;chain'= {
            cand -o 'How to write the answer'
            cand --output 'How to write the answer'
            cand --dump 'A dump: a directory, a file, or - for standard input; may be given several times'
            cand --builtin 'A plain Kubernetes of a minor version that is part of the binary'
            cand --color 'When to use colour'
            cand -v 'Say where the facts come from, and what was skipped'
            cand --verbose 'Say where the facts come from, and what was skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'aggctl;completions'= {
            cand --color 'When to use colour'
            cand -v 'Say where the facts come from, and what was skipped'
            cand --verbose 'Say where the facts come from, and what was skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'aggctl;man'= {
            cand --dir 'Write aggctl.1 and a page for every command into this directory'
            cand --color 'When to use colour'
            cand -v 'Say where the facts come from, and what was skipped'
            cand --verbose 'Say where the facts come from, and what was skipped'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'aggctl;help'= {
            cand route 'Say which server answers a request, and why'
            cand discovery 'Show discovery documents, as the server gives them or merged from their parts'
            cand order 'Show groups and versions in priority order, and what put each in its place'
            cand sort-versions 'Sort version strings as the API server does, most preferred first'
            cand apiservices 'Show every APIService: where it leads, whether it works, what is odd about it'
            cand chain 'Show the chain of servers, with what each of them holds'
            cand completions 'Print a completion script for a shell'
            cand man 'Print the manual page, or write all pages into a directory'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'aggctl;help;route'= {
        }
        &'aggctl;help;discovery'= {
        }
        &'aggctl;help;order'= {
        }
        &'aggctl;help;sort-versions'= {
        }
        &'aggctl;help;apiservices'= {
        }
        &'aggctl;help;chain'= {
        }
        &'aggctl;help;completions'= {
        }
        &'aggctl;help;man'= {
        }
        &'aggctl;help;help'= {
        }
    ]
    $completions[$command]
}
