//! Players by name, the beginning of one, or seat.

use anyhow::{anyhow, bail};

use crate::{cli::circumstance_args::seat, points::Points, table::TableState};

/// The player with a name, the beginning of one, or a seat.
pub(super) fn player(state: &TableState, text: &str) -> anyhow::Result<usize> {
    if let Ok(seat) = seat(text) {
        return state.at_seat(seat).ok_or_else(|| anyhow!("nobody sits {seat}: three are playing"));
    }
    let wanted = text.trim().to_lowercase();
    let names: Vec<String> =
        state.players.iter().map(|player| player.name.to_lowercase()).collect();
    if let Some(exact) = names.iter().position(|name| *name == wanted) {
        return Ok(exact);
    }
    let begin: Vec<usize> =
        (0..names.len()).filter(|&player| names[player].starts_with(&wanted)).collect();
    match begin[..] {
        [only] if !wanted.is_empty() => Ok(only),
        _ => {
            let known: Vec<&str> = state.players.iter().map(|player| &*player.name).collect();
            bail!("who is `{text}`? expected E, S, W, N or one of {}", known.join(", "))
        }
    }
}

/// Several players, each as [`player`] reads it.
pub(super) fn players(state: &TableState, texts: &[String]) -> anyhow::Result<Vec<usize>> {
    texts.iter().map(|text| player(state, text)).collect()
}

/// The points that each player receives, if given.
pub(super) fn payments(
    state: &TableState,
    texts: &[String],
) -> anyhow::Result<Option<Vec<Points>>> {
    if texts.is_empty() {
        return Ok(None);
    }
    let mut payments = vec![Points::ZERO; state.players.len()];
    for text in texts {
        let (player, amount) = payment(state, text)?;
        payments[player] += amount;
    }
    Ok(Some(payments))
}

/// `Ann=-80`: a player and the points received.
fn payment(state: &TableState, text: &str) -> anyhow::Result<(usize, Points)> {
    let (name, amount) = text
        .split_once('=')
        .ok_or_else(|| anyhow!("`{text}`: expected PLAYER=AMOUNT, such as Ann=-80"))?;
    Ok((player(state, name)?, amount.trim().parse()?))
}
