//! A deal that was won, and the correction of an earlier one.

use anyhow::{anyhow, bail};
use clap::Args;
use jiff::Timestamp;

use super::{
    At, OpenTable, Outcome, Writing, ask,
    entries::DrawnArgs,
    players::{payments, player, players},
};
use crate::{
    cli::{circumstance_args::DealFactArgs, moment::moment},
    ledger::LedgerError,
    rules::{Indicators, RuleSet},
    table::{
        Charged, Chombo, Deal, Event, Opened, Seated, TableError, TableState, TileWas, WinBy,
        Winner,
    },
};

/// A deal as it is typed.
#[derive(Args, Clone, Debug)]
pub(super) struct WonDealArgs {
    /// The winner's hand with its winning tile, as for `tilelens score`
    hand: Option<String>,
    /// Who won
    #[arg(long, short, value_name = "PLAYER")]
    winner: Option<String>,
    /// The winning tile was self-drawn
    #[arg(long, conflicts_with_all = ["from", "rob_kong"])]
    self_draw: bool,
    /// Who discarded the winning tile
    #[arg(long, value_name = "PLAYER", conflicts_with = "rob_kong")]
    from: Option<String>,
    /// Whose kong was robbed
    #[arg(long, value_name = "PLAYER")]
    rob_kong: Option<String>,
    /// Another winner on the same tile, and his hand or, with --worth, what it is worth; may be given again
    #[arg(long, value_name = "PLAYER=HAND")]
    also: Vec<String>,
    /// Earlier discards of the winning tile: own (the winner has discarded one), passed (someone
    /// has since his last turn), fresh (neither); for one of several winners Bo=passed
    #[arg(long, value_name = "WHAT")]
    tile: Vec<String>,
    /// In place of a hand: its worth in the rule set's unit, all included, such as 7 or 3½; han and
    /// fu as 3/30; mangan, yakuman
    #[arg(
        long,
        value_name = "WORTH",
        conflicts_with_all = [
            "hand", "pay", "DealFactArgs", "ippatsu", "dora", "ura",
        ]
    )]
    worth: Option<String>,
    /// In place of a hand: a player's points (negative: paid); may be given again
    #[arg(
        long,
        value_name = "PLAYER=AMOUNT",
        value_delimiter = ',',
        conflicts_with = "hand",
        allow_hyphen_values = true
    )]
    pay: Vec<String>,
    #[command(flatten)]
    facts: DealFactArgs,
    /// Who fed the last set of a hand with a liability, where no mark shows it (mmm-dk)
    #[arg(long, value_name = "PLAYER")]
    pao: Option<String>,
    /// Who is charged for the winning tile where that is not its giver, or none (zung-jung)
    #[arg(long, value_name = "PLAYER", conflicts_with = "self_draw")]
    responsible: Option<String>,
    /// Who declared riichi in this deal, winners and others; each puts down a stick
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    riichi: Vec<String>,
    /// Winners who declared riichi in the first go-around
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    double_riichi: Vec<String>,
    /// Winners within the first go-around after their riichi
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    ippatsu: Vec<String>,
    /// Dora indicators, such as 4p7z
    #[arg(long, value_name = "TILES")]
    dora: Option<String>,
    /// The indicators below them, for winners in riichi
    #[arg(long, value_name = "TILES")]
    ura: Option<String>,
    /// When its dice were rolled, where it is written down later: 20:10, or a date and time
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
}

/// Values that could not be read later are rejected now.
fn indicators(text: &Option<String>) -> anyhow::Result<Option<String>> {
    if let Some(text) = text {
        text.parse::<Indicators>()?;
    }
    Ok(text.clone())
}

fn tile_was(text: &str) -> anyhow::Result<TileWas> {
    Ok(match text.trim() {
        "fresh" => TileWas::Fresh,
        "own" => TileWas::Own,
        "passed" => TileWas::Passed,
        other => bail!("`{other}`: expected own, passed or fresh"),
    })
}

impl WonDealArgs {
    fn rolled(&self) -> anyhow::Result<Option<Timestamp>> {
        self.at.as_deref().map(moment).transpose()
    }

    /// The deal for the current table.
    fn deal(&self, rules: &RuleSet, state: &TableState) -> anyhow::Result<Deal> {
        let Some(winner) = &self.winner else {
            bail!("the winner is missing: give --winner PLAYER")
        };
        let named =
            |text: &Option<String>| text.as_deref().map(|text| player(state, text)).transpose();
        let (win, from) = match (named(&self.from)?, named(&self.rob_kong)?, self.self_draw) {
            (Some(from), _, _) => (WinBy::Discard, Some(from)),
            (_, Some(from), _) => (WinBy::RobKong, Some(from)),
            (None, None, true) => (WinBy::SelfDraw, None),
            (None, None, false) => {
                bail!(
                    "the way of winning is missing: give --self-draw, --from PLAYER or --rob-kong PLAYER"
                )
            }
        };
        let rolled = self.rolled()?;
        let one = Winner {
            player: player(state, winner)?,
            win,
            from,
            hand: self.hand.clone(),
            worth: self.worth.as_deref().map(|worth| rules.read_worth(worth)).transpose()?,
            pao: named(&self.pao)?,
            responsible: match self.responsible.as_deref() {
                Some("none") => Some(Charged::Nobody),
                _ => named(&self.responsible)?.map(Charged::Player),
            },
            dora_indicators: indicators(&self.dora)?,
            ..Winner::default().with_facts(self.facts.facts())
        };
        let mut winners = vec![one.clone()];
        for text in &self.also {
            // With payments, a name alone will do.
            let (who, hand) =
                text.split_once('=').map_or((text.as_str(), None), |(who, hand)| (who, Some(hand)));
            if hand.is_none() && (self.hand.is_some() || self.worth.is_some()) {
                bail!("`{text}`: expected PLAYER=HAND, or with --worth PLAYER=WORTH");
            }
            let said = hand.map(|hand| hand.trim().to_owned());
            let (hand, worth) = match (said, &self.worth) {
                (Some(worth), Some(_)) => (None, Some(rules.read_worth(&worth)?)),
                (hand, _) => (hand, None),
            };
            winners.push(Winner { player: player(state, who)?, hand, worth, ..one.clone() });
        }
        let of = |texts: &[String]| players(state, texts);
        let (double, ippatsu) = (of(&self.double_riichi)?, of(&self.ippatsu)?);
        let riichi = of(&self.riichi)?;
        if let Some(other) =
            double.iter().chain(&ippatsu).find(|who| winners.iter().all(|it| it.player != **who))
        {
            bail!("{} is no winner: for others give --riichi", state.players[*other].name);
        }
        let ura = indicators(&self.ura)?;
        for winner in &mut winners {
            let player = winner.player;
            winner.double_riichi = double.contains(&player);
            winner.riichi = !winner.double_riichi && riichi.contains(&player);
            winner.ippatsu = ippatsu.contains(&player);
            if winner.riichi || winner.double_riichi {
                winner.ura_indicators.clone_from(&ura);
            }
        }
        if ura.is_some() && winners.iter().all(|winner| winner.ura_indicators.is_none()) {
            bail!("--ura counts for a winner in riichi: give --riichi PLAYER, or leave --ura out");
        }
        for text in &self.tile {
            match text.split_once('=') {
                Some((who, was)) => {
                    let who = player(state, who)?;
                    let of = winners.iter_mut().find(|winner| winner.player == who);
                    of.ok_or_else(|| anyhow!("`{text}`: he is no winner"))?.tile =
                        Some(tile_was(was)?);
                }
                None => {
                    let was = Some(tile_was(text)?);
                    winners.iter_mut().for_each(|winner| winner.tile = winner.tile.or(was));
                }
            }
        }
        let payments = payments(state, &self.pay)?;
        if payments.is_none() && self.hand.is_none() && self.worth.is_none() {
            bail!(
                "what was it worth? give the winner's hand, --worth, or --pay PLAYER=AMOUNT for everybody"
            );
        }
        Ok(Deal { place: None, rolled, winners, payments, riichi })
    }
}

/// Asks for a missing value; `None` without a terminal.
fn ask_tile(name: &str, question: &TableError) -> anyhow::Result<Option<TileWas>> {
    let mut asked = format!("{question}\n");
    loop {
        asked += &format!("{name}: own, passed or fresh? ");
        let Some(answer) = ask(&std::mem::take(&mut asked))? else { return Ok(None) };
        match tile_was(&answer) {
            Ok(was) => return Ok(Some(was)),
            Err(error) => eprintln!("{error}"),
        }
    }
}

/// Writes a deal, asking for missing values.
async fn write(
    open_table: &mut OpenTable,
    mut deal: Deal,
    writing: &Writing,
    event: impl Fn(Deal) -> Event,
) -> anyhow::Result<()> {
    loop {
        let error = match open_table.write(event(deal.clone()), writing).await {
            Ok(()) => return Ok(()),
            Err(error) => match error.downcast() {
                Ok(LedgerError::Table(error)) => error,
                Ok(other) => return Err(other.into()),
                Err(other) => return Err(other),
            },
        };
        let TableError::Ask { name, .. } = &error else { return Err(error.into()) };
        let Some(was) = ask_tile(name, &error)? else { return Err(error.into()) };
        let about = deal
            .winners
            .iter_mut()
            .find(|winner| open_table.state.players[winner.player].name == *name);
        let Some(winner) = about else { return Err(error.into()) };
        winner.tile = Some(was);
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  tilelens table deal evening.tlg \"34p777p99p (7'77z) (1'23p) +5p\" --winner Cy --self-draw
  tilelens table deal evening.tlg \"123m567p34s678s22p +5s\" -w W --from E --tile fresh
  tilelens table deal evening.tlg -w Bo --from Di --worth 7
  tilelens table deal evening.tlg -w Bo --self-draw --worth 3/30
  tilelens table deal evening.tlg -w Bo --from Di --pay Bo=80,Di=-80
  tilelens table deal evening.tlg \"234m567p234678s5m +5m\" -w Bo --from Di --riichi Bo,Cy --dora 4p
Counters (honba) and sticks are the table's: --pay is the hand and the counters, without sticks.")]
pub(super) struct DealCommand {
    #[command(flatten)]
    pub(super) at: At,
    #[command(flatten)]
    won: WonDealArgs,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn deal(args: DealCommand) -> anyhow::Result<Outcome> {
    let mut open_table = OpenTable::open(&args.at).await?;
    let rules = open_table.rules().await?;
    let deal = args.won.deal(&rules, &open_table.state)?;
    write(&mut open_table, deal, &args.writing, Event::Deal).await?;
    open_table.show(&args.writing).await
}

#[derive(Args)]
#[command(after_help = "Examples:
  tilelens table correct evening.tlg --deal 3 -w Bo --from Di --pay Bo=80,Di=-80
  tilelens table correct evening.tlg --deal 3 --draw
  tilelens table correct evening.tlg --deal 3 --draw --tenpai Bo,Cy --riichi Cy
  tilelens table correct evening.tlg --deal 3 --chombo Di --cause false_win
  tilelens table correct evening.tlg --names Ann,Bob,Cy,Di
Everything after it is computed again.")]
pub(super) struct CorrectArgs {
    #[command(flatten)]
    pub(super) at: At,
    /// The deal's number
    #[arg(long, value_name = "NUMBER", required_unless_present_any = ["names", "event"])]
    deal: Option<u32>,
    /// The event's number instead (tilelens table log), as of a deal that was lost to damage
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["deal", "names"])]
    event: Option<u64>,
    #[command(flatten)]
    won: WonDealArgs,
    /// Nobody won it
    #[arg(long, conflicts_with_all = ["winner", "hand", "pay"])]
    draw: bool,
    #[command(flatten)]
    drawn: DrawnArgs,
    /// It was void for this player's fault
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["winner", "hand", "draw"])]
    chombo: Option<String>,
    /// The cause of that fault
    #[arg(long, requires = "chombo")]
    cause: Option<String>,
    /// The players' names, in the order of the first deal
    #[arg(long, value_delimiter = ',', conflicts_with = "deal", value_name = "E,S,W,N")]
    names: Vec<String>,
    #[command(flatten)]
    writing: Writing,
}

pub(super) async fn correct(args: CorrectArgs) -> anyhow::Result<Outcome> {
    let mut open_table = OpenTable::open(&args.at).await?;
    let table = open_table.ledger.table(open_table.number).await?;
    let event = match (args.event, args.deal) {
        (Some(event), _) => Some(event),
        (None, Some(number)) => {
            let record =
                open_table.state.history.iter().find(|record| record.place.number == number);
            let Some(record) = record else {
                bail!(
                    "there is no deal {number}: {} have been played",
                    open_table.state.history.len()
                );
            };
            Some(record.event)
        }
        (None, None) => None,
    };
    let Some(event) = event else {
        let opened = table.opened()?;
        let mut players = opened.players.clone();
        if players.len() != args.names.len() {
            bail!("{} names for {} players", args.names.len(), players.len());
        }
        for (player, name) in players.iter_mut().zip(&args.names) {
            *player = Seated { name: name.trim().into(), ..player.clone() };
        }
        let with = Box::new(Event::Opened(Opened { players, ..opened.clone() }));
        open_table.write(Event::Corrected { event: 1, with }, &args.writing).await?;
        return open_table.show(&args.writing).await;
    };
    let corrected = |with: Event| Event::Corrected { event, with: Box::new(with) };
    // Seats are those of that deal.
    let before = table.before(event)?;
    let before = before.state()?;
    let rolled = args.won.rolled()?;
    if let Some(who) = &args.chombo {
        let player = player(before, who)?;
        let payments = payments(before, &args.won.pay)?;
        let chombo = Chombo { rolled, player, payments, cause: args.cause, ..Chombo::default() };
        open_table.write(corrected(Event::Chombo(chombo)), &args.writing).await?;
        return open_table.show(&args.writing).await;
    }
    if args.draw {
        let draw = args.drawn.draw(before, &args.won.riichi, rolled)?;
        open_table.write(corrected(Event::Draw(draw)), &args.writing).await?;
        return open_table.show(&args.writing).await;
    }
    if args.drawn.is_said() {
        bail!("tenpai belongs to a draw: give --draw");
    }
    let deal = args.won.deal(table.rules()?, before)?;
    write(&mut open_table, deal, &args.writing, |deal| corrected(Event::Deal(deal))).await?;
    open_table.show(&args.writing).await
}
