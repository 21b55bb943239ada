# complete.bash SCRIPT WORD...: what bash offers for the last word. Where the function leaves it to bash, files.
source "$1"
shift
files=yes
# Only a running completion may call the real one.
compopt() { [[ $* == '+o default' ]] && files=; }
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
[[ $(complete -p gpulint) == *'-o default'*'-F _gpulint '* ]] || exit 3
_gpulint
if ((${#COMPREPLY[@]})); then printf '%s\n' "${COMPREPLY[@]}"; elif [[ $files ]]; then compgen -f -- "${!#}"; fi
