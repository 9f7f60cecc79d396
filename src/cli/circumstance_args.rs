//! The options that say how a hand was won, shared by every command that scores.

use std::{borrow::Cow, sync::Arc};

use clap::Args;

use crate::{
    rules::{
        Circumstances, Fact, Facts, Halves, Indicators, Library, PRESETS, Players, Responsible,
        RuleSet, Win, each_fact,
    },
    tile::Seat,
};

/// The rule set and the seats.
#[derive(Args, Clone, Debug)]
pub(super) struct TableArgs {
    #[arg(long, default_value = "mmm", help = rule_sets("Rule set"))]
    pub rules: String,
    /// The winner's seat: E, S, W or N
    #[arg(long, value_parser = seat, default_value = "E")]
    pub seat: Seat,
    /// The wind of the round
    #[arg(long, value_parser = seat, default_value = "E")]
    pub round: Seat,
    /// The number of players. 3 is for chumchu; riichi-sanma always has three players
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=4), default_value = "4")]
    pub players: u8,
    /// Decide a ruling, such as mmm.self_draw_share=east_half. Repeat the option for several rulings
    #[arg(long = "ruling", value_name = "ID=CHOICE", value_parser = ruling)]
    pub rulings: Vec<(String, String)>,
}

macro_rules! fact_args {
    (
        deal { $($(#[$meaning:meta])* $name:ident: $fact:ident, $checked:ident, $label:tt;)* }
        winner $of_winner:tt
        hand { $($(#[$other_meaning:meta])* $other:ident: $other_fact:ident, $other_checked:ident, $other_label:tt;)* }
    ) => {
        /// The facts of a deal, which several winners share.
        #[derive(Args, Clone, Debug, Default)]
        pub(super) struct DealFactArgs {
            $($(#[$meaning])* #[arg(long)] pub $name: bool,)*
        }

        /// The facts of a hand that is not kept at a table.
        #[derive(Args, Clone, Debug, Default)]
        pub(super) struct HandFactArgs {
            $($(#[$other_meaning])* #[arg(long)] pub $other: bool,)*
        }

        impl DealFactArgs {
            /// The facts that are given.
            pub(super) const fn facts(&self) -> Facts {
                Facts::NONE$(.with(Fact::$fact, self.$name))*
            }
        }

        impl HandFactArgs {
            /// These facts, and those that are given.
            const fn and(&self, facts: Facts) -> Facts {
                facts$(.with(Fact::$other_fact, self.$other))*
            }
        }
    };
}
each_fact!(fact_args);

/// How the hand was won.
#[derive(Args, Clone, Debug)]
pub(super) struct WinArgs {
    /// The winning tile was self-drawn
    #[arg(long, conflicts_with_all = ["from", "rob_kong"])]
    pub self_draw: bool,
    /// The seat that discarded the winning tile: E, S, W or N
    #[arg(long, value_parser = seat, value_name = "SEAT", conflicts_with = "rob_kong")]
    pub from: Option<Seat>,
    /// The seat whose kong was robbed: E, S, W or N
    #[arg(long, value_parser = seat, value_name = "SEAT")]
    pub rob_kong: Option<Seat>,
    #[command(flatten)]
    pub of_deal: DealFactArgs,
    #[command(flatten)]
    pub of_hand: HandFactArgs,
    /// The winner's own minimum (chumchu)
    #[arg(long)]
    pub minimum: Option<Halves>,
    /// The seat that fed the last set of a hand with a liability, if no mark shows it (mmm-dk, hk)
    #[arg(long, value_parser = seat, value_name = "SEAT")]
    pub pao: Option<Seat>,
    #[command(flatten)]
    pub riichi: RiichiArgs,
    /// The win came within the first go-around after riichi, with no claim and no kong since
    #[arg(long)]
    pub ippatsu: bool,
    /// The number of counters on the table (riichi), or of times that the dealer has stayed (taiwan)
    #[arg(long, visible_alias = "repeats", value_parser = clap::value_parser!(u8).range(0..=99), default_value = "0")]
    pub honba: u8,
    /// The number of riichi sticks on the table, the winner's own included
    #[arg(long, value_parser = clap::value_parser!(u16).range(0..=999))]
    pub sticks: Option<u16>,
    /// The seat that is charged for the winning tile instead of its discarder, or none (zung-jung)
    #[arg(long, value_parser = responsible, value_name = "SEAT")]
    pub responsible: Option<Responsible>,
}

/// The riichi options of a hand. Other rule sets ignore them.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub(super) struct RiichiArgs {
    /// Riichi was declared (riichi, riichi-ema)
    #[arg(long)]
    pub riichi: bool,
    /// Riichi was declared in the first go-around, or a ready hand was declared with the first discard (taiwan)
    #[arg(long)]
    pub double_riichi: bool,
    /// Dora indicators, such as 4p7z
    #[arg(long, value_name = "TILES")]
    pub dora: Option<Indicators>,
    /// The indicators below the dora indicators, after riichi
    #[arg(long, value_name = "TILES")]
    pub ura: Option<Indicators>,
    /// The number of Norths put aside (riichi-sanma)
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=4), default_value = "0")]
    pub north: u8,
}

impl RiichiArgs {
    /// Whether riichi was declared, in the first go-around or later.
    pub(super) const fn declared(&self) -> bool {
        self.riichi || self.double_riichi
    }

    /// Adds the options to the circumstances.
    pub(super) fn add_to(&self, at: Circumstances) -> Circumstances {
        Circumstances {
            riichi: self.riichi,
            double_riichi: self.double_riichi,
            dora_indicators: self.dora.unwrap_or_default(),
            ura_indicators: self.ura.unwrap_or_default(),
            north: self.north,
            ..at
        }
    }
}

/// The help of an option that takes a rule set: its description and the built-in rule sets.
pub(super) fn rule_sets(what: &str) -> String {
    // Rule sets are not compiled for it, since the help is made at every start.
    let known = PRESETS.map(|(id, _)| id);
    format!("{what}: {}, or a rule file (.toml)", known.join(", "))
}

pub(super) fn seat(text: &str) -> Result<Seat, String> {
    let mut letters = text.chars();
    match (letters.next().map(|letter| letter.to_ascii_uppercase()), letters.next()) {
        (Some(letter), None) => Seat::from_letter(letter),
        _ => None,
    }
    .ok_or_else(|| "expected E, S, W or N".to_owned())
}

fn responsible(text: &str) -> Result<Responsible, String> {
    match text {
        "none" => Ok(Responsible::Nobody),
        text => seat(text).map(Responsible::Player).map_err(|error| format!("{error}, or none")),
    }
}

pub(super) fn ruling(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .map(|(id, choice)| (id.trim().to_owned(), choice.trim().to_owned()))
        .ok_or_else(|| "expected ID=CHOICE, such as mmm.self_draw_share=east_half".to_owned())
}

impl TableArgs {
    /// The rule set with its rulings.
    pub(super) fn rule_set(&self, library: &Library) -> anyhow::Result<Arc<RuleSet>> {
        let rulings: Vec<_> = (self.rulings.iter())
            .map(|(id, choice)| (Cow::Borrowed(id.as_str()), Cow::Borrowed(choice.as_str())))
            .collect();
        library.rule_set(&self.rules, &rulings).map_err(anyhow::Error::msg)
    }

    /// The circumstances with seats and round, and a placeholder win.
    pub(super) fn circumstances(&self, win: Win) -> Circumstances {
        let players = if self.players == 3 { Players::Three } else { Players::Four };
        Circumstances { players, ..Circumstances::new(self.seat, self.round, win) }
    }
}

impl WinArgs {
    /// The way of winning, if the options give one.
    pub(super) fn win(&self) -> Option<Win> {
        (self.rob_kong.map(|from| Win::RobKong { from }))
            .or(self.from.map(|from| Win::Discard { from }))
            .or(self.self_draw.then_some(Win::SelfDraw))
    }

    /// The circumstances that the options give.
    pub(super) fn circumstances(&self, table: &TableArgs, win: Win) -> Circumstances {
        let facts = self.of_hand.and(self.of_deal.facts());
        Circumstances {
            minimum: self.minimum,
            pao: self.pao,
            ippatsu: self.ippatsu,
            honba: self.honba,
            sticks: self.sticks,
            responsible: self.responsible.unwrap_or_default(),
            ..self.riichi.add_to(table.circumstances(win).with_facts(facts))
        }
    }
}
