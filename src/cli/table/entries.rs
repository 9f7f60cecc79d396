//! Entries other than won deals: sitting down, draws, discards, faults, undo.

use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use jiff::Timestamp;

use super::{
    At, OpenTable, Outcome, Writing,
    players::{payments, player, players},
};
use crate::{
    cli::{
        circumstance_args::{rule_sets, ruling},
        moment::moment,
        opening::opened,
    },
    ledger::{Entry, Ledger},
    points::Points,
    table::{Chombo, Draw, Event, Opened, Penalty, PlayerFault, Seated, Table, TableState},
};

#[derive(Args)]
#[command(
    after_help = "Example: tilelens table new evening.tlg --rules chumchu --players Ann,Bo,Cy,Di --new-player Di"
)]
pub(super) struct NewTableArgs {
    #[command(flatten)]
    pub(super) at: At,
    /// The names of East, South, West and North; of three players, those of East, South and West
    #[arg(long, value_delimiter = ',', required = true, value_name = "E,S,W,N")]
    players: Vec<String>,
    #[arg(long, default_value = "mmm", help = rule_sets("Rule set"))]
    rules: String,
    /// Decide a ruling, such as mmm.self_draw_share=east_half. Repeat the option for several rulings
    #[arg(long = "ruling", value_name = "ID=CHOICE", value_parser = ruling)]
    rulings: Vec<(String, String)>,
    /// The points with which each player starts. The rule set gives the default
    #[arg(long)]
    initial: Option<Points>,
    /// A new player with a minimum of his own (chumchu), and the number of his earlier wins
    #[arg(long = "new-player", value_name = "NAME[=WINS]")]
    new_players: Vec<String>,
    /// A name for the table
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn new(args: NewTableArgs) -> anyhow::Result<Outcome> {
    let mut players: Vec<Seated> =
        args.players.iter().map(|name| Seated::named(name.trim())).collect();
    for text in &args.new_players {
        let (name, wins) = text.split_once('=').unwrap_or((text, "0"));
        let found = players.iter_mut().find(|player| player.name == name.trim());
        match (found, wins.trim().parse()) {
            (Some(player), Ok(wins)) => player.new_player_wins = Some(wins),
            (None, _) => bail!("the new player {name} is not among the players"),
            (_, Err(_)) => bail!("`{text}`: expected NAME=WINS, such as {name}=2"),
        }
    }
    let opened = opened(&args.rules, args.rulings, players)?;
    let opened = Opened { title: args.title, initial: args.initial, ..opened };
    // A rejected command leaves no file behind.
    if args.at.table == Some(0) {
        bail!("tables are numbered from 1");
    }
    Table::new(1).complete(Event::Opened(opened.clone()), Timestamp::now())?;
    let new = Ledger::is_new(&args.at.file);
    let ledger = Ledger::create(&args.at.file).await;
    let ledger = ledger.inspect_err(|_| Ledger::remove_new(&args.at.file, new))?;
    let number = match args.at.table {
        Some(number) => number,
        None => match ledger.tables().await?.last().map_or(Some(1), |last| last.checked_add(1)) {
            Some(number) => number,
            None => bail!("there is no table number left: name a free one with --table"),
        },
    };
    let entry = Entry {
        id: args.writing.id.clone(),
        ..Entry::new(Event::Opened(opened), &args.writing.author)
    };
    let state = match ledger.append(number, entry).await {
        Ok(state) => state,
        Err(error) => {
            ledger.close().await;
            Ledger::remove_new(&args.at.file, new);
            return Err(error.into());
        }
    };
    OpenTable { ledger: Arc::new(ledger), number, state }.show(&args.writing).await
}

/// The options of a draw.
#[derive(Args, Clone, Debug)]
pub(super) struct DrawnArgs {
    /// The players who were tenpai, if the rules ask for it (riichi). Those who declared riichi are included
    #[arg(long, value_name = "PLAYER", value_delimiter = ',', conflicts_with = "noten")]
    tenpai: Vec<String>,
    /// Nobody else was tenpai
    #[arg(long)]
    noten: bool,
    /// The cause that ended the deal before the wall did, one of the rule set's
    #[arg(long, value_name = "CAUSE", conflicts_with_all = ["tenpai", "noten", "nagashi"])]
    abortive: Option<String>,
    /// The players whose discards were terminals and honors alone, with none of them claimed (nagashi mangan)
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    nagashi: Vec<String>,
}

impl DrawnArgs {
    /// The draw for the current table; `riichi`: the players who put down a stick.
    pub(super) fn draw(
        &self,
        state: &TableState,
        riichi: &[String],
        rolled: Option<Timestamp>,
    ) -> anyhow::Result<Draw> {
        let said = self.noten || !self.tenpai.is_empty();
        Ok(Draw {
            place: None,
            rolled,
            tenpai: said.then(|| players(state, &self.tenpai)).transpose()?,
            riichi: players(state, riichi)?,
            abortive: self.abortive.clone(),
            nagashi: players(state, &self.nagashi)?,
        })
    }

    /// Whether any option is given.
    pub(super) fn is_said(&self) -> bool {
        let Self { tenpai, noten, abortive, nagashi } = self;
        !tenpai.is_empty() || *noten || abortive.is_some() || !nagashi.is_empty()
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  tilelens table draw evening.tlg
  tilelens table draw evening.tlg --tenpai Bo,Cy --riichi Cy
  tilelens table draw evening.tlg --noten
  tilelens table draw evening.tlg --abortive four_winds")]
pub(super) struct DrawArgs {
    #[command(flatten)]
    drawn: DrawnArgs,
    /// The players who declared riichi in this deal. Each puts down a stick
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    riichi: Vec<String>,
    /// The time at which its dice were rolled, if it is entered later: 20:10, or a date and time
    #[arg(long = "at", id = "rolled", value_name = "TIME", value_parser = moment)]
    rolled: Option<Timestamp>,
}

impl DrawArgs {
    pub(super) fn event(&self, table: &Table) -> anyhow::Result<Event> {
        Ok(Event::Draw(self.drawn.draw(table.state()?, &self.riichi, self.rolled)?))
    }
}

#[derive(Args)]
#[command(after_help = "The deal is void and played again: counters stay, its sticks go back.
Examples:
  tilelens table chombo evening.tlg Bo --cause false_win
  tilelens table chombo evening.tlg Bo --pay Bo=-120,Ann=40,Cy=40,Di=40   where the rules do not say what it costs")]
pub(super) struct ChomboArgs {
    /// The player at fault
    player: String,
    /// The points of a player, negative if the player pays, if they differ from those in the rules. Repeat the
    /// option for several players
    #[arg(long, value_name = "PLAYER=AMOUNT", value_delimiter = ',', allow_hyphen_values = true)]
    pay: Vec<String>,
    /// The id of a cause in the rule set (`tilelens rules show ID --markdown` lists them)
    #[arg(long)]
    cause: Option<String>,
    /// A note
    #[arg(long, default_value = "")]
    note: String,
    /// The time at which its dice were rolled, if it is entered later: 20:10, or a date and time
    #[arg(long = "at", id = "rolled", value_name = "TIME", value_parser = moment)]
    rolled: Option<Timestamp>,
}

impl ChomboArgs {
    pub(super) fn event(&self, table: &Table) -> anyhow::Result<Event> {
        let state = table.state()?;
        let (player, payments) = (player(state, &self.player)?, payments(state, &self.pay)?);
        let (cause, note) = (self.cause.clone(), self.note.clone());
        let rolled = self.rolled;
        Ok(Event::Chombo(Chombo { place: None, rolled, player, payments, cause, note }))
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  tilelens table discard evening.tlg E:1m S:9p W:5p     in the order of play
  tilelens table discard evening.tlg --row E=1m4p --row S=9p --claimed S=7z")]
pub(super) struct DiscardArgs {
    #[command(flatten)]
    pub(super) at: At,
    /// The discards in the order of play, claimed ones too
    #[arg(value_name = "PLAYER:TILE", required_unless_present_any = ["row", "claimed"])]
    discards: Vec<String>,
    /// The discards in front of a player, in their order
    #[arg(long, value_name = "PLAYER=TILES", conflicts_with = "discards")]
    row: Vec<String>,
    /// The tiles that others have claimed from a player
    #[arg(long, value_name = "PLAYER=TILES", conflicts_with = "discards")]
    claimed: Vec<String>,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn discard(args: DiscardArgs) -> anyhow::Result<Outcome> {
    let mut open_table = OpenTable::open(&args.at).await?;
    let mut events = Vec::new();
    for text in &args.discards {
        let Some((who, tile)) = text.split_once(':') else {
            bail!("`{text}`: expected PLAYER:TILE, such as E:5p");
        };
        let player = player(&open_table.state, who)?;
        events.push(Event::Discarded { player, tile: tile.trim().to_owned() });
    }
    if events.is_empty() {
        let rows = |given: &[String]| -> anyhow::Result<Vec<String>> {
            let mut rows = vec![String::new(); open_table.state.players.len()];
            for text in given {
                let Some((who, tiles)) = text.split_once('=') else {
                    bail!("`{text}`: expected PLAYER=TILES, such as E=1m4p9s");
                };
                rows[player(&open_table.state, who)?] = tiles.trim().to_owned();
            }
            Ok(rows)
        };
        events.push(Event::DiscardRows { rows: rows(&args.row)?, claimed: rows(&args.claimed)? });
    }
    if events.len() > 1 && args.writing.id.is_some() {
        bail!("--id names one entry: give the discards one by one");
    }
    open_table.write(events, &args.writing).await?;
    open_table.show(&args.writing).await
}

#[derive(Args)]
#[command(
    after_help = "`tilelens rules show chumchu --markdown` lists the causes of a rule set, what they cost, and whether
that is taken from the standings or from the table's score.
Example: tilelens table penalty evening.tlg Bo --cause knocked_over_four"
)]
pub(super) struct PenaltyArgs {
    /// The player who gets the penalty
    player: String,
    /// The id of a cause in the rule set
    #[arg(long)]
    cause: Option<String>,
    /// The points, if they differ from the rule set's next step
    #[arg(long)]
    points: Option<u32>,
    /// A note
    #[arg(long, default_value = "")]
    note: String,
}

impl PenaltyArgs {
    pub(super) fn event(&self, table: &Table) -> anyhow::Result<Event> {
        let player = player(table.state()?, &self.player)?;
        let (cause, note) = (self.cause.clone(), self.note.clone());
        Ok(Event::Penalty(Penalty { player, cause, points: self.points, note }))
    }
}

#[derive(Args)]
pub(super) struct FaultArgs {
    /// The player
    player: String,
    /// The id of a cause in the rule set (`tilelens rules show ID --markdown` lists them)
    #[arg(long)]
    cause: Option<String>,
    /// A note
    #[arg(long, default_value = "")]
    note: String,
}

impl FaultArgs {
    pub(super) fn fault(&self, table: &Table) -> anyhow::Result<PlayerFault> {
        let player = player(table.state()?, &self.player)?;
        Ok(PlayerFault { player, cause: self.cause.clone(), note: self.note.clone() })
    }
}

#[derive(Args)]
pub(super) struct ClockArgs {
    /// The number of minutes that it runs. The default is the rule set's time
    #[arg(long)]
    minutes: Option<u32>,
    /// The time at which it was started, if that is not now: 19:00, or a date and time
    #[arg(long = "at", id = "started", value_name = "TIME", value_parser = moment)]
    started: Option<Timestamp>,
}

impl ClockArgs {
    pub(super) fn event(&self) -> Event {
        Event::ClockStarted { minutes: self.minutes, started: self.started }
    }
}

#[derive(Args)]
pub(super) struct EndArgs {
    /// The reason
    #[arg(long, default_value = "")]
    why: String,
}

impl EndArgs {
    pub(super) fn event(&self) -> Event {
        Event::Ended { why: self.why.clone() }
    }
}

#[derive(Args)]
#[command(after_help = "Example: tilelens table rename evening.tlg bo 'Bo Berg'")]
pub(super) struct RenameArgs {
    /// The player
    player: String,
    /// The new name
    name: String,
}

impl RenameArgs {
    pub(super) fn event(&self, table: &Table) -> anyhow::Result<Event> {
        let player = player(table.state()?, &self.player)?;
        let mut opened = table.opened()?.clone();
        if opened.sitting.is_some() {
            bail!(
                "the names of a tournament's table are the tournament's: tilelens tournament rename"
            );
        }
        opened.players[player].name = self.name.trim().into();
        Ok(Event::Corrected { event: 1, with: Box::new(Event::Opened(opened)) })
    }
}

#[derive(Args)]
pub(super) struct UndoArgs {
    #[command(flatten)]
    pub(super) at: At,
    /// The number of the event (`tilelens table log`). The default is the last one. Undoing an undo restores
    /// the event
    event: Option<u64>,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn undo(args: UndoArgs) -> anyhow::Result<Outcome> {
    let mut open_table = OpenTable::open(&args.at).await?;
    let event = match args.event {
        Some(event) => event,
        None => {
            let table = open_table.ledger.table(open_table.number).await?;
            match table.last_to_undo() {
                Some(last) => last.seq,
                None => bail!("nothing has happened yet that could be undone"),
            }
        }
    };
    let what = (open_table.ledger.events(open_table.number).await?.into_iter())
        .find(|recorded| recorded.seq == event)
        .map(|recorded| recorded.event.name());
    open_table.write(vec![Event::Undone { event }], &args.writing).await?;
    let what = what.map_or(String::new(), |what| format!("taken back: event {event}, {what}\n"));
    open_table.show_after(&what, &args.writing).await
}
