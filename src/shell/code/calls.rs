//! Names and what follows them: members, indices, calls. Here a call becomes the library's.

use super::functions;
use super::imports::module_name;
use super::lexis::Means;
use super::tokens::Kind;
use super::value::{Answer, Value};
use super::walk::Walk;
use crate::model::{Span, Taint, Word};
use crate::shell::{Given, LibraryCall};

/// Words before an operand that change nothing about its calls.
const BEFORE: [&str; 30] = [
    "await", "new", "return", "yield", "async", "not", "typeof", "void", "throw", "raise", "del", "print", "puts", "echo",
    "if", "unless", "elif", "elsif", "else", "while", "until", "when", "do", "then", "begin", "try", "my", "our", "local",
    "delete",
];

impl Walk<'_, '_> {
    /// A name: a constant, a variable, a module; or a word of the language before an operand.
    pub(super) fn named(&mut self, span: Span) -> Value {
        let name = self.ahead(0).to_string();
        match name.as_str() {
            "True" | "true" | "TRUE" => {
                self.at += 1;
                return Value::Flag(true);
            }
            "False" | "false" | "FALSE" | "None" | "null" | "nil" | "undefined" | "undef" | "NULL" => {
                self.at += 1;
                return Value::Flag(false);
            }
            "function" | "lambda" | "sub" | "class" | "def" if self.ahead(1) != "." => {
                self.statement();
                return Value::unknown(span);
            }
            _ => {}
        }
        if BEFORE.contains(&name.as_str()) && !matches!(self.ahead(1), "=" | "." | "::") {
            let call = self.ahead(1) == "(" && self.known(&name);
            if !call {
                self.at += 1;
                if self.done() || self.tokens[self.at].kind == Kind::Line {
                    return Value::unknown(span);
                }
                let prints = self.known(&name);
                let mut all = vec![self.expression()];
                while prints && self.accept(",") && !self.done() {
                    all.push(self.expression());
                }
                if prints {
                    self.tell(&name, &all, 0, &[], span);
                }
                return all.swap_remove(0);
            }
        }
        self.at += 1;
        let name = unbraced(&name);
        let value = match self.names.get(&name) {
            Some(value) => value.clone(),
            None => self.starred(&name, span),
        };
        self.suffixed(value)
    }

    /// A name that nothing was assigned to; one of `from module import *`, where that is declared.
    fn starred(&self, name: &str, span: Span) -> Value {
        if let Some(Value::Name(module, _)) = self.names.get("*") {
            let whole = format!("{module}.{name}");
            if self.known(&whole) {
                return Value::Name(whole, span);
            }
        }
        Value::Name(name.to_string(), span)
    }

    /// What follows a value.
    pub(super) fn suffixed(&mut self, mut value: Value) -> Value {
        loop {
            let Some(token) = self.tokens.get(self.at) else { return value };
            let here = self.span_of(token);
            let text = match token.kind {
                Kind::Symbol => self.text(token).to_string(),
                Kind::Text(_, Means::Text) if matches!(value, Value::Name(..)) && self.text(token).starts_with('`') => {
                    // `$`rm ${x}``: a call with the text.
                    let argument = self.bare_argument();
                    value = self.call(&value, vec![argument], Vec::new(), here);
                    continue;
                }
                _ => return self.bare(value),
            };
            match text.as_str() {
                member if self.lexis.members.contains(&member) => {
                    if self.is_name(1) {
                        let name = self.ahead(1).to_string();
                        let at = self.tokens.get(self.at + 1).map(|token| self.span_of(token)).unwrap_or(here);
                        self.at += 2;
                        value = self.method_or_member(value, &name, at);
                    } else if matches!(self.ahead(1), "[" | "(" | "{") {
                        self.at += 1; // `?.(`, `->[`
                    } else {
                        return value;
                    }
                }
                "(" => {
                    self.at += 1;
                    let (arguments, named) = self.arguments(")");
                    value = self.call(&value, arguments, named, here);
                }
                "[" => {
                    let spaced = token.start > 0 && self.source.text[..token.start].ends_with(' ');
                    if spaced && self.lexis.bare_calls {
                        return self.bare(value);
                    }
                    self.at += 1;
                    if let Some(sliced) = self.slice(&value, here) {
                        value = sliced;
                        continue;
                    }
                    let (items, _) = self.items("]");
                    value = self.indexed(value, &items, here);
                }
                _ => return self.bare(value),
            }
        }
    }

    /// A call without parentheses, where the language has them and the name is declared.
    fn bare(&mut self, value: Value) -> Value {
        let Value::Name(name, span) = &value else { return value };
        if !self.lexis.bare_calls || !(self.declares(name) || matches!(name.as_str(), "require" | "join")) || self.done() {
            return value;
        }
        let token = &self.tokens[self.at];
        let begins = match token.kind {
            Kind::Text(..) | Kind::Number | Kind::Hole => true,
            Kind::Name => !matches!(
                self.text(token),
                "if" | "unless" | "or" | "and" | "do" | "while" | "for" | "foreach" | "until" | "end"
            ),
            Kind::Symbol => matches!(self.text(token), "[" | "*" | "\\" | ":" | "<"),
            Kind::Line | Kind::Regex => false,
        };
        if !begins {
            return value;
        }
        let span = *span;
        let mut arguments = Vec::new();
        let mut named = Vec::new();
        while !self.done() {
            let before = self.at;
            if self.is_name(0) && matches!(self.ahead(1), ":" | "=>") && self.ahead(2) != ":" {
                let name = self.ahead(0).to_string();
                self.at += 2;
                let value = self.expression();
                named.push((name, value));
            } else {
                let spread = matches!(self.ahead(0), "*" | "@");
                match self.expression() {
                    Value::List(items, _) if spread || self.lexis.name == "perl" => arguments.extend(items),
                    one => arguments.push(one),
                }
            }
            if self.at == before || !self.accept(",") {
                break;
            }
            while self.tokens.get(self.at).is_some_and(|token| token.kind == Kind::Line) {
                self.at += 1;
            }
        }
        self.call(&value, arguments, named, span)
    }

    fn bare_argument(&mut self) -> Value {
        let Some(token) = self.tokens.get(self.at) else { return Value::unknown(Span::default()) };
        let span = self.span_of(token);
        let Kind::Text(parts, _) = token.kind.clone() else { return Value::unknown(span) };
        self.at += 1;
        Value::Text(self.literal(&parts, span))
    }

    /// The arguments of a call, and those with names.
    fn arguments(&mut self, close: &str) -> (Vec<Value>, Vec<(String, Value)>) {
        let mut all = Vec::new();
        let mut named = Vec::new();
        self.comprehension();
        while !self.done() && !self.accept(close) {
            let before = self.at;
            if self.accept(",") || self.accept(";") {
                continue;
            }
            if self.tokens[self.at].kind == Kind::Line {
                self.at += 1;
                continue;
            }
            let by_name = self.is_name(0)
                && match self.ahead(1) {
                    "=" => matches!(self.lexis.name, "python" | "julia" | "r"),
                    ":" | "=>" => self.lexis.name != "javascript" && self.ahead(2) != ":",
                    _ => false,
                };
            if by_name {
                let name = self.ahead(0).to_string();
                self.at += 2;
                let value = self.expression();
                named.push((name, value));
                continue;
            }
            let spread =
                matches!(self.ahead(0), "..." | "*" | "@") || (self.lexis.name == "perl" && self.ahead(0).starts_with('@'));
            match self.expression() {
                Value::List(items, _) if spread => all.extend(items),
                value if self.at > before => all.push(value),
                _ => self.at += 1,
            }
        }
        (all, named)
    }

    /// A member that is called with the value it belongs to, or just named.
    fn method_or_member(&mut self, value: Value, name: &str, at: Span) -> Value {
        self.parameter_of(&value);
        if self.ahead(0) == "(" && !matches!(value, Value::Name(..) | Value::Result(_)) {
            self.at += 1;
            let (arguments, named) = self.arguments(")");
            return match functions::method(&value, name, &arguments, at) {
                Some(found) => found,
                None => self.call_method(&value, name, arguments, named, at),
            };
        }
        if !matches!(value, Value::Name(..) | Value::Result(_))
            && let Some(found) = functions::method(&value, name, &[], at)
        {
            return found;
        }
        self.member(&value, name, at)
    }

    /// A method of a known value that is no function of texts: declared as `*.name`.
    fn call_method(
        &mut self,
        value: &Value,
        name: &str,
        arguments: Vec<Value>,
        named: Vec<(String, Value)>,
        at: Span,
    ) -> Value {
        let taint = arguments.iter().chain([value]).fold(Taint::none(), |taint, one| taint.join(&one.taint()));
        let carried = self.tell(&format!("*.{name}"), &arguments, 0, &named, at).unwrap_or_default();
        Value::Unknown(taint.join(&carried), at)
    }

    /// A member of a value.
    pub(super) fn member(&mut self, value: &Value, name: &str, at: Span) -> Value {
        match value {
            Value::Name(path, span) => {
                let whole = format!("{path}.{name}");
                if let Some(known) = self.names.get(&whole) {
                    return known.clone();
                }
                if path == "process.env" {
                    return functions::environment(self.library, name, at).unwrap_or(Value::unknown(at));
                }
                Value::Name(whole, span.to(at))
            }
            Value::Result(answer) => {
                let name = format!("{}.{name}", answer.name);
                Value::Result(Box::new(Answer { name, ..(**answer).clone() }))
            }
            Value::Fields(fields, span) => {
                fields.iter().find(|(field, _)| field == name).map_or(Value::unknown(*span), |(_, value)| value.clone())
            }
            other => Value::Unknown(other.taint(), at),
        }
    }

    /// `[::-1]`, the other way round; of other slices nothing is known. None where it is an index.
    fn slice(&mut self, value: &Value, at: Span) -> Option<Value> {
        if self.lexis.name != "python" || !(matches!(self.ahead(0), ":" | "::") || matches!(self.ahead(1), ":" | "::")) {
            return None;
        }
        let reversed = self.ahead(0) == "::" && self.ahead(1) == "-" && self.ahead(3) == "]";
        self.items("]");
        let turned = if reversed { functions::method(value, "reverse", &[], at) } else { None };
        Some(turned.unwrap_or_else(|| Value::Unknown(value.taint(), at)))
    }

    /// An element.
    fn indexed(&mut self, value: Value, items: &[Value], at: Span) -> Value {
        match (&value, items) {
            (Value::List(all, _), [Value::Number(index, _)]) => {
                let index = if *index < 0 { all.len() as i64 + index } else { *index };
                usize::try_from(index).ok().and_then(|index| all.get(index)).cloned().unwrap_or(Value::unknown(at))
            }
            (Value::Name(path, _), [Value::Text(key)]) if matches!(path.as_str(), "os.environ" | "process.env" | "ENV") => {
                let name = key.known().unwrap_or_default().into_owned();
                functions::environment(self.library, &name, at).unwrap_or(Value::unknown(at))
            }
            (Value::Name(path, _), [Value::Text(_)]) if path == "Dir" => {
                functions::function(self.library, path, items, at).unwrap_or(Value::unknown(at))
            }
            (Value::Name(..) | Value::Fields(..), [Value::Text(key)]) => match key.known() {
                Some(key) => {
                    let key = key.into_owned();
                    self.member(&value, &key, at)
                }
                None => Value::Unknown(value.taint(), at),
            },
            // `text[::-1]` and its kin.
            (Value::Text(_) | Value::List(..), []) => value,
            _ => Value::Unknown(value.taint(), at),
        }
    }

    fn known(&self, name: &str) -> bool {
        self.library.declares(self.lexis.name, name)
    }

    /// Whether the name, or its last part for any receiver, is declared.
    fn declares(&self, name: &str) -> bool {
        self.known(name) || name.rsplit_once('.').is_some_and(|(_, last)| self.known(&format!("*.{last}")))
    }

    /// Calls.
    fn call(&mut self, callee: &Value, arguments: Vec<Value>, named: Vec<(String, Value)>, at: Span) -> Value {
        let carried =
            arguments.iter().chain(named.iter().map(|(_, value)| value)).fold(Taint::none(), |all, one| all.join(&one.taint()));
        let (name, receiver) = match callee {
            Value::Name(name, _) => (name.clone(), None),
            Value::Result(answer) => (answer.name.clone(), Some(answer.first.clone())),
            other => {
                return Value::Unknown(other.taint().join(&carried), at);
            }
        };
        if let Some(module) = imported(&name, &arguments) {
            return Value::Name(module, at);
        }
        if let Some((module, member)) = reflected(&name, &arguments) {
            return self.member(&module, &member, at);
        }
        if let Some((path, method)) = name.rsplit_once('.').filter(|_| receiver.is_none())
            && let Some(value) = self.names.get(path).cloned()
            && !matches!(value, Value::Name(..))
            && let Some(found) = functions::method(&value, method, &arguments, at)
        {
            return found;
        }
        self.applied(&name, &arguments, at);
        if receiver.is_none()
            && let Some(found) = functions::function(self.library, &name, &arguments, at)
        {
            return found;
        }
        // A method of an answer is called with what the answer was made from.
        let mut all = arguments;
        let first = all.first().cloned();
        if let Some(receiver) = &receiver {
            all.insert(0, receiver.clone().unwrap_or(Value::unknown(at)));
        }
        let told = self.tell(&name, &all, usize::from(receiver.is_some()), &named, at);
        if receiver.is_some()
            && let Some(found) = functions::function(self.library, &name, &all, at)
        {
            return found;
        }
        let before = match callee {
            Value::Result(answer) => answer.taint.clone(),
            _ => Taint::none(),
        };
        let taint = carried.join(&told.unwrap_or_default()).join(&before);
        let first = match receiver {
            Some(receiver) => receiver,
            None => first,
        };
        Value::Result(Box::new(Answer { name, first, taint, span: at }))
    }

    /// A function that calls another one for each element of a list (`map(os.remove, names)`).
    fn applied(&mut self, name: &str, arguments: &[Value], at: Span) {
        let (function, list) = match (name, arguments) {
            ("map" | "array_map" | "filter" | "array_filter" | "starmap" | "itertools.starmap", [function, list, ..]) => (function, list),
            ("array_walk" | "usort" | "iterator_apply", [list, function, ..]) => (function, list),
            _ => return,
        };
        let function = match function {
            Value::Name(function, _) => function.clone(),
            Value::Text(function) => function.known().unwrap_or_default().into_owned(),
            _ => return,
        };
        let items = match list {
            Value::List(items, _) => items.clone(),
            other => vec![super::walk::element(other)],
        };
        for item in items.iter().take(64) {
            self.tell(&function, std::slice::from_ref(item), 0, &[], at);
        }
    }

    /// Tells the library of a call, where it is declared, or its last part is for any receiver (`*.execute`), which is then
    /// not among the arguments; what its answer carries.
    fn tell(
        &mut self,
        name: &str,
        arguments: &[Value],
        receivers: usize,
        named: &[(String, Value)],
        at: Span,
    ) -> Option<Taint> {
        let mut arguments = arguments;
        let name = if self.known(name) {
            name.to_string()
        } else {
            let last = name.rsplit_once('.').map_or(name, |(_, last)| last);
            let any = format!("*.{last}");
            if !name.contains('.') || !self.known(&any) {
                return None;
            }
            arguments = arguments.get(receivers..).unwrap_or_default();
            any
        };
        let language = self.lexis.name.to_string();
        let mut call = LibraryCall { language, name, positional: Vec::new(), named: Vec::new(), span: at };
        for argument in arguments {
            match argument {
                Value::Fields(fields, _) => {
                    call.named.extend(fields.iter().filter_map(|(name, value)| by_name(name, value, at)))
                }
                Value::Result(answer) if answer.taint.is_none() && is_wrapper(&answer.name) => match &answer.first {
                    Some(first) => call.positional.push(given(first, at)),
                    None => call.positional.push(given(argument, at)),
                },
                value => call.positional.push(given(value, at)),
            }
        }
        call.named.extend(named.iter().filter_map(|(name, value)| by_name(name, value, at)));
        Some(self.library.call(call))
    }
}

/// A value as an argument.
fn given(value: &Value, at: Span) -> Given {
    match value {
        Value::List(all, _) => Given::List(all.iter().map(|one| one.word(at)).collect()),
        value => Given::Text(value.word(at)),
    }
}

/// An argument that has a name; one that is false is not given.
fn by_name(name: &str, value: &Value, at: Span) -> Option<(String, Given)> {
    match value {
        Value::Flag(true) => Some((name.to_string(), Given::Text(Word::known_text("true", at)))),
        value => (value.truth() != Some(false)).then(|| (name.to_string(), given(value, at))),
    }
}

/// Answers that stand for the text they were made from.
fn is_wrapper(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    matches!(
        last,
        "Path"
            | "PurePath"
            | "PosixPath"
            | "File"
            | "URL"
            | "Pathname"
            | "Request"
            | "expanduser"
            | "resolve"
            | "absolute"
            | "new"
    )
}

/// The module that a call imports.
fn imported(name: &str, arguments: &[Value]) -> Option<String> {
    if !matches!(
        name,
        "require" | "import" | "__import__" | "importlib.import_module" | "import_module" | "process.getBuiltinModule"
    ) {
        return None;
    }
    match arguments {
        [Value::Text(module), ..] => Some(module_name(&module.known()?)),
        _ => None,
    }
}

/// `getattr(os, "system")`.
fn reflected(name: &str, arguments: &[Value]) -> Option<(Value, String)> {
    match (name, arguments) {
        ("getattr" | "Reflect.get", [module, Value::Text(member), ..]) => Some((module.clone(), member.known()?.into_owned())),
        _ => None,
    }
}

/// `${name}` is `$name`.
fn unbraced(name: &str) -> String {
    match name.split_once('{') {
        Some((sigil, rest)) => format!("{sigil}{}", rest.trim_end_matches('}')),
        None => name.to_string(),
    }
}
