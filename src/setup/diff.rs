//! A plan as a person reads it: what changes in which file, what is run.

use similar::TextDiff;

use super::plan::{Change, Plan, Run, Step};

/// A file beyond this is told by its size.
const SHOWN: usize = 64 << 10;
/// A line beyond this is cut.
const WIDTH: usize = 400;

/// The plan, a block for each step. `shown` shortens a path, `safe` makes a line fit for a terminal.
pub fn render(plan: &Plan, shown: &dyn Fn(&str) -> String, safe: &dyn Fn(&str) -> String) -> String {
    let mut text = String::new();
    for step in &plan.steps {
        match step {
            Step::Write(change) => text.push_str(&of_change(change, shown, safe)),
            Step::Run(run) => text.push_str(&format!("run {}\n", safe(&line(run, shown)))),
        }
    }
    text
}

/// A command as it would be typed.
pub fn line(run: &Run, shown: &dyn Fn(&str) -> String) -> String {
    let arguments: Vec<String> = run.arguments.iter().map(|argument| shown(argument)).collect();
    format!("{} {}", shown(&run.program), arguments.join(" "))
}

fn of_change(change: &Change, shown: &dyn Fn(&str) -> String, safe: &dyn Fn(&str) -> String) -> String {
    let path = safe(&shown(&change.path));
    let is_large = [&change.before, &change.after].iter().any(|text| text.as_ref().is_some_and(|text| text.len() > SHOWN));
    match (&change.before, &change.after) {
        (None, Some(_)) if change.like.is_some() => format!("keep {path} (as it is now)\n"),
        (_, Some(_)) if change.like.is_some() => format!("keep {path} (as it is now, over an older one)\n"),
        (Some(_), None) => format!("remove {path}\n"),
        (_, Some(after)) if is_large => format!("write {path} ({} bytes)\n", after.len()),
        (before, Some(after)) => {
            let before_name = if before.is_some() { path.as_str() } else { "(no file)" };
            let before = before.as_deref().unwrap_or_default();
            let diff = TextDiff::from_lines(before, after);
            let unified = diff.unified_diff().context_radius(3).header(before_name, &path).to_string();
            let lines = unified.lines().map(|line| safe(&cut(line)) + "\n");
            lines.collect()
        }
        (None, None) => String::new(),
    }
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_string(),
    }
}
