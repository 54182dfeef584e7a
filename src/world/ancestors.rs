//! The processes above this one, by name, as far as the system tells.

/// How far up.
const LEVELS: usize = 64;

/// The names of the processes above: the program, and the script that an interpreter runs.
#[cfg(target_os = "linux")]
pub fn names() -> Vec<String> {
    let mut found = Vec::new();
    let mut at = std::os::unix::process::parent_id();
    for _ in 0..LEVELS {
        if at <= 1 {
            break;
        }
        let command = std::fs::read(format!("/proc/{at}/cmdline")).unwrap_or_default();
        let words = command.split(|byte| *byte == 0).take(2).map(|word| String::from_utf8_lossy(word).into_owned());
        found.extend(words.filter_map(|word| name(&word)));
        // The name in parentheses may hold anything; the parent is the second field after it.
        let stat = std::fs::read_to_string(format!("/proc/{at}/stat")).unwrap_or_default();
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok());
        at = parent.unwrap_or(0);
    }
    found
}

/// The names of the processes above: the program, and the script that an interpreter runs.
#[cfg(all(unix, not(target_os = "linux")))]
pub fn names() -> Vec<String> {
    let mut found = Vec::new();
    let mut at = std::os::unix::process::parent_id();
    for _ in 0..LEVELS {
        if at <= 1 {
            break;
        }
        let arguments = ["-o", "ppid=,args=", "-p", &at.to_string()].map(str::to_string);
        let Ok(ran) = super::program::run("/bin/ps", &arguments, "", std::time::Duration::from_secs(2)) else { break };
        let mut words = ran.output.split_whitespace();
        at = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        found.extend(words.take(2).filter_map(name));
    }
    found
}

/// Not known on this system.
#[cfg(not(unix))]
pub fn names() -> Vec<String> {
    Vec::new()
}

/// The last component of a path, without a script's ending.
#[cfg(unix)]
fn name(word: &str) -> Option<String> {
    let last = word.rsplit('/').next()?.trim_start_matches('-');
    let plain = [".js", ".mjs", ".cjs", ".py"].iter().find_map(|ending| last.strip_suffix(ending)).unwrap_or(last);
    (!plain.is_empty()).then(|| plain.to_string())
}
