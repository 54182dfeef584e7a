//! The list of productions: read, chosen in turn, filled.

use super::{Dialect, Maker, NAMES};

/// A form of the shell, written down in one or several ways.
pub(super) struct Production {
    name: &'static str,
    /// Not every step of it can be predicted: the real shell may take fewer.
    open: bool,
    forms: Vec<&'static str>,
}

/// The productions of a dialect.
pub(super) fn of(dialect: Dialect) -> Vec<Production> {
    let mut all = Vec::new();
    for block in include_str!("productions.txt").split("\n### ").skip(1) {
        let (head, forms) = block.split_once('\n').expect("a production has a head and forms");
        let words: Vec<&str> = head.split(' ').collect();
        if words[1] == "both" || dialect == Dialect::Bash {
            all.push(Production {
                name: words[0],
                open: words.contains(&"open"),
                forms: forms.trim_end().split("\n--\n").collect(),
            });
        }
    }
    all
}

impl Maker {
    /// The next production, in one of its forms, with everything between `‹ ›` made.
    pub(super) fn production(&mut self) -> String {
        self.turn = (self.turn + 1) % self.productions.len();
        let Production { name: production, open, ref forms } = self.productions[self.turn];
        let forms = forms.clone();
        let form = self.pick(&forms);
        self.note(production);
        self.open |= open;
        self.named += 1;
        let new = format!("new{}", self.named);
        let name = self.pick(&NAMES);
        let other = NAMES[(NAMES.iter().position(|one| *one == name).expect("one of them") + 1) % NAMES.len()];
        let mut out = String::new();
        let mut rest = form;
        while let Some((before, after)) = rest.split_once('‹') {
            let (slot, after) = after.split_once('›').expect("a slot has an end");
            out.push_str(before);
            out.push_str(&match slot {
                "word" => self.word(),
                "text" => self.simple_word(),
                "name" => name.to_string(),
                "other" => other.to_string(),
                "new" => new.clone(),
                "pattern" => self.pattern(),
                "record" => self.record(),
                "list" => self.list(),
                "sum" => self.arithmetic(0),
                "digit" => self.below(8).to_string(),
                other => panic!("no slot is called `{other}`"),
            });
            rest = after;
        }
        out + rest
    }
}
