//! Scripts as files: what each runs and does, written down and compared. A case is a title, then its lines.

mod shell_recording;

use std::fmt::Write;

use shell_recording::Recorder;

/// Every case of a file: `### title`, then the script.
fn rendered(cases: &str) -> String {
    let mut out = String::new();
    for case in cases.split("### ").skip(1) {
        let (title, script) = case.split_once('\n').expect("a case has a title and a script");
        let script = script.trim_end_matches('\n');
        let mut recorder = Recorder::new();
        recorder.machine.files.insert("/w/known.sh".into(), "x=from-file; rm \"$1\" $x\n".into());
        let outcome = recorder.evaluate(script);
        for run in &recorder.runs {
            recorder.text_at(run.span);
        }
        let _ = writeln!(out, "### {title}\n{script}\n-----");
        out.push_str(&recorder.log);
        let printed = shell_recording::flow(&outcome.output);
        if printed != "nothing" && !printed.starts_with("unknown") {
            let _ = writeln!(out, "prints {printed}");
        }
        out.push('\n');
    }
    out
}

macro_rules! cases {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                let cases = include_str!(concat!("cases/shell/", stringify!($name), ".sh"));
                insta::with_settings!({ snapshot_path => "../snapshots/shell", prepend_module_to_snapshot => false, omit_expression => true }, {
                    insta::assert_snapshot!(stringify!($name), rendered(cases));
                });
            }
        )*
    };
}

cases! { words variables lists directories redirections documents functions compound builtins nested recovery everyday }
