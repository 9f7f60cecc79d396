//! The wording of refusals in a terminal: the cure is an option or a command.

use crate::{cure::Cure, table::TableError, tournament::TournamentError};

/// An error with its causes and its cure.
pub fn said(error: &anyhow::Error) -> String {
    format!("{error:#}{}", error.chain().find_map(cure).map_or_else(String::new, |it| worded(&it)))
}

fn cure(error: &(dyn std::error::Error + 'static)) -> Option<Cure> {
    #[cfg(feature = "ledger")]
    if let Some(error) = error.downcast_ref::<crate::ledger::LedgerError>() {
        return error.cure();
    }
    let table = error.downcast_ref::<TableError>().and_then(TableError::cure);
    table.or_else(|| error.downcast_ref::<TournamentError>().and_then(TournamentError::cure))
}

fn worded(cure: &Cure) -> String {
    match cure {
        Cure::Payments => " (--pay)".to_owned(),
        Cure::Cost => ": say what it costs (--points 10)".to_owned(),
        Cure::TileWas => {
            " Say --tile own, passed or fresh (neither), or enter the discards".to_owned()
        }
        Cure::Tenpai => " Say --tenpai Ann,Bo, or --noten for nobody".to_owned(),
        Cure::WholeDeal => {
            " (--play \"bo di 2, kong ann, cy t 1, end ann 2 di no\": the whole deal)".to_owned()
        }
        Cure::AbortiveDraw => " (tilelens table draw --abortive CAUSE)".to_owned(),
        Cure::ListEvents => " (tilelens table log lists them)".to_owned(),
        Cure::ByMeetings => ": `--by meetings` lays them out without".to_owned(),
        Cure::Taken => " (--taken 20)".to_owned(),
        Cure::Wins(name) => format!(": --wins \"{name}=1\" (0 for none)"),
        Cure::EndSession => " (tilelens table end)".to_owned(),
        Cure::UndoAtTable(table) => format!(" (tilelens table undo --table {table})"),
    }
}
