//! Languages and tools: what calls inside code and fields of tool calls do.

use super::declarations::{Implied, Scope, operand};
use super::words::meant;
use super::{Check, words};
use crate::language::tree::{self, Raw};
use crate::model::declaration::{Field, Language, LibraryCall, Operand, Tool};

/// The languages that a front end reads, and the ones that only their text is matched of.
const LANGUAGES: [&str; 14] =
    ["any", "shell", "powershell", "cmd", "python", "javascript", "perl", "ruby", "php", "lua", "awk", "sed", "sql", "endless"];

impl<'t> Check<'_, 't> {
    /// The calls of a language.
    pub(super) fn language(&mut self, tree: &'t tree::Language<'t>) -> Language {
        let mut calls = Vec::new();
        for call in &tree.calls {
            let parameters: Vec<Operand> = call.parameters.iter().map(|raw| operand(raw.text)).collect();
            let names: Vec<&'t str> = call.parameters.iter().map(|raw| raw.text.trim_end_matches(['.', '?'])).collect();
            let implied = match names.as_slice() {
                [] => Implied::Own,
                [name] => Implied::Placeholder(name),
                _ => Implied::Unclear,
            };
            let scope = Scope { placeholders: names, options: Vec::new(), implied };
            let (does, yields) = self.does(&call.does, &scope, "");
            let names = call.names.iter().map(|raw| raw.text.to_string()).collect();
            calls.push(LibraryCall { names, parameters, does, yields });
        }
        Language { name: tree.name.text.to_string(), calls }
    }

    /// The fields of an agent's tool.
    pub(super) fn tool(&mut self, tree: &'t tree::Tool<'t>) -> Option<Tool> {
        let name = words::pattern(tree.name, self.faults)?;
        let mut fields: Vec<Field> = Vec::new();
        for field in &tree.fields {
            let (does, _) = self.does(&field.does, &Scope::default(), "");
            fields.push(Field { name: field.name.text.to_string(), does });
        }
        Some(Tool { name, fields })
    }

    /// A language's name; an unknown one is reported.
    pub(super) fn language_name(&mut self, raw: Raw<'t>) -> &'t str {
        if !LANGUAGES.contains(&raw.text) && !self.names.has_language(raw.text) {
            let known: Vec<&str> = LANGUAGES.into_iter().chain(self.names.languages()).collect();
            let help = meant(raw.text, known.iter().copied());
            self.faults
                .error("rulebook::unknown-language", raw.at, "not known", format!("there is no language `{}`", raw.text))
                .help(format!("{help}; or declare it: `language {} {{ }}`", raw.text));
        }
        raw.text
    }

    /// Reports a word out of a closed set.
    pub(super) fn unknown<'n>(
        &mut self,
        clause: &str,
        raw: Raw<'_>,
        what: &str,
        known: impl IntoIterator<Item = &'n str> + Clone,
    ) {
        let help = meant(raw.text, known);
        self.faults
            .error("rulebook::unknown-word", raw.at, format!("after `{clause}`"), format!("`{}` is not {what}", raw.text))
            .help(help);
    }
}
