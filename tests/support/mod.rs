//! What the test programs share.

#![allow(dead_code, reason = "each test program uses its own part")]

#[cfg(all(feature = "server", target_os = "linux"))]
pub mod browser;
#[cfg(all(feature = "camera", target_os = "linux"))]
pub mod camera;
#[cfg(all(feature = "server", target_os = "linux"))]
pub mod connections;
#[cfg(feature = "ledger")]
pub mod kept;
#[cfg(feature = "ledger")]
pub mod organiser;
pub mod plain_flowers;
#[cfg(all(feature = "ledger", target_os = "linux"))]
pub mod postgres;
pub mod random;
#[cfg(all(feature = "server", target_os = "linux"))]
pub mod served;
pub mod session;
