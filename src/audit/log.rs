//! The files of the log: one for each project and day, `log/PROJECT/YYYY-MM/DD.jsonl`.
//!
//! Days, so that what is older than is kept goes file by file while others write; months and projects, so that no folder grows
//! without end. Whoever begins a new day's file prunes, once a day for all projects.

use std::path::{Path, PathBuf};

use super::Record;
use crate::world::file::{self, FileFault};
use crate::world::{clock, disk};

/// The folder of calls that are in no project.
pub const NO_PROJECT: &str = "no-project";
/// Days that the log is kept where nothing else is said.
pub const RETENTION: u16 = 30;
/// The longest name of a project's folder.
const NAME: usize = 180;
/// Which day was pruned last.
const STAMP: &str = ".pruned";

/// The log of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Log {
    folder: PathBuf,
}

/// A project's root as the name of a folder: what is no letter or digit is `-`. Projects whose roots differ in nothing else share
/// one; their records tell them apart.
pub fn folder_name(project: &str) -> String {
    let from = project.len().saturating_sub(NAME);
    let name =
        project.bytes().skip(from).map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte) } else { '-' }).collect();
    if project.is_empty() { NO_PROJECT.into() } else { name }
}

impl Log {
    /// The log below a state directory.
    pub fn below(state: &Path) -> Log {
        Log { folder: state.join("log") }
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Why nothing can be written, where that is plain to see.
    pub fn fault(&self) -> Option<String> {
        let mut at = self.folder.as_path();
        loop {
            match disk::stat(at, true) {
                Ok(meta) if !meta.is_dir() => return Some(format!("{}: not a directory", at.display())),
                Ok(meta) if meta.whole && meta.mode & 0o200 == 0 => {
                    return Some(format!("{}: may not be written", at.display()));
                }
                Ok(meta) if at == self.folder => return file::believe(at, &meta).err().map(|fault| fault.to_string()),
                Ok(_) => return None,
                // It will be made.
                Err(_) => at = at.parent()?,
            }
        }
    }

    /// A day's file of a project.
    pub fn file(&self, project: &str, date: &str) -> PathBuf {
        let (month, day) = date.split_at_checked(7).unwrap_or((date, ""));
        self.folder.join(folder_name(project)).join(month).join(format!("{}.jsonl", day.trim_start_matches('-')))
    }

    /// Adds a record made at this time. With `retention`, the first record of a day takes away what is older than so many days.
    pub fn append(&self, record: &Record, now: i64, retention: Option<u16>) -> Result<(), FileFault> {
        let made = file::append(&self.file(&record.project, &clock::date_of(now)), &record.line())?;
        if let Some(days) = retention.filter(|_| made) {
            self.prune(now, days);
        }
        Ok(())
    }

    /// Takes away the files of days that are more than `days` ago, unless that was done today. What resists stays.
    fn prune(&self, now: i64, days: u16) {
        let (stamp, today) = (self.folder.join(STAMP), clock::date_of(now));
        let done = file::read(&stamp, 64, file::Links::Refuse).is_ok_and(|text| text == today.as_bytes());
        if done || file::write(&stamp, today.as_bytes()).is_err() {
            return;
        }
        let oldest = clock::date_of(now.saturating_sub(i64::from(days) * 86_400_000_000_000));
        for (date, path) in self.days() {
            if date < oldest && std::fs::remove_file(&path).is_ok() {
                // Both only where they are empty now.
                let month = path.parent();
                let _ = month.map(std::fs::remove_dir);
                let _ = month.and_then(Path::parent).map(std::fs::remove_dir);
            }
        }
    }

    /// Every file of the log with its date, newest first, then by path.
    pub fn days(&self) -> Vec<(String, PathBuf)> {
        let mut found = Vec::new();
        for project in folders(&self.folder) {
            for month in folders(&project) {
                let Some(name) = month.file_name().and_then(|name| name.to_str()).map(str::to_string) else { continue };
                for entry in std::fs::read_dir(&month).into_iter().flatten().flatten() {
                    let path = entry.path();
                    let day = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".jsonl"));
                    let is_date = |day: &&str| day.len() == 2 && name.len() == 7 && day.bytes().all(|b| b.is_ascii_digit());
                    if let Some(day) = day.filter(is_date) {
                        found.push((format!("{name}-{day}"), path));
                    }
                }
            }
        }
        found.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
        found
    }
}

/// The folders in a folder, links left out, in no order.
fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000_000_000;

    fn record(project: &str) -> Record {
        Record { project: project.into(), command: "ls".into(), ..Record::default() }
    }

    #[test]
    fn projects_and_days_have_their_files() {
        let log = Log::below("/s".as_ref());
        assert_eq!(log.file("/home/me/a b", "2026-11-30"), Path::new("/s/log/-home-me-a-b/2026-11/30.jsonl"));
        assert_eq!(log.file("", "2026-11-30"), Path::new("/s/log/no-project/2026-11/30.jsonl"));
        assert_eq!(folder_name(&"/ü".repeat(200)).len(), NAME);
    }

    #[test]
    fn the_first_record_of_a_day_takes_away_what_is_too_old() {
        let state = tempfile::tempdir().expect("a folder");
        let log = Log::below(state.path());
        let dates = |log: &Log| log.days().into_iter().map(|(date, _)| date).collect::<Vec<_>>();
        for day in [0, 1, 29, 30] {
            log.append(&record("/p"), day * DAY, Some(30)).expect("written");
        }
        assert_eq!(dates(&log), ["1970-01-31", "1970-01-30", "1970-01-02", "1970-01-01"]);
        log.append(&record("/p"), 31 * DAY, Some(30)).expect("written");
        assert_eq!(dates(&log), ["1970-02-01", "1970-01-31", "1970-01-30", "1970-01-02"]);
        log.append(&record("/q"), 40 * DAY, Some(1)).expect("written");
        assert_eq!(dates(&log), ["1970-02-10"]);
        assert!(!log.folder().join("-p").exists(), "an empty folder goes, too");
    }

    #[cfg(unix)]
    #[test]
    fn files_are_the_users_alone_and_links_are_not_written_through() {
        use std::os::unix::fs::PermissionsExt;
        let state = tempfile::tempdir().expect("a folder");
        let log = Log::below(&state.path().join("deep"));
        log.append(&record("/p"), DAY, None).expect("written");
        let file = log.file("/p", "1970-01-02");
        let mode = |path: &Path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(log.folder())), (0o600, 0o700));
        let elsewhere = state.path().join("elsewhere");
        std::fs::write(&elsewhere, "").expect("written");
        std::fs::remove_file(&file).expect("removed");
        std::os::unix::fs::symlink(&elsewhere, &file).expect("linked");
        assert!(log.append(&record("/p"), DAY, None).is_err());
        assert_eq!(std::fs::read(&elsewhere).expect("read"), b"");
    }
}
