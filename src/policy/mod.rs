//! Settings, layers, precedence: findings → verdict.

use std::sync::Arc;

use crate::model::declaration::{Command, Declarations, Language, Tool};
use crate::model::{Call, Decision, Preset, Settings, Verdict, World};

/// The layers of one call, stacked.
#[derive(Debug, Default)]
pub struct Layers {
    /// The preset in force.
    pub preset: Preset,
    /// The settings in force.
    pub settings: Settings,
    /// What every surface reports: a broken rulebook, an expired allow, a project that tried to loosen.
    pub reports: Vec<String>,
}

impl Declarations for Layers {
    fn commands(&self, _name: &str) -> Vec<Arc<Command>> {
        Vec::new()
    }
    fn languages(&self, _name: &str) -> Vec<Arc<Language>> {
        Vec::new()
    }
    fn tools(&self, _name: &str) -> Vec<Arc<Tool>> {
        Vec::new()
    }
}

/// Judges a call as understood.
pub fn decide(_layers: &Layers, _call: &Call, _world: &dyn World) -> Verdict {
    Verdict { decision: Decision::Allow, findings: Vec::new(), set_aside: Vec::new(), reports: Vec::new() }
}
