//! Tables on which play goes on after a win (Sichuan): an evening whose totals are computed beside the program, kongs and
//! false wins paid at once, the end of the wall, what is refused.

use crate::support::{
    random::Dice,
    session::{Evening, opened},
};
use tilelens::{
    rules::{self, Circumstances, DealEvent, EndHand, Holding, KongKind, Win, WonHand},
    table::{Deal, Event, Opened, Over, TableError, WinBy, Winner},
    tile::Seat,
};

/// What happened in a deal, by the players in their order.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The winner, who gave the tile, the fan.
    Won(usize, Option<usize>, i64),
    /// Another winner on the same tile.
    Same(usize, i64),
    Concealed(usize),
    /// Who made the kong, who gave the tile.
    Claimed(usize, usize),
    Added(usize),
    /// A kong added late, robbed, or won on after it: nobody pays.
    Unpaid(usize),
    False(usize),
}

/// What a player had at the end.
#[derive(Clone, Copy, Debug)]
enum Had {
    Ready(i64),
    Not,
    Pig,
}

/// The totals of four players, by the text of the rules alone.
#[derive(Default)]
struct Sums {
    totals: [i64; 4],
    dealer: usize,
}

impl Sums {
    fn pay(&mut self, from: usize, to: usize, points: i64) {
        self.totals[from] -= points;
        self.totals[to] += points;
    }

    fn play(&mut self, steps: &[Step], end: &[(usize, Had)]) {
        let points = |fan: i64| [1, 2, 4, 8][fan.min(3) as usize];
        let (mut won, mut kongs): (Vec<usize>, Vec<[i64; 3]>) = (Vec::new(), Vec::new());
        let mut giver = None;
        for step in steps {
            let others = |player: usize, won: &[usize]| -> Vec<usize> {
                (0..4).filter(|other| *other != player && !won.contains(other)).collect()
            };
            let mut kong = |sums: &mut Self, by: usize, payers: &[usize], each: i64| {
                for &payer in payers {
                    sums.pay(payer, by, each);
                    kongs.push([payer as i64, by as i64, each]);
                }
            };
            match *step {
                Step::Won(winner, from, fan) => {
                    match from {
                        Some(from) => self.pay(from, winner, points(fan)),
                        None => (others(winner, &won).into_iter())
                            .for_each(|other| self.pay(other, winner, points(fan) + 1)),
                    }
                    if won.is_empty() {
                        self.dealer = winner;
                    }
                    won.push(winner);
                    giver = from;
                }
                Step::Same(winner, fan) => {
                    let from = giver.unwrap();
                    self.pay(from, winner, points(fan));
                    if won.len() == 1 {
                        self.dealer = from;
                    }
                    won.push(winner);
                }
                Step::Concealed(by) => kong(self, by, &others(by, &won), 2),
                Step::Claimed(by, from) => kong(self, by, &[from], 2),
                Step::Added(by) => kong(self, by, &others(by, &won), 1),
                Step::Unpaid(_) => {}
                Step::False(by) => {
                    others(by, &won).into_iter().for_each(|other| self.pay(by, other, 8));
                    for [from, to, each] in kongs.clone() {
                        if to == by as i64 {
                            self.pay(by, from as usize, each);
                        }
                    }
                    kongs.retain(|[_, to, _]| *to != by as i64);
                }
            }
        }
        let is_pig = |player: usize| {
            end.iter().any(|(other, had)| *other == player && matches!(had, Had::Pig))
        };
        for &(player, had) in end {
            if matches!(had, Had::Ready(_)) {
                continue;
            }
            for other in (0..4).filter(|other| is_pig(player) && !is_pig(*other)) {
                self.pay(player, other, 16);
            }
            for &(other, had) in end {
                if let Had::Ready(fan) = had {
                    self.pay(player, other, points(fan));
                }
            }
            for [from, to, each] in &kongs {
                if *to == player as i64 {
                    self.pay(player, *from as usize, *each);
                }
            }
        }
    }
}

use Had::{Not, Pig, Ready};
use Step::{Added, Claimed, Concealed, False, Same, Unpaid, Won};

/// A deal as players write it, what happened in it, and what the others had at its end.
type Written = (&'static str, &'static [Step], &'static [(usize, Had)]);

const SHEET: [Written; 16] = [
    (
        "bo di 2 cy 1, kong ann, di t 3",
        &[Won(1, Some(3), 2), Same(2, 1), Concealed(0), Won(3, None, 3)],
        &[],
    ),
    (
        "ann t 0, bo cy 1, end cy no di 2",
        &[Won(0, None, 0), Won(1, Some(2), 1)],
        &[(2, Not), (3, Ready(2))],
    ),
    (
        "kong bo cy, kong cy +, end ann pig bo no cy 1 di 0",
        &[Claimed(1, 2), Added(2)],
        &[(0, Pig), (1, Not), (2, Ready(1)), (3, Ready(0))],
    ),
    (
        "kong di + shot, ann di 2, cy t 1, bo di 3",
        &[Unpaid(3), Won(0, Some(3), 2), Won(2, None, 1), Won(1, Some(3), 3)],
        &[],
    ),
    (
        "false di, bo t 2, end ann no cy no di 1",
        &[False(3), Won(1, None, 2)],
        &[(0, Not), (2, Not), (3, Ready(1))],
    ),
    (
        "kong ann, false ann, cy bo 0, end ann 1 bo 1 di no",
        &[Concealed(0), False(0), Won(2, Some(1), 0)],
        &[(0, Ready(1)), (1, Ready(1)), (3, Not)],
    ),
    (
        "kong cy + late, kong bo + robbed, ann bo 1 kong, di t 0, end bo no cy no",
        &[Unpaid(2), Unpaid(1), Won(0, Some(1), 1), Won(3, None, 0)],
        &[(1, Not), (2, Not)],
    ),
    (
        "end ann 0 bo 0, end cy 0 di 0",
        &[],
        &[(0, Ready(0)), (1, Ready(0)), (2, Ready(0)), (3, Ready(0))],
    ),
    (
        "bo di 123m 456m 78m 234p 99p +9m -s, end ann 123m456m777m22p88p -s cy no di pig",
        &[Won(1, Some(3), 0)],
        &[(0, Ready(0)), (2, Not), (3, Pig)],
    ),
    ("cy * 5, end ann no bo no di no", &[Won(2, None, 5)], &[(0, Not), (1, Not), (3, Not)]),
    ("di ann 3 bo 1 cy 0", &[Won(3, Some(0), 3), Same(1, 1), Same(2, 0)], &[]),
    (
        "kong di ann, kong di, bo di 1, cy di 1, end ann 2 di no",
        &[Claimed(3, 0), Concealed(3), Won(1, Some(3), 1), Won(2, Some(3), 1)],
        &[(0, Ready(2)), (3, Not)],
    ),
    ("ann t 1, bo t 1, cy t 1", &[Won(0, None, 1), Won(1, None, 1), Won(2, None, 1)], &[]),
    (
        "kong ann bo shot, cy ann 2, bo t 0, end ann no di 1",
        &[Unpaid(0), Won(2, Some(0), 2), Won(1, None, 0)],
        &[(0, Not), (3, Ready(1))],
    ),
    (
        "di cy 2, kong ann, end ann 1 bo pig cy 0",
        &[Won(3, Some(2), 2), Concealed(0)],
        &[(0, Ready(1)), (1, Pig), (2, Ready(0))],
    ),
    (
        "bo cy 1, ann cy 0, di cy 2",
        &[Won(1, Some(2), 1), Won(0, Some(2), 0), Won(3, Some(2), 2)],
        &[],
    ),
];

/// A deal by what happened, for the players as they sit.
fn deal(evening: &Evening, steps: &[Step], end: &[(usize, Had)]) -> Deal {
    let rules = evening.table.rules().unwrap();
    let seats: Vec<Seat> = evening.state().players.iter().map(|player| player.seat).collect();
    let worth = |fan: i64| rules.read_worth(&fan.to_string()).unwrap();
    let mut last = None;
    let mut win = |player: usize, from: Option<usize>, fan, same| {
        last = from;
        let win = from.map_or(Win::SelfDraw, |from| Win::Discard { from: seats[from] });
        let at = Box::new(Circumstances::new(seats[player], Seat::East, win));
        let hand = WonHand::Worth(worth(fan));
        (DealEvent::Win { hand, at, contradiction: None, same }, last)
    };
    let kong = |player: usize, kind, robbed| DealEvent::Kong {
        seat: seats[player],
        kind,
        robbed,
        shot: false,
    };
    let mut giver = None;
    let event = |step: &Step| match *step {
        Won(player, from, fan) => {
            let (event, from) = win(player, from, fan, false);
            giver = from;
            event
        }
        Same(player, fan) => win(player, giver, fan, true).0,
        Concealed(player) => kong(player, KongKind::Concealed, false),
        Claimed(player, from) => kong(player, KongKind::Claimed { from: seats[from] }, false),
        Added(player) => kong(player, KongKind::Added { late: false }, false),
        Unpaid(player) => kong(player, KongKind::Added { late: false }, true),
        False(player) => DealEvent::FalseWin { seat: seats[player] },
    };
    let events = steps.iter().map(event).collect();
    let holding = |had| match had {
        Ready(fan) => Holding::Ready(worth(fan)),
        Not => Holding::NotReady,
        Pig => Holding::Pig,
    };
    let end = end.iter().map(|(it, had)| EndHand { seat: seats[*it], holding: holding(*had) });
    Deal::of_played(&rules::Deal { events, end: end.collect() }, &seats).unwrap()
}

#[test]
fn random_deals_come_to_what_the_text_says() {
    let mut dice = Dice(7);
    let (mut evening, mut sums) = (Evening::of("sichuan"), Sums::default());
    for _ in 0..600 {
        let (mut steps, mut playing): (Vec<Step>, Vec<usize>) = (Vec::new(), vec![0, 1, 2, 3]);
        while playing.len() > 1 && dice.below(8) > 0 {
            let by = playing.remove(dice.below(playing.len()));
            let other = playing[dice.below(playing.len())];
            let fan = dice.below(5) as i64;
            let win = match dice.below(8) {
                0 => Concealed(by),
                1 => Claimed(by, other),
                2 => Added(by),
                3 => Unpaid(by),
                4 => False(by),
                5 => Won(by, None, fan),
                _ => Won(by, Some(other), fan),
            };
            steps.push(win);
            match win {
                Won(_, Some(from), _) if playing.len() > 1 && dice.below(2) == 0 => {
                    let at = playing.iter().position(|player| *player != from).unwrap();
                    steps.push(Same(playing.remove(at), fan));
                }
                Won(..) => {}
                _ => playing.push(by),
            }
        }
        let mut had = || match dice.below(3) {
            0 => Not,
            1 => Pig,
            _ => Ready(dice.below(5) as i64),
        };
        let left = playing.iter().filter(|_| playing.len() > 1);
        let end: Vec<(usize, Had)> = left.map(|player| (*player, had())).collect();
        if evening.state().over.is_some() {
            (evening, sums) = (Evening::of("sichuan"), Sums::default());
        }
        let played = deal(&evening, &steps, &end);
        evening.enter(Event::Deal(played)).unwrap_or_else(|error| panic!("{steps:?} {error}"));
        sums.play(&steps, &end);
        let expected = sums.totals.map(|total| total.to_string()).join(" ");
        assert_eq!(evening.totals(), expected, "{steps:?} {end:?}");
        assert_eq!(evening.state().place.dealer, sums.dealer, "{steps:?}");
    }
}

#[test]
fn sixteen_deals_are_an_evening_and_void_ones_are_played_again() {
    let mut evening = Evening::of("sichuan");
    let (_, steps, end) = SHEET[1];
    let payments = Some([8, -8, 0, 0].map(tilelens::points::Points::whole).to_vec());
    let chombo = tilelens::table::Chombo { player: 1, payments, ..Default::default() };
    evening.enter(Event::Chombo(chombo)).unwrap();
    for number in 1..=16 {
        assert_eq!(evening.state().over, None, "{number}");
        assert_eq!(evening.state().place.round, Seat::East);
        evening.enter(Event::Deal(deal(&evening, steps, end))).unwrap();
        assert_eq!(evening.state().place.dealer, 0, "the first winner deals");
    }
    assert_eq!(evening.state().over, Some(Over::Played));
    let ranks = evening.state().players.iter().map(|player| player.rank);
    assert_eq!(ranks.collect::<Vec<_>>(), [Some(1), Some(3), Some(4), Some(2)]);
}

#[test]
fn who_is_not_asked_for_and_who_has_won_are_refused() {
    let mut evening = Evening::of("sichuan");
    let refused = |evening: &mut Evening, steps: &[Step], end: &[(usize, Had)], said: &str| {
        let played = deal(evening, steps, end);
        let error = evening.enter(Event::Deal(played)).unwrap_err().to_string();
        assert!(error.contains(said), "{steps:?} {end:?}: {error}");
    };
    let three = &[(0, Not), (2, Not), (3, Not)];
    for (steps, said) in [
        (&[Won(1, Some(3), 0), Won(1, Some(2), 0)][..], "a player wins a deal once"),
        (&[Won(1, Some(3), 0), Won(2, Some(1), 0)], "Cy: the giver"),
        (&[Won(1, Some(3), 0), Concealed(1)], "Bo: the player has won before"),
        (&[Won(1, Some(3), 0), Claimed(2, 1)], "Cy: the giver"),
        (&[Won(1, Some(3), 0), False(1)], "Bo: the player has won before"),
        (&[Won(1, None, 0), Same(2, 0)], "draws the winning tile himself"),
        (&[Won(1, Some(3), 0), Concealed(2), Same(2, 0)], "on the same tile"),
    ] {
        let wins: Vec<usize> = (steps.iter())
            .filter_map(|step| match step {
                Won(player, ..) | Same(player, _) => Some(*player),
                _ => None,
            })
            .collect();
        let end: Vec<_> = (0..4).filter(|it| !wins.contains(it)).map(|it| (it, Not)).collect();
        refused(&mut evening, steps, &end, said);
    }
    let once = &[Won(1, Some(3), 0)];
    refused(&mut evening, once, &[], "what did Ann and Cy and Di have");
    refused(&mut evening, once, &three[..2], "what did Ann and Cy and Di have");
    refused(&mut evening, once, &[(1, Not), (0, Not), (2, Not), (3, Not)], "Ann and Cy and Di");
    refused(&mut evening, &[], three, "what did Ann and Bo and Cy and Di have");
    let all = &[Won(1, Some(3), 0), Same(2, 0), Same(0, 0)];
    refused(&mut evening, all, &[(3, Not)], "leave out what players had");
    assert!(matches!(evening.enter(Event::DRAW), Err(TableError::AskEnd(all)) if all.len() == 4));
    assert_eq!(evening.state().history.len(), 0);
    // Elsewhere nothing is played after a win.
    let played = deal(&evening, once, three);
    let mut other = Evening::of("mmm");
    let error = other.enter(Event::Deal(played)).unwrap_err().to_string();
    assert!(error.contains("knows no play after a win"), "{error}");
}

/// What was paid may be said instead, and the dealer follows from the winners.
#[test]
fn payments_may_be_said_for_a_whole_deal() {
    let mut evening = Evening::of("sichuan");
    let winner = |player, same_tile| Winner {
        player,
        win: WinBy::Discard,
        from: Some(3),
        same_tile,
        ..Winner::default()
    };
    let paid = |winners, amounts: [i64; 4]| {
        let payments = Some(amounts.map(tilelens::points::Points::whole).to_vec());
        Event::Deal(Deal { winners, payments, ..Deal::default() })
    };
    evening.enter(paid(vec![winner(1, false), winner(2, true)], [2, 4, 2, -8])).unwrap();
    assert_eq!((evening.totals().as_str(), evening.state().place.dealer), ("2 4 2 -8", 3));
    evening.enter(paid(Vec::new(), [3, -1, -1, -1])).unwrap();
    assert_eq!((evening.totals().as_str(), evening.state().place.dealer), ("5 3 1 -9", 3));
    assert!(evening.enter(paid(Vec::new(), [3, -1, -1, 0])).is_err());
    // Of a fine that nobody gets the payments do not add up.
    let rulings = vec![("sichuan.pig".to_owned(), "lost".to_owned())];
    let mut evening = Evening::opened(Opened { rulings, ..opened("sichuan", 4) });
    let end = [(0, Pig), (1, Ready(0)), (2, Ready(0)), (3, Ready(0))];
    evening.enter(Event::Deal(deal(&evening, &[], &end))).unwrap();
    assert_eq!(evening.totals(), "-51 1 1 1");
}

/// A correction that gives an earlier deal to another dealer: a hand won with the dealt tiles is scored again.
#[test]
fn a_hand_is_paid_again_where_its_seat_has_moved() {
    let rulings = vec![("sichuan.blessings".to_owned(), "cap".to_owned())];
    let mut evening = Evening::opened(Opened { rulings, ..opened("sichuan", 4) });
    let first = |winner| ([Won(winner, None, 0)], winner);
    let others = |winner| (0..4).filter(move |it| *it != winner).map(|it| (it, Not));
    let (steps, winner) = first(1);
    let end: Vec<_> = others(winner).collect();
    evening.enter(Event::Deal(deal(&evening, &steps, &end))).unwrap();
    let mut blessed = deal(&evening, &steps, &end);
    let hand = Some("123m456m78m234p99p +9m".to_owned());
    let one = Winner { hand, worth: None, first_draw: true, ..blessed.winners[0].clone() };
    blessed.winners = vec![one];
    evening.enter(Event::Deal(blessed)).unwrap();
    let item = |evening: &Evening| {
        let record = evening.state().last_deal().unwrap();
        record.winners[0].scored.as_ref().unwrap().items[0].0.to_string()
    };
    assert_eq!(item(&evening), "heavenly_hand");
    let (steps, winner) = first(2);
    let end: Vec<_> = others(winner).collect();
    let seated = evening.table.before(2).unwrap();
    let before = Evening { table: seated, now: evening.now };
    let with = Box::new(Event::Deal(deal(&before, &steps, &end)));
    evening.enter(Event::Corrected { event: 2, with }).unwrap();
    assert_eq!(item(&evening), "earthly_hand");
    assert_eq!(evening.state().problems, []);
}

/// The sheet as people type it, a line each; then by a command and by the history.
#[cfg(feature = "ledger")]
#[test]
fn an_evening_of_sixteen_deals_typed_at_the_prompt() {
    let evening = crate::commands::Evening::of("sichuan");
    let lines: Vec<&str> = SHEET.iter().map(|(line, ..)| *line).collect();
    let mut prompt = assert_cmd::Command::cargo_bin("tilelens").unwrap();
    prompt.args(["table", "evening"]).arg(&evening.file).write_stdin(lines.join("\n"));
    prompt.assert().success();
    let state: serde_json::Value =
        serde_json::from_str(&evening.done("show", &["--json"])).unwrap();
    let history = state["history"].as_array().unwrap();
    assert_eq!((history.len(), &state["over"]["why"]), (16, &"played".into()));
    let mut sums = Sums::default();
    for ((line, steps, end), record) in SHEET.iter().zip(history) {
        assert_eq!(record["dealer"], sums.dealer, "before {line}");
        sums.play(steps, end);
        let expected = sums.totals.map(|total| total.to_string());
        assert_eq!(record["totals"], serde_json::json!(expected), "{line}: {record}");
    }
    let csv = evening.done("export", &[]);
    let first = csv.lines().nth(1).unwrap();
    assert!(first.contains("Bo; Cy; Di,discard; discard; self-draw,Di; Di; "), "{first}");
    assert!(first.ends_with(",Ann's concealed kong"), "{first}");
    let log = evening.done("log", &[]);
    assert!(
        log.contains("Bo's kong of Cy's discard, Cy's added kong, at the end: Ann is a pig"),
        "{log}"
    );
    assert!(evening.done("verify", &[]).contains("intact"));
    // Another game of three deals, where the second is corrected: the third has another dealer.
    let evening = crate::commands::Evening::of("sichuan");
    for (line, ..) in [SHEET[0], SHEET[9], SHEET[4]] {
        evening.done("deal", &["--play", line]);
    }
    let page = evening.done("correct", &["--deal", "2", "--play", SHEET[10].0]);
    assert!(page.contains("Deal 4 of 16; Bo deals"), "{page}");
    let mut sums = Sums::default();
    for (_, steps, end) in [SHEET[0], SHEET[10], SHEET[4]] {
        sums.play(steps, end);
    }
    assert_eq!(evening.totals(), sums.totals.map(|total| total.to_string()));
    evening.done("undo", &[]);
    let mut sums = Sums::default();
    for (_, steps, end) in [SHEET[0], SHEET[9], SHEET[4]] {
        sums.play(steps, end);
    }
    assert_eq!(evening.totals(), sums.totals.map(|total| total.to_string()));
}

/// What is typed wrongly says what was expected, and nothing is written.
#[cfg(feature = "ledger")]
#[test]
fn a_line_that_is_no_deal_is_refused() {
    let evening = crate::commands::Evening::of("sichuan");
    for (line, code, said) in [
        ("bo di 1", 2, "--play"),
        ("bo di 1,, end ann no", 2, "between two commas"),
        ("bo", 2, "`bo` alone"),
        ("bo di", 2, "what had bo?"),
        ("bo di x", 2, "what had bo?"),
        ("kong", 2, "`kong` alone"),
        ("kong ann bo cy", 2, "`cy`: expected late"),
        ("kong ann late", 2, "who is `late`"),
        ("end", 2, "`end` alone"),
        ("end ann", 2, "what had ann at the end?"),
        ("end ann no, bo di 1", 2, "it comes last"),
        ("bo x 1", 2, "who is `x`"),
        ("bo di 1m", 2, "no legal hand"),
        ("bo di ½", 2, "what had bo?"),
        ("bo di 123m456m78m234p99p+8m -s, end ann no cy no di no", 1, "Bo: "),
        ("bo di 123m456m78m234p99p+9m -m, end ann no cy no di no", 1, "Bo: "),
        ("bo di 0, end ann 123m -s cy no di no", 2, "at the end: 3 tiles"),
        ("bo di 0, end ann no bo no cy no di no", 2, "what did Ann and Cy and Di have"),
        ("bo di 0 cy 1 ann 1, end di no", 2, "leave out what players had then"),
        ("bo di 0, kong bo, end ann no cy no di no", 2, "has won before"),
        ("bo di 0, cy bo 0, end ann no di no", 2, "has won before"),
    ] {
        let (found, _, error) = evening.run("deal", &["--play", line]);
        assert_eq!(found, code, "{line}: {error}");
        assert!(error.contains(said), "{line}: {error}");
    }
    let (code, _, error) = evening.run("draw", &[]);
    assert!(code == 2 && error.contains("what did Ann and Bo and Cy and Di have"), "{error}");
    let (code, _, error) = evening.run("deal", &["-w", "Bo", "--from", "Di", "--worth", "1"]);
    assert!(code == 2 && error.contains("what did Ann and Cy and Di have"), "{error}");
    assert_eq!(evening.done("log", &["--json"]).lines().count(), 1);
}

/// A log that somebody has changed: whatever a number says, it is refused or replayed.
#[test]
fn a_log_with_wrong_numbers_is_refused_or_replayed() {
    let mut evening = Evening::of("sichuan");
    for (_, steps, end) in &SHEET[..6] {
        evening.enter(Event::Deal(deal(&evening, steps, end))).unwrap();
    }
    evening.with_changed_numbers(1000);
}
