//! `tilelens table`: a session at a table, kept in a ledger.

mod deal;
mod entries;
mod evening;
mod import;
mod lines;
mod page;
mod players;
mod report;
mod short;
mod whole_deal;

use std::{
    io::{self, BufRead, IsTerminal, Write},
    path::PathBuf,
    sync::Arc,
};

use anyhow::bail;
use clap::{Args, Subcommand};

use super::{NotShown, Outcome};
use crate::{
    ledger::{Ledger, LedgerError},
    rules::{RuleSet, ScoreStep},
    table::{Event, Proposal, Table, TableError, TableState},
    words::{Say, yes_or_no},
};

#[derive(Args)]
pub(super) struct TableCommandArgs {
    #[command(subcommand)]
    command: TableCommand,
}

#[derive(Subcommand)]
#[command(after_help = "An evening:
  tilelens table new evening.tlg --rules mmm-dk --players Ann,Bo,Cy,Di
  tilelens table deal evening.tlg \"34p777p99p (7'77z) (1'23p) +5p\" --winner Cy --self-draw
  tilelens table deal evening.tlg \"123m567p34s678s22p +5s\" --winner W --from E --tile fresh
  tilelens table deal evening.tlg -w Bo --from Di --worth 7
  tilelens table draw evening.tlg
  tilelens table evening evening.tlg
  tilelens table undo evening.tlg
  tilelens table show evening.tlg

Players are given by name, the beginning of a name, or their seats E, S, W, N.
Exit code 0: done. 1: the rules say no (no winning hand, a tile that may not be won on, a dead hand,
the session is over), or `verify` has found damage. 2: a mistake, or it cannot be done.
3: the entry is written, but could not be shown.")]
enum TableCommand {
    /// Begin a table: players, rule set, rulings
    New(entries::NewTableArgs),
    /// Enter an evening at a prompt: a deal in a few letters, such as `bo di 7`
    Evening(evening::EveningArgs),
    /// Enter a deal that was won: a hand, its worth, or all payments
    Deal(Box<EntryCommand<deal::DealArgs>>),
    /// Enter a deal that nobody won
    Draw(EntryCommand<entries::DrawArgs>),
    /// Enter a fault that makes the deal void. It is paid to the others, or taken from the standings
    Chombo(EntryCommand<entries::ChomboArgs>),
    /// Enter discards of the current deal
    Discard(entries::DiscardArgs),
    /// Take points from the standings, or from the table's score if the rules say so
    Penalty(EntryCommand<entries::PenaltyArgs>),
    /// Declare a player's hand dead: the player cannot win the current deal
    DeadHand(EntryCommand<entries::FaultArgs>),
    /// Enter a claim that is ignored
    VoidClaim(EntryCommand<entries::FaultArgs>),
    /// Disqualify a player
    Disqualify(EntryCommand<entries::FaultArgs>),
    /// Start the session's clock
    Clock(EntryCommand<entries::ClockArgs>),
    /// End the session before its time
    End(EntryCommand<entries::EndArgs>),
    /// Take back the last event, or any other
    Undo(entries::UndoArgs),
    /// Rename a player at any time
    Rename(EntryCommand<entries::RenameArgs>),
    /// Correct an earlier event. All later totals follow
    Correct(Box<EntryCommand<deal::CorrectArgs>>),
    /// Show seats, winds, totals and the last deal
    Show(report::ShowArgs),
    /// List all entries
    Log(report::LogArgs),
    /// Check whether the file is whole
    Verify(report::VerifyArgs),
    /// Copy the ledger into a new file, safely while others write to it
    Backup(report::BackupArgs),
    /// Export the deals as CSV, or everything as JSON
    Export(report::ExportArgs),
    /// Import a table that was kept elsewhere, such as on a phone
    Import(import::ImportArgs),
}

/// The file and the table in it.
#[derive(Args, Clone, Debug)]
pub(super) struct At {
    /// The ledger
    file: PathBuf,
    /// The number of the table. It is not needed if the file has only one
    #[arg(long, short)]
    table: Option<u32>,
    /// The ledger, where an evening has it open.
    #[arg(skip)]
    open: Option<Arc<Ledger>>,
}

/// Options of writing and showing an entry.
#[derive(Args, Clone, Debug)]
pub(super) struct Writing {
    /// Make the entry although it looks like a slip, such as payments that no hand gives, or a deal that was
    /// entered a moment ago
    #[arg(long)]
    meant: bool,
    /// The name of the person who makes the entry
    #[arg(long, env = "USER", hide_env = true, default_value = "table")]
    author: String,
    /// An id of your own for this entry. An entry with an id that is known already is not written again
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
    /// Print the table as JSON
    #[arg(long)]
    json: bool,
}

/// A command that writes an entry at a table, made of the arguments of its own.
#[derive(Args)]
struct EntryCommand<Own: Args> {
    #[command(flatten)]
    at: At,
    #[command(flatten)]
    own: Own,
    #[command(flatten)]
    writing: Writing,
}

impl<Own: Args> EntryCommand<Own> {
    /// Writes the event that the arguments name at the table, and shows the table.
    async fn enter(
        self,
        event: impl FnOnce(&Own, &Table) -> anyhow::Result<Event>,
    ) -> anyhow::Result<Outcome> {
        let mut open_table = OpenTable::open(&self.at).await?;
        let table = open_table.ledger.table(open_table.number).await?;
        open_table.write(vec![event(&self.own, &table)?], &self.writing).await?;
        open_table.show(&self.writing).await
    }
}

impl TableCommand {
    /// The table of a command that is entered at a table.
    fn at_mut(&mut self) -> Option<&mut At> {
        Some(match self {
            Self::Deal(args) => &mut args.at,
            Self::Draw(args) => &mut args.at,
            Self::Chombo(args) => &mut args.at,
            Self::Discard(args) => &mut args.at,
            Self::Penalty(args) => &mut args.at,
            Self::DeadHand(args) | Self::VoidClaim(args) | Self::Disqualify(args) => &mut args.at,
            Self::Clock(args) => &mut args.at,
            Self::End(args) => &mut args.at,
            Self::Undo(args) => &mut args.at,
            Self::Rename(args) => &mut args.at,
            Self::Correct(args) => &mut args.at,
            Self::Show(args) => &mut args.at,
            Self::Log(args) => &mut args.at,
            Self::Export(args) => &mut args.at,
            Self::New(_)
            | Self::Evening(_)
            | Self::Verify(_)
            | Self::Backup(_)
            | Self::Import(_) => return None,
        })
    }
}

/// Closes a ledger, unless an evening goes on with it.
async fn closed(ledger: Arc<Ledger>) {
    if let Some(ledger) = Arc::into_inner(ledger) {
        ledger.close().await;
    }
}

impl At {
    /// The ledger, to write to it.
    async fn write(&self) -> Result<Arc<Ledger>, LedgerError> {
        match &self.open {
            Some(open) => Ok(Arc::clone(open)),
            None => Ledger::open(&self.file).await.map(Arc::new),
        }
    }

    /// The ledger, to look at it.
    async fn read(&self) -> Result<Arc<Ledger>, LedgerError> {
        match &self.open {
            Some(open) => Ok(Arc::clone(open)),
            None => Ledger::read(&self.file).await.map(Arc::new),
        }
    }

    /// The number of the chosen table.
    async fn number(&self, ledger: &Ledger) -> anyhow::Result<u32> {
        if let Some(table) = self.table {
            return Ok(table);
        }
        match ledger.tables().await?[..] {
            [only] => Ok(only),
            [] => bail!(
                "{} has no table yet: tilelens table new (a tournament's: tilelens tournament open)",
                self.file.display()
            ),
            ref several => {
                let numbers: Vec<String> = several.iter().map(u32::to_string).collect();
                bail!("several tables: give --table with one of {}", numbers.join(", "))
            }
        }
    }
}

/// A table opened for writing.
struct OpenTable {
    ledger: Arc<Ledger>,
    number: u32,
    state: TableState,
}

impl OpenTable {
    async fn open(at: &At) -> anyhow::Result<Self> {
        let ledger = at.write().await?;
        let number = at.number(&ledger).await?;
        let state = ledger.state(number).await?;
        Ok(Self { ledger, number, state })
    }

    /// Writes events down, unless somebody else has written since the table was looked at. What looks like a slip, and
    /// what the table has to know besides, is asked first.
    async fn write(&mut self, events: Vec<Event>, writing: &Writing) -> anyhow::Result<()> {
        // An entry with its own name may have been written before: then no later state was seen, and nothing is asked.
        let id = writing.id.clone();
        let mut entry = Proposal {
            events,
            author: writing.author.clone(),
            seen: id.is_none().then_some(self.state.last_event),
            meant: writing.meant || id.is_some(),
            id,
            ..Proposal::default()
        };
        loop {
            let error = match self.ledger.enter(self.number, entry.clone()).await {
                Ok(state) => {
                    self.state = state;
                    return Ok(());
                }
                Err(error) => error,
            };
            match (&error, &mut entry.events[..]) {
                (LedgerError::Table(TableError::Unconfirmed(asked)), _) => {
                    asked.doubts.iter().try_for_each(confirm)?;
                    entry.meant = true;
                }
                (LedgerError::Table(question @ TableError::Ask { .. }), [event]) => {
                    let table = self.ledger.table(self.number).await?;
                    match deal::answered(event.clone(), question, &table)? {
                        Some(answered) => *event = answered,
                        None => return Err(error.into()),
                    }
                }
                _ => return Err(error.into()),
            }
        }
    }

    async fn rules(&self) -> anyhow::Result<Arc<RuleSet>> {
        Ok(self.ledger.table(self.number).await?.rules()?.clone())
    }

    /// Shows the table and closes the file.
    async fn show(self, writing: &Writing) -> anyhow::Result<Outcome> {
        self.show_after("", writing).await
    }

    /// The same after `line`, a text about the entry.
    async fn show_after(self, line: &str, writing: &Writing) -> anyhow::Result<Outcome> {
        let Self { ledger, number, state } = self;
        let table = ledger.table(number).await?;
        closed(ledger).await;
        let line = if writing.json { "" } else { line };
        let shown = print(line).and_then(|()| print_table(&table, writing.json));
        let written = || format!("written as event {}", state.last_event);
        shown.map(|()| Outcome::Found).map_err(|error| NotShown::of(written, error))
    }
}

/// Asks the person at the terminal to confirm what is likely a slip.
fn confirm(doubt: &Say) -> anyhow::Result<()> {
    let doubt = doubt.english();
    let Some(answer) = ask(&format!("{doubt}. Write it down all the same? [y/N] "))? else {
        bail!("{doubt}. If it is meant, say --meant (at the prompt of an evening: ! at the end)");
    };
    if yes_or_no(&answer) == Some(true) { Ok(()) } else { bail!("nothing was written") }
}

/// Asks the person at the terminal; `None` where nobody can answer.
fn ask(question: &str) -> anyhow::Result<Option<String>> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(None);
    }
    eprint!("{question}");
    io::stderr().flush()?;
    let mut answer = String::new();
    Ok((io::stdin().lock().read_line(&mut answer)? > 0).then_some(answer))
}

/// The table, with how the payments of its last deal came about.
fn print_table(table: &Table, json: bool) -> anyhow::Result<()> {
    #[derive(serde::Serialize)]
    struct Shown<'a> {
        #[serde(flatten)]
        state: &'a TableState,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        last_deal_steps: Vec<Vec<ScoreStep>>,
    }
    let state = table.state()?;
    let mut steps = match state.last_deal() {
        Some(last) => table.explain(last)?,
        None => Vec::new(),
    };
    steps.retain(|steps| !steps.is_empty());
    if json {
        print_json(&Shown { state, last_deal_steps: steps })
    } else {
        print(&page::page(state, &steps))
    }
}

pub(super) fn print(text: &str) -> anyhow::Result<()> {
    Ok(io::stdout().lock().write_all(text.as_bytes())?)
}

pub(super) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    Ok(writeln!(out)?)
}

/// The report on a copy of a ledger.
pub(super) use report::copied;

pub(super) fn run(args: TableCommandArgs) -> anyhow::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(dispatch(args.command)).or_else(said_no)
}

async fn dispatch(command: TableCommand) -> anyhow::Result<Outcome> {
    match command {
        TableCommand::Evening(args) => evening::evening(args).await,
        TableCommand::New(args) => entries::new(args).await,
        TableCommand::Deal(args) => args.enter(deal::DealArgs::event).await,
        TableCommand::Correct(args) => args.enter(deal::CorrectArgs::event).await,
        TableCommand::Draw(args) => args.enter(entries::DrawArgs::event).await,
        TableCommand::Chombo(args) => args.enter(entries::ChomboArgs::event).await,
        TableCommand::Discard(args) => entries::discard(args).await,
        TableCommand::Penalty(args) => args.enter(entries::PenaltyArgs::event).await,
        TableCommand::DeadHand(args) => {
            args.enter(|own, table| own.fault(table).map(Event::DeadHand)).await
        }
        TableCommand::VoidClaim(args) => {
            args.enter(|own, table| own.fault(table).map(Event::VoidClaim)).await
        }
        TableCommand::Disqualify(args) => {
            args.enter(|own, table| own.fault(table).map(Event::Disqualified)).await
        }
        TableCommand::Clock(args) => args.enter(|own, _| Ok(own.event())).await,
        TableCommand::End(args) => args.enter(|own, _| Ok(own.event())).await,
        TableCommand::Rename(args) => args.enter(entries::RenameArgs::event).await,
        TableCommand::Undo(args) => entries::undo(args).await,
        TableCommand::Show(args) => report::show(args).await,
        TableCommand::Log(args) => report::log(args).await,
        TableCommand::Verify(args) => report::verify(args).await,
        TableCommand::Backup(args) => report::backup(args).await,
        TableCommand::Export(args) => report::export(args).await,
        TableCommand::Import(args) => import::import(args).await,
    }
}

/// A refusal by the rules of the game is an answer, not an error of the command.
fn said_no(error: anyhow::Error) -> anyhow::Result<Outcome> {
    let ledger = error.downcast_ref::<LedgerError>();
    let why = match (ledger, error.downcast_ref::<TableError>()) {
        (Some(LedgerError::Table(why)), _) | (_, Some(why)) if why.is_an_answer() => why,
        _ => return Err(error),
    };
    eprintln!("nothing was written: {why}");
    Ok(Outcome::Nothing)
}
