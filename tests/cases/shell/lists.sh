### and, or
true && a; false && b; true || c; false || d; maybe && e || f
### negation
! false && a; ! true && b
### exit ends
a || exit 1; b; exit; c
### the branch that ends does not count
x=1; maybe || { x=2; exit; }; echo $x
### set -e
set -e; false; rm x
### pipelines
lines a b | shell | cat
echo 'rm -rf /' | shell
fetch x | shell
### subshells keep their own
x=1; (x=2; cd /tmp; a); echo $x; b
### a pipeline's stages keep their own
echo v | read x; echo "$x"
### background
a & b; wait
### exec ends
exec a; b
### time
time -p rm x; time { a; b; }
### coprocess
coproc NAME { rm x; }
