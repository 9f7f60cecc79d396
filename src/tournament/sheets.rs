//! Pages to print: the schedule to post, a score sheet for each table, the standings. One HTML
//! document that loads nothing from anywhere; everything typed by people is escaped.

use jiff::{Timestamp, tz::TimeZone};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Number, Played, Refusal, Session, Sitter, Standing, Tournament};
use crate::{name::Name, points::Points, rules::AfterTime, tile::Seat};

const STYLE: &str = "\
@page { size: A4; margin: 12mm }
* { box-sizing: border-box }
body { font: 11pt/1.35 system-ui, sans-serif; color: #000; background: #fff; margin: 0 auto; \
max-width: 190mm }
section { break-after: page; padding-block: 6mm }
section:last-child { break-after: auto }
h1 { font-size: 16pt; margin: 0 0 1mm }
h2 { font-size: 12pt; margin: 5mm 0 1mm; break-after: avoid }
p { margin: 0 0 3mm }
table { border-collapse: collapse; width: 100%; break-inside: avoid }
th, td { border: .3mm solid #666; padding: 1mm 2mm; text-align: left; vertical-align: top }
th { background: #eee }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.deals td { height: 9.5mm }
.deals th:nth-child(n+5) { width: 17% }
.sign { border-collapse: separate; border-spacing: 5mm 0; table-layout: fixed }
.sign td { height: 14mm; border: 0; border-bottom: .3mm solid #666 }
.sign th { border: 0; background: none; font-weight: normal }
.standings { break-inside: auto }
tr { break-inside: avoid }
@media print { th { print-color-adjust: exact } }
";

impl Tournament {
    /// The pages as one document: of one round, or, where none is named, of all, with the standings
    /// at the end. Times are shown in the zone.
    ///
    /// # Errors
    /// Where players are not seated yet, or there is no such round.
    pub fn sheets(&self, round: Option<usize>, zone: &TimeZone) -> Result<String, Refusal> {
        let rounds = match round {
            Some(round) => {
                self.round(round)?;
                round..=round
            }
            None => 1..=self.seated()?.schedule.rounds().len(),
        };
        let mut sheets = Vec::new();
        for round in rounds.clone() {
            for table in 1..=self.round(round)?.len() {
                sheets.push(self.score_sheet(round, table, zone)?);
            }
        }
        let standings = self.standings()?;
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.name) }
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    (self.schedule_page(rounds, zone)?)
                    @for sheet in &sheets { (sheet) }
                    @if !self.results.is_empty() { (self.standings_page(&standings)) }
                }
            }
        };
        Ok(page.into_string())
    }

    fn schedule_page(
        &self,
        rounds: std::ops::RangeInclusive<usize>,
        zone: &TimeZone,
    ) -> Result<Markup, Refusal> {
        let seating = self.seated()?;
        let mut shown = Vec::new();
        for round in rounds {
            let mut tables = Vec::new();
            for (index, numbers) in self.round(round)?.iter().enumerate() {
                tables.push((index + 1, *numbers, self.table(round, index + 1)?));
            }
            shown.push((round, tables));
        }
        Ok(html! {
            section {
                h1 { (self.name) }
                p {
                    (seating.numbers.len()) " players, numbers drawn with the seed "
                    b { (seating.seed) } ". " (self.session_line())
                }
                @for (round, tables) in &shown {
                    h2 { (self.round_title(*round, zone)) }
                    table {
                        tr { th { "Table" } @for wind in Seat::ALL { th { (wind.name()) } } }
                        @for (table, numbers, sitters) in tables {
                            tr {
                                td.number { (table) }
                                @for (number, sitter) in numbers.iter().zip(sitters) {
                                    td { (seat(*number, *sitter)) }
                                }
                            }
                        }
                    }
                }
            }
        })
    }

    fn score_sheet(&self, round: usize, table: usize, zone: &TimeZone) -> Result<Markup, Refusal> {
        let sitters = self.table(round, table)?;
        let numbers = self.round(round)?[table - 1];
        let sessions = self.sessions(round, table)?;
        let earned = self.results.get(&(round, table));
        Ok(html! {
            section {
                h1 { "Table " (table) ", " (self.round_title(round, zone)) }
                p { (self.name) ". " (self.session_line()) }
                table.deals {
                    tr {
                        th { "Deal" } th { "Winner" } th { "Payer" } th { "Value" }
                        @for (wind, (number, sitter)) in
                            Seat::ALL.iter().zip(numbers.iter().zip(&sitters))
                        {
                            th { (wind.name()) br; (seat(*number, *sitter)) }
                        }
                    }
                    @for deal in 1..=self.format.rules.deals {
                        tr {
                            td.number { (deal) }
                            @for _ in 0..7 { td {} }
                        }
                    }
                    tr {
                        th colspan="4" { "Final score" }
                        @for place in Seat::ALL {
                            td.number {
                                @if let Some(earned) = earned {
                                    ((earned[place.index()] + self.format.starting_points).mixed())
                                }
                            }
                        }
                    }
                    tr {
                        th colspan="4" { "Placement bonus" }
                        @for place in Seat::ALL {
                            td.number {
                                @if let Some(sessions) = &sessions {
                                    (sessions[place.index()].bonus.mixed())
                                }
                            }
                        }
                    }
                    @if self.format.rules.has_table_points() {
                        tr {
                            th colspan="4" { "Table points" }
                            @for place in Seat::ALL {
                                td.number {
                                    @if let Some(sessions) = &sessions {
                                        (sessions[place.index()].table_points.map_or_else(String::new, Points::mixed))
                                    }
                                }
                            }
                        }
                    }
                }
                p { "Signatures" }
                table.sign {
                    tr { @for _ in Seat::ALL { td {} } }
                    tr { @for wind in Seat::ALL { th { (wind.name()) } } }
                }
            }
        })
    }

    fn standings_page(&self, standings: &[Standing]) -> Markup {
        let rounds = standings.first().map_or(0, |standing| standing.sessions.len());
        html! {
            section {
                h1 { (self.name) ": standings" }
                p { "So far " (self.results_line()) "." }
                table.standings {
                    thead {
                        tr {
                            th { "Rank" } th { "No." } th { "Player" }
                            @for round in 1..=rounds { th.number { "R" (round) } }
                            @if self.format.rules.has_table_points() {
                                th.number { "Table points" }
                            }
                            th.number { "Earned" } th.number { "Bonus" } th.number { "Penalties" } th.number { "Total" }
                        }
                    }
                    @for standing in standings {
                        tr {
                            td.number {
                                @match standing.rank { Some(rank) => (rank), None => "disq." }
                            }
                            td.number { (standing.number) }
                            td { (standing.name) }
                            @for session in &standing.sessions {
                                td.number { (session.map_or_else(String::new, session_text)) }
                            }
                            @if let Some(points) = standing.table_points {
                                td.number { (points.mixed()) }
                            }
                            td.number { (standing.earned.mixed()) }
                            td.number { (standing.bonus.mixed()) }
                            td.number {
                                @if standing.penalty != Points::ZERO { ((-standing.penalty).mixed()) }
                            }
                            td.number { b { (standing.total.mixed()) } }
                        }
                    }
                }
            }
        }
    }

    fn round_title(&self, round: usize, zone: &TimeZone) -> String {
        let planned = self.seating.as_ref().and_then(|seating| seating.starts.get(round - 1));
        match self.started.get(&round).or(planned) {
            Some(start) => format!("Round {round}, {}", local(*start, zone)),
            None => format!("Round {round}"),
        }
    }

    fn session_line(&self) -> String {
        let then = match self.format.after_time {
            AfterTime::FinishDeal => "the deal being played is finished and none is started",
            AfterTime::FinishRound => "the round being played is finished",
            AfterTime::Stop => "play stops",
        };
        let (deals, minutes) = (self.format.rules.deals, self.format.clock_minutes);
        format!("{deals} deals; after {minutes} minutes {then}.")
    }

    /// How much has been played.
    pub fn results_line(&self) -> String {
        let tables = self
            .seating
            .as_ref()
            .map_or(0, |seating| seating.schedule.rounds().iter().map(Vec::len).sum());
        let going_on = |(at, played): &(&(usize, usize), &Played)| {
            played.over.is_none() && !self.results.contains_key(at)
        };
        let playing = self.played.iter().filter(going_on).count();
        let playing =
            if playing == 0 { String::new() } else { format!(", {playing} being played") };
        format!("results: {} of {tables} tables{playing}", self.results.len())
    }
}

fn session_text(session: Session) -> String {
    let score = (session.earned + session.bonus).mixed();
    match session.table_points {
        _ if session.absent => "absent".to_owned(),
        Some(points) => format!("{} ({score})", points.mixed()),
        None => score,
    }
}

fn local(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
}

fn seat(number: Number, sitter: Sitter<'_>) -> Markup {
    let reserve = |name: Option<&Name>| name.map_or("reserve", Name::as_str).to_owned();
    html! {
        (number) " "
        @match sitter {
            Sitter::Player(name) => (name),
            Sitter::Reserve { player: Some(player), reserve: who } => {
                (reserve(who)) " for " (player)
            }
            Sitter::Reserve { player: None, reserve: who } => (reserve(who)),
        }
    }
}
