//! The `tilelens` program.
//!
//! Exit codes: 0 a result, 1 the rules or the picture say no (no hand, no win, nothing more to be
//! played, a damaged ledger), 2 an invalid command line, or an error, 3 written
//! down, but not shown.

use std::process::ExitCode;

use tilelens::cli::{NotShown, Outcome, is_closed_pipe, masked, run, said};

fn main() -> ExitCode {
    // The official build of ONNX Runtime writes an id of this machine into the home folder as it starts, before its
    // telemetry can be disabled.
    #[allow(unsafe_code)]
    unsafe {
        std::env::set_var("ORT_DISABLE_TELEMETRY", "1");
    }
    match run() {
        Ok(Outcome::Found) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tilelens: {}", masked(&said(&error)));
            ExitCode::from(if error.downcast_ref::<NotShown>().is_some() { 3 } else { 2 })
        }
    }
}
