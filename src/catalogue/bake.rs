//! The build script: compiles `rules/`.
fn main() {}
