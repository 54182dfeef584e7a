### if
if true; then a; else b; fi; if maybe; then c; elif other; then d; else e; fi
### if with test
x=1; if [ "$x" = 1 ]; then a; else b; fi; if [[ $x == 2 ]]; then c; fi
### case
case $x in a) one;; b|c) two;; *) three;; esac
x=abc; case $x in a*) yes;; *) no;; esac
case abc in abc) one;& x) two;; y) three;; esac
case abc in a*) one;;& *c) two;; y) three;; esac
### for
for f in a b; do rm $f; done; for f; do none; done; for f in *.o; do rm "$f"; done
### for over unknown words
for f in $(fetch list); do rm "$f"; done
### nested loops
for a in 1 2; do for b in x y; do [ $b = y ] && continue 2; rm $a$b; done; done
### break
for a in 1 2 3; do [ $a = 2 ] && break; rm $a; done; echo $a
### c style
for ((i=0; i<3; i++)); do rm $i; done
### while known
i=0; while [ $i -lt 3 ]; do rm $i; i=$((i+1)); done; echo $i
### while unknown
x=a; while maybe; do rm $x; x=b; done; rm $x
### until
until false; do a; break; done
### select
select x in a b; do rm $x; done
### tests
[[ -f x && -n y ]] && a; [[ abc == a*c ]] && b; [[ abc =~ ^a ]] && c "${BASH_REMATCH[0]}"; [[ ! ( a == b || c < d ) ]] && e
### arithmetic
((1)) && a; ((0)) && b; ((x > 1)) && c; let y=2*3; echo $y
### nested parentheses
( (a); (b) ); ((c); (d))
### trap
trap 'rm -rf "$d"' EXIT; d=/tmp/x; a
### zsh for
for x (a b) { rm $x }
### a coprocess with a name
coproc worker { rm x; }; coproc rm y; coproc if true; then rm z; fi
