//! Settings of several layers → the settings in force.
//!
//! A layer that may loosen replaces what the one below says, unless a lock holds; one that may only tighten raises the preset,
//! adds secret paths, and is told about the rest. Two layers of the same authority that both speak: the stricter word.

use super::layer::Rights;
use crate::model::settings::Audit;
use crate::model::{LayerKind, Settings};

/// The settings in force, and what had to be refused on the way.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Merged {
    /// In force. Overrides are not here: they are applied by the rights of their layer.
    pub settings: Settings,
    /// One line for each setting that a layer had no right to.
    pub refused: Vec<String>,
}

/// Merges the settings of layers, in any order.
pub fn merge<'a>(layers: impl IntoIterator<Item = (LayerKind, Rights, &'a str, &'a Settings)>) -> Merged {
    let mut sorted: Vec<_> = layers.into_iter().collect();
    // The administrator first, the more specific later; within one authority by name, so that the order of reading says nothing.
    sorted.sort_by_key(|(kind, rights, name, _)| (rank(*kind, *rights), *name));
    let mut merged = Merged::default();
    let mut locks: Vec<String> = Vec::new();
    let mut spoken = [None; 4];
    for (kind, rights, name, settings) in sorted {
        let mut layer = Merging { merged: &mut merged, locks: &locks, rank: rank(kind, rights), name, spoken: &mut spoken };
        match rights {
            Rights::Loosen => layer.replace(settings),
            Rights::Tighten => layer.tighten(settings),
        }
        if kind == LayerKind::Managed {
            locks.extend(settings.lock.iter().cloned());
            merged.settings.lock = locks.clone();
        }
    }
    merged
}

fn rank(kind: LayerKind, rights: Rights) -> u8 {
    match (kind, rights) {
        (_, Rights::Tighten) => 3,
        (LayerKind::Managed, _) => 0,
        _ => 1,
    }
}

struct Merging<'a> {
    merged: &'a mut Merged,
    locks: &'a [String],
    rank: u8,
    name: &'a str,
    /// Which rank last said something about preset, worktree, audit, loosening by the environment.
    spoken: &'a mut [Option<u8>; 4],
}

impl Merging<'_> {
    fn replace(&mut self, theirs: &Settings) {
        if let Some(preset) = theirs.preset.filter(|_| self.is_free("preset", true)) {
            let rival = self.rival(0).then_some(self.merged.settings.preset).flatten();
            self.merged.settings.preset = Some(preset.max(rival.unwrap_or_default()));
        }
        if let Some(worktree) = theirs.worktree.filter(|_| self.is_free("worktree", true)) {
            let rival = self.rival(1).then_some(self.merged.settings.worktree).flatten();
            self.merged.settings.worktree = Some(worktree && rival.unwrap_or(true));
        }
        if let Some(audit) = theirs.audit.filter(|_| self.is_free("audit", true)) {
            let all = self.rival(2) && self.merged.settings.audit == Some(Audit::All);
            self.merged.settings.audit = Some(if all { Audit::All } else { audit });
        }
        if let Some(loosen) = theirs.loosen_by_environment.filter(|_| self.is_free("loosen_by_environment", true)) {
            let rival = self.rival(3).then_some(self.merged.settings.loosen_by_environment).flatten();
            self.merged.settings.loosen_by_environment = Some(loosen && rival.unwrap_or(true));
        }
        if let Some(days) = theirs.retention_days.filter(|_| self.is_free("retention_days", true)) {
            let rival = self.merged.settings.retention_days.filter(|_| self.rank > 0);
            self.merged.settings.retention_days = Some(if self.rank == 0 { days } else { days.max(rival.unwrap_or(0)) });
        }
        if !theirs.allow_paths.is_empty() && self.is_free("allow_paths", true) {
            add(&mut self.merged.settings.allow_paths, &theirs.allow_paths);
        }
        if !theirs.deny_paths.is_empty() && self.is_free("deny_paths", true) {
            add(&mut self.merged.settings.deny_paths, &theirs.deny_paths);
        }
    }

    fn tighten(&mut self, theirs: &Settings) {
        let settings = &mut self.merged.settings;
        let in_force = settings.preset.unwrap_or_default();
        if let Some(preset) = theirs.preset {
            if preset > in_force {
                settings.preset = Some(preset);
            } else if preset < in_force {
                self.refuse(&format!("preset {} (in force: {})", preset.word(), in_force.word()));
            }
        }
        match theirs.worktree {
            Some(true) => self.refuse("worktree true"),
            Some(false) => self.merged.settings.worktree = Some(false),
            None => {}
        }
        add(&mut self.merged.settings.deny_paths, &theirs.deny_paths);
        if !theirs.allow_paths.is_empty() {
            self.refuse("allow_paths");
        }
        if theirs.audit.is_some() || theirs.retention_days.is_some() {
            self.refuse("audit");
        }
        if theirs.loosen_by_environment == Some(true) {
            self.refuse("loosen_by_environment");
        }
        if !theirs.lock.is_empty() {
            self.refuse("lock");
        }
    }

    /// Whether no lock above holds the setting; a held one is reported.
    fn is_free(&mut self, setting: &str, report: bool) -> bool {
        let held = self.rank > 0 && self.locks.iter().any(|lock| lock == setting);
        if held && report {
            self.merged.refused.push(format!("{}: `{setting}` is locked by the administrator", self.name));
        }
        !held
    }

    /// Whether a layer of the same rank has spoken before; notes that this one has.
    fn rival(&mut self, which: usize) -> bool {
        self.spoken[which].replace(self.rank) == Some(self.rank)
    }

    fn refuse(&mut self, what: &str) {
        self.merged.refused.push(format!("{}: may only tighten; not applied: {what}", self.name));
    }
}

fn add(into: &mut Vec<String>, more: &[String]) {
    into.extend(more.iter().cloned());
    into.sort();
    into.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Preset;

    const USER: Rights = Rights::Loosen;

    fn with(preset: Option<Preset>) -> Settings {
        Settings { preset, ..Settings::default() }
    }

    #[test]
    fn the_user_replaces_and_a_project_only_raises() {
        let (user, project) = (with(Some(Preset::Strict)), with(Some(Preset::Standard)));
        let merged = merge([(LayerKind::Project, Rights::Tighten, "p", &project), (LayerKind::User, USER, "u", &user)]);
        assert_eq!(merged.settings.preset, Some(Preset::Strict));
        assert_eq!(merged.refused, ["p: may only tighten; not applied: preset standard (in force: strict)"]);
        let managed = with(Some(Preset::Paranoid));
        let both = merge([(LayerKind::User, USER, "u", &user), (LayerKind::Managed, Rights::Loosen, "m", &managed)]);
        assert_eq!(both.settings.preset, Some(Preset::Strict));
    }

    #[test]
    fn a_lock_holds_against_the_user() {
        let managed =
            Settings { preset: Some(Preset::Strict), lock: vec!["preset".into(), "allow_paths".into()], ..Settings::default() };
        let user = Settings { preset: Some(Preset::Standard), allow_paths: vec!["~/x".into()], ..Settings::default() };
        let merged = merge([(LayerKind::User, USER, "u", &user), (LayerKind::Managed, Rights::Loosen, "m", &managed)]);
        assert_eq!((merged.settings.preset, merged.settings.allow_paths.len()), (Some(Preset::Strict), 0));
        assert_eq!(merged.refused.len(), 2);
    }

    #[test]
    fn of_two_layers_of_the_user_the_stricter_word_holds() {
        let one = Settings { preset: Some(Preset::Strict), worktree: Some(true), ..Settings::default() };
        let other = Settings { preset: Some(Preset::Standard), worktree: Some(false), ..Settings::default() };
        for order in [[("a", &one), ("b", &other)], [("b", &other), ("a", &one)]] {
            let merged = merge(order.map(|(name, settings)| (LayerKind::User, USER, name, settings)));
            assert_eq!((merged.settings.preset, merged.settings.worktree), (Some(Preset::Strict), Some(false)));
        }
    }
}
