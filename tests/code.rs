//! Embedded code: text → the calls that it makes.

#[path = "support/recorder.rs"]
mod recorder;

#[track_caller]
fn case(language: &str, script: &str, calls: &[&str]) {
    assert_eq!(recorder::calls(language, script), calls, "{script}");
}

/// Cases where other calls stand beside the ones of interest.
#[track_caller]
fn among(language: &str, script: &str, call: &str) {
    let calls = recorder::calls(language, script);
    assert!(calls.iter().any(|one| one == call), "{call} is not in {calls:?} of {script}");
}

#[test]
fn python_imports_and_aliases() {
    case("python", "import os; os.system('rm -rf /')", &["os.system(rm -rf /)"]);
    case("python", "import os as o\no.system('x')", &["os.system(x)"]);
    case("python", "from shutil import rmtree as r; r('/')", &["shutil.rmtree(/)"]);
    case("python", "from os import (system,\n  remove)\nremove('a')", &["os.remove(a)"]);
    case("python", "__import__('os').system('x')", &["os.system(x)"]);
    case("python", "import os; getattr(os, 'sys' + 'tem')('x')", &["os.system(x)"]);
    among("python", "import importlib; importlib.import_module('shutil').rmtree('/x')", "shutil.rmtree(/x)");
}

#[test]
fn python_text_is_followed() {
    case("python", "import os\np = '/'\nos.system('rm -rf ' + p)", &["os.system(rm -rf /)"]);
    case("python", "import os\np = '/'\nos.system(f'rm -rf {p}x')", &["os.system(rm -rf /x)"]);
    case("python", "import os\nos.system(''.join(['r', 'm', ' /']))", &["os.system(rm /)"]);
    case("python", "import os\nos.system(chr(114) + chr(109))", &["os.system(rm)"]);
    case("python", "import os\nos.system('%s -rf %s' % ('rm', '/'))", &["os.system(rm -rf /)"]);
    case("python", "import os\nos.system('{} {}'.format('rm', '/'))", &["os.system(rm /)"]);
    case("python", "import os\nos.system('/ fr- mr'[::-1])", &["os.system(rm -rf /)"]);
    case("python", "import os, base64\nos.system(base64.b64decode('cm0gLXJmIC8=').decode())", &["os.system(rm -rf /)"]);
    case(
        "python",
        "import subprocess\nsubprocess.run(['rm', '-rf', '/'], check=True)",
        &["subprocess.run((rm -rf /), check=true)"],
    );
    case("python", "import os\nfor p in ['/a', '/b']: os.remove(p)", &["os.remove(/a|/b)"]);
    case("python", "import pathlib\npathlib.Path('x').unlink()", &["pathlib.Path(x)", "pathlib.Path.unlink(x)"]);
    case("python", "with open('.env') as f: f.read()", &["open(.env)", "open.read(.env)"]);
}

#[test]
fn code_that_mentions_a_call_makes_none() {
    case("python", "print(\"os.system('rm -rf /')\")", &["print(os.system('rm -rf /'))"]);
    case("python", "# os.system('x')\nx = 1", &[]);
    case("python", "'''os.system('x')'''", &[]);
    case("javascript", "// fs.rmSync('/')\n/* fs.rmSync('/') */ const s = \"fs.rmSync('/')\"", &[]);
    case("perl", "my $s = 'system(\"rm\")'; # system('x')", &[]);
    case("ruby", "s = %q{system('x')}", &[]);
}

#[test]
fn javascript_modules() {
    case("javascript", "require('fs').rmSync('/', {recursive: true})", &["fs.rmSync(/, recursive=true)"]);
    case("javascript", "const {rmSync: r} = require('node:fs'); r('/x')", &["fs.rmSync(/x)"]);
    case("javascript", "import { execSync as e } from 'child_process'; e('ls')", &["child_process.execSync(ls)"]);
    case("javascript", "import * as fs from \"node:fs\";\nfs.unlinkSync('a')", &["fs.unlinkSync(a)"]);
    case(
        "javascript",
        "const cp = require('child_process'); cp['exec' + 'Sync'](`rm -rf ${'/'}`)",
        &["child_process.execSync(rm -rf /)"],
    );
    case(
        "javascript",
        "const d = '/'; require('child_process').spawn('rm', ['-rf', d])",
        &["child_process.spawn(rm, (-rf /))"],
    );
    case("javascript", "eval(atob('YQ=='))", &["eval(a)"]);
    among("javascript", "['/a'].forEach(p => require('fs').unlinkSync('/b'))", "fs.unlinkSync(/b)");
    among("javascript", "(async () => { await require('fs').promises.rm('/z') })()", "fs.promises.rm(/z)");
}

#[test]
fn scripting_languages() {
    case("perl", "system('rm -rf /')", &["system(rm -rf /)"]);
    case("perl", "my $d = '/'; system \"rm -rf $d\";", &["system(rm -rf /)"]);
    case("perl", "`rm x`; qx{rm y}", &["backticks(rm x)", "backticks(rm y)"]);
    case("perl", "unlink 'a', 'b';", &["unlink(a, b)"]);
    case("perl", "exec('r'.'m')", &["exec(rm)"]);
    case("ruby", "require 'fileutils'; FileUtils.rm_rf('/')", &["FileUtils.rm_rf(/)"]);
    case("ruby", "system \"rm #{'/'}\"", &["system(rm /)"]);
    case("ruby", "File.delete('a')", &["File.delete(a)"]);
    case("ruby", "FileUtils.rm_rf %w[a b]", &["FileUtils.rm_rf((a b))"]);
    case("php", "<?php $d = '/'; unlink($d . 'x'); exec(\"rm $d\");", &["unlink(/x)", "exec(rm /)"]);
    case("lua", "os.execute('rm ' .. '/')", &["os.execute(rm /)"]);
    case("lua", "os.remove \"a\"", &["os.remove(a)"]);
}

#[test]
fn awk_and_sed() {
    case("awk", "BEGIN { system(\"rm -rf /\") }", &["system(rm -rf /)"]);
    case("awk", "BEGIN { c = \"rm \"; system(c \"/\") }", &["system(rm /)"]);
    case("awk", "{ print $1 > \"out\" }", &["redirect(out)"]);
    case("awk", "{ print | \"sh\" }", &["pipe(sh)"]);
    case("awk", "BEGIN { \"date\" | getline d }", &["pipe(date)"]);
    case("awk", "/system(\"x\")/ { print \"system(1)\" } # system(\"y\")", &[]);
    case("awk", "$1 > 5 { n++ }", &[]);
    case("sed", "s/a/b/w out", &["w(out)"]);
    case("sed", "1e rm x", &["e(rm x)"]);
    case("sed", "s/e/w/g; s|x|rm|; /we/d", &[]);
}

#[test]
fn every_cut_of_a_script_is_read() {
    let scripts = [
        (
            "python",
            "import a.b as c\nwith open(f\"é{x!r}\") as f:\n  c.d('''é''', *[1, {'k': 2}])[0]; (lambda y: y)(3) if z else w",
        ),
        ("javascript", "const {a: b, ...c} = await import(`é${x}`); [1].map(async (y) => { z?.w(y) }); f({k: 'é', l})"),
        ("perl", "my ($a, @b) = @{$c}; print \"é $a @{[1]} ${d}\" . q(é(x)) . `ls é`; foreach my $x (1, 2) { f($x) }"),
        ("ruby", "def f(x) = system(\"é #{x}\") unless %w[é b].each { |y| puts y }"),
        ("php", "<?php foreach ($a as $b) { echo \"é {$b['c']} $d\"; } `é`; ?>"),
        ("lua", "local x = [[é]] --[[ é ]] f{1} g'é' h:i(\"é\")"),
        ("awk", "/é/ { print \"é\" | \"x\"; \"é\" | getline y; system(\"é\" z) > \"é\" }"),
        ("sed", "/é/s|é|é|gw é\n1e é\n$!{a é\n}"),
    ];
    for (language, script) in scripts {
        for (cut, _) in script.char_indices() {
            recorder::calls(language, &script[..cut]);
            recorder::calls(language, &script[cut..]);
        }
        for open in ["(", "[", "{", "f(", "\"${", "lambda:", "x=", "not "] {
            recorder::calls(language, &open.repeat(4_000));
        }
    }
}
