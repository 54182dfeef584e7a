//! Other programs: found on the `PATH`, and run with a time limit. Nothing that judges a call comes here.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How much of an output is kept.
const OUTPUT: u64 = 1 << 20;

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
    finish(command, input, limit)
}

/// Runs a command line as an agent would: by the shell.
pub fn run_line(line: &str, input: &str, directory: &str, limit: Duration) -> Result<Ran, String> {
    let mut command = if cfg!(windows) { Command::new("cmd") } else { Command::new("/bin/sh") };
    command.arg(if cfg!(windows) { "/C" } else { "-c" }).arg(line).current_dir(directory);
    finish(command, input, limit)
}

fn finish(mut command: Command, input: &str, limit: Duration) -> Result<Ran, String> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().map_err(|fault| format!("it does not start: {fault}"))?;
    let stdin = child.stdin.take();
    let input = input.to_string();
    // A program need not read its input; that it closes the pipe is no fault.
    thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(input.as_bytes())));
    let readers = (gather(child.stdout.take()), gather(child.stderr.take()));
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() < limit => thread::sleep(Duration::from_millis(2)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it took longer than {} seconds", limit.as_secs()));
            }
            Err(fault) => return Err(fault.to_string()),
        }
    };
    // What it left running may hold the pipes open: not waited for longer than the limit.
    let rest = || limit.saturating_sub(start.elapsed()).max(Duration::from_millis(200));
    let output = readers.0.recv_timeout(rest()).unwrap_or_default();
    let errors = readers.1.recv_timeout(rest()).unwrap_or_default();
    Ok(Ran { code: status.code(), output, errors })
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
