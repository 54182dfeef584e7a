//! Paths as text: joined, normalised, without asking the machine.

use std::borrow::Cow;

/// Whether the text is absolute: `/x`, `C:/x`, `//server/share`.
pub fn is_absolute(path: &str) -> bool {
    let bytes = path.as_bytes();
    bytes.first() == Some(&b'/') || (bytes.len() >= 3 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && bytes[2] == b'/')
}

/// Joins and normalises: `.` and empty components go, `..` takes one off lexically. An absolute `path` stands alone.
///
/// ```
/// # use cc_safety_net::model::path::join;
/// assert_eq!(join("/a/b", "../c/./d/"), "/a/c/d");
/// assert_eq!(join("/a", "/"), "/");
/// assert_eq!(join("/a", "C:/x/.."), "C:/");
/// ```
pub fn join(base: &str, path: &str) -> String {
    let whole = if is_absolute(path) { Cow::Borrowed(path) } else { Cow::Owned([base, "/", path].concat()) };
    let (root, rest) = match whole.as_bytes() {
        [letter, b':', b'/', ..] if letter.is_ascii_alphabetic() => whole.split_at(3),
        _ => ("/", whole.trim_start_matches('/')),
    };
    let mut joined = String::with_capacity(whole.len());
    joined.push_str(root);
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                let above = joined[root.len()..].rfind('/').map_or(root.len(), |slash| root.len() + slash);
                joined.truncate(above);
            }
            other => {
                if joined.len() > root.len() {
                    joined.push('/');
                }
                joined.push_str(other);
            }
        }
    }
    joined
}

/// Whether `path` is `base` or lies below it; both absolute and normal.
pub fn is_within(path: &str, base: &str) -> bool {
    let base = base.trim_end_matches('/');
    path.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The last component of a path in either spelling, `.exe` taken off: the name that rules know a program by.
pub fn base_name(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.len().checked_sub(4) {
        Some(cut) if cut > 0 && name.is_char_boundary(cut) && name[cut..].eq_ignore_ascii_case(".exe") => &name[..cut],
        _ => name,
    }
}
