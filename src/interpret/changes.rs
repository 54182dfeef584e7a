//! What a script may have changed before a later command of it looks: facts about these files are the hook's, not the command's.
//!
//! A change is known by the path above all of it. `rm -rf /tmp/x` leaves the facts about `src` as they are; a program that nobody
//! declared, and code that is not known, may change anything.

use crate::model::call::{Call, Change};
use crate::model::effect::{Effect, Object, Place, Verb};
use crate::model::invocation::Directory;
use crate::model::path::{is_absolute, join};
use crate::model::word::{Piece, Value, Word};

/// The most paths that are kept apart; a script that changes more may have changed anything.
const APART: usize = 64;

/// Notes what an effect changes, if it does.
pub fn by(call: &mut Call, effect: &Effect) {
    let changes = match effect.verb {
        Verb::Writes
        | Verb::Appends
        | Verb::Creates
        | Verb::Truncates
        | Verb::Deletes
        | Verb::Moves
        | Verb::ChangesMode
        | Verb::ChangesOwner
        | Verb::Formats => true,
        Verb::Executes => matches!(&effect.object, Object::Code(code) if !code.walked),
        Verb::Reads | Verb::Lists | Verb::ExecutesFile | Verb::ChangesDirectory | Verb::Fetches | Verb::Sends | Verb::Kills => {
            false
        }
    };
    if !changes || effect.place != Place::Here {
        return;
    }
    let before = effect.invocation.map_or(call.runs.len(), |run| run + 1);
    match &effect.object {
        Object::Path(word) => match above(word, &effect.directory) {
            Some(paths) if call.changes.len() + paths.len() <= APART => {
                for (path, inside) in paths {
                    note(call, Change { before, path: Some(path), inside });
                }
            }
            _ => unknown_before(call, before),
        },
        _ => unknown_before(call, before),
    }
}

/// Notes that the run of this index may have changed anything.
pub fn unknown(call: &mut Call, run: usize) {
    unknown_before(call, run + 1);
}

fn unknown_before(call: &mut Call, before: usize) {
    // The earliest is as good as all of them.
    if call.changes.iter().all(|change| change.path.is_some() || change.before > before) {
        note(call, Change { before, path: None, inside: false });
    }
}

fn note(call: &mut Call, change: Change) {
    if !call.changes.contains(&change) {
        call.changes.push(change);
    }
}

/// The paths above all that a word may name, and whether only what lies there is meant; none where it may name anything.
fn above(word: &Word, directory: &Directory) -> Option<Vec<(String, bool)>> {
    let directories = match directory {
        Directory::Known(path) => std::slice::from_ref(path),
        Directory::OneOf(paths) => paths,
        Directory::Unknown => &[],
    };
    let mut paths = Vec::new();
    for value in &word.values {
        let text = known_directory(value)?;
        let inside = value.has_glob();
        if is_absolute(&text) {
            paths.push((join("/", &text), inside));
        } else if directories.is_empty() {
            return None;
        } else {
            paths.extend(directories.iter().map(|directory| (join(directory, &text), inside)));
        }
    }
    Some(paths)
}

/// The text up to the component that the first glob operator stands in; none where a part is not known, which may hold `..`.
fn known_directory(value: &Value) -> Option<String> {
    let mut text = String::new();
    for piece in &value.pieces {
        match piece {
            Piece::Text { text: known, .. } => text.push_str(known),
            Piece::Glob(_) => {
                text.truncate(text.rfind('/').map_or(0, |slash| slash + 1));
                // What follows the glob may lead back up.
                let back = |piece: &Piece| match piece {
                    Piece::Text { text, .. } => text.contains(".."),
                    Piece::Glob(_) => false,
                    Piece::Hole(_) => true,
                };
                return (!value.pieces.iter().any(back)).then_some(text);
            }
            Piece::Hole(_) => return None,
        }
    }
    Some(text)
}
