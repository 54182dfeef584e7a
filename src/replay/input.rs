//! Where past calls come from, in chunks of whole lines.

use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

use crate::agents::transcript::{TRANSCRIPTS, Transcript};
use crate::agents::{self, Agent};
use crate::world::disk;

/// How much is judged at once, in bytes; a longer line is a chunk of its own, up to the longest.
const CHUNK: usize = 256 << 10;
const LONGEST: usize = agents::LIMIT + (64 << 10);

/// A file, or standard input.
#[derive(Debug, Clone)]
pub struct Source {
    /// None for standard input.
    pub path: Option<PathBuf>,
    /// Whose payloads lines are that say nothing of it.
    pub agent: &'static Agent,
}

/// Whole lines.
#[derive(Debug)]
pub struct Chunk {
    /// The lines.
    pub text: Vec<u8>,
    /// The last line before them that says something of those after it.
    pub context: Option<Vec<u8>>,
    /// Whose payloads they are, where they do not say so.
    pub agent: &'static Agent,
    /// The number of lines before them in the source.
    pub line: u64,
    /// What could not be read, in place of lines.
    pub fault: Option<String>,
}

impl Source {
    /// The chunks, one after the other.
    pub fn chunks(self) -> impl Iterator<Item = Chunk> {
        let (input, fault): (Box<dyn Read>, _) = match &self.path {
            None => (Box::new(std::io::stdin()), None),
            Some(path) => match std::fs::File::open(path) {
                Ok(file) => (Box::new(file), None),
                Err(fault) => (Box::new(std::io::empty()), Some(format!("{}: {fault}", path.display()))),
            },
        };
        let marks = TRANSCRIPTS.iter().flat_map(|transcript| transcript.context).collect();
        let input = std::io::BufReader::with_capacity(CHUNK, input);
        Chunks { input, agent: self.agent, marks, context: None, line: 0, fault }
    }
}

struct Chunks {
    input: std::io::BufReader<Box<dyn Read>>,
    agent: &'static Agent,
    marks: Vec<&'static &'static str>,
    context: Option<Vec<u8>>,
    line: u64,
    fault: Option<String>,
}

impl Iterator for Chunks {
    type Item = Chunk;

    fn next(&mut self) -> Option<Chunk> {
        let (mut text, context, line) = (Vec::with_capacity(CHUNK + 4096), self.context.clone(), self.line);
        while text.len() < CHUNK && self.fault.is_none() {
            let start = text.len();
            match self.input.by_ref().take(LONGEST as u64).read_until(b'\n', &mut text) {
                Ok(0) => break,
                Ok(_) => self.line += 1,
                Err(fault) => self.fault = Some(fault.to_string()),
            }
            if text.last() != Some(&b'\n') && text.len() - start >= LONGEST {
                // The rest of a line that is too long to be a call. What is kept of it is no JSON, and counted as such.
                let _ = self.input.skip_until(b'\n');
                text.truncate(start + 1);
                text.push(b'\n');
            }
            // Only a line that begins as one can be context, so that a command that quotes one is none.
            let line = &text[start..];
            let head = &line[..line.len().min(256)];
            if self.marks.iter().any(|mark| head.windows(mark.len()).any(|part| part == mark.as_bytes())) {
                self.context = Some(line.to_vec());
            }
        }
        let fault = self.fault.take();
        if text.is_empty() && fault.is_none() {
            return None;
        }
        let ends = fault.is_some();
        let chunk = Chunk { text, context, agent: self.agent, line, fault };
        if ends {
            self.input = std::io::BufReader::new(Box::new(std::io::empty()));
        }
        Some(chunk)
    }
}

/// The transcripts of an agent in a home, oldest name first; `None` where its transcripts are not read.
pub fn transcripts(agent: &Agent, home: Option<&str>) -> Option<Vec<PathBuf>> {
    let transcript: &Transcript = TRANSCRIPTS.iter().find(|transcript| transcript.agent.name == agent.name)?;
    let named = disk::variable(transcript.home.0).filter(|path| !path.is_empty()).map(PathBuf::from);
    let folder = named.or_else(|| Some(Path::new(home?).join(transcript.home.1)));
    let mut found = Vec::new();
    collect(&folder?.join(transcript.folder), &mut found, 0);
    found.sort();
    Some(found)
}

/// Every file below a folder that ends in `.jsonl`; links to folders are not followed.
pub fn collect(folder: &Path, found: &mut Vec<PathBuf>, depth: usize) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < 8 => collect(&path, found, depth + 1),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|end| end == "jsonl") => found.push(path),
            _ => {}
        }
    }
}
