//! Players, moments and tables as people write and read them.

use anyhow::{anyhow, bail};
use comfy_table::{CellAlignment, Table, presets};

use crate::{
    name::Name,
    tile::Seat,
    tournament::{Number, Sitter, Tournament},
};

/// The player with a number, a name or the beginning of one.
pub(super) fn player(tournament: &Tournament, text: &str) -> anyhow::Result<Name> {
    if let Ok(number) = text.parse::<usize>() {
        let numbers = &tournament.seated()?.numbers;
        let found = number.checked_sub(1).and_then(|index| numbers.get(index));
        return found.cloned().ok_or_else(|| {
            anyhow!("no player has the number {number}: there are {}", numbers.len())
        });
    }
    one_of(tournament.roster.players(), text, "player")
}

/// A number, or the number of the player with a name; numbers beyond the players' belong to reserves' seats.
pub(super) fn number(tournament: &Tournament, text: &str) -> anyhow::Result<Number> {
    match text.parse() {
        Ok(number) => Ok(Number(number)),
        Err(_) => Ok(tournament.number_of_player(&player(tournament, text)?)?),
    }
}

/// The first seat of a person at a table, by a player's or a reserve's number or name.
pub(super) fn seat(
    tournament: &Tournament,
    (round, table): (usize, usize),
    text: &str,
) -> anyhow::Result<Seat> {
    let sitters = tournament.table(round, table)?;
    let name = player(tournament, text).or_else(|_| reserve(tournament, text))?;
    let sits = |sitter: &Sitter<'_>| match sitter {
        Sitter::Player(sitter) | Sitter::Reserve { reserve: Some(sitter), .. } => **sitter == name,
        Sitter::Reserve { reserve: None, .. } => false,
    };
    let place = sitters.iter().position(sits);
    place
        .map(|place| Seat::ALL[place])
        .ok_or_else(|| anyhow!("{name} does not sit at table {table} of round {round}"))
}

/// The reserve with a name or the beginning of one.
pub(super) fn reserve(tournament: &Tournament, text: &str) -> anyhow::Result<Name> {
    one_of(tournament.roster.reserves(), text, "reserve")
}

/// The player or reserve with a name.
pub(super) fn anybody(tournament: &Tournament, text: &str) -> anyhow::Result<Name> {
    let known = player(tournament, text);
    known.or_else(|unknown| reserve(tournament, text).map_err(|_| unknown))
}

fn one_of<'a>(
    names: impl Iterator<Item = &'a Name>,
    text: &str,
    kind: &str,
) -> anyhow::Result<Name> {
    let typed = text.trim().to_lowercase();
    let begun: Vec<&Name> =
        names.filter(|name| name.as_str().to_lowercase().starts_with(&typed)).collect();
    let whole = begun.iter().find(|name| name.as_str().to_lowercase() == typed);
    match (whole, begun.as_slice()) {
        (Some(name), _) => Ok(Name::clone(name)),
        (None, [one]) => Ok(Name::clone(one)),
        (None, []) => bail!("no {kind} is called `{text}`"),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|name| name.as_str()).collect();
            bail!("`{text}` begins {}: type more of the name", names.join(" and "))
        }
    }
}

/// Hours, minutes and seconds.
pub(super) fn duration(seconds: i64) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Who sits on a seat.
pub(super) fn sitter(sitter: Sitter<'_>) -> String {
    match sitter {
        Sitter::Player(name) => name.to_string(),
        Sitter::Reserve { player, reserve } => {
            let who = reserve.map_or("reserve", Name::as_str);
            player.map_or_else(|| who.to_owned(), |player| format!("{who} for {player}"))
        }
    }
}

/// Columns under their headings; a heading that begins with `>` aligns right.
pub(super) fn table(headings: &[String], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(headings.iter().map(|heading| heading.trim_start_matches('>')));
    table.add_rows(rows);
    for (column, heading) in table.column_iter_mut().zip(headings) {
        if heading.starts_with('>') {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines: Vec<String> = table.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    lines.concat()
}

/// Headings of a table.
pub(super) fn headings<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_whatever_the_script() {
        let text = table(
            &headings(["Player", ">Total"]),
            vec![vec!["李小龍".into(), "7".into()], vec!["Åse".into(), "-12".into()]],
        );
        assert_eq!(text, " Player  Total\n 李小龍      7\n Åse       -12\n");
    }
}
