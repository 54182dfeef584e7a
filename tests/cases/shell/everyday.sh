### mentions are not commands
git commit -m "rm -rf /" # rm -rf /
echo rm -rf / ; grep -r "rm -rf" .
x='rm -rf /'
### a commit message by document
git commit -F - <<'EOF'
fix: do not rm -rf /
EOF
### find and xargs
find . -name '*.o' -print0 | xargs -0 rm
### continuation
docker run \
  --rm -v "$PWD:/src" \
  image sh -c 'make'
### loop with pipe
git branch --merged | grep -v main | while read -r b; do git branch -d "$b"; done
### json
curl -d '{"a": [1, 2]}' -H "X: $TOKEN" http://host/
### test and run
[ -d build ] || mkdir -p build && cd build && cmake ..
### script head
#!/bin/bash
set -euo pipefail
SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
rm -rf "$SCRIPT_DIR/build"
