//! The operator's decisions.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    Answer, Served,
    refused::Refused,
    tile,
    words::{Nothing, Words},
};
use crate::{
    server::{
        Amended, ContextError, DealReading, Drawn, EntryError, EntryTarget, FaultKind, FaultReport,
        LedgerHandle, UndoRefusal, json::AfterConfirm, ledger_handle::AUTHOR,
        teaching::TeachingError,
    },
    table::{Proposal, TableState},
};

pub(super) async fn context(
    State(at): State<Served>,
    Words(changes): Words<Map<String, Value>>,
) -> Answer {
    let _one = at.deciding.lock().await;
    if at.table_ledger.is_some()
        && ["rules", "rulings"].iter().any(|field| changes.contains_key(*field))
    {
        let why = "the ledger's table says which rules are played: they cannot be changed here";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    }
    at.hub.set_context(changes)?;
    Ok(at.state())
}

/// A corrected tile; without `code` the correction is taken back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Correction {
    tile: u64,
    code: Option<String>,
    /// The corrections of the hand on show are to be kept in the tile set in use.
    #[serde(default)]
    keep: bool,
}

/// Teaches the tile set in use the corrections of the hand on show, and removes those that were taken back.
async fn keep_shown(at: &Served, keep: bool) -> Result<(), TeachingError> {
    match at.hub.corrected(keep) {
        Some(keeping) => at.teaching.keep_corrections(keeping).await,
        None => Ok(()),
    }
}

pub(super) async fn correct(
    State(at): State<Served>,
    Words(correction): Words<Correction>,
) -> Answer {
    let one = at.deciding.lock().await;
    let is = correction.code.as_deref().map(tile).transpose()?;
    if !at.hub.correct(correction.tile, is) {
        let why = format!(
            "no tile {} lies there any more, or a confirmed hand is on show",
            correction.tile
        );
        return Err(Refused(StatusCode::NOT_FOUND, why));
    }
    drop(one);
    keep_shown(&at, correction.keep).await?;
    Ok(at.state())
}

/// Options of a decision.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Meant {
    /// The entry is intended, although it looks like a slip.
    meant: bool,
}

pub(super) async fn confirm(State(at): State<Served>, Words(said): Words<Meant>) -> Answer {
    let _one = at.deciding.lock().await;
    let Some(confirming) = at.hub.to_confirm() else {
        let why = "there is no scored hand to confirm: settle the doubts and say how it was won";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    };
    let Some(table_ledger) = &at.table_ledger else {
        at.hub.confirm(confirming.reading, None);
        return Ok(at.state());
    };
    let entry = confirming.entry().map(|entry| Proposal { meant: said.meant, ..entry });
    let is_earlier = confirming.is_earlier();
    decided(&at, table_ledger, is_earlier, confirming.reading, entry).await
}

/// What viewers see once the hand on show is confirmed; null where there is nothing.
pub(super) async fn after_confirm(State(at): State<Served>) -> Json<Option<AfterConfirm>> {
    Json(scene_after_confirm(&at).await)
}

/// The scene, and the ledger's table with the deal. Nothing where the hand cannot be confirmed, and while an earlier deal
/// is re-entered, which does not go on air.
async fn scene_after_confirm(at: &Served) -> Option<AfterConfirm> {
    let confirming = at.hub.to_confirm().filter(|confirming| !confirming.is_earlier())?;
    let table = match &at.table_ledger {
        Some(ledger) => Some(ledger.after(confirming.entry().ok()?).await.ok()?),
        None => None,
    };
    let scene = at.hub.scene_after(confirming.reading, table.as_ref());
    Some(AfterConfirm::new(scene, table.as_ref()))
}

/// Writes what ended a deal, which is shown once the ledger has it: the deal on show, or an earlier one.
async fn decided(
    at: &Served,
    table_ledger: &LedgerHandle,
    is_earlier: bool,
    reading: Arc<DealReading>,
    entry: Result<Proposal, ContextError>,
) -> Answer {
    match written(table_ledger, entry).await {
        Ok(table) if is_earlier => Ok(changed(at, table)),
        Ok(table) => {
            at.hub.confirm(reading, Some(table));
            Ok(at.state())
        }
        Err(error) => refused(at, table_ledger, error).await,
    }
}

/// Writes an entry that the page could give in full.
async fn written(
    table_ledger: &LedgerHandle,
    entry: Result<Proposal, ContextError>,
) -> Result<TableState, EntryError> {
    table_ledger.enter(entry?).await
}

/// Shows the current deal again after a change of an earlier one.
fn changed(at: &Served, table: TableState) -> Response {
    at.hub.go_on(table);
    at.state()
}

/// The answer to an entry that was not written: the refusal or the question. Somebody else may have written meanwhile,
/// so the page gets the current table.
async fn refused(at: &Served, table_ledger: &LedgerHandle, error: EntryError) -> Answer {
    if let Some(asked) = error.asked() {
        let words = json!({ "error": error.to_string(), "asked": asked });
        return Ok((StatusCode::CONFLICT, Json(words)).into_response());
    }
    if let Ok(table) = table_ledger.state().await {
        at.hub.set_table(table);
    }
    Err(error.into())
}

/// Ends the deal on show, or an earlier one, without a winner.
async fn ended(
    at: &Served,
    reading: Arc<DealReading>,
    entry: impl FnOnce(&EntryTarget) -> Result<Proposal, ContextError>,
) -> Answer {
    let _one = at.deciding.lock().await;
    let (table_ledger, target) =
        at.table_ledger.as_ref().zip(at.hub.to_end()).ok_or_else(|| {
            let why = "this is entered at a ledger's table, before a hand is confirmed";
            Refused(StatusCode::CONFLICT, why.to_owned())
        })?;
    decided(at, table_ledger, target.amends.is_some(), reading, entry(&target)).await
}

/// Nobody won the deal.
pub(super) async fn draw(State(at): State<Served>, Words(drawn): Words<Drawn>) -> Answer {
    let entry = |target: &EntryTarget| target.drawn(&drawn, &at.hub.riichi_by());
    ended(&at, Arc::new(DealReading::Draw), entry).await
}

/// A whole deal, as a request for one has it, by winds.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WholeDeal {
    deal: Value,
    #[serde(default)]
    end: Map<String, Value>,
    #[serde(default)]
    meant: bool,
}

/// A deal in which play went on after a win.
pub(super) async fn whole_deal(State(at): State<Served>, Words(said): Words<WholeDeal>) -> Answer {
    let (table_ledger, _) = at_table(&at)?;
    let rules = table_ledger.rules().await.map_err(EntryError::from)?;
    let fields = [("deal".to_owned(), said.deal), ("end".to_owned(), said.end.into())];
    let fields = fields.into_iter().collect();
    let entry =
        |target: &EntryTarget| Ok(Proposal { meant: said.meant, ..target.whole(&rules, &fields)? });
    ended(&at, Arc::new(DealReading::Whole), entry).await
}

/// The deal is void for a fault.
pub(super) async fn chombo(State(at): State<Served>, Words(fault): Words<FaultReport>) -> Answer {
    ended(&at, Arc::new(DealReading::Chombo), |target| target.void(&fault)).await
}

/// The ledger and its table as the pages show it.
fn at_table(at: &Served) -> Result<(&LedgerHandle, TableState), Refused> {
    at.table_ledger.as_ref().zip(at.hub.table_shown()).ok_or_else(|| {
        Refused(StatusCode::CONFLICT, "this is entered at a ledger's table".to_owned())
    })
}

/// Enters a fault after which the deal goes on.
async fn fault(at: Served, kind: FaultKind, fault: FaultReport) -> Answer {
    let _one = at.deciding.lock().await;
    let (table_ledger, shown) = at_table(&at)?;
    match written(table_ledger, EntryTarget::now(shown, AUTHOR).fault(kind, &fault)).await {
        Ok(table) => {
            at.hub.note(table.last_event);
            at.hub.set_table(table);
            Ok(at.state())
        }
        Err(error) => refused(&at, table_ledger, error).await,
    }
}

/// A player loses points.
pub(super) async fn penalty(State(at): State<Served>, Words(said): Words<FaultReport>) -> Answer {
    fault(at, FaultKind::Penalty, said).await
}

/// A player cannot win the deal.
pub(super) async fn dead_hand(State(at): State<Served>, Words(said): Words<FaultReport>) -> Answer {
    fault(at, FaultKind::DeadHand, said).await
}

/// A claim is ignored.
pub(super) async fn void_claim(
    State(at): State<Served>,
    Words(said): Words<FaultReport>,
) -> Answer {
    fault(at, FaultKind::VoidClaim, said).await
}

/// A player is out.
pub(super) async fn disqualify(
    State(at): State<Served>,
    Words(said): Words<FaultReport>,
) -> Answer {
    fault(at, FaultKind::Disqualified, said).await
}

/// The earlier deal to re-enter, and the index of the winner.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Amending {
    event: u64,
    #[serde(default)]
    winner: usize,
}

/// Opens an earlier deal for re-entry.
pub(super) async fn amend(State(at): State<Served>, Words(said): Words<Amending>) -> Answer {
    let _one = at.deciding.lock().await;
    if !at.hub.amend(Amended { event: said.event, winner: said.winner }) {
        return Err(Refused(StatusCode::NOT_FOUND, "the table has no such deal".to_owned()));
    }
    Ok(at.state())
}

/// The deal or penalty to take out, by its event.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TakingOut {
    event: u64,
    #[serde(default)]
    meant: bool,
}

/// An earlier deal, or a penalty, is taken out.
pub(super) async fn take_out(State(at): State<Served>, Words(said): Words<TakingOut>) -> Answer {
    let _one = at.deciding.lock().await;
    let (table_ledger, shown) = at_table(&at)?;
    let entry = EntryTarget::now(shown, AUTHOR).taken_out(said.event);
    let entry = entry.map(|entry| Proposal { meant: said.meant, ..entry });
    match written(table_ledger, entry).await {
        Ok(table) => Ok(changed(&at, table)),
        Err(error) => refused(&at, table_ledger, error).await,
    }
}

/// Another player has won on the same tile.
pub(super) async fn also(State(at): State<Served>, Words(Nothing {}): Words<Nothing>) -> Answer {
    let _one = at.deciding.lock().await;
    if !at.hub.also() {
        let why =
            "confirm the first winner's hand, won on another's tile at a ledger's table, first";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    }
    Ok(at.state())
}

pub(super) async fn reject(State(at): State<Served>, Words(Nothing {}): Words<Nothing>) -> Answer {
    let _one = at.deciding.lock().await;
    at.hub.reject()?;
    Ok(at.state())
}

pub(super) async fn next_hand(
    State(at): State<Served>,
    Words(Nothing {}): Words<Nothing>,
) -> Answer {
    let _one = at.deciding.lock().await;
    at.hub.next();
    Ok(at.state())
}

/// The decision to take back.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Undoing {
    /// Its number, `decision` of `undoes` in the state.
    decision: Option<u64>,
    /// The ledger's deal is to be taken out.
    meant: bool,
}

/// Takes the last decision back, which the request names; asks first if that takes a deal out of the ledger.
pub(super) async fn undo(State(at): State<Served>, Words(said): Words<Undoing>) -> Answer {
    let one = at.deciding.lock().await;
    let Undoing { decision, meant } = said;
    if let (Some(table_ledger), Some(_)) = (&at.table_ledger, at.hub.undoes()) {
        // Somebody else may have taken it back in another program.
        at.hub.set_table(table_ledger.state().await.map_err(EntryError::from)?);
    }
    at.hub.check_undo(decision)?;
    let table = match (&at.table_ledger, at.hub.table_shown(), at.hub.undoes()) {
        (Some(table_ledger), Some(shown), Some(event)) => {
            match table_ledger.take_back(shown, event, meant).await {
                Ok(None) => {
                    at.hub.undo(None);
                    return Err(UndoRefusal::TakenBack.into());
                }
                Ok(table) => table,
                Err(error) => return refused(&at, table_ledger, error).await,
            }
        }
        _ => None,
    };
    at.hub.undo(table);
    drop(one);
    keep_shown(&at, false).await?;
    Ok(at.state())
}
