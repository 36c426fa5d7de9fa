# Completes aggctl in fish. Where aggctl offers nothing, fish completes file names.
function __aggctl_offers
    set --global __aggctl_offered (COMPLETE=fish aggctl -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token --cut-at-cursor) </dev/null 2>/dev/null)
    set --query __aggctl_offered[1]
end
complete --command aggctl --no-files --keep-order --condition __aggctl_offers --arguments '(string join \n -- $__aggctl_offered)'
