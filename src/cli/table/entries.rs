//! What is written down beside won deals: sitting down, draws, discards, faults, undoing.

use anyhow::bail;
use clap::Args;
use jiff::Timestamp;

use super::{
    At, Desk, Outcome, Writing,
    players::{payments, player, players},
};
use crate::{
    cli::{
        circumstance_args::{rule_sets, ruling},
        library,
        moment::moment,
    },
    ledger::{Entry, Ledger},
    points::Points,
    rules::RuleSet,
    table::{Chombo, Draw, Event, Opened, Penalty, PlayerFault, Seated, Table, TableState},
};

#[derive(Args)]
#[command(
    after_help = "Example: tilelens table new evening.tlg --rules chumchu --players Ann,Bo,Cy,Di --new-player Di"
)]
pub(super) struct NewArgs {
    #[command(flatten)]
    at: At,
    /// Who sits East, South, West and North (three: East, South, West)
    #[arg(long, value_delimiter = ',', required = true, value_name = "E,S,W,N")]
    players: Vec<String>,
    #[arg(long, default_value = "mmm", help = rule_sets("Rule set"))]
    rules: String,
    /// Decide a ruling, such as mmm.self_draw_share=east_half; may be given again
    #[arg(long = "ruling", value_name = "ID=CHOICE", value_parser = ruling)]
    rulings: Vec<(String, String)>,
    /// What everybody starts with; the rule set says it otherwise
    #[arg(long)]
    initial: Option<Points>,
    /// A new player with a minimum of his own (chumchu), and how often he has won before
    #[arg(long = "new-player", value_name = "NAME[=WINS]")]
    new_players: Vec<String>,
    /// A name for the table
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn new(args: NewArgs) -> anyhow::Result<Outcome> {
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
    // A preset stays a name; a file goes into the ledger as it is.
    let set = library().rule_set(&args.rules, &[]).map_err(anyhow::Error::msg)?;
    let preset = RuleSet::preset(&args.rules).is_some();
    let opened = Opened {
        title: args.title,
        rules: set.id.clone(),
        rule_file: (!preset).then(|| set.to_toml()),
        rulings: args.rulings,
        players,
        initial: args.initial,
        sitting: None,
        penalties: None,
        clock: None,
    };
    // What is refused leaves no file behind.
    if args.at.table == Some(0) {
        bail!("tables are numbered from 1");
    }
    Table::new(1).complete(Event::Opened(opened.clone()), Timestamp::now())?;
    let new = !args.at.file.exists();
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
    Desk { ledger, number, state }.show(&args.writing).await
}

/// Writes one event down and shows the table.
async fn enter(at: &At, writing: &Writing, event: Event) -> anyhow::Result<Outcome> {
    let mut desk = Desk::open(at).await?;
    desk.write(event, writing).await?;
    desk.show(writing).await
}

/// What is to be said of a draw.
#[derive(Args, Clone, Debug)]
pub(super) struct DrawnArgs {
    /// Who was tenpai, where the rules ask for it (riichi); who declared riichi is
    #[arg(long, value_name = "PLAYER", value_delimiter = ',', conflicts_with = "noten")]
    tenpai: Vec<String>,
    /// Nobody else was tenpai
    #[arg(long)]
    noten: bool,
    /// What ended it before the wall did: one of the rule set's causes
    #[arg(long, value_name = "CAUSE", conflicts_with_all = ["tenpai", "noten", "nagashi"])]
    abortive: Option<String>,
    /// Whose discards were terminals and honors alone, none of them claimed (nagashi mangan)
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    nagashi: Vec<String>,
}

impl DrawnArgs {
    /// The draw, for a table as it stands; `riichi`: who put down a stick.
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

    /// Whether anything is said.
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
    at: At,
    #[command(flatten)]
    drawn: DrawnArgs,
    /// Who declared riichi in this deal; each puts down a stick
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    riichi: Vec<String>,
    /// When its dice were rolled, where it is written down later: 20:10, or a date and time
    #[arg(long = "at", id = "rolled", value_name = "TIME", value_parser = moment)]
    rolled: Option<Timestamp>,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn draw(args: DrawArgs) -> anyhow::Result<Outcome> {
    let mut desk = Desk::open(&args.at).await?;
    let draw = args.drawn.draw(&desk.state, &args.riichi, args.rolled)?;
    desk.write(Event::Draw(draw), &args.writing).await?;
    desk.show(&args.writing).await
}

#[derive(Args)]
#[command(after_help = "The deal is void and played again: counters stay, its sticks go back.
Examples:
  tilelens table chombo evening.tlg Bo --cause false_win
  tilelens table chombo evening.tlg Bo --pay Bo=-120,Ann=40,Cy=40,Di=40   where the rules do not say what it costs")]
pub(super) struct ChomboArgs {
    #[command(flatten)]
    at: At,
    /// Whose fault
    player: String,
    /// What a player receives (negative: pays), where it is not what the rules say; may be given again
    #[arg(long, value_name = "PLAYER=AMOUNT", value_delimiter = ',', allow_hyphen_values = true)]
    pay: Vec<String>,
    /// One of the rule set's causes (`tilelens rules show ID --markdown` lists them)
    #[arg(long)]
    cause: Option<String>,
    /// A note
    #[arg(long, default_value = "")]
    note: String,
    /// When its dice were rolled, where it is written down later: 20:10, or a date and time
    #[arg(long = "at", id = "rolled", value_name = "TIME", value_parser = moment)]
    rolled: Option<Timestamp>,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn chombo(args: ChomboArgs) -> anyhow::Result<Outcome> {
    let mut desk = Desk::open(&args.at).await?;
    let player = player(&desk.state, &args.player)?;
    let ChomboArgs { cause, note, rolled, pay, .. } = args;
    let payments = payments(&desk.state, &pay)?;
    let chombo = Chombo { place: None, rolled, player, payments, cause, note };
    desk.write(Event::Chombo(chombo), &args.writing).await?;
    desk.show(&args.writing).await
}

#[derive(Args)]
#[command(after_help = "Examples:
  tilelens table discard evening.tlg E:1m S:9p W:5p     in the order of play
  tilelens table discard evening.tlg --row E=1m4p --row S=9p --claimed S=7z")]
pub(super) struct DiscardArgs {
    #[command(flatten)]
    at: At,
    /// Discards in the order of play, claimed ones too
    #[arg(value_name = "PLAYER:TILE", required_unless_present_any = ["row", "claimed"])]
    discards: Vec<String>,
    /// What lies before a player, in his own order
    #[arg(long, value_name = "PLAYER=TILES", conflicts_with = "discards")]
    row: Vec<String>,
    /// What others have claimed from a player
    #[arg(long, value_name = "PLAYER=TILES", conflicts_with = "discards")]
    claimed: Vec<String>,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn discard(args: DiscardArgs) -> anyhow::Result<Outcome> {
    let mut desk = Desk::open(&args.at).await?;
    let mut events = Vec::new();
    for text in &args.discards {
        let Some((who, tile)) = text.split_once(':') else {
            bail!("`{text}`: expected PLAYER:TILE, such as E:5p");
        };
        let player = player(&desk.state, who)?;
        events.push(Event::Discarded { player, tile: tile.trim().to_owned() });
    }
    if events.is_empty() {
        let rows = |given: &[String]| -> anyhow::Result<Vec<String>> {
            let mut rows = vec![String::new(); desk.state.players.len()];
            for text in given {
                let Some((who, tiles)) = text.split_once('=') else {
                    bail!("`{text}`: expected PLAYER=TILES, such as E=1m4p9s");
                };
                rows[player(&desk.state, who)?] = tiles.trim().to_owned();
            }
            Ok(rows)
        };
        events.push(Event::DiscardRows { rows: rows(&args.row)?, claimed: rows(&args.claimed)? });
    }
    if events.len() > 1 && args.writing.id.is_some() {
        bail!("--id names one entry: give the discards one by one");
    }
    for event in events {
        desk.write(event, &args.writing).await?;
    }
    desk.show(&args.writing).await
}

#[derive(Args)]
#[command(
    after_help = "`tilelens rules show chumchu --markdown` lists the causes of a rule set, what they cost, and whether
that is taken from the standings or from the table's score.
Example: tilelens table penalty evening.tlg Bo --cause knocked_over_four"
)]
pub(super) struct PenaltyArgs {
    #[command(flatten)]
    at: At,
    /// Whose
    player: String,
    /// One of the rule set's causes
    #[arg(long)]
    cause: Option<String>,
    /// What it costs, where it is not the rule set's next one
    #[arg(long)]
    points: Option<u32>,
    /// A note
    #[arg(long, default_value = "")]
    note: String,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn penalty(args: PenaltyArgs) -> anyhow::Result<Outcome> {
    let mut desk = Desk::open(&args.at).await?;
    let player = player(&desk.state, &args.player)?;
    let penalty = Penalty { player, cause: args.cause, points: args.points, note: args.note };
    desk.write(Event::Penalty(penalty), &args.writing).await?;
    desk.show(&args.writing).await
}

#[derive(Args)]
pub(super) struct FaultArgs {
    #[command(flatten)]
    at: At,
    /// Who
    player: String,
    /// One of the rule set's causes (`tilelens rules show ID --markdown` lists them)
    #[arg(long)]
    cause: Option<String>,
    /// A note
    #[arg(long, default_value = "")]
    note: String,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn fault(
    args: FaultArgs,
    event: fn(PlayerFault) -> Event,
) -> anyhow::Result<Outcome> {
    let mut desk = Desk::open(&args.at).await?;
    let player = player(&desk.state, &args.player)?;
    let fault = PlayerFault { player, cause: args.cause, note: args.note };
    desk.write(event(fault), &args.writing).await?;
    desk.show(&args.writing).await
}

#[derive(Args)]
pub(super) struct ClockArgs {
    #[command(flatten)]
    at: At,
    /// How long it runs; the rule set's time where this is left out
    #[arg(long)]
    minutes: Option<u32>,
    /// When it was started, where that is not now: 19:00, or a date and time
    #[arg(long = "at", id = "started", value_name = "TIME", value_parser = moment)]
    started: Option<Timestamp>,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn clock(args: ClockArgs) -> anyhow::Result<Outcome> {
    let ClockArgs { at, minutes, started, writing } = args;
    enter(&at, &writing, Event::ClockStarted { minutes, started }).await
}

#[derive(Args)]
pub(super) struct EndArgs {
    #[command(flatten)]
    at: At,
    /// Why
    #[arg(long, default_value = "")]
    why: String,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn end(args: EndArgs) -> anyhow::Result<Outcome> {
    enter(&args.at, &args.writing, Event::Ended { why: args.why }).await
}

#[derive(Args)]
#[command(after_help = "Example: tilelens table rename evening.tlg bo 'Bo Berg'")]
pub(super) struct RenameArgs {
    #[command(flatten)]
    at: At,
    /// Who
    player: String,
    /// The new name
    name: String,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn rename(args: RenameArgs) -> anyhow::Result<Outcome> {
    let mut desk = Desk::open(&args.at).await?;
    let table = desk.ledger.table(desk.number).await?;
    let player = player(&desk.state, &args.player)?;
    let opened = table.opened()?;
    if opened.sitting.is_some() {
        bail!("the names of a tournament's table are the tournament's: tilelens tournament rename");
    }
    let mut opened = opened.clone();
    opened.players[player].name = args.name.trim().into();
    let with = Box::new(Event::Opened(opened));
    desk.write(Event::Corrected { event: 1, with }, &args.writing).await?;
    desk.show(&args.writing).await
}

#[derive(Args)]
pub(super) struct UndoArgs {
    #[command(flatten)]
    at: At,
    /// The event's number (`tilelens table log`); the last one where it is left out. Undoing an
    /// undo brings back what it took
    event: Option<u64>,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn undo(args: UndoArgs) -> anyhow::Result<Outcome> {
    let mut desk = Desk::open(&args.at).await?;
    let event = match args.event {
        Some(event) => event,
        None => {
            let table = desk.ledger.table(desk.number).await?;
            match table.last_to_undo() {
                Some(last) => last.seq,
                None => bail!("nothing has happened yet that could be undone"),
            }
        }
    };
    let what = (desk.ledger.events(desk.number).await?.into_iter())
        .find(|recorded| recorded.seq == event)
        .map(|recorded| recorded.event.name());
    desk.write(Event::Undone { event }, &args.writing).await?;
    let what = what.map_or(String::new(), |what| format!("taken back: event {event}, {what}\n"));
    desk.show_after(&what, &args.writing).await
}
