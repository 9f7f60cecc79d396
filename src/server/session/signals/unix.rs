use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

pub(in crate::server::session) struct Signals([Option<Signal>; 3]);

impl Signals {
    pub fn expected() -> io::Result<Self> {
        let expected = |kind| signal(kind).map(Some);
        // Under `nohup` a closed terminal is to end nothing.
        let hangup = if ignores_hangup() { None } else { expected(SignalKind::hangup())? };
        Ok(Self([expected(SignalKind::interrupt())?, expected(SignalKind::terminate())?, hangup]))
    }

    /// Returns once a signal has come, also one from before the call.
    pub async fn come(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            () = comes(interrupt) => {}
            () = comes(terminate) => {}
            () = comes(hangup) => {}
        }
    }
}

async fn comes(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Whether the program was started to ignore that its terminal closes; false where the system does not report it.
fn ignores_hangup() -> bool {
    /// The number of SIGHUP, whose bit is the lowest.
    const HANGUP: u64 = 1;
    let about = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = about.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (HANGUP - 1) & 1 == 1)
}
