//! The pages in a real browser.

#[path = "../support/mod.rs"]
mod support;

#[cfg(feature = "server")]
mod at_table;
#[cfg(feature = "server")]
mod axe;
#[cfg(feature = "server")]
mod hall;
#[cfg(feature = "server")]
mod overlays;
#[cfg(feature = "server")]
mod pages;
#[cfg(feature = "server")]
mod phone;
#[cfg(feature = "server")]
mod replay;
#[cfg(feature = "server")]
mod stage;
