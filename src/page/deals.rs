//! What happens at a table, as pages give it by winds, and the entry that the table takes it as, by players.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Context, ContextError, SCORES, Typed};
use crate::{
    points::Points,
    rules::{self, Fact, Facts, RuleSet, Worth},
    table::{
        Charged, Chombo, Deal, DealPlace, DealRecord, Draw, Event, OtherHand, Penalty, PlayerFault,
        Proposal, ShownPayments, TableState, WinBy, Winner, taken_away,
    },
    tile::Seat,
};

/// An earlier deal of the ledger that is being re-entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amended {
    /// The number of its event.
    pub event: u64,
    /// The index of the replaced winner; the number of winners to add one.
    pub winner: usize,
}

/// The deal that an entry belongs to: the current deal of the table as the author sees it, or an earlier one.
#[derive(Clone, Debug)]
pub struct EntryTarget {
    /// The table as it is shown.
    pub table: TableState,
    /// The earlier deal.
    pub amends: Option<Amended>,
    /// The author.
    pub author: String,
}

/// A won deal as a page gives it.
#[derive(Clone, Debug)]
pub struct Won {
    /// The winner, the way of winning, the giver.
    pub context: Context,
    /// What was won.
    pub said: Said,
    /// The others' hands, by wind, where the rules score them too.
    pub others: BTreeMap<Seat, OtherHand>,
    /// The payments that the page shows, by winds, if it shows any.
    pub shown: Option<BTreeMap<Seat, Points>>,
    /// The discards of the deal as a camera has seen them.
    pub discards: Option<Event>,
}

/// The result of a won deal.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// The winner's hand.
    Hand(String),
    /// The hand's worth.
    Worth(Worth),
    /// The points that each player received.
    Payments(BTreeMap<Seat, Points>),
}

impl Said {
    /// The typed result of a context, or else the hand that was read; `None` without either.
    ///
    /// # Errors
    /// A typed result that cannot be read.
    pub fn of(
        context: &Context,
        rules: &RuleSet,
        read: Option<&str>,
    ) -> Result<Option<Self>, ContextError> {
        Ok(match context.typed(rules)? {
            Some(Typed::Worth(worth)) => Some(Self::Worth(worth)),
            Some(Typed::Payments(payments)) => Some(Self::Payments(payments)),
            Some(Typed::Hand(_)) | None => {
                read.or_else(|| context.text("hand")).map(|hand| Self::Hand(hand.to_owned()))
            }
        })
    }
}

/// A draw as a page gives it, by winds, without the riichi declarations.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Drawn {
    /// Who was tenpai, where the rules ask for it.
    pub tenpai: Option<Vec<Seat>>,
    /// The players whose discards were all unclaimed terminals and honors.
    pub nagashi: Vec<Seat>,
    /// The cause that ended the deal before the wall was used up, one of the rule set's.
    pub abortive: Option<String>,
    /// The entry is intended, although it looks like a slip.
    pub meant: bool,
}

/// A fault as the operator enters it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FaultReport {
    /// The wind of the player at fault.
    pub seat: Seat,
    /// One of the rule set's causes.
    #[serde(default)]
    pub cause: Option<String>,
    /// The points, where they differ from the rule set's.
    #[serde(default)]
    pub points: Option<u32>,
    /// A remark in words.
    #[serde(default)]
    pub note: String,
    /// The points that each player receives (negative: pays), where the rules set no payments for a void deal.
    #[serde(default)]
    pub payments: Option<BTreeMap<Seat, Points>>,
    /// The entry is intended, although it looks like a slip.
    #[serde(default)]
    pub meant: bool,
}

/// The kinds of faults after which the deal goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It costs points.
    Penalty,
    /// The player cannot win the deal.
    DeadHand,
    /// A claim that is ignored.
    VoidClaim,
    /// The player is out.
    Disqualified,
}

impl EntryTarget {
    /// The current deal of a table.
    pub fn now(table: TableState, author: impl Into<String>) -> Self {
        Self { table, amends: None, author: author.into() }
    }

    /// The seat of each player in that deal.
    fn seats(&self) -> Result<Vec<Seat>, ContextError> {
        Ok(match self.amends {
            Some(Amended { event, .. }) => earlier(&self.table, event)?.seats.to_vec(),
            None => self.table.players.iter().map(|player| player.seat).collect(),
        })
    }

    /// What ends that deal: an event of the table, or the correction of an earlier one.
    fn ended(&self, event: Event) -> Proposal {
        let (event, compares_totals) = match self.amends {
            Some(Amended { event: of, .. }) => {
                (Event::Corrected { event: of, with: Box::new(event) }, true)
            }
            None => (event, false),
        };
        let seen = Some(self.table.last_event);
        Proposal { seen, compares_totals, ..Proposal::new(event, self.author.as_str()) }
    }

    /// The deal was won.
    ///
    /// # Errors
    /// A field that is missing or contradicts the table, or an earlier deal that is gone.
    pub fn won(&self, won: &Won) -> Result<Proposal, ContextError> {
        if won.context.text("rules") != Some(&self.table.rules) {
            let rules = &self.table.rules_name;
            return Err(ContextError(format!("this table plays {rules}: choose that rule set")));
        }
        let seats = self.seats()?;
        if let Some(Amended { event, .. }) = self.amends
            && earlier(&self.table, event)?.played_on.is_some()
        {
            let why = "play went on after this win: enter the whole deal again";
            return Err(ContextError(why.to_owned()));
        }
        let mut new = winner(&won.context, &won.said, &seats)?;
        for (wind, other) in &won.others {
            let player = player_at(&seats, *wind)?;
            new.others.push(OtherHand { player, ..other.clone() });
        }
        let payments = match &won.said {
            Said::Payments(payments) => Some(paid(payments, &seats)?),
            Said::Hand(_) | Said::Worth(_) => None,
        };
        let (winner, event) = self.amends.map_or((0, None), |it| (it.winner, Some(it.event)));
        // Discards that a person entered take precedence over a camera's.
        let said = new.tile.is_some() || new.hand.is_none() || self.table.discards.are_known();
        let seen = won.discards.clone().filter(|_| !said && event.is_none());
        let winners = match event {
            Some(event) => {
                let deal = earlier(&self.table, event)?;
                with_winner(deal.winners.clone(), winner, new, payments.is_some())
            }
            None => vec![new],
        };
        let riichi = players(&won.context.riichi_by(), &seats)?;
        let deal = Event::Deal(Deal { winners, payments, riichi, ..Deal::default() });
        let shown = won.shown.clone().map(|payments| ShownPayments { payments, event, winner });
        let mut proposal = Proposal { shown, ..self.ended(deal) };
        proposal.events.splice(0..0, seen);
        Ok(proposal)
    }

    /// A whole deal, where play goes on after a win, as a request for one has it (`deal`, `end`), by winds.
    ///
    /// # Errors
    /// A field that is wrong, a wind without a player, or an earlier deal that is gone.
    pub fn whole(
        &self,
        rules: &RuleSet,
        fields: &Map<String, Value>,
    ) -> Result<Proposal, ContextError> {
        let played = rules::Deal::from_json(fields, rules).map_err(|failure| {
            let step = failure.step.map_or(String::new(), |step| format!("{}: ", step + 1));
            ContextError(format!("{step}{}", failure.message))
        })?;
        let deal = Deal::of_played(&played, &self.seats()?)?;
        Ok(self.ended(Event::Deal(deal)))
    }

    /// Nobody won the deal; `riichi` has the winds of the players who declared it.
    ///
    /// # Errors
    /// A wind without a player, or an earlier deal that is gone.
    pub fn drawn(&self, drawn: &Drawn, riichi: &[Seat]) -> Result<Proposal, ContextError> {
        let seats = self.seats()?;
        let tenpai = drawn.tenpai.as_ref().map(|tenpai| players(tenpai, &seats)).transpose()?;
        let draw = Event::Draw(Draw {
            tenpai,
            riichi: players(riichi, &seats)?,
            abortive: drawn.abortive.clone(),
            nagashi: players(&drawn.nagashi, &seats)?,
            ..Draw::default()
        });
        Ok(Proposal { meant: drawn.meant, ..self.ended(draw) })
    }

    /// The deal is void for a player's fault.
    ///
    /// # Errors
    /// A wind without a player, or an earlier deal that is gone.
    pub fn void(&self, fault: &FaultReport) -> Result<Proposal, ContextError> {
        let seats = self.seats()?;
        let chombo = Event::Chombo(Chombo {
            player: player_at(&seats, fault.seat)?,
            payments: fault.payments.as_ref().map(|all| paid(all, &seats)).transpose()?,
            cause: fault.cause.clone(),
            note: fault.note.clone(),
            ..Chombo::default()
        });
        Ok(Proposal { meant: fault.meant, ..self.ended(chombo) })
    }

    /// A fault after which the deal goes on.
    ///
    /// # Errors
    /// A wind without a player.
    pub fn fault(&self, kind: FaultKind, fault: &FaultReport) -> Result<Proposal, ContextError> {
        let player = player_at(&self.seats()?, fault.seat)?;
        let (cause, note) = (fault.cause.clone(), fault.note.clone());
        let event = match kind {
            FaultKind::Penalty => {
                Event::Penalty(Penalty { player, cause, points: fault.points, note })
            }
            FaultKind::DeadHand => Event::DeadHand(PlayerFault { player, cause, note }),
            FaultKind::VoidClaim => Event::VoidClaim(PlayerFault { player, cause, note }),
            FaultKind::Disqualified => Event::Disqualified(PlayerFault { player, cause, note }),
        };
        Ok(Proposal { meant: fault.meant, ..self.ended(event) })
    }

    /// An earlier deal or a penalty is taken out of the table.
    ///
    /// # Errors
    /// Where the table does not have it.
    pub fn taken_out(&self, event: u64) -> Result<Proposal, ContextError> {
        if !self.table.penalties.iter().any(|penalty| penalty.event == event) {
            earlier(&self.table, event)?;
        }
        Ok(Proposal { compares_totals: true, ..self.ended(Event::Undone { event }) })
    }

    /// Events are taken back, the last one first. Of a deal this has to be confirmed.
    pub fn taken_back(&self, events: Vec<u64>, is_deal: bool) -> Proposal {
        let first = events.first().copied().unwrap_or_default();
        Proposal {
            events: events.into_iter().map(|event| Event::Undone { event }).collect(),
            warning: is_deal.then(|| taken_away(&self.table, first)),
            compares_totals: is_deal,
            ..self.ended(Event::Undone { event: first })
        }
    }
}

/// The winners of an earlier deal with one of them replaced, or added. They all win on one tile, and payments that are
/// entered take the place of all hands.
fn with_winner(mut winners: Vec<Winner>, place: usize, new: Winner, is_paid: bool) -> Vec<Winner> {
    for other in &mut winners {
        (other.win, other.from) = (new.win, new.from);
        if is_paid {
            (other.hand, other.worth) = (None, None);
        }
    }
    match winners.get_mut(place) {
        Some(winner) => *winner = new,
        None => winners.push(new),
    }
    winners
}

/// An earlier deal of a table.
pub fn earlier(table: &TableState, event: u64) -> Result<&DealRecord, ContextError> {
    let gone = || ContextError("this deal is no longer in the table as it was".to_owned());
    table.record(event).ok_or_else(gone)
}

/// Converts a winner, given the players' seats.
fn winner(context: &Context, said: &Said, seats: &[Seat]) -> Result<Winner, ContextError> {
    let missing = |why: &str| ContextError(why.to_owned());
    let player = |field: &str| -> Result<Option<usize>, ContextError> {
        let Some(letter) = context.text(field).and_then(|text| text.chars().next()) else {
            return Ok(None);
        };
        let sits = Seat::from_letter(letter)
            .and_then(|seat| seats.iter().position(|other| *other == seat));
        sits.map(Some).ok_or_else(|| missing(&format!("nobody sits {letter} at this table")))
    };
    let win = match context.text("win") {
        Some("self_draw") => WinBy::SelfDraw,
        Some("discard") => WinBy::Discard,
        Some("rob_kong") => WinBy::RobKong,
        _ => return Err(missing("say how the hand was won")),
    };
    let (hand, worth) = match said {
        Said::Hand(hand) => (Some(hand.clone()), None),
        Said::Worth(worth) => (None, Some(*worth)),
        Said::Payments(_) => (None, None),
    };
    Ok(Winner {
        player: player("seat")?.ok_or_else(|| missing("say who won"))?,
        win,
        from: player("from")?,
        hand,
        worth,
        pao: player("pao")?,
        responsible: match context.text("responsible") {
            Some("none") => Some(Charged::Nobody),
            _ => player("responsible")?.map(Charged::Player),
        },
        tile: context.tile(),
        riichi: context.in_riichi(),
        dora_indicators: context.text("dora_indicators").map(str::to_owned),
        ura_indicators: context.text("ura_indicators").map(str::to_owned),
        north: context.north(),
        ..Winner::default().with_facts(Facts::of(|fact| context.is(fact.name())))
    })
}

/// The players at some winds, each once, given the winds of a deal's players.
fn players(winds: &[Seat], seats: &[Seat]) -> Result<Vec<usize>, ContextError> {
    winds.iter().map(|wind| player_at(seats, *wind)).collect()
}

/// The player at a wind, given the winds of a deal's players.
fn player_at(seats: &[Seat], wind: Seat) -> Result<usize, ContextError> {
    let sits = seats.iter().position(|seat| *seat == wind);
    sits.ok_or_else(|| ContextError(format!("nobody sits {wind} at this table")))
}

/// The points that each player received, by winds, for each player.
fn paid(payments: &BTreeMap<Seat, Points>, seats: &[Seat]) -> Result<Vec<Points>, ContextError> {
    let mut paid = vec![Points::ZERO; seats.len()];
    for (wind, amount) in payments.iter().filter(|(_, amount)| **amount != Points::ZERO) {
        paid[player_at(seats, *wind)?] = *amount;
    }
    Ok(paid)
}

/// The context fields that a table gives: the round and the seating.
pub fn seating(table: &TableState) -> Map<String, Value> {
    let seats = table.players.iter().map(|player| player.seat);
    let mut fields = of_place(table, &table.place, seats);
    fields.insert("dealer".to_owned(), table.dealer_place().to_string().into());
    fields
}

/// The context fields of an earlier deal: its round, the players' seats, and how one of its winners won; without the
/// latter for an added winner.
pub fn as_it_was(
    table: &TableState,
    Amended { event, winner }: Amended,
) -> Option<Map<String, Value>> {
    let deal = table.record(event)?;
    let wind = |player: usize| json!(deal.seats.get(player));
    let mut fields = of_place(table, &deal.place, deal.seats.iter().copied());
    let mut insert = |field: &str, value: Value| fields.insert(field.to_owned(), value);
    if !deal.riichi.is_empty() {
        insert("riichi_by", deal.riichi.iter().map(|player| wind(*player)).collect());
    }
    let Some(won) = deal.winners.get(winner) else {
        // An added winner won on the same tile.
        if let Some(first) = deal.winners.first() {
            insert("win", json!(first.win));
            insert("from", first.from.map_or(Value::Null, wind));
        }
        return Some(fields);
    };
    // Riichi is said of the players who declared it.
    for fact in Fact::ALL.iter().filter(|fact| won.facts().has(**fact) && **fact != Fact::Riichi) {
        insert(fact.name(), true.into());
    }
    // A winner's entry has these under the same names.
    let mut entry = json!(won);
    for field in ["win", "hand", "dora_indicators", "ura_indicators", "tile"] {
        insert(field, entry[field].take());
    }
    insert("north", if won.north > 0 { won.north.into() } else { Value::Null });
    insert("seat", wind(won.player));
    insert("from", won.from.map_or(Value::Null, wind));
    insert("pao", won.pao.map_or(Value::Null, wind));
    let charged = won.responsible.map_or(Value::Null, |charged| match charged {
        Charged::Player(player) => wind(player),
        Charged::Nobody => json!("none"),
    });
    insert("responsible", charged);
    insert("worth", json!(won.worth.map(|worth| worth.to_string())));
    let of_others = |text: fn(&OtherHand) -> Option<String>| {
        let of = |other: &OtherHand| {
            Some((deal.seats.get(other.player)?.to_string(), text(other)?.into()))
        };
        Some(won.others.iter().filter_map(of).collect::<Map<_, _>>()).filter(|all| !all.is_empty())
    };
    insert(SCORES, json!(of_others(|other| other.worth.map(|worth| worth.to_string()))));
    insert("others", json!(of_others(|other| other.hand.clone())));
    if won.others.iter().any(|other| other.not_fishing) {
        let declared = won.others.iter().filter(|other| !other.not_fishing);
        insert("fishing", declared.map(|other| wind(other.player)).collect());
    }
    if won.scored.is_none() {
        let paid = deal.seats.iter().zip(&deal.payments);
        let paid: Map<String, Value> =
            paid.map(|(seat, paid)| (seat.to_string(), json!(paid.to_string()))).collect();
        insert("payments", paid.into());
    }
    Some(fields)
}

/// The context fields of a deal's place, and who sits where in it.
fn of_place(
    table: &TableState,
    place: &DealPlace,
    seats: impl Iterator<Item = Seat>,
) -> Map<String, Value> {
    let names: Map<String, Value> = (seats.zip(&table.players))
        .map(|(seat, player)| (seat.to_string(), player.name.as_str().into()))
        .collect();
    let mut fields = Map::from_iter([
        ("names".to_owned(), names.into()),
        ("round".to_owned(), json!(place.round)),
        ("players".to_owned(), json!(table.players.len())),
    ]);
    // A request has room for 99 counters and 999 sticks.
    fields.extend(place.honba.map(|honba| ("honba".to_owned(), json!(honba.min(99)))));
    fields.extend(place.sticks.map(|sticks| ("sticks".to_owned(), json!(sticks.min(900)))));
    fields
}
