//! The few questions that only the C library answers: who runs this process, and where that user's home is.
//!
//! The user database and not `HOME` says where the user's own layer is, since a repository's agent settings may set variables
//! for hooks. `/etc/passwd` is read first: it answers on nearly every machine, and needs neither a name service nor `unsafe`.

#![allow(unsafe_code)] // two calls into the C library, each with its safety argument

#[cfg(target_family = "wasm")]
pub use super::disk::{home, home_of, user};

/// The number of the user whose rights this process has; 0 where the system has no such numbers.
#[cfg(unix)]
pub fn user() -> u32 {
    // SAFETY: takes nothing, touches no memory of ours, cannot fail.
    unsafe { libc::geteuid() }
}

/// The number of the user whose rights this process has; 0 where the system has no such numbers.
#[cfg(windows)]
pub fn user() -> u32 {
    0
}

/// The home of the user that runs this process, from the user database, which is asked once.
#[cfg(unix)]
pub fn home() -> Option<String> {
    static HOME: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    HOME.get_or_init(find_home).clone()
}

#[cfg(unix)]
fn find_home() -> Option<String> {
    // Builds for tests take another home, so that a hook that a test runs leaves the user's own alone.
    #[cfg(debug_assertions)]
    if let Ok(home) = std::env::var("CC_SAFETY_NET_TEST_HOME") {
        return Some(home);
    }
    let user = user();
    let line = |line: &str| {
        let mut fields = line.split(':').skip(2);
        let number = fields.next()?.parse::<u32>().ok()?;
        (number == user).then(|| fields.nth(2)).flatten().map(str::to_string)
    };
    passwd(line).or_else(|| database_home(user)).filter(|home| home.starts_with('/'))
}

/// The home of the user that runs this process: on Windows the variable `USERPROFILE`, which the system sets at logon.
#[cfg(windows)]
pub fn home() -> Option<String> {
    std::env::var("USERPROFILE").ok().map(|home| home.replace('\\', "/"))
}

/// The home of the user of this name.
#[cfg(unix)]
pub fn home_of(name: &str) -> Option<String> {
    passwd(|line| {
        let mut fields = line.split(':');
        (fields.next()? == name).then(|| fields.nth(4)).flatten().map(str::to_string)
    })
    .filter(|home| home.starts_with('/'))
}

/// The home of the user of this name; not known on this system.
#[cfg(windows)]
pub fn home_of(_name: &str) -> Option<String> {
    None
}

/// The first line of `/etc/passwd` that `find` takes. A file over 1 MiB is left to the name service.
#[cfg(unix)]
fn passwd(find: impl Fn(&str) -> Option<String>) -> Option<String> {
    let text = super::file::read("/etc/passwd".as_ref(), 1 << 20, super::file::Links::Follow).ok()?;
    String::from_utf8_lossy(&text).lines().find_map(find)
}

#[cfg(unix)]
fn database_home(user: u32) -> Option<String> {
    let mut buffer = vec![0u8; 16 << 10];
    let mut found: *mut libc::passwd = std::ptr::null_mut();
    // SAFETY: `passwd` is a plain C structure of numbers and pointers, for which all bytes zero is a value.
    let mut entry: libc::passwd = unsafe { std::mem::zeroed() };
    // SAFETY: every pointer is to a live local of the stated size, and nothing keeps them after the call.
    let fault = unsafe { libc::getpwuid_r(user, &mut entry, buffer.as_mut_ptr().cast(), buffer.len(), &mut found) };
    if fault != 0 || found.is_null() || entry.pw_dir.is_null() {
        return None;
    }
    // SAFETY: the call succeeded, so `pw_dir` is a text with an end, inside of `buffer`, which lives on.
    let home = unsafe { std::ffi::CStr::from_ptr(entry.pw_dir) };
    home.to_str().ok().map(str::to_string)
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(unix)]
    fn file_and_name_service_agree() {
        // On a machine whose users come from elsewhere the file says nothing, and there is nothing to compare.
        if let (Some(home), Some(other)) = (super::home(), super::database_home(super::user())) {
            assert_eq!(home, other);
        }
    }
}
