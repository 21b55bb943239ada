# complete.zsh SCRIPT LINE: what zsh offers at the end of the line, asked of an interactive shell on a terminal of its own.
zmodload zsh/zpty
out=$(mktemp)
zpty shell "PS1= TERM=dumb GPULINT_OFFERS=$out exec zsh -f -i"
zpty -w shell "unsetopt zle_bracketed_paste 2>/dev/null; autoload -U compinit; compinit -u -D; source ${(q)1}"
# Everything offered goes through compadd.
zpty -w shell 'compadd() {
  if [[ " ${@[1,(i)(-|--)]} " == *\ -[OAD]\ * ]]; then builtin compadd "$@"; return; fi
  local -a offered; builtin compadd -A offered "$@"; print -rl -- $offered >>$GPULINT_OFFERS; builtin compadd "$@"
}'
zpty -w shell 'bindkey "^I" complete-word; complete_done() { print done >>$GPULINT_OFFERS }; zle -N complete_done; bindkey "^T" complete_done'
zpty -w shell 'print ready >$GPULINT_OFFERS'
for ((i = 0; i < 200; i++)) { [[ $(<$out) == ready ]] && break; sleep 0.05 }
zpty -n -w shell "$2"$'\t\C-t'
for ((i = 0; i < 200; i++)) { [[ $(<$out) == *$'\n'done ]] && break; sleep 0.05 }
zpty -d shell
grep -vxe ready -e done -e '' $out | sort -u
rm -f $out
