//! Players by name, by the beginning of a name, or by seat.

use anyhow::{anyhow, bail};

use crate::{points::Points, table::TableState, tile::Seat};

/// The player with a name, the beginning of one, or a seat by its letter or word. A letter that may be the seat of
/// one player or the name of another is refused.
pub(super) fn player(state: &TableState, text: &str) -> anyhow::Result<usize> {
    let wanted = text.trim().to_lowercase();
    let names: Vec<String> =
        state.players.iter().map(|player| player.name.to_lowercase()).collect();
    let shown = |players: &[usize]| {
        let names: Vec<&str> = players.iter().map(|&player| &*state.players[player].name).collect();
        names.join(" and ")
    };
    if let Some(exact) = names.iter().position(|name| *name == wanted) {
        return Ok(exact);
    }
    let begin: Vec<usize> = (0..names.len())
        .filter(|&player| !wanted.is_empty() && names[player].starts_with(&wanted))
        .collect();
    let wind = Seat::ALL.into_iter().find(|wind| {
        wanted == wind.letter().to_string().to_lowercase() || wanted == wind.name().to_lowercase()
    });
    match (wind.map(|wind| (wind, state.at_seat(wind))), &begin[..]) {
        (Some((wind, Some(seated))), others)
            if wanted.len() == 1 && others.iter().any(|other| *other != seated) =>
        {
            bail!(
                "`{text}` may be {}, who sits {}, or {}: write {}, or more of the name",
                state.players[seated].name,
                wind.name(),
                shown(others),
                wind.name().to_lowercase()
            )
        }
        (Some((_, Some(seated))), _) => Ok(seated),
        (_, [only]) => Ok(*only),
        (Some((wind, None)), []) => bail!("nobody sits {wind}: three are playing"),
        (_, []) => {
            let known: Vec<&str> = state.players.iter().map(|player| &*player.name).collect();
            bail!("who is `{text}`? expected E, S, W, N or one of {}", known.join(", "))
        }
        (_, several) => {
            bail!("`{text}` begins {}: write more of the name", shown(several))
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
