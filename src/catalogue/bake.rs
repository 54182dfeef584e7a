//! The build script: compiles `rules/` into the image of the catalogue, for the target's byte order.
//!
//! The rooms that turn text into bytes are part of it by path, under the same names. A rulebook with an error ends the build,
//! rendered with its line and column.

// Most of the rooms' faces are for others than the build.
#![allow(dead_code, unused_imports, missing_docs)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

#[path = "../image/mod.rs"]
mod image;
#[path = "../language/mod.rs"]
mod language;
#[path = "../model/mod.rs"]
mod model;

use image::{Effort, Order};
use language::File;

fn main() {
    for path in ["rules", "grammar", "src/model", "src/language", "src/image", "src/catalogue/bake.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    lay_out(&here);
    let root = here.join("rules");
    let mut files = Vec::new();
    collect(&root, &root, &mut files);
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let language::Checked { rulebooks, diagnostics } = language::check_layer(&files, &language::Known::default());
    let errors: Vec<_> = diagnostics.iter().filter(|found| found.is_error()).collect();
    if !errors.is_empty() {
        fail(&errors, &files);
    }
    let order = if variable("CARGO_CFG_TARGET_ENDIAN") == "big" { Order::Big } else { Order::Little };
    let bytes = image::compile_for(&rulebooks, &model::Settings::default(), Effort::Full, order);
    let out = PathBuf::from(variable("OUT_DIR"));
    write(&out.join("catalogue.image"), &bytes);
    write(&out.join("catalogue.known"), &names(&rulebooks));
    write(&out.join("texts.rs"), texts(&files).as_bytes());
    write(&out.join("plugins.rs"), plugins(&out).as_bytes());
}

/// The plugins that `src/engine/build` left in `target/plugins/`, as a table that the library includes: each with a short word in
/// place of the engine, which stands in `engine.text` once. Without them the table is empty, and the program says so.
fn plugins(out: &Path) -> String {
    const ENGINE: &str = "@cc-safety-net-engine@";
    const FILES: [&str; 5] =
        ["amp/cc-safety-net.ts", "openclaw/index.js", "opencode/index.js", "opencode/v2.js", "pi/index.js"];
    println!("cargo::rerun-if-env-changed=CC_SAFETY_NET_PLUGINS");
    let folder = std::env::var_os("CC_SAFETY_NET_PLUGINS").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| PathBuf::from(variable("CARGO_MANIFEST_DIR")).join("target/plugins"));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let module = read("module.js").and_then(|text| Some(text.split('"').nth(1)?.to_string()));
    // The engine itself, which is built from the same sources, has no use for them.
    let wanted = std::env::var_os("CARGO_FEATURE_MACHINE").is_some();
    let found = module.filter(|module| wanted && module.len() > 1024).and_then(|module| {
        let texts: Option<Vec<String>> = FILES.iter().map(|name| Some(read(name)?.replace(&module, ENGINE))).collect();
        Some((module, texts?))
    });
    let mut table = String::from("static PLUGINS: &[(&str, &str)] = &[\n");
    if let Some((module, texts)) = &found {
        write(&out.join("engine.text"), module.as_bytes());
        for (name, text) in FILES.iter().zip(texts) {
            let _ = writeln!(table, "    ({name:?}, {text:?}),");
        }
    }
    table.push_str("];\n");
    table.push_str(match found {
        Some(_) => "static MODULE: &str = include_str!(concat!(env!(\"OUT_DIR\"), \"/engine.text\"));\n",
        None => "static MODULE: &str = \"\";\n",
    });
    table
}

/// Lets the linker lay the functions of a hook side by side (`src/hook.ld`): scattered as the compiler leaves them they are mapped
/// in three times as many pieces, and its process waits for each. A linker that the builder chose may not know such scripts.
fn lay_out(here: &Path) {
    println!("cargo::rerun-if-changed=src/hook.ld");
    let flagged = std::env::var("CARGO_ENCODED_RUSTFLAGS").is_ok_and(|flags| flags.contains("fuse-ld"));
    let chosen = flagged || std::env::var_os("RUSTC_LINKER").is_some();
    if variable("CARGO_CFG_TARGET_OS") == "linux" && variable("PROFILE") == "release" && !chosen {
        println!("cargo::rustc-link-arg-bins=-T{}", here.join("src/hook.ld").display());
    }
}

/// What rulebooks of other layers may refer to, as `catalogue::known` reads it.
fn names(rulebooks: &[language::Rulebook]) -> Vec<u8> {
    let lists: Vec<_> = rulebooks.iter().flat_map(|book| &book.lists).collect();
    let paths: Vec<_> = rulebooks.iter().flat_map(|book| &book.paths).collect();
    let languages: Vec<_> = rulebooks.iter().flat_map(|book| &book.languages).map(|language| &language.name).collect();
    let commands: Vec<_> = rulebooks.iter().flat_map(|book| &book.commands).map(|it| (&it.names, it.syntax)).collect();
    postcard::to_stdvec(&(lists, paths, languages, commands)).unwrap_or_else(|fault| stop(&fault.to_string()))
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| stop(&format!("cargo did not set {name}")))
}

/// Every rulebook below a folder, named from `root` with `/`.
fn collect(root: &Path, folder: &Path, files: &mut Vec<File>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|fault| stop(&format!("{}: {fault}", folder.display())));
    for entry in entries {
        let path = entry.unwrap_or_else(|fault| stop(&format!("{}: {fault}", folder.display()))).path();
        if path.is_dir() {
            collect(root, &path, files);
        } else if path.extension().is_some_and(|ending| ending == "rulebook") {
            let text = std::fs::read_to_string(&path).unwrap_or_else(|fault| stop(&format!("{}: {fault}", path.display())));
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            files.push(File { name, text });
        }
    }
}

/// The texts as a table that the library includes.
fn texts(files: &[File]) -> String {
    let mut table = String::from("static TEXTS: &[(&str, &str)] = &[\n");
    for file in files {
        // Writing to a text cannot fail.
        let _ = writeln!(table, "    ({:?}, {:?}),", file.name, file.text);
    }
    table.push_str("];\n");
    table
}

fn fail(errors: &[&language::Diagnostic], files: &[File]) -> ! {
    let theme = miette::GraphicalTheme::unicode_nocolor();
    let handler = miette::GraphicalReportHandler::new_themed(theme).with_width(120);
    for error in errors {
        let text = files.iter().find(|file| file.name == error.file).map_or("", |file| &file.text);
        let mut report = String::new();
        match handler.render_report(&mut report, &error.over(text)) {
            Ok(()) => eprintln!("{report}"),
            Err(_) => eprintln!("{}: {}: {}", error.file, error.code, error.message),
        }
    }
    stop(&format!("the catalogue does not build: {} errors in rules/", errors.len()))
}

fn write(path: &Path, bytes: &[u8]) {
    if let Err(fault) = std::fs::write(path, bytes) {
        stop(&format!("{}: {fault}", path.display()));
    }
}

fn stop(why: &str) -> ! {
    eprintln!("{why}");
    std::process::exit(1)
}
