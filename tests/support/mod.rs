//! What the test programs share.

#![allow(dead_code, reason = "each test program uses its own part")]

#[cfg(feature = "server")]
pub mod browser;
#[cfg(all(feature = "camera", target_os = "linux"))]
pub mod camera;
#[cfg(feature = "server")]
pub mod connections;
#[cfg(feature = "ledger")]
pub mod kept;
#[cfg(feature = "ledger")]
pub mod organiser;
#[cfg(feature = "vision")]
pub mod plain_flowers;
#[cfg(feature = "ledger")]
pub mod postgres;
pub mod random;
pub mod schemas;
#[cfg(feature = "server")]
pub mod served;
pub mod session;
