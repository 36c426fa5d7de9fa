# Completes aggctl in bash. Where aggctl offers nothing, bash completes file names.
_aggctl() {
    # Readline breaks words at = : @ too. aggctl gets them as the shell would pass them.
    local words=() last=-1 index=0 rest=$COMP_LINE piece blank i
    for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
        piece=${COMP_WORDS[i]}
        blank=${rest%%[![:space:]]*}
        rest=${rest#"$blank"}
        if [[ $last -lt 0 || -n $blank ]]; then
            words[++last]=
        fi
        if [[ $i -eq $COMP_CWORD ]]; then
            # Only what is before the cursor.
            local start=$((${#COMP_LINE} - ${#rest}))
            index=$last
            words[last]+=${COMP_LINE:start:COMP_POINT - start}
        else
            words[last]+=$piece
        fi
        rest=${rest#"$piece"}
    done
    local kept=${words[index]%"$2"} candidate
    words[index]=${words[index]#[\"\']}
    COMPREPLY=()
    while IFS= read -r candidate; do
        COMPREPLY+=("${candidate#"$kept"}")
    done < <(_CLAP_COMPLETE_INDEX=$index COMPLETE=bash aggctl -- "${words[@]}" </dev/null 2>/dev/null)
}
complete -o default -o nosort -F _aggctl aggctl 2>/dev/null || complete -o default -F _aggctl aggctl
