//! What a person names as a source → a folder, or a repository's address.

use std::path::{Path, PathBuf};

/// Where rulebooks come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A folder of this machine, or one rulebook's file, as it is now.
    Folder(PathBuf),
    /// A repository.
    Repository {
        /// As git understands it.
        address: String,
        /// Whether it is on this machine.
        is_local: bool,
    },
}

/// Where `owner/repo` is.
const FORGE: &str = "https://github.com/";

/// Schemes of addresses, with what is said of those that anybody between may change.
const SCHEMES: [(&str, bool); 5] = [("https", true), ("ssh", true), ("http", false), ("git", false), ("file", true)];

impl Origin {
    /// Reads what a person named, paths from this directory. A folder with `--ref`, or one that is a bare repository, is a repository.
    pub fn read(named: &str, directory: &Path, has_reference: bool) -> Result<Origin, String> {
        // A colon says that it is no folder, but on systems where it stands in every path.
        if !named.starts_with('-') && (cfg!(windows) || !named.contains(':')) && !named.is_empty() {
            let path = directory.join(named).canonicalize().ok();
            if let Some(origin) = path.and_then(|path| Origin::on_disk(path, has_reference)) {
                return Ok(origin);
            }
        }
        Origin::address(named)
    }

    /// Reads what a lock says: an address means no folder, whatever stands where the command is given.
    pub fn pinned(named: &str, root: &Path, has_reference: bool) -> Result<Origin, String> {
        if !named.starts_with("./") && !Path::new(named).is_absolute() {
            return Origin::address(named);
        }
        let path = root.join(named).canonicalize().map_err(|fault| fault.to_string())?;
        Origin::on_disk(path, has_reference).ok_or_else(|| "its path is not UTF-8".into())
    }

    fn on_disk(path: PathBuf, has_reference: bool) -> Option<Origin> {
        let is_bare = path.join("HEAD").is_file() && path.join("objects").is_dir();
        if has_reference || is_bare {
            return Some(Origin::Repository { address: path.to_str()?.to_string(), is_local: true });
        }
        Some(Origin::Folder(path))
    }

    fn address(named: &str) -> Result<Origin, String> {
        if named.is_empty() || named.starts_with('-') || named.chars().any(char::is_control) {
            return Err("a source is a folder, `owner/repo`, or an address that git understands".into());
        }
        if let Some((scheme, _)) = named.split_once("://") {
            let Some((known, _)) = SCHEMES.iter().find(|(known, _)| *known == scheme) else {
                let known: Vec<&str> = SCHEMES.iter().map(|(known, _)| *known).collect();
                return Err(format!("addresses begin with one of {}, then `://`", known.join(", ")));
            };
            return Ok(Origin::Repository { address: named.to_string(), is_local: *known == "file" });
        }
        if named.contains("::") {
            return Err("an address that names a program to fetch with is not taken".into());
        }
        if let Some((host, rest)) = named.split_once(':')
            && !host.contains('/')
            && !rest.is_empty()
        {
            return Ok(Origin::Repository { address: named.to_string(), is_local: false });
        }
        let is_part = |part: &str| {
            let letters = part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
            letters && !part.is_empty() && !part.starts_with('.')
        };
        match named.split_once('/') {
            Some((owner, repository)) if is_part(owner) && is_part(repository) => {
                let repository = repository.trim_end_matches(".git");
                Ok(Origin::Repository { address: format!("{FORGE}{owner}/{repository}.git"), is_local: false })
            }
            _ => Err("there is no such folder, and it is neither `owner/repo` nor an address".into()),
        }
    }

    /// How a lock names it: a path in full, from the project's root where it is in there; an address as it was given.
    pub fn named(&self, given: &str, root: Option<&Path>) -> String {
        let path = match self {
            Origin::Folder(path) => path.clone(),
            Origin::Repository { address, is_local: true } if !address.contains("://") => PathBuf::from(address),
            Origin::Repository { .. } => return given.to_string(),
        };
        let below = root.and_then(|root| path.strip_prefix(root).ok());
        let text = match below {
            Some(below) => format!("./{}", below.display()),
            None => path.display().to_string(),
        };
        if cfg!(windows) { text.replace('\\', "/") } else { text }
    }

    /// What a person should know before they fetch from it.
    pub fn warning(&self) -> Option<&'static str> {
        let Origin::Repository { address, .. } = self else { return None };
        let (scheme, _) = address.split_once("://")?;
        let is_safe = SCHEMES.iter().any(|(known, is_safe)| *known == scheme && *is_safe);
        (!is_safe).then_some("this address is not encrypted: whoever is between may have changed what comes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("real");
        std::fs::create_dir_all(root.join("team/rules")).expect("made");
        let address = |named: &str, local: bool| {
            let read = Origin::read(named, &root, false);
            match read {
                Ok(Origin::Repository { address, is_local }) if is_local == local => address,
                other => panic!("{named}: {other:?}"),
            }
        };
        assert_eq!(address("owner/repo", false), "https://github.com/owner/repo.git");
        assert_eq!(address("ssh://git@host/x.git", false), "ssh://git@host/x.git");
        assert_eq!(address("git@host:team/x.git", false), "git@host:team/x.git");
        assert_eq!(address("file:///srv/x.git", true), "file:///srv/x.git");
        assert_eq!(
            Origin::read("team/rules", &root, false),
            Ok(Origin::Folder(root.join("team/rules"))),
            "what is there comes first"
        );
        assert!(matches!(Origin::read("team/rules", &root, true), Ok(Origin::Repository { is_local: true, .. })));
        for wrong in
            ["", "-x", "--upload-pack=x", "ext::sh -c x", "fd::17", "ftp://x/y", "nowhere", "../x/y", "a/b/c", "a\nb/c"]
        {
            assert!(Origin::read(wrong, &root, false).is_err(), "{wrong:?}");
        }
        assert!(
            matches!(Origin::pinned("team/rules", &root, false), Ok(Origin::Repository { is_local: false, .. })),
            "no folder"
        );
        assert!(Origin::pinned("./gone", &root, false).is_err());
        let origin = Origin::read("team", &root, false).expect("there");
        assert_eq!(Origin::pinned("./team", &root, false).as_ref(), Ok(&origin));
        assert_eq!(origin.named("team", Some(&root)), "./team");
        assert_eq!(origin.named("team", None), root.join("team").display().to_string());
        assert!(Origin::read("http://x/y", &root, false).expect("an address").warning().is_some());
    }
}
