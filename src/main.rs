//! The program; see [`cc_safety_net::cli::start`].

fn main() -> std::process::ExitCode {
    cc_safety_net::cli::start()
}
