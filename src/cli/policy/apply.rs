//! `policy check` and `policy apply`: what is wrong with a proposal, what it would change, and its way into force.

use std::collections::BTreeSet;
use std::process::ExitCode;

use serde::Serialize;

use super::effect::{self, Field, Verdicts};
use super::{Apply, Check, SettingsFile};
use crate::cli::machine::{self, Machine};
use crate::cli::rule::check::{Told, human, told};
use crate::cli::rule::layer::{refuse, reports};
use crate::cli::{self, person};
use crate::explain::plain;
use crate::language::{Diagnostic, Rulebook};
use crate::layers::{self, Effort, Environment, Proposal, read_settings};
use crate::model::{Settings, World};
use crate::policy::Layers;
use crate::world::Native;
use crate::world::file::{self, Links};

pub(super) const CHECK: &str = "\
Tells everything that is wrong with a proposal, which settings it would change,
and which verdicts: every example of the embedded rules is judged in this
directory's layers as they are and as they would be. Nothing is written.

Exit code: 0 if it is sound, 1 if it has an error, 2 for a fault.

Examples:
  cc-safety-net policy check proposal.yaml
  cc-safety-net policy check --field git proposal.yaml
  cc-safety-net policy check --project --json proposal.yaml

JSON: `version` (1), `layer` (user, project), `path`, `sound`, `diagnostics` (as
of `rule check`), `fields` (field, before, after), `verdicts` (examples,
loosened, tightened, and changed: one for each rule, at most 20: rule, input,
before, after, loosens), `reports` (what would not be in force, and why),
`applied`.";

pub(super) const APPLY: &str = "\
As `policy check`; then you are asked, and the proposal takes the place of the
layer's policy.yaml, as it is, comments too. Only a person may apply: it wants a
terminal or --yes, and refuses when an agent runs it.

Exit code: 0 if it is in force, 1 if that is refused or fails, 2 for a fault.

Examples:
  cc-safety-net policy apply proposal.yaml
  cc-safety-net policy apply --project proposal.yaml

JSON: as `policy check`.";

/// The largest proposal.
const BYTES: u64 = 1 << 20;

/// What is told of a proposal.
#[derive(Serialize)]
struct Document {
    version: u32,
    layer: &'static str,
    path: String,
    sound: bool,
    diagnostics: Vec<Told>,
    fields: Vec<Field>,
    verdicts: Verdicts,
    reports: Vec<String>,
    applied: bool,
}

/// A proposal looked at.
struct Examined {
    file: SettingsFile,
    name: String,
    text: String,
    found: Vec<Diagnostic>,
    document: Document,
}

/// Runs `policy check`.
pub(super) fn check(arguments: &Check) -> ExitCode {
    match examine(arguments) {
        Ok(examined) => {
            tell(&examined, arguments.json);
            ExitCode::from(u8::from(!examined.document.sound))
        }
        Err(what) => cli::fail(&what),
    }
}

/// Runs `policy apply`.
pub(super) fn apply(arguments: &Apply) -> ExitCode {
    if let Some(why) = person::refusal_of_loosening(arguments.yes) {
        return refuse(&why);
    }
    let mut examined = match examine(&arguments.check) {
        Ok(examined) => examined,
        Err(what) => return cli::fail(&what),
    };
    if !arguments.check.json {
        tell(&examined, false);
    }
    let is_new = examined.file.before.as_deref() != Some(examined.text.as_str());
    let why = if !examined.document.sound {
        Some("nothing was changed: the proposal has errors".to_string())
    } else if is_new && !person::agrees("Apply this?", arguments.yes) {
        Some("nothing was changed".to_string())
    } else if is_new {
        examined.file.write(&examined.text).err().map(|why| format!("nothing was changed: {why}"))
    } else {
        None
    };
    examined.document.applied = why.is_none();
    if arguments.check.json {
        tell(&examined, true);
    }
    if let Some(why) = why {
        return refuse(&why);
    }
    // Compiled here, so that the next hook finds it done.
    let left = reports(&examined.file.directory);
    if !arguments.check.json {
        left.iter().for_each(|report| println!("note: {}", plain::line(report)));
        println!("\n{}", if is_new { "In force from now on." } else { "Nothing to do: it is in force already." });
    }
    ExitCode::SUCCESS
}

/// The layers with a proposal in its place, and the file that it is for.
pub(super) fn proposed(path: &std::path::Path, is_project: bool) -> Result<(SettingsFile, String, Layers), String> {
    let file = SettingsFile::open(is_project)?;
    let bytes = file::read(path, BYTES, Links::Follow).map_err(|fault| fault.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{}: not UTF-8", path.display()))?;
    let proposal = Proposal { directory: &file.directory, text: &text };
    let call = machine::no_call(cli::current_directory()?);
    let layers = layers::propose(&call, &Native::new(), &Environment::of_process(), proposal);
    Ok((file, text, layers))
}

fn examine(arguments: &Check) -> Result<Examined, String> {
    let (file, text, mut after) = proposed(&arguments.file, arguments.project)?;
    let name = arguments.file.display().to_string();
    let (settings, found) = read_settings(&name, &text, &Native::new().homes());
    let sound = !found.iter().any(Diagnostic::is_error);
    let mut document = Document {
        version: 1,
        layer: if arguments.project { "project" } else { "user" },
        path: file.path.display().to_string(),
        sound,
        diagnostics: found.iter().map(|each| told(each, &text)).collect(),
        fields: Vec::new(),
        verdicts: Verdicts::default(),
        reports: Vec::new(),
        applied: false,
    };
    if sound {
        let mut before = Machine::open(&machine::no_call(cli::current_directory()?), Effort::Command).layers;
        let known: BTreeSet<&String> = before.reports.iter().collect();
        document.reports = after.reports.iter().filter(|report| !known.contains(report)).cloned().collect();
        document.fields = effect::fields(&said(&before, &file), &settings);
        document.verdicts = effect::verdicts(&rulebooks(arguments)?, &mut before, &mut after);
    }
    Ok(Examined { file, name, text, found, document })
}

/// The embedded rulebooks whose examples are judged.
fn rulebooks(arguments: &Check) -> Result<Vec<Rulebook>, String> {
    let mut all = layers::catalogue_rulebooks();
    if let Some(field) = &arguments.field {
        all.retain(|book| book.file.split_once('/').is_some_and(|(folder, _)| folder == field));
        if all.is_empty() {
            return Err(format!("no rule is of the field `{field}`; `rule list` names them all"));
        }
    }
    Ok(all)
}

/// What the layer's settings say at present.
fn said(layers: &Layers, file: &SettingsFile) -> Settings {
    let name = file.directory.display().to_string();
    let layer = layers.layers.iter().find(|layer| layer.name == name);
    layer.and_then(|layer| layer.image.settings().ok()).unwrap_or_default()
}

fn tell(examined: &Examined, as_json: bool) {
    let document = &examined.document;
    if as_json {
        println!("{}", cli::json(document));
        return;
    }
    examined.found.iter().for_each(|each| println!("{}", human(each, &examined.text)));
    println!("{}, for the {} layer\n{}\n", plain::line(&examined.name), document.layer, plain::line(&document.path));
    if !document.sound {
        println!("It has errors: what it would change is not told.");
        return;
    }
    if document.fields.is_empty() {
        println!("Settings: no change");
    } else {
        println!("Settings: {}", cli::count(document.fields.len(), "change"));
    }
    for field in &document.fields {
        let of = |value: &Option<String>| value.as_ref().map_or("(not said)".into(), |value| plain::line(value));
        println!("  {}: {} -> {}", plain::line(&field.field), of(&field.before), of(&field.after));
    }
    let verdicts = &document.verdicts;
    println!(
        "\nVerdicts: {} judged, {} weaker, {} stronger",
        cli::count(verdicts.examples, "example"),
        verdicts.loosened,
        verdicts.tightened
    );
    for changed in &verdicts.changed {
        println!("  {:<5} -> {:<5} {}", changed.before, changed.after, changed.rule);
        println!("                 {}", plain::clip(&changed.input, 63));
    }
    let listed: usize = verdicts.changed.len();
    if verdicts.loosened + verdicts.tightened > listed {
        println!("  and {} more of these and other rules", verdicts.loosened + verdicts.tightened - listed);
    }
    if !document.reports.is_empty() {
        println!("\nNot in force:");
        document.reports.iter().for_each(|report| println!("- {}", plain::line(report)));
    }
}
