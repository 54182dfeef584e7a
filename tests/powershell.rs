//! PowerShell: script → what runs, what is written. Each case is a script and the lines that the recording host saw.

#[path = "support/recorder.rs"]
mod recorder;

use cc_safety_net::shell::Dialect;

fn read(script: &str) -> Vec<String> {
    recorder::read(script, Dialect::PowerShell)
}

#[track_caller]
fn case(script: &str, lines: &[&str]) {
    assert_eq!(read(script), lines, "{script}");
}

#[test]
fn commands_and_their_words() {
    case("Remove-Item -Recurse -Force C:\\x", &["Remove-Item [-Recurse] [-Force] [C:\\x]"]);
    case("ri 'a b', \"c\" -Recurse; gci", &["ri [a b] [c] [-Recurse]", "gci"]);
    case("Write-Output `\n  hello # rm x", &["Write-Output [hello]"]);
    case("& 'C:\\Program Files\\x.exe' /S", &["C:\\Program Files\\x.exe [/S]"]);
    case("a && b || c", &["a", "b", "c"]);
}

#[test]
fn variables_are_followed() {
    case("$d = '/'; Remove-Item $d", &["Remove-Item [/]"]);
    case("Remove-Item \"$HOME\\x\"", &["Remove-Item [/home/me\\x]"]);
    case("Remove-Item $env:USERPROFILE/y", &["Remove-Item [/home/me/y]"]);
    case("$c = 'Remove-' + 'Item'; & $c /", &["Remove-Item [/]"]);
    case("& ('Re{0}-Item' -f 'move') /", &["Remove-Item [/]"]);
    case("& (-join ([char]114, [char]109)) x", &["rm [x]"]);
    case("Remove-Item \"$nowhere/x\"", &["Remove-Item [<?>/x]"]);
    case("foreach ($p in '/a', '/b') { ri $p }", &["ri [/a]", "ri [/b]"]);
}

#[test]
fn text_is_not_a_command() {
    case("Write-Host 'Remove-Item /'", &["Write-Host [Remove-Item /]"]);
    case("$s = 'Remove-Item /'", &[]);
    case("function wipe { Remove-Item / }", &[]);
    case("$b = { Remove-Item / }", &[]);
    case("# Remove-Item /\n<# rm / #>", &[]);
}

#[test]
fn blocks_and_functions_run_when_called() {
    case("function wipe { Remove-Item / }; wipe", &["Remove-Item [/]"]);
    case("if ($x) { a } else { b }", &["a", "b"]);
    case("1..3 | ForEach-Object { rm $_ }", &["ForEach-Object < <?>", "rm [<?>]"]);
    case("try { a } catch [Exception] { b } finally { c }", &["a", "b", "c"]);
    case("& { rm x }", &["rm [x]"]);
}

#[test]
fn pipes_and_redirections() {
    case("'C:/x' | Remove-Item", &["Remove-Item < C:/x"]);
    case("Get-Content a > b.txt", &["Get-Content [a]", "writes b.txt"]);
    case("[System.IO.File]::Delete('x')", &["[System.IO.File]::Delete [x]"]);
    case("iex (iwr https://example.com/x)", &["iwr [https://example.com/x]", "iex [<?>]"]);
}

#[test]
fn bad_text_ends_with_spans_in_bounds() {
    let scripts = ["'é", "\"é$", "@'\né", "((((", "{", "$(", "a | | b", "@(", "[é", "\"$(\"", "`", "$x = ", "}{)("];
    for script in scripts {
        read(script);
    }
    let deep = "(".repeat(50_000);
    read(&deep);
    let blocks = "if (1) {".repeat(5_000);
    read(&blocks);
}

#[test]
fn every_cut_of_a_script_is_read() {
    let script = "function f($a) { rm \"é $a $(gci 'x')\" } ; $y = @('a', \"b\"); f @{k='v'} | % { & $_ } > \"o`t\" 2>&1";
    for (cut, _) in script.char_indices() {
        read(&script[..cut]);
        read(&script[cut..]);
    }
}
