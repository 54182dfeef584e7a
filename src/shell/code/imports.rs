//! Imports and aliases: under which name a library is known in this text.

use super::tokens::Kind;
use super::value::Value;
use super::walk::Walk;

impl Walk<'_, '_> {
    /// Takes an import, where the statement is one.
    pub(super) fn import(&mut self) -> bool {
        match (self.lexis.name, self.ahead(0)) {
            ("python", "import") => self.python_import(),
            ("python", "from") => self.python_from(),
            ("javascript", "import") if self.ahead(1) != "(" && self.ahead(1) != "." => self.javascript_import(),
            ("php", "use") => self.php_use(),
            _ => return false,
        }
        true
    }

    /// A dotted name at this place.
    fn dotted(&mut self) -> String {
        let mut name = String::new();
        while self.is_name(0) || (self.lexis.members.contains(&self.ahead(0)) && !self.ahead(0).is_empty()) {
            if self.is_name(0) {
                if !name.is_empty() {
                    name.push('.');
                }
                name.push_str(self.ahead(0));
                self.at += 1;
                if !self.lexis.members.contains(&self.ahead(0)) {
                    break;
                }
            } else {
                self.at += 1;
            }
        }
        name
    }

    fn bind(&mut self, name: String, stands_for: String) {
        let span = self.tokens.get(self.at.saturating_sub(1)).map(|token| self.span_of(token)).unwrap_or_default();
        if name != stands_for {
            self.names.insert(name, Value::Name(stands_for, span));
        } else {
            self.names.remove(&name);
        }
    }

    /// `import os, shutil as s`.
    fn python_import(&mut self) {
        self.at += 1;
        loop {
            let module = self.dotted();
            if module.is_empty() {
                return;
            }
            if self.accept("as") && self.is_name(0) {
                let name = self.ahead(0).to_string();
                self.at += 1;
                self.bind(name, module);
            }
            if !self.accept(",") {
                return;
            }
        }
    }

    /// `from shutil import rmtree as r, move`.
    fn python_from(&mut self) {
        self.at += 1;
        let module = self.dotted();
        if !self.accept("import") {
            return;
        }
        self.accept("(");
        loop {
            while self.tokens.get(self.at).is_some_and(|token| token.kind == Kind::Line)
                && self.depth == 0
                && self.ahead(1) == ")"
            {
                self.at += 1;
            }
            if self.accept("*") {
                self.names.insert("*".into(), Value::Name(module, Default::default()));
                return;
            }
            if !self.is_name(0) {
                self.accept(")");
                return;
            }
            let member = self.ahead(0).to_string();
            self.at += 1;
            let mut name = member.clone();
            if self.accept("as") && self.is_name(0) {
                name = self.ahead(0).to_string();
                self.at += 1;
            }
            self.bind(name, format!("{module}.{member}"));
            if !self.accept(",") {
                self.accept(")");
                return;
            }
        }
    }

    /// `import fs from "fs"`, `import * as fs from "fs"`, `import {rm as r} from "fs"`.
    fn javascript_import(&mut self) {
        self.at += 1;
        let mut whole: Vec<String> = Vec::new();
        let mut members: Vec<(String, String)> = Vec::new();
        while !self.done() {
            if let Some(text) = self.plain_text() {
                let module = module_name(&text);
                for name in whole {
                    self.bind(name, module.clone());
                }
                for (member, name) in members {
                    let stands_for = if member == "default" { module.clone() } else { format!("{module}.{member}") };
                    self.bind(name, stands_for);
                }
                return;
            }
            match self.ahead(0) {
                "*" if self.ahead(1) == "as" => {
                    whole.push(self.ahead(2).to_string());
                    self.at += 3;
                }
                "{" => {
                    self.at += 1;
                    while !self.done() && !self.accept("}") {
                        if self.is_name(0) {
                            let member = self.ahead(0).to_string();
                            let renamed = self.ahead(1) == "as" && self.is_name(2);
                            let name = if renamed { self.ahead(2).to_string() } else { member.clone() };
                            self.at += if renamed { 3 } else { 1 };
                            members.push((member, name));
                        } else {
                            self.at += 1;
                        }
                    }
                }
                "from" | "," | "type" => self.at += 1,
                _ if self.is_name(0) => {
                    whole.push(self.ahead(0).to_string());
                    self.at += 1;
                }
                _ => return,
            }
        }
    }

    /// `use A\B as C`.
    fn php_use(&mut self) {
        self.at += 1;
        let module = self.dotted();
        if self.accept("as") && self.is_name(0) {
            let name = self.ahead(0).to_string();
            self.at += 1;
            self.bind(name, module);
        }
    }

    /// The token here as a known text; steps over it.
    pub(super) fn plain_text(&mut self) -> Option<String> {
        let token = self.tokens.get(self.at)?;
        let Kind::Text(parts, _) = &token.kind else { return None };
        let text = match parts.as_slice() {
            [] => String::new(),
            [super::tokens::Part::Plain(from, to)] => self.source.text.get(*from..*to)?.to_string(),
            _ => return None,
        };
        self.at += 1;
        Some(text)
    }
}

/// A module's name as declarations have it: without `node:`, its path's slashes as dots.
pub(super) fn module_name(text: &str) -> String {
    let text = text.strip_prefix("node:").unwrap_or(text);
    text.replace('/', ".")
}
