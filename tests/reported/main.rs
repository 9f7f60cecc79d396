//! What users of the program reported, by subject: each test opens with what a user saw, and holds the program to the right
//! behaviour.

#[cfg(all(feature = "server", target_os = "linux"))]
#[path = "../support/browser.rs"]
mod browser;
#[cfg(all(feature = "camera", target_os = "linux"))]
#[path = "../support/camera.rs"]
mod camera;
#[cfg(all(feature = "server", target_os = "linux"))]
#[path = "../support/connections.rs"]
mod connections;
#[cfg(all(feature = "server", target_os = "linux"))]
#[path = "../support/served.rs"]
mod served;

#[cfg(feature = "ledger")]
#[path = "../support/kept.rs"]
mod kept;
#[path = "../support/session.rs"]
mod session;

mod decisions;
#[cfg(all(feature = "ledger", target_os = "linux"))]
#[path = "../support/postgres.rs"]
mod postgres;

#[cfg(feature = "vision")]
mod black_sets;
mod bots;
mod clocks;
mod database;
mod full_disk;
mod install;
mod ledger_files;
mod narrow;
mod on_air;
mod outputs;
mod overlay;
mod phones;
mod pictures;
mod plain_words;
mod prompt;
mod proxy;
mod rulings;
mod secrets;
mod sources;
mod tournaments;
mod words;
mod worths;
