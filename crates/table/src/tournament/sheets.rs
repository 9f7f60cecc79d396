//! Pages to print: the schedule to post, the players by name, a score sheet for each table, the
//! standings. One HTML document that loads nothing from anywhere; everything typed by people is escaped.

use std::collections::BTreeMap;

use jiff::{Timestamp, tz::TimeZone};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Number, Sitter, Tournament, TournamentError};
use crate::{
    name::Name,
    rules::AfterTime,
    table::rules_of,
    tile::Seat,
    words::{Language, Say, say},
};

const STYLE: &str = "\
@page { size: A4; margin: 12mm }
* { box-sizing: border-box }
body { font: 11pt/1.3 system-ui, sans-serif; color: #000; background: #fff; margin: 0 auto; \
max-width: 186mm; overflow-wrap: break-word }
section { break-before: page; margin-bottom: 8mm }
section:first-child, .same-page { break-before: auto }
h1 { font-size: 16pt; margin: 0 0 1mm; break-after: avoid }
p { margin: 0 0 3mm }
table { border-collapse: collapse; width: 100%; margin-bottom: 3mm }
thead { display: table-header-group }
tr, .whole { break-inside: avoid }
th, td { border: .3mm solid #666; padding: 1mm 2mm; text-align: left; vertical-align: top }
th { background: #eee; print-color-adjust: exact; -webkit-print-color-adjust: exact }
th small { font-weight: normal; display: block }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
.seats, .by-name, .standings { font-size: 9.5pt }
th.title { border: 0; background: none; font-size: 12pt; padding: 2mm 0 1mm }
.seats td:first-child { width: 13mm }
.seats td:nth-child(n+2) { width: 25% }
.seats td { padding-block: .8mm }
.by-name td, .standings td { padding-block: .6mm }
tbody tr:first-child, .seats tr:nth-last-child(-n+2), .by-name tr:nth-last-child(-n+2), \
.standings tr:nth-last-child(-n+2) { break-before: avoid }
.by-name td:first-child, .standings td:nth-child(3) { min-width: 42mm }
.standings th, .standings td { padding-inline: 1.2mm }
.by-name tbody tr:nth-child(even) td, .standings tbody tr:nth-child(even) td { background: #f5f5f5; print-color-adjust: exact; \
-webkit-print-color-adjust: exact }
.seat { text-align: center; white-space: nowrap; font-variant-numeric: tabular-nums }
.deals { table-layout: fixed }
.deals th { font-size: 10pt }
.deals th:first-child { width: 14mm }
.deals th:nth-child(2), .deals th:nth-child(3) { width: 21mm }
.deals th:nth-child(4) { width: 19mm }
.deals .deal td { height: var(--row) }
.deals .change td { background: #f5f5f5; font-size: 9.5pt; padding-block: .8mm; \
print-color-adjust: exact; -webkit-print-color-adjust: exact }
.sign { border-collapse: separate; border-spacing: 5mm 0; table-layout: fixed }
.sign td { height: 11mm; border: 0; border-bottom: .3mm solid #666 }
.sign th { border: 0; background: none; font-weight: normal; padding: 0; font-size: 9.5pt }
@media screen { body { padding: 8mm } section { border-top: .3mm dashed #aaa; padding-top: 6mm } }
";

/// The settings for printed pages: the zone of their times, and the language.
#[derive(Clone, Copy)]
pub(super) struct Print<'a> {
    pub zone: &'a TimeZone,
    pub language: Language,
}

impl Print<'_> {
    pub fn say(self, said: Say) -> String {
        self.language.say(&said)
    }

    /// A wind's name.
    pub fn wind(self, wind: Seat) -> &'static str {
        self.language.word(wind.name())
    }
}

/// A player's number (`None` for a reserve), and the table and wind of each round.
type Listed = (Option<Number>, BTreeMap<usize, String>);

/// The most rows of a round's table that is kept on one page.
const WHOLE: usize = 12;
/// The number of rounds side by side in the list by name.
const ROUNDS_ABREAST: usize = 12;

impl Tournament {
    /// The pages as one document: of one round, or of all with the standings at the end. Times
    /// are shown in the zone, everything but names in the language.
    ///
    /// # Errors
    /// Where players are not seated yet, or there is no such round.
    pub fn sheets(
        &self,
        round: Option<usize>,
        zone: &TimeZone,
        language: Language,
    ) -> Result<String, TournamentError> {
        let print = Print { zone, language };
        let rounds = match round {
            Some(round) => {
                self.round(round)?;
                round..=round
            }
            None => 1..=self.seated()?.schedule.rounds().len(),
        };
        let rules = rules_of(&self.opening(*rounds.start(), 1)?)
            .map_err(|error| TournamentError::Rules(error.to_string()))?;
        let mut sheets = Vec::new();
        for round in rounds.clone() {
            for table in 1..=self.round(round)?.len() {
                sheets.push(self.score_sheet(round, table, &rules, print)?);
            }
        }
        let standings = self.standings()?;
        let body = html! {
            (self.schedule_page(rounds.clone(), print)?)
            (self.list_by_name(rounds, print)?)
            @for sheet in &sheets { (sheet) }
            @if !self.results.is_empty() { (self.standings_page(&standings, print)) }
        };
        Ok(document(&self.name, STYLE, language, &body))
    }

    pub(super) fn schedule_page(
        &self,
        rounds: std::ops::RangeInclusive<usize>,
        print: Print<'_>,
    ) -> Result<Markup, TournamentError> {
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
                    (print.say(say!(
                        "{count} players, numbers drawn with the seed {seed}. {session}",
                        count = seating.numbers.len(),
                        seed = &seating.seed,
                        session = self.session_line(),
                    )))
                }
                @for (round, tables) in &shown {
                    div.whole[tables.len() <= WHOLE] {
                        table.seats {
                            thead {
                                tr { th.title colspan="5" { (print.say(self.round_title(*round, print.zone))) } }
                                tr {
                                    th { (print.say(say!("Table"))) }
                                    @for wind in Seat::ALL { th { (print.wind(wind)) } }
                                }
                            }
                            @for (table, numbers, sitters) in tables {
                                tr {
                                    td.number { (table) }
                                    @for (number, sitter) in numbers.iter().zip(sitters) {
                                        td { (seat(*number, *sitter, print)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        })
    }

    /// Everybody by name, with the table of each round and the wind to begin in.
    fn list_by_name(
        &self,
        rounds: std::ops::RangeInclusive<usize>,
        print: Print<'_>,
    ) -> Result<Markup, TournamentError> {
        let seating = self.seated()?;
        let numbered = (1_u16..).map(Number).zip(&seating.numbers);
        let mut people: BTreeMap<(String, &Name), Listed> = numbered
            .map(|(number, name)| (by_name(name), (Some(number), BTreeMap::new())))
            .collect();
        let mut most_tables = 0;
        for round in rounds.clone() {
            let tables = self.round(round)?.len();
            most_tables = most_tables.max(tables);
            for table in 1..=tables {
                for (wind, sitter) in Seat::ALL.iter().zip(self.table(round, table)?) {
                    let (Sitter::Player(who) | Sitter::Reserve { reserve: Some(who), .. }) = sitter
                    else {
                        continue;
                    };
                    let (_, places) = people.entry(by_name(who)).or_default();
                    let wind = print.say(letter(*wind));
                    places.insert(round, format!("{table} {wind}"));
                }
            }
        }
        let all: Vec<usize> = rounds.collect();
        Ok(html! {
            section.same-page[most_tables <= 4] {
                h1 { (print.say(say!("{name}: players by name", name = &self.name))) }
                p { (print.say(say!("R1 is round 1; 3 E is table 3, to begin as East."))) }
                @for rounds in all.chunks(ROUNDS_ABREAST) {
                    table.by-name {
                        thead {
                            tr {
                                th { (print.say(say!("Player"))) }
                                th.number { (print.say(say!("No."))) }
                                @for round in rounds { th.seat { (print.say(short(*round))) } }
                            }
                        }
                        @for ((_, name), (number, places)) in &people {
                            tr {
                                td { (name) }
                                td.number { @if let Some(number) = number { (number) } }
                                @for round in rounds {
                                    td.seat { (places.get(round).map_or("–", String::as_str)) }
                                }
                            }
                        }
                    }
                }
            }
        })
    }

    pub(super) fn round_title(&self, round: usize, zone: &TimeZone) -> Say {
        let title = say!("Round {number}", number = round);
        match self.start_of(round) {
            Some(start) => say!("{round}, {time}", round = title, time = local(start, zone)),
            None => title,
        }
    }

    pub(super) fn session_line(&self) -> Say {
        let then = match self.format.after_time {
            AfterTime::FinishDeal => say!("the deal being played is finished and none is started"),
            AfterTime::FinishRound => say!("the round being played is finished"),
            AfterTime::Stop => say!("play stops"),
        };
        say!(
            "{deals} deals; after {minutes} minutes {then}.",
            deals = self.format.rules.deals,
            minutes = self.format.clock_minutes,
            then = then,
        )
    }

    /// The progress of the tournament as a sentence.
    pub fn results_line(&self) -> Say {
        let tables: usize = self
            .seating
            .as_ref()
            .map_or(0, |seating| seating.schedule.rounds().iter().map(Vec::len).sum());
        let done = self.results.len();
        match self.playing().values().map(Vec::len).sum::<usize>() {
            0 => say!("results: {done} of {tables} tables", done = done, tables = tables),
            playing => say!(
                "results: {done} of {tables} tables, {playing} being played",
                done = done,
                tables = tables,
                playing = playing,
            ),
        }
    }
}

/// A document that loads nothing from anywhere.
pub(super) fn document(title: &str, style: &str, language: Language, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(language.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// The sort key of the list by name.
fn by_name(name: &Name) -> (String, &Name) {
    (name.as_str().to_lowercase(), name)
}

/// A wind by its letter.
fn letter(wind: Seat) -> Say {
    Say::of(String::from(wind.letter()))
}

/// A round above a narrow column.
pub(super) fn short(round: usize) -> Say {
    say!("R{round}", round = round)
}

pub(super) fn local(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// A seat's number, and who sits there.
pub(super) fn seat(number: Number, sitter: Sitter<'_>, print: Print<'_>) -> String {
    let reserve = |name: Option<&Name>| name.map_or_else(|| say!("reserve"), Say::from);
    let who = match sitter {
        Sitter::Player(name) => Say::from(name),
        Sitter::Reserve { player: Some(player), reserve: who } => {
            say!("{reserve} for {player}", reserve = reserve(who), player = player)
        }
        Sitter::Reserve { player: None, reserve: who } => reserve(who),
    };
    format!("{number} {}", print.say(who))
}
