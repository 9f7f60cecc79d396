//! Tables and tournaments: deals entered, sessions, pairings, the desk and its paper.

#[path = "../support/mod.rs"]
mod support;

mod all_hands;
#[cfg(feature = "ledger")]
mod commands;
#[cfg(feature = "ledger")]
mod corrections;
#[cfg(feature = "ledger")]
mod desk;
mod entry;
#[cfg(feature = "ledger")]
mod game_logs;
mod pairing;
#[cfg(feature = "server")]
mod paper;
#[cfg(feature = "ledger")]
mod publish;
mod random;
mod records;
mod riichi_for_three;
mod rules;
mod sessions;
#[cfg(feature = "ledger")]
mod tournament;
mod tournament_rules;
mod whole_deals;
mod world;
