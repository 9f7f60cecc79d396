//! A deal that was won, and the correction of an earlier one.

use anyhow::{anyhow, bail};
use clap::Args;
use jiff::Timestamp;

use super::{
    ask,
    entries::DrawnArgs,
    players::{payments, player, players},
    whole_deal,
};
use crate::{
    cli::{circumstance_args::DealFactArgs, moment::moment},
    hand::Reading,
    points::Points,
    rules::{Indicators, RuleSet},
    table::{
        Charged, Chombo, Deal, Event, OtherHand, Table, TableError, TableState, TileWas, WinBy,
        Winner,
    },
    tile::Seat,
};

/// A deal as it is typed.
#[derive(Args, Clone, Debug)]
pub(super) struct WonDealArgs {
    /// The winner's hand with its winning tile, as for `tilelens score`
    hand: Option<String>,
    /// The whole deal, where play goes on after a win (sichuan): wins, kongs, false wins, and what the others had at the
    /// end, as at the prompt of `tilelens table evening`: "bo di 2 cy 1, kong ann, di t 3, end ann 1"
    #[arg(long, value_name = "EVENTS", conflicts_with_all = ["hand", "winner", "worth", "pay", "DealFactArgs"])]
    play: Option<String>,
    /// The winner
    #[arg(long, short, value_name = "PLAYER")]
    winner: Option<String>,
    /// The winning tile was self-drawn
    #[arg(long, conflicts_with_all = ["from", "rob_kong"])]
    self_draw: bool,
    /// The player who discarded the winning tile
    #[arg(long, value_name = "PLAYER", conflicts_with = "rob_kong")]
    from: Option<String>,
    /// The player whose kong was robbed
    #[arg(long, value_name = "PLAYER")]
    rob_kong: Option<String>,
    /// Another winner on the same tile, with his hand or, with --worth, its worth. Repeat the option for
    /// several winners
    #[arg(long, value_name = "PLAYER=HAND")]
    also: Vec<String>,
    /// The hands of the players who have not won, or their worths, where the rules score all hands (classical). Repeat the
    /// option for several players
    #[arg(long, value_name = "PLAYER=HAND", value_delimiter = ',')]
    other: Vec<String>,
    /// The players who had not declared that they wait for a limit hand (classical-bmja)
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    not_fishing: Vec<String>,
    /// Earlier discards of the winning tile: own (the winner has discarded one), passed (another player has
    /// since the winner's last turn) or fresh (neither). For one of several winners: Bo=passed
    #[arg(long, value_name = "WHAT")]
    tile: Vec<String>,
    /// The worth of the hand in the rule set's unit, instead of the hand: all included, such as 7 or 3½. Han
    /// and fu are given as 3/30, limits as mangan or yakuman
    #[arg(
        long,
        value_name = "WORTH",
        conflicts_with_all = [
            "hand", "pay", "DealFactArgs", "ippatsu", "dora", "ura",
        ]
    )]
    worth: Option<String>,
    /// The points of a player, negative if the player pays, instead of a hand. Repeat the option for several
    /// players
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
    /// The player who fed the last set of a hand with a liability, if no mark shows it (mmm-dk)
    #[arg(long, value_name = "PLAYER")]
    pao: Option<String>,
    /// The player who is charged for the winning tile instead of its discarder, or none (zung-jung)
    #[arg(long, value_name = "PLAYER", conflicts_with = "self_draw")]
    responsible: Option<String>,
    /// The players who declared riichi in this deal, winners and others. Each puts down a stick
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    riichi: Vec<String>,
    /// The winners who declared riichi in the first go-around
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    double_riichi: Vec<String>,
    /// The winners who won within the first go-around after their riichi
    #[arg(long, value_name = "PLAYER", value_delimiter = ',')]
    ippatsu: Vec<String>,
    /// Dora indicators, such as 4p7z
    #[arg(long, value_name = "TILES")]
    dora: Option<String>,
    /// The indicators below the dora indicators, for winners in riichi
    #[arg(long, value_name = "TILES")]
    ura: Option<String>,
    /// The number of Norths that the winner has put aside (riichi-sanma); they are not in the hand
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=4), default_value = "0")]
    north: u8,
    /// The time at which its dice were rolled, if it is entered later: 20:10, or a date and time
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

    /// Sets what the winning tile had been, for all winners or for one.
    fn say_tiles(&self, state: &TableState, winners: &mut [Winner]) -> anyhow::Result<()> {
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
        Ok(())
    }

    /// The hands of those who have not won.
    fn others(&self, rules: &RuleSet, state: &TableState) -> anyhow::Result<Vec<OtherHand>> {
        let not_fishing = players(state, &self.not_fishing)?;
        let other = |text: &String| {
            let (who, said) = text
                .split_once('=')
                .ok_or_else(|| anyhow!("`{text}`: expected PLAYER=HAND or PLAYER=WORTH"))?;
            let player = player(state, who)?;
            let (hand, worth) = match (rules.read_worth(said), said.parse::<Reading>()) {
                (Err(_), Ok(_)) => (Some(said.trim().to_owned()), None),
                (worth, _) => (None, Some(worth?)),
            };
            let not_fishing = not_fishing.contains(&player);
            Ok(OtherHand { player, hand, worth, not_fishing, ..OtherHand::default() })
        };
        self.other.iter().map(other).collect()
    }

    /// The deal for the current table.
    fn deal(&self, rules: &RuleSet, state: &TableState) -> anyhow::Result<Deal> {
        let rolled = self.rolled()?;
        let payments = payments(state, &self.pay)?;
        let deal = match (&self.play, &self.winner) {
            (Some(text), _) => {
                let seats: Vec<Seat> = state.players.iter().map(|player| player.seat).collect();
                Deal::of_played(&whole_deal::read(text, rules, state)?, &seats)?
            }
            (None, Some(winner)) => self.won(winner, payments, rules, state)?,
            (None, None) if rules.plays_on() && payments.is_some() => {
                Deal { payments, ..Deal::default() }
            }
            (None, None) => bail!("the winner is missing: give --winner PLAYER"),
        };
        Ok(Deal { rolled, ..deal })
    }

    /// A deal that somebody won.
    fn won(
        &self,
        winner: &str,
        payments: Option<Vec<Points>>,
        rules: &RuleSet,
        state: &TableState,
    ) -> anyhow::Result<Deal> {
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
        let others = self.others(rules, state)?;
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
            others,
            ..Winner::default().with_facts(self.facts.facts())
        };
        let mut winners = vec![Winner { north: self.north, ..one.clone() }];
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
            let (player, same_tile) = (player(state, who)?, rules.plays_on());
            winners.push(Winner { player, hand, worth, same_tile, ..one.clone() });
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
        self.say_tiles(state, &mut winners)?;
        if payments.is_none() && self.hand.is_none() && self.worth.is_none() {
            bail!(
                "what was it worth? give the winner's hand, --worth, or --pay PLAYER=AMOUNT for everybody"
            );
        }
        Ok(Deal { winners, payments, riichi, ..Deal::default() })
    }
}

/// An event of a deal with the answer to what the table asks about a winner's tile; `None` where nobody can answer.
pub(super) fn answered(
    mut event: Event,
    question: &TableError,
    table: &Table,
) -> anyhow::Result<Option<Event>> {
    let TableError::Ask { name, .. } = question else { return Ok(None) };
    let (Event::Deal(deal), seated) = (match &mut event {
        Event::Corrected { event, with } => (&mut **with, table.before(*event)?),
        event => (event, table.clone()),
    }) else {
        return Ok(None);
    };
    let players = &seated.state()?.players;
    let is_asked =
        |winner: &&mut Winner| players.get(winner.player).is_some_and(|it| it.name == *name);
    let Some(winner) = deal.winners.iter_mut().find(is_asked) else { return Ok(None) };
    let mut asked = format!("{question}\n");
    loop {
        asked += &format!("{name}: own, passed or fresh? ");
        let Some(answer) = ask(&std::mem::take(&mut asked))? else { return Ok(None) };
        match tile_was(&answer) {
            Ok(was) => winner.tile = Some(was),
            Err(error) => {
                eprintln!("{error}");
                continue;
            }
        }
        return Ok(Some(event));
    }
}

#[derive(Args)]
#[command(after_help = "Examples:
  tilelens table deal evening.tlg \"34p777p99p (7'77z) (1'23p) +5p\" --winner Cy --self-draw
  tilelens table deal evening.tlg \"123m567p34s678s22p +5s\" -w W --from E --tile fresh
  tilelens table deal evening.tlg -w Bo --from Di --worth 7
  tilelens table deal evening.tlg -w Bo --self-draw --worth 3/30
  tilelens table deal evening.tlg -w Bo --from Di --pay Bo=80,Di=-80
  tilelens table deal evening.tlg -w Bo --from Di --worth 152 --other Ann=64,Cy=200,Di=152
  tilelens table deal evening.tlg --play \"bo di 2 cy 1, kong ann, di t 3\"
  tilelens table deal evening.tlg \"234m567p234678s5m +5m\" -w Bo --from Di --riichi Bo,Cy --dora 4p
Counters (honba) and sticks are the table's: --pay is the hand and the counters, without sticks.")]
pub(super) struct DealArgs {
    #[command(flatten)]
    won: WonDealArgs,
}

impl DealArgs {
    pub(super) fn event(&self, table: &Table) -> anyhow::Result<Event> {
        Ok(Event::Deal(self.won.deal(table.rules()?, table.state()?)?))
    }
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
    /// The number of the deal
    #[arg(long, value_name = "NUMBER", required_unless_present_any = ["names", "event"])]
    deal: Option<u32>,
    /// The number of the event instead (`tilelens table log`), such as that of a deal that was lost to damage
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["deal", "names"])]
    event: Option<u64>,
    #[command(flatten)]
    won: WonDealArgs,
    /// The deal was a draw
    #[arg(long, conflicts_with_all = ["winner", "hand", "pay", "play"])]
    draw: bool,
    #[command(flatten)]
    drawn: DrawnArgs,
    /// The deal was void because of this player's fault
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["winner", "hand", "draw", "play"])]
    chombo: Option<String>,
    /// The id of the cause of that fault
    #[arg(long, requires = "chombo")]
    cause: Option<String>,
    /// The names of the players, in the order of the first deal
    #[arg(long, value_delimiter = ',', conflicts_with = "deal", value_name = "E,S,W,N")]
    names: Vec<String>,
}

impl CorrectArgs {
    pub(super) fn event(&self, table: &Table) -> anyhow::Result<Event> {
        let Some(event) = self.corrected(table.state()?)? else { return self.renamed(table) };
        // Seats are those of that deal.
        let before = table.before(event)?;
        let state = before.state()?;
        let rolled = self.won.rolled()?;
        let with = if let Some(who) = &self.chombo {
            let player = player(state, who)?;
            let payments = payments(state, &self.won.pay)?;
            let cause = self.cause.clone();
            Event::Chombo(Chombo { rolled, player, payments, cause, ..Chombo::default() })
        } else if self.draw {
            Event::Draw(self.drawn.draw(state, &self.won.riichi, rolled)?)
        } else if self.drawn.is_said() {
            bail!("tenpai belongs to a draw: give --draw");
        } else {
            Event::Deal(self.won.deal(table.rules()?, state)?)
        };
        Ok(Event::Corrected { event, with: Box::new(with) })
    }

    /// The event that is corrected; `None` for the table's opening.
    fn corrected(&self, state: &TableState) -> anyhow::Result<Option<u64>> {
        let Some(number) = self.deal else { return Ok(self.event) };
        let record = state.history.iter().find(|record| record.place.number == number);
        let played = state.history.len();
        let record = record
            .ok_or_else(|| anyhow!("there is no deal {number}: {played} have been played"))?;
        Ok(Some(record.event))
    }

    /// The table's opening with other names.
    fn renamed(&self, table: &Table) -> anyhow::Result<Event> {
        let mut opened = table.opened()?.clone();
        if opened.players.len() != self.names.len() {
            bail!("{} names for {} players", self.names.len(), opened.players.len());
        }
        for (player, name) in opened.players.iter_mut().zip(&self.names) {
            player.name = name.trim().into();
        }
        Ok(Event::Corrected { event: 1, with: Box::new(Event::Opened(opened)) })
    }
}
