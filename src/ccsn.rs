//! The program under its short name.

fn main() -> std::process::ExitCode {
    cc_safety_net::cli::start()
}
