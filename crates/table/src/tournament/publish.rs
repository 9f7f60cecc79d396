//! What a tournament shows to everybody outside the hall: its standings and seats as one page that loads nothing from
//! anywhere, and its rounds as an iCalendar (RFC 5545).

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use maud::{Markup, html};

use super::{
    SessionResult, Standing, Tournament, TournamentError,
    sheets::{Print, document, local, short},
};
use crate::{
    points::Points,
    words::{Language, say},
};

/// The calendar's file beside the page, which links it.
pub const CALENDAR: &str = "rounds.ics";

const STYLE: &str = "\
:root { color-scheme: light dark }
body { font: 16px/1.4 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; overflow-wrap: break-word }
h1 { font-size: 1.3rem } p { margin: 0 0 .6rem }
section { overflow-x: auto }
table { border-collapse: collapse; width: 100%; margin-bottom: 1.5rem; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .5rem; text-align: left; border-bottom: 1px solid #8888 }
.number { text-align: right; white-space: nowrap }
th.title { font-size: 1.1rem }
";

/// The most octets of a calendar's line before it is folded.
const LINE: usize = 75;

impl Tournament {
    /// The standings and the seats of all rounds as one document; times are in the zone, `now` is its own.
    ///
    /// # Errors
    /// Where players are not seated yet.
    pub fn public_page(
        &self,
        now: Timestamp,
        zone: &TimeZone,
        language: Language,
    ) -> Result<String, TournamentError> {
        let print = Print { zone, language };
        let rounds = self.seated()?.schedule.rounds().len();
        let standings = self.standings()?;
        let has_times = (1..=rounds).any(|round| self.start_of(round).is_some());
        let body = html! {
            (self.standings_page(&standings, print))
            (self.schedule_page(1..=rounds, print)?)
            p {
                (print.say(say!("As of {time}.", time = local(now, zone))))
                @if has_times { " " a href=(CALENDAR) { (print.say(say!("The rounds as a calendar"))) } }
            }
        };
        Ok(document(&self.name, STYLE, language, &body))
    }

    /// The standings, printed too.
    pub(super) fn standings_page(&self, standings: &[Standing], print: Print<'_>) -> Markup {
        let rounds = standings.first().map_or(0, |standing| standing.sessions.len());
        html! {
            section {
                h1 { (print.say(say!("{name}: standings", name = &self.name))) }
                p { (print.say(say!("So far {results}.", results = self.results_line()))) }
                table.standings {
                    thead {
                        tr {
                            th { (print.say(say!("Rank"))) }
                            th { (print.say(say!("No."))) }
                            th { (print.say(say!("Player"))) }
                            @for round in 1..=rounds { th.number { (print.say(short(round))) } }
                            @if self.format.rules.has_table_points() {
                                th.number { (print.say(say!("Table points"))) }
                            }
                            @for of in [say!("Earned"), say!("Bonus"), say!("Penalties"), say!("Total")] {
                                th.number { (print.say(of)) }
                            }
                        }
                    }
                    @for standing in standings {
                        tr {
                            td.number {
                                @match standing.rank {
                                    Some(rank) => (rank),
                                    None => (print.say(say!("disq."))),
                                }
                            }
                            td.number { (standing.number) }
                            td { (standing.name) }
                            @for session in &standing.sessions {
                                td.number {
                                    @if let Some(session) = session { (session_text(*session, print)) }
                                }
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

    /// The rounds whose times are known as an iCalendar. `begun` is the time of the tournament's first event, by which its
    /// rounds stay the same entries in calendars that read the file again.
    pub fn calendar(&self, begun: Timestamp, now: Timestamp, language: Language) -> String {
        let mut calendar = String::new();
        let mut line = |text: &str| fold(&mut calendar, text);
        line("BEGIN:VCALENDAR");
        line("VERSION:2.0");
        line("PRODID:-//Tilelens//Tournament//EN");
        line(&format!("X-WR-CALNAME:{}", escaped(self.name.as_str())));
        let planned = self.seating.as_ref().map_or(0, |seating| seating.planned);
        let length = SignedDuration::from_mins(i64::from(self.format.rules.minutes));
        for round in 1..=planned {
            let Some(start) = self.start_of(round) else { continue };
            let title = say!("Round {number}", number = round);
            line("BEGIN:VEVENT");
            line(&format!("UID:round-{round}-{}@tilelens", begun.as_microsecond()));
            line(&format!("DTSTAMP:{}", moment(now)));
            line(&format!("DTSTART:{}", moment(start)));
            line(&format!("DTEND:{}", moment(start.checked_add(length).unwrap_or(start))));
            let summary = format!("{}: {}", self.name, language.say(&title));
            line(&format!("SUMMARY:{}", escaped(&summary)));
            line("END:VEVENT");
        }
        line("END:VCALENDAR");
        calendar
    }
}

/// What a session brought, in a cell of the standings.
fn session_text(session: SessionResult, print: Print<'_>) -> String {
    let score = (session.earned + session.bonus).mixed();
    match session.table_points {
        _ if session.absent => print.say(say!("absent")),
        Some(points) => format!("{} ({score})", points.mixed()),
        None => score,
    }
}

/// A moment in UTC, as calendars write it.
fn moment(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Text as the value of a calendar's property.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\\' | ';' | ',' => escaped.extend(['\\', letter]),
            '\n' => escaped += "\\n",
            letter if letter.is_control() => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Adds a line, which goes on in the next ones after a space where it is too long. No character is cut in two.
fn fold(calendar: &mut String, text: &str) {
    let mut octets = 0;
    for letter in text.chars() {
        if octets + letter.len_utf8() > LINE {
            *calendar += "\r\n ";
            octets = 1;
        }
        calendar.push(letter);
        octets += letter.len_utf8();
    }
    *calendar += "\r\n";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_between_characters_and_come_together_again() {
        let text = format!("SUMMARY:{}", "麻雀".repeat(60));
        let mut folded = String::new();
        fold(&mut folded, &text);
        assert!(folded.split("\r\n").all(|line| line.len() <= LINE), "{folded}");
        assert_eq!(folded.replace("\r\n ", ""), format!("{text}\r\n"));
    }

    #[test]
    fn signs_of_the_format_are_escaped() {
        assert_eq!(escaped("a,b;c\\d\ne\r"), "a\\,b\\;c\\\\d\\ne");
    }
}
