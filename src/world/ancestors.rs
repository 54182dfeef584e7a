//! The processes above this one.

/// The arguments of each process above this one, the nearest first; as far up as this user may look. `None` where the system
/// does not tell.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub fn ancestors() -> Option<Vec<Vec<String>>> {
    /// Deeper than any chain that people make.
    const LEVELS: usize = 64;
    let parent = |process: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name stands in parentheses and may hold some itself.
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let mut at = parent(std::process::id())?;
    let mut found = Vec::new();
    while at > 0 && found.len() < LEVELS {
        let Ok(line) = std::fs::read(format!("/proc/{at}/cmdline")) else { break };
        let words = line.split(|byte| *byte == 0).filter(|word| !word.is_empty());
        found.push(words.map(|word| String::from_utf8_lossy(word).into_owned()).collect());
        let Some(next) = parent(at) else { break };
        at = next;
    }
    Some(found)
}

/// The arguments of each process above this one, the nearest first, as the system's own list has them.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android"))))]
pub fn ancestors() -> Option<Vec<Vec<String>>> {
    let arguments = ["-axo", "pid=,ppid=,args="].map(str::to_string);
    let listed = super::program::run("/bin/ps", &arguments, "", std::time::Duration::from_secs(5)).ok()?.output;
    let rows = listed.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (process, parent) = (words.next()?.parse::<u32>().ok()?, words.next()?.parse::<u32>().ok()?);
        Some((process, (parent, words.map(str::to_string).collect::<Vec<_>>())))
    });
    let rows: std::collections::BTreeMap<u32, (u32, Vec<String>)> = rows.collect();
    let mut at = std::os::unix::process::parent_id();
    let mut found = Vec::new();
    while let (Some((parent, words)), true) = (rows.get(&at), found.len() < 64) {
        found.push(words.clone());
        at = *parent;
    }
    (!found.is_empty()).then_some(found)
}

/// The arguments of each process above this one: not known on this system.
#[cfg(not(unix))]
pub fn ancestors() -> Option<Vec<Vec<String>>> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn somebody_started_this_process() {
        let found = super::ancestors().expect("told");
        assert!(!found.is_empty() && found.iter().any(|words| !words.is_empty()), "{found:?}");
    }
}
