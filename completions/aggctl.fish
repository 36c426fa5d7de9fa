complete --keep-order --exclusive --command aggctl --arguments "(COMPLETE=fish aggctl -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
