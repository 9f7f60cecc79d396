//! The `tilelens` program: arguments in, ready things built, one mode run.
//!
//! Exit codes: 0 a result, 1 the rules or the picture say no (no hand, no win, nothing more to be
//! played, a damaged ledger), 2 a mistake in what was typed, or something that cannot be done, 3 written
//! down, but not shown.

use std::process::ExitCode;

use tilelens::cli::{NotShown, Outcome, is_closed_pipe, masked, run, said};

fn main() -> ExitCode {
    // As its maker builds it, ONNX Runtime puts an id of this machine into the home folder as it starts, before
    // it can be told that it is to report nothing.
    // SAFETY: nothing else runs yet that could read the environment.
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
