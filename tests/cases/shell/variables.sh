### defaults
x=v; y=
echo ${x:-d} ${y:-d} ${y-d} ${z:-d} ${z=e} $z ${x:+set} ${y:+set}
### a default of a variable that nothing sets is not certain to exempt
rm -rf "${BUILD:-/}"
### trimming
p=/a/b/c.tar.gz
echo ${p##*/} ${p%/*} ${p%%.*} ${p#*/} ${p%.gz}
### replacing
p=a.b.c
echo ${p/./-} ${p//./-} ${p/#a/x} ${p/%c/y} ${p//.}
### case
x=heLLo; echo ${x^} ${x^^} ${x,,} ${x~~}
### substrings and lengths
x=abcdef; echo ${x:2} ${x:1:3} ${x: -2} ${x:0:-1} ${#x}
### arrays
a=(one "two three" four); a+=(five); a[0]=ONE
echo "${a[@]}" ${#a[@]} ${a[1]} "${a[*]:1:2}" ${!a[@]} ${a[-1]}
### associative arrays
declare -A m=([k]=v [x y]=z); m[q]=r; echo ${m[k]} "${m["x y"]}" ${m[q]}
### indirection and references
t=target; target=v; echo ${!t}; declare -n r=target; r=w; echo $target $r
### changed separator
IFS=:; p=a:b::c; rm $p "$*"
### branches join
if test -f x; then d=build; else d=/; fi
rm -rf $d
### branches of other lengths
if test -f x; then f='-r -f'; fi
rm $f x
### exported
export A=1 B; C=2 D=3 run-it; E=4; run-it
### a temporary assignment does not stay
X=1 run-it; run-it "$X"
### holes keep what is around them
d=$(fetch u); rm -rf "$d/cache" "${d%/}" "${d:-x}" "${d##*/}"
### local
f() { local x=in; x=changed; echo $x; }; x=out; f; echo $x
### printf -v and read
printf -v v '%s-%02d' a 7; read -r a b <<< "1 2 3"; echo $v $a "$b"
### mapfile
mapfile -t l <<< $'p\nq r'; rm "${l[@]}"
### integer and lower case
declare -i n=2+3; declare -l s=ABC; n+=1; echo $n $s
### a guarded variable
: "${TARGET:?must be set}"; rm -rf "$TARGET"/
[ -n "$OTHER" ] && rm -rf "$OTHER"/
### nounset guards
set -u; rm -rf "$NOWHERE"/
### an empty text is replaced by an empty match
x=; rm "${x//*/_}" "${x/?/_}" "${NOWHERE//*/_}"
