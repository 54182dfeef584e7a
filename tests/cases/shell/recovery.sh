### before and after
a; ) b; c
### unclosed apostrophe
echo don't; rm x
### unclosed quote
a "b; rm x
### unclosed substitution
a $(b; rm x
### unclosed group
{ a; rm x
### stray words
fi; a; done; b; then c
### if without then
if a; b; c
### missing word
a > ; b | ; c && 
### unknown expansion
echo ${(f)x} ${x!y}; rm z
### parentheses among arguments
a (b c) d; rm x
### bars
| a; || b; && c; ;; d
