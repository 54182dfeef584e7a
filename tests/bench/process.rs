//! What a hook costs from exec to exit, beside `/bin/true` in the same run, in a home that has been lived in: a user layer of
//! five rulebooks and settings, a project layer, a repository of 50,000 files, a log folder with a year in it.
//!
//! ```text
//! cargo build --release
//! cargo bench --bench process                          # target/release/cc-safety-net
//! cargo bench --bench process -- --hook PATH --hook PATH --rounds N
//! ```
//!
//! The processes take turns, so that ratios hold on a busy machine, too. The home is made once, below `target/`.

#![allow(unsafe_code)] // `wait4` is the one way to learn a child's peak memory

#[path = "measure.rs"]
mod measure;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use measure::{Case, in_turns, print, rulebook, script};

/// Files in the repository.
const FILES: usize = 50_000;

struct Options {
    hooks: Vec<PathBuf>,
    rounds: usize,
}

/// A home, and the repository in it in which the session works.
struct Place {
    home: PathBuf,
    project: PathBuf,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, hook, payload, home] = arguments.as_slice()
        && flag == "--measure"
    {
        return measure_memory(Path::new(hook), Path::new(payload), Path::new(home));
    }
    // `cargo test --benches` only asks whether it compiles.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let options = options(&arguments);
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench-home");
    let lived_in = lived_in(&target.join("lived-in"), 40);
    let many = many_rules(&target.join("many-rules"), &lived_in, 10_000);
    let payloads = payloads(&target, &lived_in.project);

    for hook in &options.hooks {
        println!("\n══ {}", hook.display());
        let hook = &installed(hook, &target);
        warm(hook, &lived_in);
        warm(hook, &many);
        // Apart, since a long script leaves nothing in the processor's caches to whoever comes after it.
        let (commands, scripts) = payloads.split_at(2);
        let mut cases = vec![Case::timed("/bin/true", || spawned(Command::new("/bin/true")))];
        for (name, payload) in commands {
            cases.push(Case::timed(name.clone(), || hooked(hook, payload, &lived_in)));
        }
        for (name, payload) in commands {
            cases.push(Case::timed(format!("{name}, 10,000 rules more"), || hooked(hook, payload, &many)));
        }
        print("exec to exit, warm", &in_turns(options.rounds, cases));
        let mut cases = vec![Case::timed("/bin/true", || spawned(Command::new("/bin/true")))];
        for (name, payload) in scripts {
            cases.push(Case::timed(name.clone(), || hooked(hook, payload, &lived_in)));
        }
        print("scripts", &in_turns(options.rounds.div_ceil(10), cases));

        for (what, place) in [("lived in", &lived_in), ("10,000 rules more", &many)] {
            let mut edits = 0u32;
            let cases = vec![
                Case::timed("/bin/true", || spawned(Command::new("/bin/true"))),
                Case::timed("git status, first call after an edit", || {
                    edits += 1;
                    edit(place, edits);
                    hooked(hook, &payloads[0].1, place)
                }),
            ];
            print(
                &format!("after an edit of one of the user's rulebooks ({what})"),
                &in_turns(options.rounds.div_ceil(20), cases),
            );
        }

        println!("\npeak memory");
        for (name, payload) in &payloads {
            println!("{name:<44} {:>8} KiB", peak(hook, payload, &lived_in));
        }
        println!("{:<44} {:>8} KiB", "git status, 10,000 rules more", peak(hook, &payloads[0].1, &many));
    }
}

fn options(arguments: &[String]) -> Options {
    let mut options = Options { hooks: Vec::new(), rounds: 400 };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--hook" => options.hooks.extend(rest.next().map(|path| fs::canonicalize(path).expect("the hook is there"))),
            "--rounds" => options.rounds = rest.next().and_then(|n| n.parse().ok()).expect("--rounds N"),
            _ => {}
        }
    }
    if options.hooks.is_empty() {
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/release/cc-safety-net");
        assert!(built.exists(), "build it first: cargo build --release");
        options.hooks.push(built);
    }
    options
}

/// A copy of the hook, as an installation makes one: what the linker has just written page by page is mapped page by page, too.
fn installed(hook: &Path, target: &Path) -> PathBuf {
    let copy = target.join("installed");
    let _ = fs::remove_file(&copy);
    fs::copy(hook, &copy).expect("the hook is copied");
    copy
}

/// The commands, each as a payload in a file.
fn payloads(target: &Path, project: &Path) -> Vec<(String, PathBuf)> {
    let commands = [
        ("git status", "git status".to_string()),
        ("git reset --hard", "git reset --hard HEAD~1".to_string()),
        ("a script of 5 KB", script(5_000)),
        ("a script of 64 KB", script(64_000)),
    ];
    let mut payloads = Vec::new();
    for (number, (name, command)) in commands.into_iter().enumerate() {
        let payload = serde_json::json!({
            "session_id": "bench", "transcript_path": "", "cwd": project, "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t", "tool_input": { "command": command },
        });
        let path = target.join(format!("payload-{number}.json"));
        write(&path, &payload.to_string());
        payloads.push((name.to_string(), path));
    }
    payloads
}

/// The home of somebody who uses the product.
fn lived_in(home: &Path, rules: usize) -> Place {
    let place = Place { home: home.to_path_buf(), project: home.join("work/project") };
    let user = home.join(".cc-safety-net");
    for number in 0..5 {
        write(&user.join(format!("rules/own{number}.rulebook")), &rulebook(&format!("own{number}"), rules));
    }
    write(&user.join("policy.yaml"), "preset: standard\nallow_paths:\n  - ~/scratch\noverrides:\n  git.push-force: ask\n");
    for day in 0..365 {
        let line = format!("{{\"ts\":\"day {day}\",\"decision\":\"deny\",\"command\":\"{}\"}}\n", "x".repeat(160));
        write(&user.join(format!("logs/{day:03}.jsonl")), &line.repeat(100));
    }
    let folder = place.project.join(".cc-safety-net");
    write(&folder.join("rules/ours.rulebook"), &rulebook("ours", rules));
    write(&folder.join("policy.yaml"), "preset: standard\n");
    repository(&place.project);
    place
}

/// The same home with many rules of the user's own; the repository is shared.
fn many_rules(home: &Path, other: &Place, rules: usize) -> Place {
    let user = home.join(".cc-safety-net");
    // A file of more rules than this is larger than what a layer takes.
    let each = 500;
    for number in 0..rules / each {
        write(&user.join(format!("rules/many{number}.rulebook")), &rulebook(&format!("many{number}"), each));
    }
    write(&user.join("policy.yaml"), "preset: standard\n");
    Place { home: home.to_path_buf(), project: other.project.clone() }
}

/// A repository of [`FILES`] tracked files, made once.
fn repository(root: &Path) {
    if root.join(".git/index").exists() {
        return;
    }
    for number in 0..FILES {
        write(&root.join(format!("src/d{:03}/f{number}.txt", number % 500)), &format!("file {number}\n"));
    }
    for arguments in
        [&["init", "-q"][..], &["add", "-A"], &["-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-qm", "all"]]
    {
        let ran = Command::new("git").arg("-C").arg(root).args(arguments).status().expect("git is installed");
        assert!(ran.success(), "git {arguments:?}");
    }
}

/// Writes a file, with the folders above it, for its owner alone; a file that has this text already is left alone.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a parent")).expect("the folder can be made");
    fs::write(path, text).expect("the file can be written");
}

/// Changes a rule of the user's, so that what was compiled from it is out of date.
fn edit(place: &Place, number: u32) {
    let rules = place.home.join(".cc-safety-net/rules");
    let mut files: Vec<PathBuf> =
        fs::read_dir(rules).expect("rules are there").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let file = &files[number as usize % files.len()];
    let text = fs::read_to_string(file).expect("a rulebook");
    let head = text.split("\n# edit ").next().unwrap_or(&text);
    fs::write(file, format!("{head}\n# edit {number}\n")).expect("the file can be written");
}

/// Lets a command compile what a hook would not compile by itself.
fn warm(hook: &Path, place: &Place) {
    let mut explain = Command::new(hook);
    explain.args(["explain", "git", "status"]).current_dir(&place.project).env("HOME", &place.home);
    let ran = explain.stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(ran.expect("it starts").success(), "explain runs in the lived-in home");
}

fn command(hook: &Path, payload: &Path, home: &Path) -> Command {
    let mut command = Command::new(hook);
    let input = fs::File::open(payload).expect("the payload is there");
    command.args(["hook", "--coding-cli"]).env_clear().env("HOME", home).env("PATH", "/usr/bin:/bin").stdin(input);
    command
}

fn hooked(hook: &Path, payload: &Path, place: &Place) -> Duration {
    let mut command = command(hook, payload, &place.home);
    command.current_dir(&place.project);
    spawned(command)
}

/// From the moment the child is asked for to the moment it is gone.
fn spawned(mut command: Command) -> Duration {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status().expect("it starts");
    let took = start.elapsed();
    assert!(status.success(), "{command:?}");
    took
}

/// The peak memory of a hook in KiB. A child is charged with what its parent held when it was made, so a fresh, small process
/// of this program is the parent.
fn peak(hook: &Path, payload: &Path, place: &Place) -> u64 {
    let own = std::env::current_exe().expect("this program has a path");
    let output = Command::new(own).arg("--measure").args([hook, payload, &place.home]).current_dir(&place.project).output();
    String::from_utf8_lossy(&output.expect("it starts").stdout).trim().parse().unwrap_or(0)
}

#[cfg(unix)]
fn measure_memory(hook: &Path, payload: &Path, home: &Path) {
    // `wait4` below waits for it, and says what it used.
    #[allow(clippy::zombie_processes)]
    let child = command(hook, payload, home).stdout(Stdio::null()).spawn().expect("it starts");
    // SAFETY: all zeros is a valid `rusage`.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let mut status = 0;
    // SAFETY: both pointers are to live locals, and the child was not waited for yet.
    unsafe { libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage) };
    // Kilobytes on Linux, bytes on macOS.
    println!("{}", if cfg!(target_os = "macos") { usage.ru_maxrss / 1024 } else { usage.ru_maxrss });
}

#[cfg(not(unix))]
fn measure_memory(_hook: &Path, _payload: &Path, _home: &Path) {
    println!("0");
}
