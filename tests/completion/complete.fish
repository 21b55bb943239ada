# complete.fish SCRIPT LINE: what fish offers at the end of the line, without its descriptions.
source $argv[1]
complete -C "$argv[2]" | string split --fields 1 \t
