//! A deal in words that each language has of its own: who won how and what the hand counts, or how it ended otherwise.

use super::{Act, ActKind, AtEnd, Chombo, Draw, PlayedOn, PlayerState, WinBy, Winner};
use crate::{
    points::Points,
    rules::{Holding, ScoreStep, SettlementKind, StepKind, Terms, Worth},
    words::{Say, say},
};

/// The names and the terms of a table, which the words of its deals need.
#[derive(Clone, Copy)]
pub struct DealWords<'a> {
    /// The players.
    pub players: &'a [PlayerState],
    /// The words of those who play its rules, where they have their own.
    pub terms: Option<&'a Terms>,
}

impl DealWords<'_> {
    fn name(self, player: usize) -> Say {
        self.players.get(player).map_or("?", |player| &player.name).into()
    }

    fn names(self, players: &[usize]) -> Say {
        let names = players.iter().map(|player| self.name(*player));
        names.reduce(|all, next| all.and(", ", next)).unwrap_or_else(|| say!("nobody"))
    }

    /// A deal: a sentence for each winner, or one for how it ended without any, then one for each of tenpai, nagashi and
    /// riichi that there was.
    pub(super) fn deal(
        self,
        winners: &[Winner],
        draw: Option<&Draw>,
        chombo: Option<&Chombo>,
        riichi: &[usize],
    ) -> Vec<Say> {
        let ended = match (winners, chombo, draw) {
            ([], Some(chombo), _) => vec![self.chombo(chombo)],
            ([], None, Some(draw)) => self.draw(draw),
            ([], None, None) => vec![say!("a draw")],
            (winners, ..) => {
                let others = winners.iter().filter_map(|winner| self.others(winner));
                winners.iter().map(|winner| self.winner(winner)).chain(others).collect()
            }
        };
        ended.into_iter().chain(self.declared(riichi)).collect()
    }

    /// A deal that went on after a win: a sentence for each winner, or that nobody won, then one for each kong and false
    /// win, and one for what the others had at the end.
    pub(super) fn played_on(self, winners: &[Winner], played_on: &PlayedOn) -> Vec<Say> {
        let nobody = winners.is_empty().then(|| say!("a draw"));
        let won = winners.iter().map(|winner| self.winner(winner));
        nobody.into_iter().chain(won).chain(self.beside(played_on)).collect()
    }

    /// A sentence for each kong and false win, and one for what players had at the end.
    pub fn beside(self, played_on: &PlayedOn) -> Vec<Say> {
        let acts = played_on.acts.iter().map(|act| self.act(act));
        let end = played_on.end.iter().map(|end| self.at_end(end));
        let end = end.reduce(|all, next| all.and(", ", next));
        acts.chain(end.map(|players| say!("at the end: {players}", players))).collect()
    }

    /// Who paid what for kongs and false wins, and at the end.
    pub(super) fn paid_beside(self, played_on: &PlayedOn) -> Vec<ScoreStep> {
        let step = |player: usize, amount: Points, text| ScoreStep {
            kind: StepKind::Settlement,
            seat: self.players.get(player).map(|player| player.seat),
            amount: Some(amount.ratio()),
            text,
        };
        let acts = played_on.acts.iter().flat_map(|act| {
            let paid = act.payments.iter().enumerate();
            let payers = paid.filter(|(_, gain)| **gain < Points::ZERO);
            payers.map(move |(player, gain)| step(player, -*gain, self.act(act)))
        });
        let settled = played_on.settled.iter().map(|entry| {
            let why = match entry.kind {
                SettlementKind::Pig => say!("a pig"),
                SettlementKind::NotReady => say!("not ready at the end"),
                SettlementKind::KongReturned => say!("a kong’s payment returned"),
            };
            let to = entry.to.map(|player| self.name(player));
            let text = match to {
                Some(name) => say!("{why}: to {seat}", why, seat = name),
                None => why,
            };
            step(entry.from, entry.points, text)
        });
        acts.chain(settled).collect()
    }

    fn act(self, act: &Act) -> Say {
        let name = self.name(act.player);
        let (line, late) = match act.kind {
            ActKind::ConcealedKong => (say!("{name}’s concealed kong", name), false),
            ActKind::ClaimedKong { from } => {
                (say!("{name}’s kong of {giver}’s discard", name, giver = self.name(from)), false)
            }
            ActKind::AddedKong { late } => (say!("{name}’s added kong", name), late),
            ActKind::FalseWin => (say!("{name}’s false win", name), false),
        };
        let notes = [
            (late, say!("later")),
            (act.robbed, say!("robbed")),
            (act.shot, say!("won on the discard after it")),
        ];
        let notes = notes.into_iter().filter_map(|(is, note)| is.then_some(note));
        line.because(notes.reduce(|all, next| all.and(", ", next)))
    }

    fn at_end(self, end: &AtEnd) -> Say {
        let name = self.name(end.player);
        match &end.holding {
            Holding::Hand { hand, .. } => name.and(" ", Say::tiles(hand)),
            Holding::Ready(worth) => say!("{name} is ready ({worth})", name, worth),
            Holding::NotReady => say!("{name} is not ready", name),
            Holding::Pig => say!("{name} is a pig", name),
        }
    }

    /// Who put down a stick; `None` where nobody did.
    pub fn declared(self, riichi: &[usize]) -> Option<Say> {
        (!riichi.is_empty()).then(|| say!("riichi: {names}", names = self.names(riichi)))
    }

    fn chombo(self, chombo: &Chombo) -> Say {
        let cause = chombo.cause.as_deref().map(cause);
        let note = Some(&chombo.note).filter(|note| !note.is_empty()).map(Say::from);
        let why = cause.into_iter().chain(note).reduce(|cause, note| cause.and(" ", note));
        say!("chombo of {player}", player = self.name(chombo.player)).because(why)
    }

    /// A draw, then tenpai and nagashi.
    pub fn draw(self, draw: &Draw) -> Vec<Say> {
        let mut said = vec![say!("a draw").because(draw.abortive.as_deref().map(cause))];
        if let Some(tenpai) = &draw.tenpai {
            said.push(say!("tenpai: {names}", names = self.names(tenpai)));
        }
        if !draw.nagashi.is_empty() {
            said.push(say!("nagashi: {names}", names = self.names(&draw.nagashi)));
        }
        said
    }

    /// Who won how, and what the hand counts: in the players' own unit, as its stated worth, or as the table's score.
    fn winner(self, winner: &Winner) -> Say {
        let line = self.name(winner.player).and(" ", self.won_how(winner));
        let Some(scored) = &winner.scored else { return line };
        let amount = |amount| Say::from(Points::from(amount).mixed());
        let points = self.terms.and_then(|terms| terms.points.clone()).zip(scored.points);
        match self.terms.and_then(|terms| terms.faan.clone()) {
            Some(faan) => {
                let counts = amount(scored.faan).and(" ", Say::of(faan));
                line.and(
                    ", ",
                    match points {
                        Some((word, points)) => {
                            counts.and(" ", points.into()).and(" ", Say::of(word))
                        }
                        None => counts,
                    },
                )
            }
            None if winner.worth.is_some_and(|worth| !matches!(worth, Worth::Score(_))) => {
                line.and("", say!(", worth {faan}", faan = amount(scored.faan)))
            }
            None => line.and(", ", amount(scored.score)),
        }
    }

    /// What the others' hands scored, where the rules score them too.
    fn others(self, winner: &Winner) -> Option<Say> {
        let scores = winner.scored.iter().flat_map(|scored| scored.others.iter().enumerate());
        let others =
            scores.filter(|(player, _)| *player != winner.player).map(|(player, score)| {
                self.name(player).and(" ", Say::from(Points::from(*score).mixed()))
            });
        let worths = others.reduce(|all, next| all.and(", ", next))?;
        Some(say!("the others’ hands: {worths}", worths))
    }

    /// How a winner won: `by ron on Di’s discard`.
    pub fn won_how(self, winner: &Winner) -> Say {
        let term =
            |of: fn(&Terms) -> &Option<String>| self.terms.and_then(|terms| of(terms).clone());
        match (winner.win, winner.from.map(|from| self.name(from))) {
            (WinBy::Discard, Some(name)) => match term(|terms| &terms.discard) {
                Some(how) => say!("by {how} on {name}’s discard", how = Say::of(how), name),
                None => say!("on {name}’s discard", name),
            },
            (WinBy::RobKong, Some(name)) => say!("robbing {name}’s kong", name),
            _ => {
                let how = term(|terms| &terms.self_draw).map_or(say!("self-draw"), Say::of);
                say!("by {how}", how)
            }
        }
    }
}

/// A cause of a rule file by its id.
fn cause(id: &str) -> Say {
    Say::of(id.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        rules::RuleSet,
        table::{Deal, Event, Opened, Seated, Table},
        words::Language,
    };
    use jiff::Timestamp;

    /// The deals of a table of Ann, Bo, Cy and Di, in a language.
    fn said(rules: &str, language: &str, event: Event) -> String {
        let players = ["Ann", "Bo", "Cy", "Di"].map(Seated::named).into();
        let opened = Event::Opened(Opened {
            title: None,
            rules: rules.to_owned(),
            rule_file: None,
            rulings: Vec::new(),
            players,
            initial: None,
            sitting: None,
            penalties: None,
            clock: None,
        });
        let at = Timestamp::UNIX_EPOCH;
        let table = Table::new(1).with(opened, "", at).unwrap().with(event, "", at).unwrap();
        let deal = table.state().unwrap().last_deal().unwrap();
        let language = Language::named(language).unwrap();
        deal.said.iter().map(|said| language.say(said)).collect::<Vec<_>>().join(" · ")
    }

    fn won(winner: Winner, riichi: Vec<usize>) -> Event {
        Event::Deal(Deal { winners: vec![winner], riichi, ..Deal::default() })
    }

    /// Bo's win on Di's discard.
    fn by_worth(rules: &str, worth: &str) -> Winner {
        let worth = RuleSet::preset(rules).unwrap().read_worth(worth).ok();
        Winner { player: 1, win: WinBy::Discard, from: Some(3), worth, ..Winner::default() }
    }

    #[test]
    fn a_win_is_told_in_the_terms_of_its_players() {
        let deal = |language| said("riichi", language, won(by_worth("riichi", "3/30"), vec![0, 1]));
        assert_eq!(deal("en"), "Bo by ron on Di’s discard, 3 han 30 fu · riichi: Ann, Bo");
        assert!(deal("ja").starts_with("Bo "), "{}", deal("ja"));
        let mmm = won(by_worth("mmm", "7"), Vec::new());
        assert_eq!(said("mmm", "en", mmm), "Bo on Di’s discard, worth 7");
        let hand = Some("222p44p56p (1'23p) (7'89p) +7p".to_owned());
        let drawn = Winner { player: 1, hand, ..Winner::default() };
        assert_eq!(said("ims", "en", won(drawn, Vec::new())), "Bo by self-draw, 75");
    }

    #[test]
    fn a_deal_without_a_winner_says_how_it_ended() {
        let draw = |draw| said("riichi", "en", Event::Draw(draw));
        let tenpai = Some(vec![0]);
        let riichi = Draw { tenpai: tenpai.clone(), riichi: vec![2], ..Draw::default() };
        assert_eq!(draw(riichi), "a draw · tenpai: Ann, Cy · riichi: Cy");
        let nobody = Draw { tenpai: Some(Vec::new()), ..Draw::default() };
        assert_eq!(draw(nobody), "a draw · tenpai: nobody");
        let abortive = Some("four_winds".to_owned());
        assert_eq!(draw(Draw { abortive, ..Draw::default() }), "a draw (four winds)");
        let (cause, note) = (Some("false_win".to_owned()), "again".to_owned());
        let chombo = Chombo { player: 2, cause, note, ..Chombo::default() };
        let void = said("riichi", "en", Event::Chombo(chombo));
        assert_eq!(void, "chombo of Cy (false win again)");
    }
}
