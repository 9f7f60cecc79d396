//! How a table is opened under rules, and a game's log played again at one.

use std::{
    io::{self, Read as _},
    path::Path,
};

use clap::Args;
use jiff::Timestamp;

use super::{circumstance_args::ruling, library};
use crate::{
    convert::log::GameLog,
    game_log::{self, Difference, Replayed},
    points::Points,
    rules::RuleSet,
    table::{Opened, Seated},
};

/// A table's beginning under rules: a preset stays a name, a file goes into the ledger as it is.
pub(super) fn opened(
    rules: &str,
    rulings: Vec<(String, String)>,
    players: Vec<Seated>,
) -> anyhow::Result<Opened> {
    let set = library().rule_set(rules, &[]).map_err(anyhow::Error::msg)?;
    Ok(Opened::under(&set, RuleSet::preset(rules).is_some(), rulings, players))
}

/// The rules by which a log is played again.
#[derive(Args)]
pub(super) struct LogRules {
    /// The rule set of a log: the id of a preset, or a rule file. Without it riichi, or the rules of the ledger's table
    #[arg(long)]
    rules: Option<String>,
    /// Decide a ruling for a log, such as riichi.bust=no. Repeat the option for several rulings
    #[arg(long = "ruling", value_name = "ID=CHOICE", value_parser = ruling)]
    rulings: Vec<(String, String)>,
}

impl LogRules {
    fn named(&self) -> &str {
        self.rules.as_deref().unwrap_or("riichi")
    }

    /// The rule set, where none was named that of the ledger's table.
    #[cfg(feature = "server")]
    pub(super) fn rule_set(
        &self,
        of_table: Option<std::sync::Arc<RuleSet>>,
    ) -> anyhow::Result<std::sync::Arc<RuleSet>> {
        let of_table = of_table.filter(|_| self.rules.is_none());
        let named = || library().rule_set(self.named(), &[]).map_err(anyhow::Error::msg);
        of_table.map_or_else(named, Ok)
    }

    /// The table after a log.
    pub(super) fn replay(&self, log: &GameLog) -> anyhow::Result<Replayed> {
        let opened = opened(self.named(), self.rulings.clone(), game_log::players(log))?;
        Ok(game_log::replay(log, opened, Timestamp::now())?)
    }
}

/// The deals of a log, and those that it paid otherwise than the rules, a line each.
pub(super) fn differences(log: &GameLog, differences: &[Difference]) -> String {
    let points =
        |points: &[Points]| points.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let mut said =
        format!("{} deals, paid otherwise in the log: {}\n", log.deals.len(), differences.len());
    for Difference { at, place, logged, counted } in differences {
        let (number, logged, counted) = (place.number, points(logged), points(counted));
        said += &format!("  deal {number} ({at}): the log {logged}, by these rules {counted}\n");
    }
    said
}

/// The text of a file, or of standard input for `-`.
pub(super) fn text_of(from: &Path) -> io::Result<String> {
    if from != Path::new("-") {
        return std::fs::read_to_string(from);
    }
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    Ok(text)
}
