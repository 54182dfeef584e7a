### eval
eval 'rm -rf /'; x='rm y'; eval "$x"; eval $NOWHERE; eval "$(fetch u)"; eval "$(ssh-agent -s)"
### eval joins
eval rm '"a b"' '$HOME'
### source
source known.sh arg; echo $x; . missing.sh; source <(fetch u)
### a file written before
echo 'rm written' > f.sh; . ./f.sh
### echo and printf
echo -n a; echo -e 'a\tb'; printf '%s\n' x y; printf '%d%%' 5; printf '\x72\155 -rf'
### run what printf prints
$(printf '\x72\155') -rf /; eval "$(printf 'r%s' m) x"
### command -v
$(command -v rm) -rf x; type rm; command -V rm
### builtin
builtin cd /tmp; rm x; command cd /a; rm y
### exec with a name
exec -a x rm y
### read a value
echo /etc | { read d; rm -rf "$d"; }
### true and colon
: $(rm x); true "$(rm y)"
### getopts
set -- -f /x; while getopts f: o; do case $o in f) rm "$OPTARG";; esac; done
### shift
set -- a b c; shift; rm "$@"; shift 2; rm "$@" end
### unset
x=1; unset x; rm "$x"
### read so many characters
read -n 3 x <<< abcdef; rm "$x"; read -N 4 x y <<< 'ab cd ef'; rm "$x" "$y"; read -rn 9 x <<< ab || rm short; rm "$x"
### readonly
readonly a=1; a=2 true; rm $a; a=2; rm never
### readonly in another line
readonly a=1
a=2
rm $a
