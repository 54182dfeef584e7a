//! Records as they come.

use std::collections::BTreeMap;
use std::io::{Seek, SeekFrom};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use super::print;
use crate::audit::{Filter, Log, parse};
use crate::world::file::{self, Links};
use crate::world::{clock, disk};

/// How often the files are looked at.
const PAUSE: Duration = Duration::from_millis(250);

/// Prints what is written from now on, until interrupted or until nobody reads any more.
pub(super) fn run(log: &Log, filter: &Filter, json: bool) -> ExitCode {
    let mut places: BTreeMap<PathBuf, u64> = BTreeMap::new();
    for (_, path) in log.days() {
        let size = disk::stat(&path, false).map_or(0, |meta| meta.size);
        places.insert(path, size);
    }
    loop {
        // Around midnight two days are written to.
        let oldest = clock::date_of(disk::nanoseconds() - 3_600_000_000_000);
        for (_, path) in log.days().into_iter().filter(|(date, _)| *date >= oldest) {
            let place = places.entry(path.clone()).or_default();
            for record in news(&path, place).into_iter().filter(|record| filter.takes(record)) {
                if json {
                    print!("{}", String::from_utf8_lossy(&record.line()));
                } else {
                    println!("{}", print::line(&record, None));
                }
            }
        }
        std::thread::sleep(PAUSE);
    }
}

/// The whole lines behind a place, which moves behind them.
fn news(path: &std::path::Path, place: &mut u64) -> Vec<crate::audit::Record> {
    let mut found = Vec::new();
    let Ok((mut file, meta)) = file::open(path, Links::Refuse) else { return found };
    if meta.size <= *place || file.seek(SeekFrom::Start(*place)).is_err() {
        return found;
    }
    let mut text = Vec::new();
    if std::io::Read::read_to_end(&mut file, &mut text).is_err() {
        return found;
    }
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    *place += whole as u64;
    found.extend(text[..whole].split(|byte| *byte == b'\n').filter_map(parse));
    found
}
