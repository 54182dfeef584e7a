//! What the images find, with the index of the layer.

use super::decide::Hit;
use super::layer::Layers;
use super::project::project_root;
use crate::image::{Context, Fault, Root, RuleMatch};
use crate::model::{Call, LayerKind, Limit, Span, World};

/// Settings that rules ask for by name (`setting relax-worktrees`).
const WORKTREES: &str = "relax-worktrees";

/// What the layers say of a call.
pub struct Found {
    /// Every match of every layer.
    pub hits: Vec<Hit>,
    /// Whether the catalogue failed: without it nothing may be let through.
    pub failed: bool,
    /// The budget that a layer came to the end of.
    pub limit: Option<Limit>,
}

/// Asks every layer. Another layer than the catalogue whose image fails is reported.
pub fn hits(layers: &Layers, call: &Call, world: &dyn World, reports: &mut Vec<String>) -> Found {
    let find = || project_root(&call.tool, world);
    let project = Root::new(&find);
    let flags: Vec<String> = layers.settings.worktree.filter(|on| *on).map(|_| WORKTREES.to_string()).into_iter().collect();
    let context = Context {
        world,
        preset: layers.preset,
        granted: layers.granted,
        attended: call.tool.attended,
        agent: &call.tool.agent,
        project: &project,
        allow_paths: &layers.settings.allow_paths,
        deny_paths: &layers.settings.deny_paths,
        flags: &flags,
    };
    let (mut hits, mut failed, mut limit) = (Vec::new(), false, None);
    for (index, layer) in layers.layers.iter().enumerate() {
        match layer.image.matches(call, &context) {
            Ok(matches) => hits.extend(matches.into_iter().map(|found| hit(index, found, &project, world))),
            Err(Fault::Touched { most }) => limit = Some(Limit { name: "paths", size: most, span: Span::default() }),
            Err(fault) => {
                failed |= layer.kind == LayerKind::Embedded;
                reports.push(format!("{}: not in force for this call: {fault}", layer.name));
            }
        }
    }
    Found { hits, failed, limit }
}

fn hit(layer: usize, found: RuleMatch, project: &Root<'_>, world: &dyn World) -> Hit {
    let emptied =
        found.certain_when_emptied && found.emptied.as_deref().is_some_and(|path| is_root(path, project.path(), world));
    Hit {
        layer,
        rule: found.rule,
        certainty: found.certainty,
        emptied,
        span: found.span,
        run: found.run,
        effect: found.effect,
        bindings: found.bindings,
        at: found.at,
        narrowness: found.narrowness,
    }
}

/// Whether a path is `/`, a drive, a home or the project's root, or all that is directly in one.
fn is_root(path: &str, project: Option<&str>, world: &dyn World) -> bool {
    let whole = path.trim_end_matches('*').trim_end_matches('/');
    let is_drive = whole.len() == 2 && whole.ends_with(':');
    whole.is_empty() || is_drive || project == Some(whole) || world.homes().iter().any(|home| home == whole)
}
