//! The signals that end the program: Ctrl-C, a polite kill, a terminal that was closed.

#[cfg(unix)]
pub(super) use unix::Signals;
#[cfg(windows)]
pub(super) use windows::Signals;

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;
