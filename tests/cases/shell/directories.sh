### known
cd /tmp; rm x; cd sub && rm y; cd ..; pwd
### failure
cd x && a || b
cd y || exit 1; c
### failure ignored
cd x || true; a
### unknown
cd "$(fetch d)" && rm -rf *
### back
cd /a; cd /b; cd -; x "$PWD" "$OLDPWD"
### stack
pushd /a; rm x; pushd b; rm y; popd; rm z; popd; rm w
### home
cd; rm x; cd ~/y; rm z
### subshell
(cd / && rm x); rm y
### in a loop
while read l; do cd ..; rm "$l"; done < list
### an unset variable
cd $NOWHERE; rm x
