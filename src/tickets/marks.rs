//! By what an agent is known that stands above this process.

use crate::model::path::base_name;

const MARKS: &str = include_str!("marks.txt");

/// The mark of an agent among the variables that are set and the processes above, each with its arguments; none where a person
/// seems to be alone with a shell.
pub fn agent_mark(is_set: impl Fn(&str) -> bool, processes: &[Vec<String>]) -> Option<String> {
    let of = |keyword: &'static str| {
        MARKS.lines().filter_map(move |line| line.strip_prefix(keyword)?.strip_prefix(' ')).map(str::trim)
    };
    if let Some(name) = of("variable").find(|name| is_set(name)) {
        return Some(format!("the variable {name} is set"));
    }
    // The program, and the script that it may run.
    let words = processes.iter().flat_map(|words| words.iter().take(2));
    words.map(|word| word.replace('\\', "/")).find_map(|word| {
        let name = base_name(&word);
        let name = name.strip_suffix(".exe").unwrap_or(name).to_ascii_lowercase();
        let is_marked = of("process").any(|mark| mark == name) || of("script").any(|part| word.contains(part));
        is_marked.then(|| format!("`{}` is above this process", crate::explain::plain::line(&word)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(processes: &[&[&str]]) -> Option<String> {
        let processes: Vec<Vec<String>> =
            processes.iter().map(|words| words.iter().map(|word| word.to_string()).collect()).collect();
        agent_mark(|_| false, &processes)
    }

    #[test]
    fn agents_are_known_by_their_names_scripts_and_variables() {
        assert!(chain(&[&["bash"], &["/usr/bin/claude", "-c"], &["zsh"]]).is_some_and(|mark| mark.contains("claude")));
        assert!(chain(&[&["node", "/usr/lib/node_modules/@openai/codex/bin/x.js"]]).is_some());
        assert!(chain(&[&["node", "/usr/bin/gemini"]]).is_some());
        assert!(chain(&[&["C:\\x\\Claude.exe"]]).is_some());
        assert_eq!(chain(&[&["-zsh"], &["tmux: server"], &["/usr/lib/systemd/systemd"], &["vim", "-O", "claude"]]), None);
        assert!(agent_mark(|name| name == "CLAUDECODE", &[]).is_some_and(|mark| mark.contains("CLAUDECODE")));
    }

    #[test]
    fn every_line_is_a_mark() {
        for line in MARKS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (keyword, mark) = line.split_once(' ').expect("two words");
            assert!(["variable", "process", "script"].contains(&keyword) && !mark.trim().is_empty(), "{line}");
        }
    }
}
