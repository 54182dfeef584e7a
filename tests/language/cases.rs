//! Every file in `cases/` → its diagnostics, as a person sees them. A file is named for the faults in it.

use super::{check, rendered};

#[test]
fn faults_are_reported_as_the_snapshots_show() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language/cases");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder of cases").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/language");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for path in paths {
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            let text = std::fs::read_to_string(&path).expect("a case is readable");
            let (_, diagnostics) = check("case.rulebook", &text);
            insta::assert_snapshot!(name, rendered(&text, &diagnostics));
        }
    });
}

#[test]
fn seven_faults_are_seven_reports_in_one_run() {
    let text = include_str!("cases/seven-faults.rulebook");
    let (rulebook, diagnostics) = check("case.rulebook", text);
    let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(diagnostics.len(), 7, "{codes:?}");
    let mut different = codes.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 7, "{codes:?}");
    for diagnostic in &diagnostics {
        assert!(diagnostic.is_error() && diagnostic.help.is_some(), "{diagnostic:?}");
        assert!(
            diagnostic.labels.iter().all(|label| !label.at.is_empty() && text.get(label.at.clone()).is_some()),
            "{diagnostic:?}"
        );
    }
    let kept: Vec<&str> = rulebook.rules.iter().map(|rule| rule.id.as_str()).collect();
    assert_eq!(kept, ["case.between", "case.last"], "a fault costs its own item alone");
}
