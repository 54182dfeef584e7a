//! The log read back: newest first, a day at a time, so that no more than a day of it is in memory.
//!
//! A line may be torn: the process that wrote it was killed, or the disk was full. What stands behind it on the same line is
//! whole and is read.

use std::io::{BufRead, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::{Log, Record};
use crate::world::clock;
use crate::world::file::{self, Links};

/// How every line begins.
const BEGINNING: &str = "{\"ts\":\"";
/// The longest line that is read; a record is far shorter.
const LINE: u64 = 1 << 20;

/// The records of a log, newest first.
pub struct Reader {
    days: std::iter::Peekable<std::vec::IntoIter<(String, PathBuf)>>,
    /// The records of the day that is being read, oldest first.
    day: Vec<Record>,
    /// Files and lines that could not be read.
    pub unreadable: usize,
}

impl Reader {
    /// Reads a log from the newest record back to those of `oldest` (a date; empty for all).
    pub fn new(log: &Log, oldest: &str) -> Reader {
        let mut days = log.days();
        days.retain(|(date, _)| date.as_str() >= oldest);
        Reader { days: days.into_iter().peekable(), day: Vec::new(), unreadable: 0 }
    }

    fn take_day(&mut self) -> bool {
        let Some((date, path)) = self.days.next() else { return false };
        self.take_file(&path);
        while let Some((_, path)) = self.days.next_if(|(other, _)| *other == date) {
            self.take_file(&path);
        }
        self.day.sort_by(|one, other| one.ts.cmp(&other.ts));
        true
    }

    fn take_file(&mut self, path: &Path) {
        let Ok((file, _)) = file::open(path, Links::Refuse) else {
            self.unreadable += 1;
            return;
        };
        let (day, mut torn) = (&mut self.day, 0);
        let read = lines(std::io::BufReader::new(file), |line| match record(&line) {
            Some((record, whole)) => {
                torn += usize::from(!whole);
                day.push(record);
            }
            None => torn += 1,
        });
        self.unreadable += torn + usize::from(read.is_err());
    }
}

impl Iterator for Reader {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        while self.day.is_empty() {
            if !self.take_day() {
                return None;
            }
        }
        self.day.pop()
    }
}

/// The last refusal of a project, today or yesterday: as far back as a cheap look at the ends of two files goes.
pub fn last_refusal(log: &Log, project: Option<&str>, now: i64) -> Option<Record> {
    const LOOK: u64 = 64 << 10;
    [0, 1].into_iter().find_map(|days| {
        let date = clock::date_of(now.saturating_sub(days * 86_400_000_000_000));
        let (mut file, meta) = file::open(&log.file(project.unwrap_or_default(), &date), Links::Refuse).ok()?;
        file.seek(SeekFrom::Start(meta.size.saturating_sub(LOOK))).ok()?;
        let mut text = Vec::new();
        file.take(LOOK).read_to_end(&mut text).ok()?;
        let is_refusal = |line: &&[u8]| {
            let says = |word: &[u8]| line.windows(word.len()).any(|part| part == word);
            says(b"\"decision\":\"deny\"") || says(b"\"decision\":\"ask\"")
        };
        let last = text.rsplit(|byte| *byte == b'\n').filter(is_refusal).find_map(parse);
        last.filter(|record| record.project == project.unwrap_or_default())
    })
}

/// Whether a line is one of a log.
pub fn is_record(line: &[u8]) -> bool {
    line.starts_with(BEGINNING.as_bytes())
}

/// A record out of a line, whole or torn.
pub fn parse(line: &[u8]) -> Option<Record> {
    record(line).map(|(record, _)| record)
}

/// A record out of a line, and whether it was all of the line.
fn record(line: &[u8]) -> Option<(Record, bool)> {
    if let Ok(record) = serde_json::from_slice(line) {
        return Some((record, true));
    }
    let text = String::from_utf8_lossy(line);
    let whole = text.rfind(BEGINNING).filter(|at| *at > 0).and_then(|at| serde_json::from_str(&text[at..]).ok())?;
    Some((whole, false))
}

/// Every line that is not empty, without its end; one that is too long is passed over and counts as empty.
pub fn lines(mut input: impl BufRead, mut each: impl FnMut(Vec<u8>)) -> std::io::Result<()> {
    loop {
        let mut line = Vec::new();
        let count = input.by_ref().take(LINE).read_until(b'\n', &mut line)?;
        if count == 0 {
            return Ok(());
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if count as u64 == LINE {
            input.skip_until(b'\n')?;
            line.clear();
        }
        if !line.trim_ascii().is_empty() {
            each(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(ts: &str) -> String {
        String::from_utf8(Record { ts: ts.into(), id: ts.into(), ..Record::default() }.line()).expect("UTF-8")
    }

    #[test]
    fn a_torn_line_costs_nothing_but_itself() {
        let whole = line("2");
        let torn = format!("{}{whole}", &line("1")[..40]);
        let (found, is_whole) = record(torn.trim().as_bytes()).expect("a record");
        assert!(found.ts == "2" && !is_whole);
        assert_eq!(record(&whole.as_bytes()[..50]), None);
        assert!(record(whole.trim().as_bytes()).expect("a record").1);
    }

    #[test]
    fn records_come_newest_first_across_projects() {
        let state = tempfile::tempdir().expect("a folder");
        let log = Log::below(state.path());
        for (project, seconds) in [("/a", 3), ("/b", 2), ("/a", 100_000), ("/b", 1), ("/c", 200_000)] {
            let now = seconds * 1_000_000_000;
            let record = Record { ts: crate::world::clock::timestamp(now), project: project.into(), ..Record::default() };
            log.append(&record, now, None).expect("written");
        }
        let order = |oldest: &str| Reader::new(&log, oldest).map(|record| record.ts[8..19].to_string()).collect::<Vec<_>>();
        assert_eq!(order(""), ["03T07:33:20", "02T03:46:40", "01T00:00:03", "01T00:00:02", "01T00:00:01"]);
        assert_eq!(order("1970-01-02"), ["03T07:33:20", "02T03:46:40"]);
    }

    #[test]
    fn long_lines_are_passed_over() {
        let text = format!("a\n\n{}\nb", "x".repeat(LINE as usize + 10));
        let mut found = Vec::new();
        lines(text.as_bytes(), |line| found.push(line)).expect("read");
        assert_eq!(found, [b"a".to_vec(), b"b".to_vec()]);
    }
}
