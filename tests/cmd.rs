//! cmd.exe: script → what runs, what is written.

#[path = "support/recorder.rs"]
mod recorder;

use cc_safety_net::shell::Dialect;

#[track_caller]
fn case(script: &str, lines: &[&str]) {
    assert_eq!(recorder::read(script, Dialect::Cmd), lines, "{script}");
}

#[test]
fn commands_and_their_words() {
    case("rd /s /q C:\\x", &["rd [/s] [/q] [C:\\x]"]);
    case("del \"a b\" & rd x && ver || dir", &["del [a b]", "rd [x]", "ver", "dir"]);
    case("r^d /s x", &["rd [/s] [x]"]);
    case("echo rd /s /q C:\\", &[]);
    case("rem rd x\ndir", &["dir"]);
}

#[test]
fn variables_and_loops() {
    case("set D=C:\\x&rd %D%", &["rd [C:\\x]"]);
    case("rd %USERPROFILE%\\x", &["rd [/home/me\\x]"]);
    case("for %i in (a b) do rd %i", &["rd [a]", "rd [b]"]);
    case("if exist x (rd x) else dir", &["rd [x]", "dir"]);
    case("type a > b.txt", &["type [a]", "writes b.txt"]);
    case("echo y| del x", &["del [x] < y"]);
}

#[test]
fn every_cut_of_a_script_is_read() {
    let script = "@if not exist \"é\" (for /f \"x\" %%a in ('dir /b') do rd %%a^é) else set X=%Y% & cd /d Z > o 2>&1";
    for (cut, _) in script.char_indices() {
        recorder::read(&script[..cut], Dialect::Cmd);
        recorder::read(&script[cut..], Dialect::Cmd);
    }
    recorder::read(&"(".repeat(50_000), Dialect::Cmd);
}
