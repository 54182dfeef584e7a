//! Records as lines for people, as JSON, and as a table for spreadsheets. One at a time: a log may be long.

use std::io::IsTerminal;

use crate::audit::Record;
use crate::explain::plain;

/// A line for each.
pub(super) fn lines(records: impl Iterator<Item = Record>) {
    let width = std::io::stdout().is_terminal().then(|| super::super::style().width);
    let mut any = false;
    for record in records {
        println!("{}", line(&record, width));
        any = true;
    }
    if !any {
        eprintln!("no records");
    }
}

/// One line: the name's beginning, the time, the decision, the agent, the rule, the call. Cut to a terminal's width.
pub(super) fn line(record: &Record, width: Option<usize>) -> String {
    let time: String = record.ts.chars().take(16).map(|c| if c == 'T' { ' ' } else { c }).collect();
    let rule = match (&record.rule_id, record.failure_stage, &record.ticket) {
        (Some(rule), _, Some(_)) => format!("{rule} (allowed once)"),
        (Some(rule), ..) => rule.clone(),
        (None, Some(_), _) => "(failed)".into(),
        (None, None, _) => "-".into(),
    };
    let short: String = record.id.chars().take(8).collect();
    let said = match record.failure_stage {
        Some(_) => record.reason.clone(),
        None if record.segment.is_empty() => record.subject(),
        None => record.segment.clone(),
    };
    let line = format!("{short} {time} {:<5} {:<11} {rule:<18} {}", record.decision.word(), record.agent, plain::line(&said));
    width.map_or(line.clone(), |width| plain::clip(&line, width))
}

/// A list.
pub(super) fn json(records: impl Iterator<Item = Record>) {
    let mut begun = false;
    for record in records {
        let text = serde_json::to_string(&record).unwrap_or_else(|_| "null".into());
        print!("{}{text}", if begun { ",\n" } else { "[" });
        begun = true;
    }
    println!("{}", if begun { "]" } else { "[]" });
}

/// A table, as RFC 4180 has it.
pub(super) fn csv(records: impl Iterator<Item = Record>) {
    println!("ts,id,decision,agent,session,tool,rule,layer,certainty,reason,segment,command,cwd,project,level,duration_us");
    for record in records {
        let layer = record.layer.map(crate::explain::message::layer).unwrap_or_default();
        let certainty = record.certainty.and_then(|certainty| serde_json::to_value(certainty).ok());
        let cells = [
            record.ts.as_str(),
            &record.id,
            record.decision.word(),
            &record.agent,
            &record.session_id,
            &record.tool_name,
            record.rule_id.as_deref().unwrap_or_default(),
            layer,
            certainty.as_ref().and_then(|it| it.as_str()).unwrap_or_default(),
            &record.reason,
            &record.segment,
            &record.subject(),
            &record.cwd,
            &record.project,
            record.level.map(|level| level.word()).unwrap_or_default(),
            &record.duration_us.to_string(),
        ];
        println!("{}", cells.map(cell).join(","));
    }
}

fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_string() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_are_no_formulas() {
        assert_eq!(
            ["a", "a,b", "say \"x\"", "=1+1", "a\nb"].map(cell),
            ["a", "\"a,b\"", "\"say \"\"x\"\"\"", "'=1+1", "\"a\nb\""]
        );
    }
}
