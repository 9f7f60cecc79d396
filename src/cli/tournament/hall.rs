//! The ledger of a tournament and its tables, read and written by one command.

use std::path::Path;

use anyhow::anyhow;
use jiff::Timestamp;

use crate::{
    cli::moment::local,
    ledger::{Act, Ledger, Organised, TournamentLedger},
    tournament::{Event, Tournament},
};

pub(super) fn wait<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// The tournament in a file, with its tables.
pub(super) fn read(file: &Path) -> anyhow::Result<(TournamentLedger, Tournament)> {
    wait(async {
        let ledger = Ledger::read(file).await?;
        let hall = ledger.tournament_ledger().await?;
        ledger.close().await;
        let tournament = hall.tournament().map_err(|_| none(file))?;
        say_what_is_lost(file, &hall);
        Ok((hall, tournament))
    })
}

/// Warns about lost events, so that nobody takes the standings for complete.
fn say_what_is_lost(file: &Path, hall: &TournamentLedger) {
    let tables = hall.tables.iter().filter(|table| !table.lost().is_empty());
    let tables: Vec<String> = tables.map(|table| table.number().to_string()).collect();
    let own = hall.log.lost().len();
    if own > 0 || !tables.is_empty() {
        let file = file.display();
        let at = if tables.is_empty() {
            String::new()
        } else {
            format!(", and some of tables {}", tables.join(", "))
        };
        eprintln!(
            "Damage has destroyed {own} events of the tournament{at}: what follows is without them (tilelens table verify {file})."
        );
    }
}

/// The tournament at a moment, or now.
pub(super) fn at_moment(file: &Path, moment: Option<Timestamp>) -> anyhow::Result<Tournament> {
    let (hall, now) = read(file)?;
    let Some(moment) = moment else { return Ok(now) };
    let then = hall.at(moment)?;
    then.tournament().map_err(|_| anyhow!("the tournament had not begun by {}", local(moment)))
}

fn none(file: &Path) -> anyhow::Error {
    anyhow!("there is no tournament in {}: `tilelens tournament new` begins one", file.display())
}

/// Begins a tournament, in a new file or in one that has none.
pub(super) fn begin(file: &Path, author: &str, begun: Event) -> anyhow::Result<Organised> {
    wait(async {
        let new = Ledger::is_new(file);
        let ledger = Ledger::create(file).await;
        let ledger = ledger.inspect_err(|_| Ledger::remove_new(file, new))?;
        let done = ledger.organise(author, |hall| {
            if hall.log.events().is_empty() {
                Ok(vec![Act::Tournament(begun)])
            } else {
                Err(anyhow!("{} has a tournament already: choose another file", file.display()))
            }
        });
        let done = done.await;
        ledger.close().await;
        done.inspect_err(|_| Ledger::remove_new(file, new))
    })
}

/// Writes the events that `decide` makes for the current tournament, all or none.
pub(super) fn organise(
    file: &Path,
    author: &str,
    decide: impl FnOnce(&TournamentLedger, &Tournament) -> anyhow::Result<Vec<Act>>,
) -> anyhow::Result<Organised> {
    wait(async {
        let ledger = Ledger::open(file).await?;
        let done = ledger.organise(author, |hall| {
            let tournament = hall.tournament().map_err(|_| none(file))?;
            decide(hall, &tournament)
        });
        let done = done.await?;
        ledger.close().await;
        Ok(done)
    })
}

/// One event of the tournament's.
pub(super) fn happens(
    file: &Path,
    author: &str,
    decide: impl FnOnce(&TournamentLedger, &Tournament) -> anyhow::Result<Event>,
) -> anyhow::Result<Organised> {
    organise(file, author, |hall, tournament| Ok(vec![Act::Tournament(decide(hall, tournament)?)]))
}
