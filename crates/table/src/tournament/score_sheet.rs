//! The score sheet of a table, to fill in by hand: its deals, the seat changes, the totals, the signatures.

use maud::{Markup, html};

use super::{
    Tournament, TournamentError,
    sheets::{Print, seat},
};
use crate::{
    points::Points,
    rules::{DealEnd, RuleSet, SessionRules, Terms},
    tile::Seat,
    words::{Say, say},
};

impl Tournament {
    /// The sheet of a table in a round, with the totals where the result is known.
    pub(super) fn score_sheet(
        &self,
        round: usize,
        table: usize,
        rules: &RuleSet,
        print: Print<'_>,
    ) -> Result<Markup, TournamentError> {
        let sitters = self.table(round, table)?;
        let numbers = self.round(round)?[table - 1];
        let seats = std::array::from_fn(|place| seat(numbers[place], sitters[place], print));
        let changes = SeatChanges::of(rules.session());
        let columns = Columns::of(rules);
        let deals = self.format.rules.deals;
        let row = (150 / deals).clamp(6, 9);
        Ok(html! {
            section {
                h1 {
                    (print.say(say!(
                        "{table}, {round}",
                        table = say!("Table {number}", number = table),
                        round = self.round_title(round, print.zone),
                    )))
                }
                p { (self.name) ". " (print.say(self.session_line())) }
                (changes.lines(print))
                table.deals style={ "--row:" (row) "mm" } {
                    (head(rules, &seats, print))
                    @for deal in 1..=deals {
                        (changes.before(deal, columns, print))
                        tr.deal {
                            td.number { (deal) }
                            @for _ in 1..columns.first + 4 * columns.each { td {} }
                        }
                    }
                    (self.totals(round, table, columns, print)?)
                }
                (signatures(&seats, print))
            }
        })
    }

    /// The rows for the final scores and what the tournament makes of them.
    fn totals(
        &self,
        round: usize,
        table: usize,
        columns: Columns,
        print: Print<'_>,
    ) -> Result<Markup, TournamentError> {
        let sessions = self.sessions(round, table)?;
        let session = |place: Seat| sessions.as_ref().map(|sessions| &sessions[place.index()]);
        let earned = self.results.get(&(round, table));
        let score = |place: Seat| Some(earned?[place.index()] + self.format.starting_points);
        let bonus = |place| Some(session(place)?.bonus);
        let table_points = |place| session(place)?.table_points;
        let any_bonus = self.format.rules.bonus.iter().any(|bonus| *bonus != Points::ZERO);
        Ok(html! {
            (columns.total(say!("Final score"), score, print))
            @if any_bonus { (columns.total(say!("Placement bonus"), bonus, print)) }
            @if self.format.rules.has_table_points() {
                (columns.total(say!("Table points"), table_points, print))
            }
        })
    }
}

/// The winds at the start of each later round, of the players who began as East, South, West, North.
struct SeatChanges {
    winds: Vec<[Seat; 4]>,
    /// Whether every deal passes: a round is four deals then, and a change has a fixed place among them.
    by_deals: bool,
}

impl SeatChanges {
    fn of(session: &SessionRules) -> Self {
        let mut winds = Seat::ALL;
        let changed = session.seat_changes.iter().map(|change| {
            winds = winds.map(|wind| change.get(&wind).copied().unwrap_or(wind));
            winds
        });
        Self {
            winds: changed.take(session.rounds.saturating_sub(1) as usize).collect(),
            by_deals: [DealEnd::Draw, DealEnd::DealerWins, DealEnd::OtherWins]
                .iter()
                .all(|end| session.deal_passes.contains(end)),
        }
    }

    /// The changes above the deals, where they have no place among them.
    fn lines(&self, print: Print<'_>) -> Markup {
        html! {
            @if !self.by_deals {
                @for (round, winds) in (2..).zip(&self.winds) {
                    p {
                        (print.say(notice(round)))
                        @for (began, wind) in Seat::ALL.iter().zip(winds) {
                            (if *began == Seat::East { ": " } else { ", " })
                            (print.wind(*began)) " → " (print.wind(*wind))
                        }
                    }
                }
            }
        }
    }

    /// The change before a deal, where a round begins with it.
    fn before(&self, deal: u32, columns: Columns, print: Print<'_>) -> Markup {
        let round = ((deal - 1) / 4) as usize;
        let begins = self.by_deals && deal % 4 == 1;
        let change = round.checked_sub(1).filter(|_| begins).and_then(|at| self.winds.get(at));
        html! {
            @if let Some(winds) = change {
                tr.change {
                    td colspan=(columns.first) { b { (print.say(notice(round + 1))) } }
                    @for wind in winds { td colspan=(columns.each) { "→ " (print.wind(*wind)) } }
                }
            }
        }
    }
}

/// The notice that seats change before a round.
fn notice(round: usize) -> Say {
    say!("Round {round}: seats change", round = round)
}

/// How many columns come before those of the players, and how many each player has: two where every hand is scored, its
/// score and what is paid. Where play goes on after a win, the wins of a deal share one.
#[derive(Clone, Copy)]
struct Columns {
    first: usize,
    each: usize,
}

impl Columns {
    fn of(rules: &RuleSet) -> Self {
        match (rules.scores_losers(), rules.plays_on()) {
            (true, _) => Self { first: 3, each: 2 },
            (false, true) => Self { first: 3, each: 1 },
            (false, false) => Self { first: 4, each: 1 },
        }
    }

    /// A row with an amount for each of the four, empty where it is not known yet.
    fn total(
        self,
        title: Say,
        amount: impl Fn(Seat) -> Option<Points>,
        print: Print<'_>,
    ) -> Markup {
        html! {
            tr {
                th colspan=(self.first) { (print.say(title)) }
                @for place in Seat::ALL {
                    td.number colspan=(self.each) {
                        @if let Some(amount) = amount(place) { (amount.mixed()) }
                    }
                }
            }
        }
    }
}

/// The columns: the deal, its winner, who paid, its value, or all its wins with their kongs, and the four.
fn head(rules: &RuleSet, seats: &[String; 4], print: Print<'_>) -> Markup {
    let Terms { self_draw, discard, .. } =
        rules.terms().map(AsRef::as_ref).cloned().unwrap_or_default();
    let term = |term: Option<String>, else_said| term.map_or(else_said, Say::of);
    let how = say!(
        "{discard} or {self_draw}",
        discard = term(discard, say!("discard")),
        self_draw = term(self_draw, say!("self-draw")),
    );
    let mut unit = print.language.word(rules.unit.word()).to_owned();
    if rules.points_choose_score() {
        unit += &format!(", {}", print.language.word(&rules.points_word()));
    }
    html! {
        thead {
            tr {
                th { (print.say(say!("Deal"))) }
                @if rules.plays_on() {
                    th style="width: 30%" {
                        (print.say(say!("Wins")))
                        small { (print.say(say!("winner, from, {unit}", unit = Say::of(unit)))) }
                    }
                    th style="width: 24%" { (print.say(say!("Kongs and the end"))) }
                } @else {
                    th { (print.say(say!("Winner"))) }
                    th { (print.say(say!("From"))) small { (print.say(how)) } }
                    @if !rules.scores_losers() {
                        th { (print.say(say!("Value"))) small { (unit) } }
                    }
                }
                @for (wind, seat) in Seat::ALL.iter().zip(seats) {
                    th colspan=(Columns::of(rules).each) { (print.wind(*wind)) small { (seat) } }
                }
            }
            @if rules.scores_losers() {
                tr {
                    @for _ in 0..Columns::of(rules).first { th {} }
                    @for _ in Seat::ALL {
                        th { small { (print.say(say!("Hand"))) } }
                        th { small { (print.say(say!("Paid"))) } }
                    }
                }
            }
        }
    }
}

/// Room for the signatures of the four.
fn signatures(seats: &[String; 4], print: Print<'_>) -> Markup {
    html! {
        div.whole {
            p { (print.say(say!("Signatures"))) }
            table.sign {
                tr { @for _ in Seat::ALL { td {} } }
                tr { @for seat in seats { th { (seat) } } }
            }
        }
    }
}
