//! The binary: hands the arguments to the command line.
fn main() {}
