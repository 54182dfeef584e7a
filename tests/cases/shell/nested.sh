### a script in a script
shell 'rm "a b"'; shell "rm \$HOME $HOME"; shell 'shell "rm x"'
### with positional parameters
shell 'rm "$1" $0' zero one
### unknown parts
shell "rm $NOWHERE '$NOWHERE' x"
### eval in eval
eval "eval 'rm x'"
### substitution in many places
x=$(a) y=${z:-$(b)} w=$((1+$(c))) cmd "${v/$(d)/$(e)}" > $(f) <<EOF
$(g)
EOF
### function and pipes
f() { shell; }; echo rm x | f
### a program that is not known
$NOWHERE rm x; $(fetch a) b; "$CMD" c
