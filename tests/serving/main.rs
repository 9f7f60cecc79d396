//! The server and its API: pages' requests, streams, venues and the page that reads on the phone itself.

#[path = "../support/mod.rs"]
mod support;

#[cfg(all(feature = "server", target_os = "linux"))]
mod faults;
#[cfg(feature = "server")]
mod four_players;
#[cfg(feature = "server")]
mod https;
#[cfg(feature = "server")]
mod obs;
#[cfg(feature = "server")]
mod pocket;
#[cfg(all(feature = "server", unix))]
mod recording;
#[cfg(feature = "server")]
mod records;
#[cfg(feature = "server")]
mod schemas;
#[cfg(feature = "server")]
mod server;
#[cfg(feature = "server")]
mod teaching;
#[cfg(all(feature = "server", unix))]
mod venue;
#[cfg(feature = "server")]
mod webhook;
#[cfg(feature = "server")]
mod whole_tables;
