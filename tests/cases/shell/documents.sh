### text
cat <<EOF
hello $USER $(lines sub) \$x
EOF
### quoted
cat <<'EOF' > file
rm -rf / $x $(no)
EOF
shell "$(cat file)"
### tabs
cat <<-EOF
	a
		b
	EOF
### several
cat <<A <<B; x
a
A
b
B
y
### in a substitution
git commit -m "$(cat <<'EOF'
rm -rf / is only mentioned
EOF
)"
### a shell reads it
shell <<EOF
rm -rf $HOME
EOF
### string
shell <<< 'rm x'
### read line by line
while read -r a b; do rm "$a" "$b"; done <<EOF
1 2
3 4 5
EOF
### never closed
cat <<EOF
text
