//! A harness of one page: medians that were taken in turns, so that a slow moment of the machine hits all alike.

use std::time::{Duration, Instant};

/// What a case took.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The case.
    pub name: String,
    samples: Vec<Duration>,
}

impl Measured {
    /// Half of the runs took at most this.
    pub fn median(&self) -> Duration {
        self.quantile(50)
    }

    /// So many in a hundred took at most this.
    pub fn quantile(&self, percent: usize) -> Duration {
        let mut sorted = self.samples.clone();
        sorted.sort_unstable();
        sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
    }

    /// How many times the other's median this one's is.
    pub fn ratio(&self, other: &Measured) -> f64 {
        self.median().as_secs_f64() / other.median().as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

/// A case: its name, and what it does, which says what it took.
pub struct Case<'a> {
    /// What it is called in the table.
    pub name: String,
    /// One run.
    pub run: Box<dyn FnMut() -> Duration + 'a>,
}

impl<'a> Case<'a> {
    /// A case that times itself.
    pub fn timed(name: impl Into<String>, run: impl FnMut() -> Duration + 'a) -> Case<'a> {
        Case { name: name.into(), run: Box::new(run) }
    }

    /// A case that is timed as a whole, several times in a row where once is too short for the clock.
    #[allow(dead_code)] // each benchmark uses its own part of the harness
    pub fn whole<T>(name: impl Into<String>, times: u32, mut run: impl FnMut() -> T + 'a) -> Case<'a> {
        Case::timed(name, move || {
            let start = Instant::now();
            for _ in 0..times {
                std::hint::black_box(run());
            }
            start.elapsed() / times
        })
    }
}

/// Runs all cases in turns: a few rounds to warm up, then those that count.
pub fn in_turns(rounds: usize, mut cases: Vec<Case>) -> Vec<Measured> {
    let mut measured: Vec<Measured> =
        cases.iter().map(|case| Measured { name: case.name.clone(), samples: Vec::with_capacity(rounds) }).collect();
    for round in 0..rounds + rounds.div_ceil(20) {
        for (case, into) in cases.iter_mut().zip(&mut measured) {
            let took = (case.run)();
            if round >= rounds.div_ceil(20) {
                into.samples.push(took);
            }
        }
    }
    measured
}

/// Prints a table; ratios are to the first case's median.
pub fn print(title: &str, measured: &[Measured]) {
    println!("\n{title}\n{:<44} {:>11} {:>11} {:>8}", "", "median", "p99", "ratio");
    for each in measured {
        println!(
            "{:<44} {:>8.1} µs {:>8.1} µs {:>8.2}",
            each.name,
            each.median().as_secs_f64() * 1e6,
            each.quantile(99).as_secs_f64() * 1e6,
            measured.first().map_or(0.0, |first| each.ratio(first)),
        );
    }
}

/// A harmless script of about so many bytes, of the kind that agents write.
pub fn script(bytes: usize) -> String {
    const LINES: &[&str] = &[
        "for f in src/*.txt; do echo \"checking $f\"; done",
        "if [ -f Cargo.toml ]; then cargo check --quiet 2>&1 | tail -n 5; fi",
        "grep -rn 'TODO' src | head -20 | sort -u > /tmp/todo.txt",
        "name=$(basename \"$PWD\"); printf '%s\\n' \"$name\" >> notes.md",
        "git status --short && git diff --stat HEAD~1",
        "sed -n '1,40p' README.md | awk '{ print $1 }' | uniq -c",
        "python3 -c \"import json; print(json.dumps({'a': 1}))\"",
    ];
    let mut text = String::with_capacity(bytes + 100);
    for line in LINES.iter().cycle() {
        if text.len() + line.len() >= bytes {
            break;
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// A rulebook of so many rules of a user's own, no two alike, none of which the benchmarks' commands meet.
pub fn rulebook(name: &str, rules: usize) -> String {
    let mut text = format!("rulebook {name}\nversion 1.0.0\nabout \"Rules of a benchmark.\"\n");
    for number in 0..rules {
        text.push_str(&format!(
            "\nrule own-{number} {{\n  match tool-{} sub-{number} --flag-{}\n  deny \"Benchmark rule {number}.\"\n  examples {{ deny `tool-{} sub-{number} --flag-{}`; allow `tool-{} other` }}\n}}\n",
            number % 997,
            number % 13,
            number % 997,
            number % 13,
            number % 997,
        ));
    }
    text
}
