//! Examples: commands and tool calls, the decision that they must get, and the facts of their world.

use super::{Check, words};
use crate::language::checked::{Example, ExampleInput, ExampleWorld};
use crate::language::tree::{self, Raw, World};
use crate::model::rule::Decision;

/// The settings that an example may make, and whether they take a value.
const SETTINGS: [(&str, bool); 3] = [("relax-worktrees", false), ("allow-paths", true), ("deny-paths", true)];

impl Check<'_, '_> {
    /// One example of a rule.
    pub(super) fn example(&mut self, tree: &tree::Example<'_>, rule: &str) -> Option<Example> {
        let Some(expected) = Decision::parse(tree.decision.text) else {
            self.faults
                .error(
                    "rulebook::not-a-decision",
                    tree.decision.at,
                    "no decision",
                    "an example gets `allow`, `warn`, `ask` or `deny`",
                )
                .help("write `allow` for a command that the rule lets through");
            return None;
        };
        let input = match &tree.input {
            tree::ExampleInput::Code { text, long } => {
                let text = if *long { dedent(text) } else { padded(text) };
                if text.trim().is_empty() {
                    self.faults
                        .error("rulebook::empty-example", tree.at, "says nothing", "an example needs a command")
                        .help("write it between backquotes: `` `git status` ``");
                }
                ExampleInput::Command(text)
            }
            tree::ExampleInput::Tool { name, fields } => {
                ExampleInput::Tool { name: words::literal(*name, "a tool's name", self.faults)?, fields: fields.clone() }
            }
        };
        let mut world = ExampleWorld::default();
        for fact in &tree.world {
            self.fact_of_world(fact, &mut world);
        }
        Some(Example { rule: rule.to_string(), expected, todo: tree.todo, input, world, at: self.rule_at(tree.at) })
    }

    fn fact_of_world(&mut self, fact: &World<'_>, world: &mut ExampleWorld) {
        match fact {
            World::With { kind, word, content } => {
                let Some(name) = words::literal(*word, "a name in an example's world", self.faults) else { return };
                if content.is_some() && kind.text != "file" {
                    self.faults
                        .error(
                            "rulebook::content-of-what",
                            word.at,
                            "has content",
                            format!("`with {}` takes no content", kind.text),
                        )
                        .help(format!("write ``with file {} `content` ``", word.text));
                }
                match kind.text {
                    "modified" => world.modified.push(name),
                    "clean" => world.clean.push(name),
                    "ignored" => world.ignored.push(name),
                    "worktree" => world.worktrees.push(name),
                    "branch" => self.set_once(&mut world.branch, name, *word),
                    _ => {
                        let text = content.map_or(String::new(), |(text, long)| if long { dedent(text) } else { padded(text) });
                        world.files.push((name, text));
                    }
                }
            }
            World::In(raw) => {
                if let Some(directory) = words::literal(*raw, "a directory", self.faults) {
                    self.set_once(&mut world.directory, directory, *raw);
                }
            }
            World::Preset(raw) => {
                if let Some(preset) = self.preset(*raw) {
                    self.set_once(&mut world.preset, preset, *raw);
                }
            }
            World::Setting(raw) => {
                let Some(text) = words::literal(*raw, "a setting", self.faults) else { return };
                let (name, value) = text.split_once('=').unwrap_or((&text, ""));
                if SETTINGS.iter().any(|(known, takes)| *known == name && *takes != value.is_empty()) {
                    world.settings.push((name.to_string(), value.to_string()));
                } else {
                    self.faults
                        .error("rulebook::bad-setting", raw.at, "no setting of an example", format!("`{text}` sets nothing"))
                        .help("write `setting relax-worktrees`, `setting allow-paths=PATH` or `setting deny-paths=PATH`");
                }
            }
            World::Env(raw) => match words::literal(*raw, "a variable", self.faults) {
                Some(text) if text.find('=').is_some_and(|cut| cut > 0) => {
                    let (name, value) = text.split_once('=').unwrap_or((&text, ""));
                    world.environment.push((name.to_string(), value.to_string()));
                }
                Some(text) => {
                    self.faults
                        .error("rulebook::bad-variable", raw.at, "has no `=`", "a variable is written with its value")
                        .help(format!("write `env {text}=value`"));
                }
                None => {}
            },
        }
    }

    fn set_once<T>(&mut self, place: &mut Option<T>, value: T, raw: Raw<'_>) {
        if place.is_some() {
            self.faults
                .error("rulebook::duplicate", raw.at, "stated again", "an example's world states this twice")
                .help("remove one of them");
        }
        *place = Some(value);
    }
}

/// A text between short fences: one blank on each side is taken off where it separates a backquote from the fence.
fn padded(text: &str) -> String {
    let inner = text.strip_prefix(' ').and_then(|rest| rest.strip_suffix(' '));
    match inner {
        Some(inner) if inner.starts_with('`') || inner.ends_with('`') => inner.to_string(),
        _ => match text.strip_suffix(' ') {
            Some(inner) if inner.ends_with('`') => inner.to_string(),
            _ => text.to_string(),
        },
    }
}

/// A text between long fences: the first and the last line break go, and the indentation of the line of the closing fence.
fn dedent(text: &str) -> String {
    let Some((first, rest)) = text.split_once('\n') else { return text.to_string() };
    if !first.trim().is_empty() {
        return text.to_string();
    }
    let (body, last) = rest.rsplit_once('\n').unwrap_or(("", rest));
    let indentation = if last.trim().is_empty() { last } else { "" };
    let body = if last.trim().is_empty() { body } else { rest };
    let lines: Vec<&str> =
        body.lines().map(|line| line.strip_prefix(indentation).unwrap_or(line.trim_start_matches([' ', '\t']))).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closing_fence_gives_the_indentation() {
        assert_eq!(dedent("\n    cat <<E\n      x\n    E\n    "), "cat <<E\n  x\nE");
    }

    #[test]
    fn a_blank_separates_a_backquote_from_its_fence() {
        assert_eq!(padded("echo `id` "), "echo `id`");
        assert_eq!(padded("echo x "), "echo x ");
    }
}
