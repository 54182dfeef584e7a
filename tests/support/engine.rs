//! `cargo run --example engine`: the plugins' engine natively: each line of standard input is a question as a JSON text, each line
//! of standard output its answer.

use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let question: String = serde_json::from_str(&line?)?;
        writeln!(output, "{}", cc_safety_net::engine::answer(&question))?;
        output.flush()?;
    }
    Ok(())
}
