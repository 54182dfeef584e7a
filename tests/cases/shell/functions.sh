### entered when called
f() { rm "$1"; }; f x; g() { never; }
### shadows
rm() { :; }; rm -rf /; command rm y; \rm z
### keyword form
function h { rm $#; }; function i() { rm i; }; h a b; i
### return
f() { a; return 0; b; }; f && c
### return in a branch
f() { if maybe; then return 1; fi; x=1; }; f; echo "$x"
### recursion ends
f() { a; f; }; f
### fork bomb
:(){ :|:& };:
### changes outside
f() { cd /tmp; x=1; }; f; rm $x
### positional come back
set -- outer; f() { shift; echo $1; }; f a b; echo $1
### unset
f() { a; }; unset -f f; f
### alias
alias ll='rm -rf'; ll /; \ll x
### output of a function
f() { echo made; }; rm $(f)
### subshell body
f() ( cd /tmp; rm x ); f; rm y
### exit in a function
f() { exit 1; }; f; rm x
