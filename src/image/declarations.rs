//! Declarations of programs, node by node: a program and each of its subcommands is a record of its own, so that a call reads
//! the one subcommand that it names, and the quick road only the [`Head`] of each.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::model::declaration::{Act, Argument, Branches, Command, Does, Subcommands};
use crate::model::effect::Verb;

use super::bytes::{Bytes, Fault};
use super::globs::Table;
use super::layout::{Location, Writer, record};
use super::record::encode;

/// Set for what may run another program or text.
pub const HEAVY: u32 = 1 << 31;

/// The bit of a verb.
pub fn bit(verb: Verb) -> u32 {
    1 << (verb as u32)
}

/// What stands before the declaration in its record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The names of the program, or of the subcommand.
    pub names: Vec<String>,
    /// Whether only another shell than POSIX's has it.
    pub shell: bool,
    /// The verbs that it may cause whatever it is given.
    pub own: u32,
    /// Those that its operands may cause.
    pub operands: u32,
    /// Those that its options may cause.
    pub options: u32,
    /// Settings of the repository on which it acts.
    pub settings: Vec<String>,
    /// The names of its subcommands, each with its place in `nodes`.
    pub words: Table,
    /// Their records.
    pub nodes: Vec<Location>,
}

impl Head {
    /// The record of the subcommand of this name, and its place.
    pub fn node(&self, name: &str) -> Result<Option<(usize, Location)>, Fault> {
        let mut found = Vec::new();
        self.words.find(name.as_bytes(), &mut found)?;
        let Some(place) = found.first().map(|place| *place as usize) else { return Ok(None) };
        let location = self.nodes.get(place).ok_or(Fault::Content { part: "declaration" })?;
        Ok(Some((place, *location)))
    }
}

/// Writes a command and all below it; the checker bounds how deep they nest.
pub fn write(command: &Command, writer: &mut Writer) -> Location {
    let mut words = std::collections::BTreeMap::new();
    let mut nodes = Vec::new();
    for sub in command.subcommands.here() {
        for name in &sub.names {
            words.entry(name.clone()).or_insert_with(|| vec![nodes.len() as u32]);
        }
        nodes.push(write(sub, writer));
    }
    let head = Head {
        names: command.names.clone(),
        shell: command.shell.is_some(),
        own: does(command.does.iter().filter(|does| !on_operand(command, does)).chain(&command.stdin)),
        operands: does(command.does.iter().filter(|does| on_operand(command, does)))
            | if command.runs.is_some() { HEAVY } else { 0 },
        options: command.options.iter().fold(0, |all, option| all | does(option.does.iter())),
        settings: command
            .settings
            .iter()
            .flat_map(|one| &one.names)
            .filter_map(|name| name.as_literal())
            .map(str::to_string)
            .collect(),
        words: Table::new(&words),
        nodes,
    };
    let mut content = encode(&head);
    content.extend(encode(command));
    writer.record(&content)
}

/// Whether nothing happens where no operand is given.
fn on_operand(command: &Command, does: &Does) -> bool {
    match &does.argument {
        Argument::Placeholder { name, .. } | Argument::After { name, .. } | Argument::Decoded { name, .. } => {
            command.operands.iter().any(|operand| operand.name == *name)
        }
        Argument::None | Argument::Stdin | Argument::Paths(_) => false,
    }
}

fn does<'d>(list: impl Iterator<Item = &'d Does>) -> u32 {
    list.fold(0, |all, does| {
        all | match &does.act {
            // A file that runs has effects of its own.
            Act::Effect(Verb::Executes | Verb::ExecutesFile) | Act::Executes(_) | Act::ExecutesFile { .. } => HEAVY,
            Act::Effect(verb) => bit(*verb),
            Act::Runs | Act::RunsUntil { .. } | Act::Assigns | Act::Aliases | Act::Splits | Act::Replaces => HEAVY,
            Act::Narrows | Act::Cancels | Act::Links { .. } => 0,
        }
    })
}

/// Reads the head of a record.
pub fn head(bytes: &dyn Bytes, location: Location) -> Result<Head, Fault> {
    let content = record(bytes, location)?;
    postcard::take_from_bytes(&content).map(|(head, _)| head).map_err(|_| Fault::Content { part: "declaration" })
}

/// Reads a command, its subcommands left where they are; none where it goes by other names.
pub fn load(bytes: &Arc<dyn Bytes>, location: Location, named: impl Fn(&Head) -> bool) -> Result<Option<Command>, Fault> {
    let content = record(&**bytes, location)?;
    let wrong = |_| Fault::Content { part: "declaration" };
    let (head, rest) = postcard::take_from_bytes::<Head>(&content).map_err(wrong)?;
    if !named(&head) {
        return Ok(None);
    }
    let mut command: Command = super::record::decode(rest, "declaration")?;
    if !head.nodes.is_empty() {
        let loaded = head.nodes.iter().map(|_| OnceLock::new()).collect();
        command.subcommands = Subcommands::Apart(Arc::new(Store { bytes: bytes.clone(), head, loaded }));
    }
    Ok(Some(command))
}

/// The subcommands of one command in an image, each read when it is first asked for.
struct Store {
    bytes: Arc<dyn Bytes>,
    head: Head,
    loaded: Vec<OnceLock<Option<Box<Command>>>>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.debug_struct("Store").finish_non_exhaustive()
    }
}

impl Branches for Store {
    /// What cannot be read is no subcommand, as a command that cannot be read is not declared.
    fn find(&self, name: &str) -> Option<&Command> {
        let (place, location) = self.head.node(name).ok()??;
        let read = || load(&self.bytes, location, |_| true).ok().flatten().map(Box::new);
        self.loaded.get(place)?.get_or_init(read).as_deref()
    }
}
