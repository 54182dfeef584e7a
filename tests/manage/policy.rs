//! `policy`: proposals looked at and applied, and the policy in force.

use serde_json::{Value, json};

use crate::support::{Home, expected, text};

const FILE: &str = ".cc-safety-net/policy.yaml";

fn json_of(code: i32, home: &Home, arguments: &[&str]) -> Value {
    let output = home.person(arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn a_proposal_tells_which_settings_and_which_verdicts_change() {
    let home = Home::new();
    home.write(FILE, "preset: standard\noverrides:\n  git.push-force: ask\n");
    home.write("project/proposal.yaml", "# why\noverrides:\n  git.reset-hard: off\nallow_paths: [~/scratch]\n");
    let before = home.tree(".cc-safety-net");
    let document = json_of(0, &home, &["policy", "check", "--json", "--field", "git", "proposal.yaml"]);
    assert_eq!(
        document["fields"],
        json!([
            { "field": "overrides.git.reset-hard", "before": null, "after": "off" },
            { "field": "allow_paths", "before": null, "after": "~/scratch" },
            { "field": "preset", "before": "standard", "after": null },
            { "field": "overrides.git.push-force", "before": "ask", "after": null },
        ])
    );
    let verdicts = &document["verdicts"];
    let changed = verdicts["changed"].as_array().expect("a list");
    let of = |rule: &str| changed.iter().find(|each| each["rule"] == rule).unwrap_or_else(|| panic!("{rule}: {verdicts}"));
    assert_eq!((&of("git.reset-hard")["before"], &of("git.reset-hard")["after"]), (&json!("deny"), &json!("allow")));
    assert_eq!((&of("git.reset-hard")["loosens"], &of("git.push-force")["loosens"]), (&json!(true), &json!(false)));
    assert!(changed[0]["loosens"] == true && changed.len() <= 20, "what loosens comes first, and the list is bounded");
    assert!(verdicts["examples"].as_u64() > Some(100) && verdicts["tightened"].as_u64() > Some(0), "{verdicts}");
    assert_eq!((&document["sound"], &document["applied"], &document["layer"]), (&json!(true), &json!(false), &json!("user")));
    let told = home.expect(0, &["policy", "check", "--field", "kubernetes", "proposal.yaml"]);
    for line in ["overrides.git.reset-hard: (not said) -> off", "preset: standard -> (not said)", "Verdicts: "] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(told.lines().filter(|line| !line.starts_with('/')).all(|line| line.chars().count() <= 80), "{told}");
    assert_eq!(home.tree(".cc-safety-net"), before, "nothing is written");
}

#[test]
fn no_change_is_no_change() {
    let home = Home::new();
    home.write(FILE, "preset: strict\n");
    home.write("project/same.yaml", "# the same\npreset: strict\n");
    let document = json_of(0, &home, &["policy", "check", "--json", "--field", "kubernetes", "same.yaml"]);
    assert_eq!((&document["fields"], &document["verdicts"]["changed"]), (&json!([]), &json!([])));
}

#[test]
fn a_stricter_preset_changes_what_is_possible() {
    let home = Home::new();
    home.write("project/strict.yaml", "preset: strict\n");
    let document = json_of(0, &home, &["policy", "check", "--json", "--field", "git", "strict.yaml"]);
    let verdicts = &document["verdicts"];
    assert!(verdicts["loosened"] == 0 && verdicts["tightened"].as_u64() > Some(5), "{verdicts}");
}

#[test]
fn a_proposal_with_faults_is_told_all_of_them_and_not_applied() {
    let home = Home::new();
    home.write(FILE, "preset: strict\n");
    home.write("project/bad.yaml", "presett: strict\nretention_days: 900\n");
    let document = json_of(1, &home, &["policy", "check", "--json", "bad.yaml"]);
    let codes: Vec<&str> =
        document["diagnostics"].as_array().expect("a list").iter().filter_map(|it| it["code"].as_str()).collect();
    assert_eq!(codes, ["settings::unknown-setting", "settings::days"]);
    assert_eq!((&document["sound"], &document["diagnostics"][1]["labels"][0]["line"]), (&json!(false), &json!(2)));
    let told = home.expect(1, &["policy", "apply", "bad.yaml"]);
    assert!(told.contains("did you mean `preset`?") && told.contains("nothing was changed"), "{told}");
    assert_eq!(home.read(FILE), "preset: strict\n");
    home.expect(2, &["policy", "check", "nowhere.yaml"]);
    home.write("project/good.yaml", "preset: strict\n");
    home.expect(2, &["policy", "check", "--field", "nowhere", "good.yaml"]);
}

#[test]
fn a_person_applies_it_as_it_is() {
    let home = Home::new();
    let proposal = "# why\noverrides:\n  git.push-force: off # mine\n";
    home.write("project/proposal.yaml", proposal);
    for arguments in
        [&["policy", "apply", "proposal.yaml", "--yes"][..], &["policy", "apply", "--json", "--yes", "proposal.yaml"]]
    {
        let agent = home.with(&[("CC_SAFETY_NET_TEST_PERSON", "1"), ("CLAUDECODE", "1")], arguments);
        assert!(expected(1, arguments, &agent).contains("only a person may do this"));
    }
    expected(1, &["policy", "apply"], &home.with(&[], &["policy", "apply", "--field", "mcp", "proposal.yaml"]));
    assert!(!home.path().join(FILE).exists() && home.refuses("git push --force"));
    let told = home.expect(0, &["policy", "apply", "--field", "mcp", "proposal.yaml"]);
    assert!(told.contains("In force from now on."), "{told}");
    assert!(home.read(FILE) == proposal && !home.refuses("git push --force"));
    assert!(home.expect(0, &["policy", "apply", "--field", "mcp", "proposal.yaml"]).contains("in force already"));
    home.write("project/other.yaml", "preset: strict\n");
    assert_eq!(json_of(0, &home, &["policy", "apply", "--json", "--field", "mcp", "other.yaml"])["applied"], true);
    assert_eq!(home.read(FILE), "preset: strict\n");
}

#[test]
fn a_project_s_proposal_only_tightens() {
    let home = Home::new();
    home.write("project/proposal.yaml", "preset: strict\noverrides:\n  git.push-force: off\nallow_paths: [~/scratch]\n");
    let document = json_of(0, &home, &["policy", "check", "--project", "--json", "--field", "mcp", "proposal.yaml"]);
    assert_eq!((&document["layer"], &document["verdicts"]["loosened"]), (&json!("project"), &json!(0)));
    assert!(document["reports"].to_string().contains("not applied: allow_paths"), "{document}");
    home.expect(0, &["policy", "apply", "--project", "--field", "mcp", "proposal.yaml"]);
    assert!(home.path().join("project").join(FILE).is_file() && home.refuses("git push --force"));
}

#[test]
fn what_is_in_force_is_shown_with_the_layer_that_says_it() {
    let home = Home::new();
    home.write(
        FILE,
        "preset: standard\noverrides:\n  git.reset-hard: off\n  self.settings: off\n  no.such: ask\nallow_paths: [~/scratch]\n",
    );
    home.write("project/.cc-safety-net/policy.yaml", "preset: strict\ndeny_paths: [keys]\n");
    let document = json_of(0, &home, &["policy", "show", "--json"]);
    let fields: Vec<(&str, &str, &str)> = document["fields"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|field| {
            let of = |name: &str| field[name].as_str().expect("a text");
            (of("field"), of("value"), of("from"))
        })
        .collect();
    assert_eq!(
        fields,
        [
            ("preset", "strict", "project"),
            ("allow_paths", "~/scratch", "user"),
            ("deny_paths", "@project/keys", "project"),
            ("worktree", "false", "default"),
            ("audit", "all", "default"),
            ("retention_days", "30", "default"),
            ("loosen_by_environment", "false", "default"),
        ]
    );
    let here = |rule: &str| {
        let all = document["overrides"].as_array().expect("a list");
        all.iter().find(|each| each["rule"] == rule).expect("there")["here"].clone()
    };
    assert_eq!((here("git.reset-hard"), here("self.settings"), here("no.such")), (json!("off"), json!("deny"), Value::Null));
    let raised = home.with(&[("CC_SAFETY_NET_LEVEL", "paranoid")], &["policy", "show"]);
    let told = text(&raised.stdout);
    assert!(told.contains("paranoid") && told.contains("environment") && told.contains("(here deny)"), "{told}");
    home.write("project/proposal.yaml", "preset: paranoid\n");
    let told = home.expect(0, &["policy", "show", "proposal.yaml"]);
    assert!(told.contains("paranoid") && !told.contains("git.reset-hard"), "{told}");
    assert!(told.lines().filter(|line| !line.contains('/')).all(|line| line.chars().count() <= 80), "{told}");
    assert!(home.read(FILE).starts_with("preset: standard"));
}
