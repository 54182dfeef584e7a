//! A plan carried out: all of it, or nothing.

use std::path::Path;
use std::time::Duration;

use super::record::Record;
use crate::setup::{Change, Plan, Run, Step};
use crate::world::{program, replace};

/// How long one command of an agent's may take.
const LIMIT: Duration = Duration::from_secs(120);

/// Does every step in order. Where one fails, what was done is taken back, and the phrase says which and why.
pub fn apply(plan: &Plan, record: &mut Record) -> Result<(), String> {
    let mut done: Vec<&Step> = Vec::new();
    for step in &plan.steps {
        let result = match step {
            Step::Write(change) => write(change, record),
            Step::Run(call) => run(&call.program, &call.arguments, call.expects),
        };
        if let Err(why) = result {
            let mut lines = vec![why];
            lines.extend(done.into_iter().rev().filter_map(|step| take_back(step, record).err()));
            record.forget();
            return Err(lines.join("; "));
        }
        done.push(step);
    }
    for step in done {
        match step {
            Step::Write(change) => record.wrote(change),
            Step::Run(call) => record.ran(call),
        }
    }
    Ok(())
}

fn write(change: &Change, record: &mut Record) -> Result<(), String> {
    let like = change.like.as_deref().map(Path::new);
    let made = replace::replace(Path::new(&change.path), change.before.as_deref(), change.after.as_deref(), like)
        .map_err(|fault| fault.to_string())?;
    match change.after {
        Some(_) => record.made(made),
        None => record.unmake(&change.path),
    }
    Ok(())
}

/// Runs a command of an agent's; it must end well and say what is expected.
pub fn run(program: &str, arguments: &[String], expects: &str) -> Result<(), String> {
    let line = format!("`{program} {}`", arguments.join(" "));
    let ran = program::run(program, arguments, "", LIMIT).map_err(|why| format!("{line}: {why}"))?;
    let said = [ran.errors.trim(), ran.output.trim()].into_iter().find(|text| !text.is_empty()).unwrap_or("nothing was said");
    let said: String = said.lines().next_back().unwrap_or_default().chars().take(300).collect();
    match ran.code {
        Some(0) if expects.is_empty() || ran.output.contains(expects) => Ok(()),
        Some(0) => Err(format!("{line}: its output has no `{expects}`: {said}")),
        Some(code) => Err(format!("{line} ended with code {code}: {said}")),
        None => Err(format!("{line} was ended by a signal")),
    }
}

fn take_back(step: &Step, record: &mut Record) -> Result<(), String> {
    let failed = |why: String| format!("and taking it back failed: {why}");
    match step {
        Step::Write(change) => {
            let back =
                Change { before: change.after.clone(), after: change.before.clone(), like: None, path: change.path.clone() };
            write(&back, record).map_err(failed)
        }
        Step::Run(Run { undo, .. }) if undo.is_empty() => Ok(()),
        Step::Run(call) => run(&call.program, &call.undo, "").map_err(failed),
    }
}
