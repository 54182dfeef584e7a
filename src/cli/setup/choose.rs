//! A person chooses agents from a list, by number. Plain lines: it works on every terminal and for a screen reader.

use std::io::{BufRead, Write};

use super::ground::Machine;
use crate::agents::{AGENTS, Agent};
use crate::setup::{Goal, inspect};

/// The agents that the person names; none where the person goes away.
pub fn agents(command: &str, goal: Goal, machine: &Machine) -> Vec<&'static Agent> {
    let offered: Vec<(&'static Agent, bool, &'static str)> = AGENTS
        .iter()
        .map(|agent| {
            let state = machine.with(agent, |ground| inspect::inspect(agent, ground));
            let says = match (state.is_connected(), state.is_ours(), machine.is_found(agent)) {
                (true, ..) => "connected",
                (_, true, _) => "connected in part",
                (_, _, true) => "found",
                _ => "not found",
            };
            let is_meant = match goal {
                Goal::Connect => machine.is_found(agent) && !state.is_connected(),
                Goal::Disconnect => state.is_ours(),
            };
            (*agent, is_meant, says)
        })
        .collect();
    for (number, (agent, is_meant, says)) in offered.iter().enumerate() {
        println!("{:>3} {} {:<18} {says}", number + 1, if *is_meant { "*" } else { " " }, agent.title);
    }
    loop {
        print!("\n{command} which? Numbers with blanks between, `all` for those with *, or nothing: ");
        let _ = std::io::stdout().flush();
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line).unwrap_or(0) == 0 {
            return Vec::new();
        }
        match parse(&line, &offered) {
            Ok(chosen) => return chosen,
            Err(what) => println!("{what}"),
        }
    }
}

fn parse(line: &str, offered: &[(&'static Agent, bool, &str)]) -> Result<Vec<&'static Agent>, String> {
    if line.trim() == "all" {
        return Ok(offered.iter().filter(|(_, is_meant, _)| *is_meant).map(|(agent, ..)| *agent).collect());
    }
    let one = |word: &str| {
        let number = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let named = offered.iter().find(|(agent, ..)| agent.name == word);
        number.and_then(|at| offered.get(at)).or(named).map(|(agent, ..)| *agent)
    };
    let words = line.split([' ', ',', '\t', '\n', '\r']).filter(|word| !word.is_empty());
    words
        .map(|word| one(word).ok_or_else(|| format!("`{}` is none of the numbers", crate::explain::plain::line(word))))
        .collect()
}
