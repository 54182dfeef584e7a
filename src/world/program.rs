//! Other programs: found on the `PATH`, and run with a time limit. Nothing that judges a call comes here.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How much of an output is kept.
pub const OUTPUT: u64 = 1 << 20;

/// How often the folder that a program fills is looked at, in rounds of waiting.
const LOOKS: u32 = 25;

/// The terms on which a program is run.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// How long it may take.
    pub limit: Duration,
    /// Variables that it gets.
    pub set: &'a [(&'a str, &'a str)],
    /// Variables that it does not get, though this process has them.
    pub unset: &'a [&'a str],
    /// A folder, and the most bytes that may be in it.
    pub room: Option<(&'a Path, u64)>,
}

/// What a program did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// Its exit code; none where a signal ended it.
    pub code: Option<i32>,
    /// What it wrote to standard output.
    pub output: String,
    /// What it wrote to standard error.
    pub errors: String,
}

/// The program of this name on the `PATH`, absolute. Relative entries are passed over: they mean another place in each directory.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat"] } else { &[""] };
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders
        .flat_map(|folder| endings.iter().map(move |ending| folder.join(format!("{name}{ending}"))))
        .find(|candidate| is_executable(candidate))
}

/// Whether a file can be run.
#[cfg(unix)]
pub fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Whether a file can be run.
#[cfg(not(unix))]
pub fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Runs a program with this input; or why that failed, as a phrase. A program that takes longer is killed.
pub fn run(program: &str, arguments: &[String], input: &str, limit: Duration) -> Result<Ran, String> {
    let mut command = Command::new(program);
    command.args(arguments);
    finish(command, input, limit, None)
}

/// Runs a program without input on terms; or why that failed, as a phrase. One that takes longer or fills more is killed.
pub fn run_on(terms: &Terms, program: &Path, arguments: &[String]) -> Result<Ran, String> {
    let mut command = Command::new(program);
    command.args(arguments).envs(terms.set.iter().copied());
    for name in terms.unset {
        command.env_remove(name);
    }
    finish(command, "", terms.limit, terms.room)
}

/// Runs a command line as an agent would: by the shell.
pub fn run_line(line: &str, input: &str, directory: &str, limit: Duration) -> Result<Ran, String> {
    let mut command = if cfg!(windows) { Command::new("cmd") } else { Command::new("/bin/sh") };
    command.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(line).current_dir(directory);
    finish(command, input, limit, None)
}

fn finish(mut command: Command, input: &str, limit: Duration, room: Option<(&Path, u64)>) -> Result<Ran, String> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().map_err(|fault| format!("it does not start: {fault}"))?;
    let stdin = child.stdin.take();
    let input = input.to_string();
    // A program need not read its input; that it closes the pipe is no fault.
    thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(input.as_bytes())));
    let readers = (gather(child.stdout.take()), gather(child.stderr.take()));
    let start = Instant::now();
    let mut rounds = 0;
    let status = loop {
        rounds += 1;
        let is_full = || rounds % LOOKS == 0 && room.is_some_and(|(folder, bytes)| size(folder) > bytes);
        let why = match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() >= limit => format!("it took longer than {} seconds", limit.as_secs()),
            Ok(None) if is_full() => format!("it filled more than {} MiB", room.map_or(0, |(_, bytes)| bytes >> 20)),
            Ok(None) => {
                thread::sleep(Duration::from_millis(2));
                continue;
            }
            Err(fault) => return Err(fault.to_string()),
        };
        let _ = child.kill();
        let _ = child.wait();
        return Err(why);
    };
    // What it left running may hold the pipes open: not waited for longer than the limit.
    let rest = || limit.saturating_sub(start.elapsed()).max(Duration::from_millis(200));
    let output = readers.0.recv_timeout(rest()).unwrap_or_default();
    let errors = readers.1.recv_timeout(rest()).unwrap_or_default();
    Ok(Ran { code: status.code(), output, errors })
}

/// How many bytes are in a folder and below it. Links are not followed.
pub fn size(folder: &Path) -> u64 {
    let (mut open, mut bytes) = (vec![folder.to_path_buf()], 0);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => open.push(entry.path()),
                Ok(meta) => bytes += meta.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}

fn gather(pipe: Option<impl Read + Send + 'static>) -> std::sync::mpsc::Receiver<String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.by_ref().take(OUTPUT).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_program_on_terms_gets_the_variables_it_should_and_no_more_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let limit = Duration::from_secs(60);
        let run = |script: &str, room: Option<(&Path, u64)>| {
            let terms = Terms { limit, set: &[("GIVEN", "yes")], unset: &["PATH"], room };
            run_on(&terms, Path::new("/bin/sh"), &["-c".into(), script.into()])
        };
        let ran = run("echo \"$GIVEN\"; /usr/bin/env", None).expect("it runs");
        assert!(ran.output.starts_with("yes\n") && !ran.output.contains("\nPATH=/"), "{ran:?}");
        let file = folder.path().join("file");
        let script = format!("/usr/bin/head -c 3000000 /dev/zero > '{}'; exec /bin/sleep 50", file.display());
        let why = run(&script, Some((folder.path(), 1 << 20))).expect_err("it fills too much");
        assert_eq!(why, "it filled more than 1 MiB");
    }
}
