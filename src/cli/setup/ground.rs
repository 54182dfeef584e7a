//! The machine that agents are connected on: whose home, which program, what is found of each agent.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::agents::{AGENTS, Agent};
use crate::layers::Environment;
use crate::model::path::{is_absolute, join};
use crate::setup::{Ground, Present};
use crate::world::program;
use crate::world::replace::{self, Sight};

/// How long an agent's program may take to say its version.
const PROBE: Duration = Duration::from_secs(5);

/// The machine.
pub struct Machine {
    /// The home that agents see: `HOME`, else the user database's.
    pub home: String,
    /// Our own directory for records and for what agents are given.
    pub state: PathBuf,
    /// This program, absolute.
    pub program: String,
    versions: RefCell<BTreeMap<&'static str, Option<String>>>,
}

impl Machine {
    /// The machine as this process finds it, or why nothing can be done on it, as a phrase.
    pub fn of_process() -> Result<Machine, String> {
        let environment = Environment::of_process();
        let home = environment.named_home.clone().or_else(|| environment.home.clone());
        let home = home.ok_or("there is no home: `HOME` is not set to an absolute path, and the user database knows none")?;
        // The record lies in the home whose files it is about.
        let environment = Environment { home: Some(home.clone()), ..environment };
        let state = environment.state_directory().ok_or("there is no directory for the record")?;
        let program = std::env::current_exe().map_err(|fault| format!("this program does not know its own path: {fault}"))?;
        let program = program.to_str().ok_or("the path of this program is not UTF-8")?.to_string();
        // What the kernel says of a file that was replaced while it ran.
        let program = program.strip_suffix(" (deleted)").unwrap_or(&program).to_string();
        Ok(Machine { home, state, program, versions: RefCell::default() })
    }

    /// The agent's configuration directory.
    pub fn place(&self, agent: &Agent) -> String {
        let place = &agent.setup.place;
        let named = place.variables.iter().find_map(|(variable, below)| {
            let value = std::env::var(variable).ok().filter(|value| is_absolute(value))?;
            Some(join(&value, below))
        });
        named.unwrap_or_else(|| join(&self.home, place.home)).trim_end_matches('/').to_string()
    }

    /// The agent's own program.
    pub fn agent_program(&self, agent: &Agent) -> Option<String> {
        let found = agent.setup.programs.iter().find_map(|name| program::find(name))?;
        found.to_str().map(str::to_string)
    }

    /// The agent's version, as its program says it. Asked once.
    pub fn version(&self, agent: &Agent) -> Option<String> {
        if let Some(known) = self.versions.borrow().get(agent.name) {
            return known.clone();
        }
        let asked = self.agent_program(agent).and_then(|program| say_version(&program));
        self.versions.borrow_mut().insert(agent.name, asked.clone());
        asked
    }

    /// Asks every agent's program for its version, all at once.
    pub fn ask_versions(&self) {
        let programs: Vec<_> = AGENTS.iter().filter_map(|agent| Some((agent.name, self.agent_program(agent)?))).collect();
        let asked = std::thread::scope(|scope| {
            let running: Vec<_> =
                programs.iter().map(|(name, program)| (*name, scope.spawn(move || say_version(program)))).collect();
            running.into_iter().map(|(name, handle)| (name, handle.join().ok().flatten())).collect::<Vec<_>>()
        });
        self.versions.borrow_mut().extend(asked);
    }

    /// Whether anything of the agent is here: its program or its directory.
    pub fn is_found(&self, agent: &Agent) -> bool {
        self.agent_program(agent).is_some() || Path::new(&self.place(agent)).is_dir()
    }

    /// What plans for an agent are made on.
    pub fn with<T>(&self, agent: &Agent, what: impl FnOnce(&Ground) -> T) -> T {
        let look = |path: &str| match replace::look(Path::new(path)) {
            Sight::Missing => Present::Missing,
            Sight::File(text) => Present::File(text),
            Sight::Unusable(why) => Present::Unusable(why),
        };
        let ground = Ground {
            place: self.place(agent),
            data: self.state.display().to_string(),
            program: self.program.clone(),
            agent_program: self.agent_program(agent),
            version: if agent.setup.asks_version() { self.version(agent) } else { None },
            look: &look,
        };
        what(&ground)
    }

    /// A text with the home as `~`.
    pub fn shown(&self, text: &str) -> String {
        if self.home == "/" { text.to_string() } else { text.replace(&format!("{}/", self.home), "~/") }
    }
}

/// What a program says of its version.
fn say_version(program: &str) -> Option<String> {
    let ran = program::run(program, &["--version".to_string()], "", PROBE).ok()?;
    let line = ran.output.lines().find(|line| line.chars().any(|c| c.is_ascii_digit()))?;
    Some(line.trim().chars().take(60).collect())
}
