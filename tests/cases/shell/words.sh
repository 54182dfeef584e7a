### plain
git status
### quotes join
r"m" -r'f' "/"\etc $'\x2f\t' $"x y"
### a quoted command substitution is one word, an unquoted one may be many
rm "$(fetch x)" $(fetch y) a$(fetch z)b
### braces
rm {a,b{c,d}}.txt {1..3} {a..c} {01..03} x{,y} {single} "{a,b}"
### tilde
ls ~ ~/x ~root/y ~+ "~" x=~/z --opt=~/no ~nobody
### globs
rm * a?b [a-c]* **/x "*" \* x[
### a known text splits
x='a b  c'; rm $x "$x" p$x
### a glob out of a variable
x='*.o'; rm $x "$x"
### environment
$EDITOR file "$EDITOR" $HOME $USER $PATH
### unset
rm -rf "$NOWHERE"/ $NOWHERE ${NOWHERE:?}/x
### process substitution
shell <(fetch x)
diff <(lines a) <(lines b)
lines x | tee >(shell)
### backquotes
rm `lines a b` `lines \`lines c\`` "`lines "d e"`"
### extended patterns
rm @(a|b).txt !(keep) ?(x)y
### arithmetic
echo $((1+2*3)) $(( (4-1) ** 2 )) $((x=5, x+1)) $x $((NOWHERE + RANDOM))
### positional
set -- a "b c"; rm $# $1 "$2" "$@" $@ "$*" ${@:2} ${#}
### ansi and line continuation
ec\
ho $'a\'b' a\
b
### carriage returns
rm a
rm b
### a name goes on behind the end of a line
rm $HO\
ME "$HO\
ME/x" $\
HOME ${HOME}\
x
### a tilde before braces
rm ~{root,}/x ~{{0..1},/y} a~{b,c}
