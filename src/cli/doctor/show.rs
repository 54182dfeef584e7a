//! The report as text of 80 columns.

use std::fmt::Write;

use super::agents::Told;
use super::{Report, Severity};
use crate::explain::plain;

const WIDTH: usize = 80;

/// The report. `shown` shortens paths.
pub fn render(report: &Report, shown: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    let safe = |text: &str| plain::line(&shown(text));
    // Writing to a text cannot fail.
    let _ = writeln!(out, "CC Safety Net {}, {}", report.version, safe(&report.program));
    let _ = writeln!(out, "\nAgents");
    let (here, absent): (Vec<&Told>, Vec<&Told>) =
        report.agents.iter().partition(|agent| agent.found || agent.parts.iter().any(|part| part.standing != "absent"));
    for agent in here {
        one(&mut out, agent, &safe);
    }
    if !absent.is_empty() {
        let names: Vec<&str> = absent.iter().map(|agent| agent.title).collect();
        out.push_str(&wrapped(&format!("not found here: {}", names.join(", ")), 2));
    }
    let _ = writeln!(out, "\nLayers");
    for layer in &report.layers {
        let state = match (layer.there, layer.in_force) {
            (_, true) => layer.rights,
            (true, false) => "not in force",
            (false, false) => "none",
        };
        let _ = writeln!(out, "  {:<18} {}: {state}", layer.kind, safe(&layer.path));
        layer.faults.iter().for_each(|fault| out.push_str(&wrapped(&safe(fault), 6)));
    }
    if let Some(cache) = &report.cache {
        let _ = writeln!(out, "  {:<18} {}: {} files, {} bytes", "images", safe(&cache.path), cache.files, cache.bytes);
    }
    if !report.fixed.is_empty() {
        let _ = writeln!(out, "\nRepaired");
        report.fixed.iter().for_each(|line| out.push_str(&wrapped(&safe(line), 2)));
    }
    let _ = writeln!(out, "\nFindings");
    for finding in &report.findings {
        let word = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        };
        out.push_str(&wrapped(&format!("{word}: {} [{}]", safe(&finding.what), finding.id), 2));
        out.push_str(&wrapped(&format!("→ {}", safe(&finding.fix)), 6));
    }
    if report.findings.is_empty() {
        let _ = writeln!(out, "  none: everything that is here is connected and in force");
    }
    out
}

fn one(out: &mut String, agent: &Told, safe: &dyn Fn(&str) -> String) {
    let state =
        match (agent.connected, agent.parts.iter().any(|part| part.standing == "drifted"), agent.switched_off.is_empty()) {
            (true, _, false) => "connected, and switched off",
            (true, true, _) => "connected, drifted",
            (true, false, _) => "connected",
            (false, ..) => "not connected",
        };
    let version = agent.agent_version.as_deref().map(|version| format!(" ({})", safe(version))).unwrap_or_default();
    let _ = writeln!(out, "  {:<18} {state}{version}", agent.title);
    let mut say = |text: String| out.push_str(&wrapped(&safe(&text), 6));
    for part in agent.parts.iter().filter(|part| part.standing != "absent") {
        say(format!("by {}", part.path));
    }
    if let Some(tested) = &agent.self_test {
        match &tested.fault {
            None => say(format!("hook refuses and lets pass what it must ({} ms)", tested.milliseconds)),
            Some(fault) => say(format!("hook {fault}")),
        }
    }
    if let Some(told) = &agent.told {
        say(format!("says itself: {told}"));
    }
    if agent.connected {
        let reaches = |is: bool| if is { "reaches a person" } else { "does not" };
        say(format!("a broken hook: {}; an ask {}; a warning {}", agent.fails, reaches(agent.asks), reaches(agent.warns)));
        agent.cannot.iter().for_each(|cannot| say(format!("- {cannot}")));
    }
}

/// A text in lines of the width, indented; what continues is indented by two more. Words are not broken.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut line = " ".repeat(indent);
    let mut is_fresh = true;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        if !is_fresh && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent + 2)));
            is_fresh = true;
        }
        if !is_fresh {
            line.push(' ');
        }
        line.push_str(word);
        is_fresh = false;
    }
    lines.push(line);
    lines.iter().map(|line| format!("{line}\n")).collect()
}
