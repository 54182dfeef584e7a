//! Counts of records, for people and as JSON.

use std::collections::BTreeMap;

use crate::audit::{Count, Record, Statistics};
use crate::explain::plain;

/// How many names of a kind are shown; the JSON has all.
const NAMES: usize = 20;
const NAME: usize = 44;

/// Counts the records and prints.
pub(super) fn print(records: impl Iterator<Item = Record>, json: bool) {
    let mut statistics = Statistics::new();
    records.for_each(|record| statistics.add(&record));
    if json {
        return println!("{}", super::super::json(&statistics));
    }
    let day = |time: &str| time.chars().take(10).collect::<String>();
    let all = statistics.decisions;
    if all.sum() == 0 {
        return println!("no records");
    }
    println!("{}, {} to {}", super::super::count(all.sum() as usize, "record"), day(&statistics.from), day(&statistics.to));
    println!("\n{:<NAME$} {:>8} {:>8} {:>8} {:>8}", "", "allow", "warn", "ask", "deny");
    row("all", &all);
    table("by rule", &statistics.rules, true);
    table("by agent", &statistics.agents, true);
    table("by project", &statistics.projects, true);
    table("by day", &statistics.days, false);
}

/// A table, the most refused first, or by name backwards: the newest day first.
fn table(title: &str, counts: &BTreeMap<String, Count>, by_weight: bool) {
    println!("\n{title}");
    let mut rows: Vec<_> = counts.iter().rev().collect();
    if by_weight {
        rows.sort_by_key(|(name, count)| (std::cmp::Reverse((count.deny, count.ask, count.sum())), (*name).clone()));
    }
    for (name, count) in rows.iter().take(NAMES) {
        row(if name.is_empty() { "(no project)" } else { name }, count);
    }
    if rows.len() > NAMES {
        println!("  and {} more", rows.len() - NAMES);
    }
}

fn row(name: &str, count: &Count) {
    let name = plain::line(name);
    let chars = name.chars().count();
    // Of a path the end tells more than the beginning.
    let name = if chars > NAME - 2 { format!("…{}", name.chars().skip(chars + 3 - NAME).collect::<String>()) } else { name };
    println!("{:<NAME$} {:>8} {:>8} {:>8} {:>8}", format!("  {name}"), count.allow, count.warn, count.ask, count.deny);
}
