//! Redirections: what is opened, where output goes, what is written.
//!
//! They are opened before a command runs and settled after it ([`Walk::close`]): only then is it known what was written,
//! so their effects come after the command's own.

use super::super::tree::{Redirect, Redirection, Word as Node};
use super::super::words::expand::Tilde;
use super::super::{CARRIED, Walk};
use super::flows;
use crate::model::{Directory, Flow, Object, Span, Taint, Verb, Word, path};
use crate::shell::state::{State, Target};

/// What a command's redirections have opened.
#[derive(Debug, Default)]
pub(in super::super) struct Plan {
    /// What standard input was before.
    stdin: Option<Flow>,
    /// Descriptors as they were before, to be restored; none for those that were not connected.
    before: Vec<(u32, Option<Target>)>,
    /// Files opened for writing, in order.
    opened: Vec<Opened>,
    /// The descriptor whose input standard input is (`<&3`): what is read is read from it.
    shared: Option<u32>,
    /// Whether standard input comes from a redirection.
    pub(in super::super) input: bool,
    /// How many readers of `>(…)` waited before.
    deferred: usize,
    /// Where the command's output goes, if not where it went before. While the command runs it is collected.
    output: Option<Target>,
}

#[derive(Debug)]
struct Opened {
    verb: Verb,
    descriptor: u32,
    path: Word,
    span: Span,
}

/// What a path names besides files.
enum Device {
    /// Nothing is kept and nothing comes.
    Null,
    /// The terminal, or a descriptor by name.
    Own(Option<u32>),
    /// `/dev/tcp/host/port`.
    Network,
}

fn device(text: &str) -> Option<Device> {
    match text {
        "/dev/null" | "/dev/zero" | "/dev/full" => Some(Device::Null),
        "/dev/stdin" => Some(Device::Own(Some(0))),
        "/dev/stdout" => Some(Device::Own(Some(1))),
        "/dev/stderr" => Some(Device::Own(Some(2))),
        "/dev/tty" => Some(Device::Own(None)),
        _ if text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/") => Some(Device::Network),
        _ => text.strip_prefix("/dev/fd/").map(|number| Device::Own(number.parse().ok())),
    }
}

impl Walk<'_> {
    /// Opens redirections in order.
    pub(in super::super) fn open(&mut self, redirections: &[Redirection], state: &mut State) -> Plan {
        let mut plan = Plan { deferred: self.deferred.len(), ..Plan::default() };
        for redirection in redirections {
            let span = self.span(redirection.at);
            if redirection.is_incomplete() {
                continue;
            }
            match &redirection.kind {
                Redirect::Read(target) => {
                    let word = self.target(target, state);
                    let flow = self.read_from(&word, span, state);
                    self.input(redirection.descriptor.unwrap_or(0), flow, &mut plan, state);
                }
                Redirect::Both(target) => {
                    let word = self.target(target, state);
                    let flow = self.read_from(&word, span, state);
                    let descriptor = redirection.descriptor.unwrap_or(0);
                    self.write_to(descriptor, Verb::Appends, word, span, &mut plan, state);
                    if descriptor == 0 {
                        self.input(0, flow, &mut plan, state);
                    }
                }
                Redirect::Write(target) => {
                    let word = self.target(target, state);
                    self.write_to(redirection.descriptor.unwrap_or(1), Verb::Writes, word, span, &mut plan, state);
                }
                Redirect::Append(target) => {
                    let word = self.target(target, state);
                    self.write_to(redirection.descriptor.unwrap_or(1), Verb::Appends, word, span, &mut plan, state);
                }
                Redirect::Everything { append, target } => {
                    let word = self.target(target, state);
                    let verb = if *append { Verb::Appends } else { Verb::Writes };
                    self.write_to(1, verb, word, span, &mut plan, state);
                    let same = state.memory.descriptors.get(&1).cloned();
                    self.connect(2, same, &mut plan, state);
                }
                Redirect::Duplicate { input, target } => {
                    self.duplicate(redirection.descriptor, *input, target, span, &mut plan, state)
                }
                Redirect::Document(index) => {
                    let script = self.script.clone();
                    let word = script.documents.get(*index).map(|document| self.single(&document.body, Tilde::No, state));
                    let flow = word.map_or(Flow::Empty, |word| if is_empty(&word) { Flow::Empty } else { Flow::Text(word) });
                    self.input(redirection.descriptor.unwrap_or(0), flow, &mut plan, state);
                }
                Redirect::String(target) => {
                    let mut word = self.single(target, Tilde::Argument, state);
                    let end = Span { start: word.span.end, ..word.span };
                    flows::append_word(&mut word, Word::known_text("\n", end));
                    self.input(redirection.descriptor.unwrap_or(0), Flow::Text(word), &mut plan, state);
                }
            }
        }
        if plan.before.iter().any(|(descriptor, _)| *descriptor == 1) {
            plan.output = Some(state.memory.descriptors.remove(&1).unwrap_or(Target::Output));
        }
        plan
    }

    fn target(&mut self, node: &Node, state: &mut State) -> Word {
        let span = self.span(node.at);
        let expansion = self.expand(node, Tilde::Argument, state);
        super::super::words::fields::single(expansion, span, true, " ")
    }

    fn input(&mut self, descriptor: u32, flow: Flow, plan: &mut Plan, state: &mut State) {
        if descriptor != 0 {
            return self.connect(descriptor, Some(Target::Input(flow)), plan, state);
        }
        let before = std::mem::replace(&mut state.stdin, flow);
        plan.stdin.get_or_insert(before);
        plan.shared = None;
        plan.input = true;
    }

    fn connect(&mut self, descriptor: u32, target: Option<Target>, plan: &mut Plan, state: &mut State) {
        let before = match target {
            Some(target) => state.memory.descriptors.insert(descriptor, target),
            None => state.memory.descriptors.remove(&descriptor),
        };
        plan.before.push((descriptor, before));
    }

    /// What comes from a path, and that it is read.
    pub(in super::super) fn read_from(&mut self, word: &Word, span: Span, state: &State) -> Flow {
        if let Some(text) = word.known() {
            if let Some(flow) = state.files.get(text.as_ref()) {
                return flow.clone();
            }
            match device(&text) {
                Some(Device::Null) => return Flow::Empty,
                Some(Device::Own(Some(0))) => return state.stdin.clone(),
                Some(Device::Own(_)) => return Flow::Unknown(Taint { stdin: true, ..Taint::none() }),
                Some(Device::Network) => {
                    self.effect(Verb::Fetches, Object::Address(address(word)), Taint::none(), span, state);
                    return Flow::Unknown(Taint { network: true, ..Taint::none() });
                }
                None => {}
            }
        }
        self.effect(Verb::Reads, Object::Path(word.clone()), Taint::none(), span, state);
        if let Some(path) = absolute(word, state)
            && let Some(flow) = state.files.get(&path)
        {
            return flow.clone();
        }
        Flow::Unknown(file_taint(word, state))
    }

    fn write_to(&mut self, descriptor: u32, verb: Verb, word: Word, span: Span, plan: &mut Plan, state: &mut State) {
        if let Some(text) = word.known() {
            let target = match device(&text) {
                Some(Device::Null) => Some(Target::Nowhere),
                Some(Device::Own(Some(1))) => Some(state.memory.descriptors.get(&1).cloned().unwrap_or(Target::Output)),
                Some(Device::Own(Some(number))) if number >= 3 && !state.files.contains_key(text.as_ref()) => {
                    // A reader of `>(…)`, or a descriptor of the script's own.
                    Some(state.memory.descriptors.get(&number).cloned().unwrap_or_else(|| Target::File(word.clone())))
                }
                Some(Device::Own(_)) => Some(Target::Nowhere),
                Some(Device::Network) => Some(Target::Network(word.clone())),
                None => None,
            };
            if let Some(target) = target {
                return self.connect(descriptor, Some(target), plan, state);
            }
        }
        if verb == Verb::Writes
            && let Some(path) = absolute(&word, state)
        {
            state.files.insert(path, Flow::Empty);
        }
        plan.opened.push(Opened { verb, descriptor, path: word.clone(), span });
        self.connect(descriptor, Some(Target::File(word)), plan, state);
    }

    fn duplicate(
        &mut self,
        descriptor: Option<u32>,
        input: bool,
        target: &Node,
        span: Span,
        plan: &mut Plan,
        state: &mut State,
    ) {
        let own = descriptor.unwrap_or(if input { 0 } else { 1 });
        let word = self.target(target, state);
        let text = word.known().map(|text| text.into_owned());
        match text.as_deref() {
            Some("-") => {
                if own == 0 {
                    self.input(0, Flow::Empty, plan, state);
                } else {
                    self.connect(own, Some(Target::Nowhere), plan, state);
                }
            }
            Some(number) if number.trim_end_matches('-').parse::<u32>().is_ok() => {
                let from: u32 = number.trim_end_matches('-').parse().unwrap_or(1);
                let target = match from {
                    0 => Some(Target::Input(state.stdin.clone())),
                    1 => Some(state.memory.descriptors.get(&1).cloned().unwrap_or(Target::Output)),
                    other => Some(state.memory.descriptors.get(&other).cloned().unwrap_or(Target::Nowhere)),
                };
                match target {
                    Some(Target::Input(flow)) if own == 0 => {
                        self.input(0, flow, plan, state);
                        plan.shared = (from > 2).then_some(from);
                    }
                    Some(Target::Network(_)) if own == 0 => {
                        self.input(0, Flow::Unknown(Taint { network: true, ..Taint::none() }), plan, state)
                    }
                    Some(Target::File(word)) if own == 0 => {
                        let flow = Flow::Unknown(file_taint(&word, state));
                        self.input(0, flow, plan, state);
                    }
                    _ if own == 0 => {}
                    target => self.connect(own, target, plan, state),
                }
            }
            Some(_) if !input => self.write_to(own, Verb::Writes, word, span, plan, state),
            // An unknown number: one of the script's descriptors.
            _ if own != 0 => self.connect(own, Some(Target::Nowhere), plan, state),
            _ => self.input(0, Flow::Unknown(Taint::none()), plan, state),
        }
    }

    /// Settles what was opened: output goes where it was led, effects are told, descriptors are what they were. Gives what
    /// is left for the reader of the command. `keep`: `exec` alone, whose redirections stay.
    pub(in super::super) fn close(&mut self, plan: &mut Plan, output: Flow, keep: bool, state: &mut State) -> Flow {
        let target = plan.output.take().or_else(|| state.memory.descriptors.get(&1).cloned());
        if keep && let Some(target) = &target {
            state.memory.descriptors.insert(1, target.clone());
        }
        let left = self.deliver(target.as_ref(), output.clone(), plan, state);
        for opened in std::mem::take(&mut plan.opened) {
            let current = matches!(&target, Some(Target::File(path)) if *path == opened.path);
            let from = if current { output.taint() } else { Taint::none() };
            let nothing = output == Flow::Empty || matches!(&output, Flow::Text(word) if is_empty(word));
            let empty = nothing && opened.descriptor == 1 && !keep;
            let verb = if opened.verb == Verb::Writes && empty { Verb::Truncates } else { opened.verb };
            self.effect(verb, Object::Path(opened.path.clone()), from, opened.span, state);
            if !current && let Some(path) = absolute(&opened.path, state) {
                // Messages, or what other descriptors carry.
                state.files.insert(path, Flow::Unknown(Taint::none()));
            }
        }
        if !keep {
            for (descriptor, before) in std::mem::take(&mut plan.before).into_iter().rev() {
                match before {
                    Some(target) => state.memory.descriptors.insert(descriptor, target),
                    None => state.memory.descriptors.remove(&descriptor),
                };
            }
            if let Some(from) = plan.shared
                && let Some(Target::Input(left)) = state.memory.descriptors.get_mut(&from)
            {
                left.clone_from(&state.stdin);
            }
            if let Some(stdin) = plan.stdin.take() {
                state.stdin = stdin;
            }
        }
        if self.deferred.len() > plan.deferred {
            self.run_deferred(plan.deferred, &output, state);
        }
        left
    }

    fn deliver(&mut self, target: Option<&Target>, output: Flow, plan: &Plan, state: &mut State) -> Flow {
        match target {
            None | Some(Target::Output) => return output,
            Some(Target::Nowhere | Target::Input(_)) => {}
            Some(Target::Network(word)) => {
                self.effect(Verb::Sends, Object::Address(address(word)), output.taint(), word.span, state);
            }
            Some(Target::File(word)) => {
                let opened = plan.opened.iter().any(|opened| opened.path == *word);
                if !opened && !output.taint().is_none() && !word.known().is_some_and(|text| text.starts_with("/dev/fd/")) {
                    self.effect(Verb::Appends, Object::Path(word.clone()), output.taint(), word.span, state);
                }
                if let Some(path) = absolute(word, state) {
                    if !self.steps(1 + (state.files.len() / 16 + flows::size(&output) / CARRIED) as u64) {
                        return Flow::Empty;
                    }
                    match state.files.get_mut(&path) {
                        Some(flow) => flows::append(flow, output),
                        None => {
                            // Appended to what was there before.
                            let mut flow = if word.known().is_some_and(|text| text.starts_with("/dev/fd/")) {
                                Flow::Empty
                            } else {
                                Flow::Unknown(file_taint(word, state))
                            };
                            flows::append(&mut flow, output);
                            state.files.insert(path, flow);
                        }
                    }
                }
            }
        }
        Flow::Empty
    }
}

/// Host and port of `/dev/tcp/host/port`.
fn address(word: &Word) -> Word {
    match word.known() {
        Some(text) => {
            let address = text.trim_start_matches("/dev/tcp/").trim_start_matches("/dev/udp/").replacen('/', ":", 1);
            Word { computed: word.computed, ..Word::known_text(address, word.span) }
        }
        None => word.clone(),
    }
}

fn is_empty(word: &Word) -> bool {
    word.known().is_some_and(|text| text.is_empty())
}

/// The absolute path of a known word.
pub(in super::super) fn absolute(word: &Word, state: &State) -> Option<String> {
    let text = word.known()?;
    if text.is_empty() {
        return None;
    }
    match &state.directory {
        _ if path::is_absolute(&text) => Some(path::join("/", &text)),
        Directory::Known(directory) => Some(path::join(directory, &text)),
        _ => None,
    }
}

/// What a file's content carries: the file.
pub(in super::super) fn file_taint(word: &Word, state: &State) -> Taint {
    let named = match absolute(word, state) {
        Some(path) => Word { computed: word.computed, ..Word::known_text(path, word.span) },
        None => word.clone(),
    };
    Taint { files: vec![named].into(), ..Taint::none() }
}
