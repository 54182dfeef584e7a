//! Where the project is: what a path is inside or outside of.

use crate::model::path::{is_within, join};
use crate::model::{EntryKind, ToolCall, World};

/// How many directories up a `.git` entry is looked for.
const LEVELS: usize = 64;

/// The root of the call's project, a real path: the agent's workspace root, if the agent names one, else the nearest directory at
/// or above the session's working directory that has a `.git` entry, else that directory. A script's `cd` does not move it.
///
/// `None` where that would be `/`, a drive, a temporary root, home, an ancestor of home, or a directory of somebody else's: then
/// there is no project, and everything is outside.
pub fn project_root(tool: &ToolCall, world: &dyn World) -> Option<String> {
    let root = match &tool.workspace {
        Some(workspace) => world.real(&join("/", workspace))?,
        None => {
            let directory = world.real(&join("/", &tool.directory))?;
            holder_of_git(&directory, world)?.unwrap_or(directory)
        }
    };
    may_be_project(&root, world).then_some(root)
}

/// The nearest directory with a `.git` entry; `None` where the machine does not say.
fn holder_of_git(directory: &str, world: &dyn World) -> Option<Option<String>> {
    let mut at = directory;
    for _ in 0..LEVELS {
        if world.stat(&join(at, ".git"), false)?.is_some() {
            return Some(Some(at.to_string()));
        }
        match at.rsplit_once('/') {
            Some((above, _)) if !above.is_empty() => at = above,
            _ => break,
        }
    }
    Some(None)
}

fn may_be_project(root: &str, world: &dyn World) -> bool {
    let is_top = root.trim_end_matches('/').is_empty() || (root.len() <= 3 && root.as_bytes().get(1) == Some(&b':'));
    let real = |path: String| world.real(&path).unwrap_or(path);
    let holds_home = || world.homes().into_iter().any(|home| is_within(&home, root) || is_within(&real(home), root));
    let is_temporary = || world.temporary().into_iter().any(|path| path == root || is_within(&real(path), root));
    let is_own = || world.stat(root, true).flatten().is_some_and(|stat| stat.own && stat.kind == EntryKind::Directory);
    !is_top && !holds_home() && !is_temporary() && is_own()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Memory;

    fn root(directory: &str, workspace: Option<&str>, world: &Memory) -> Option<String> {
        let tool = ToolCall {
            agent: "claude-code".into(),
            tool: "Bash".into(),
            fields: serde_json::json!({}),
            directory: directory.into(),
            workspace: workspace.map(String::from),
            attended: true,
            session: String::new(),
        };
        project_root(&tool, world)
    }

    #[test]
    fn the_workspace_then_git_then_the_directory() {
        let world = Memory::standing().folder("src/deep").folder("~/loose/x").link("~/short", "/home/me/project/src");
        let project = Some("/home/me/project".to_string());
        assert_eq!(root("/home/me/project/src/deep", None, &world), project);
        assert_eq!(root("/home/me/short", None, &world), project);
        assert_eq!(root("/home/me/loose/x", None, &world), Some("/home/me/loose/x".into()));
        assert_eq!(root("/home/me/project", Some("/home/me/project/src"), &world), Some("/home/me/project/src".into()));
    }

    #[test]
    fn never_a_place_that_holds_more_than_a_project() {
        let world = Memory::standing().repository_at("/home/me").folder("~/x").folder("/tmp/own").foreign("/tmp/own");
        for directory in ["/", "/home", "/home/me", "/home/me/x", "/tmp", "/usr", "/tmp/own", "/home/me/missing"] {
            assert_eq!(root(directory, None, &world), None, "{directory}");
        }
        assert_eq!(root("/tmp/job", None, &world.folder("/tmp/job")), Some("/tmp/job".into()));
    }
}
