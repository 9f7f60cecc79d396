//! Hands priced: each rule set against worked hands, naive scorers and other programs; text formats; advice.

#[path = "../support/mod.rs"]
mod support;

mod advice;
mod agari;
mod allocation;
mod classical;
mod compare;
mod contradictions;
mod convert;
mod declared;
mod five_sets;
mod items;
mod lines;
mod mcr;
mod naive_classical;
mod naive_mcr;
mod naive_sanma;
mod naive_sets;
mod naive_sichuan;
mod naive_zung_jung;
mod properties;
mod riichi;
mod rulings;
mod sanma;
mod schemas;
mod sichuan;
mod worked_hands;
mod zung_jung;
