//! Deals entered by hand: by worth, by payments, at the prompt of an evening.

use crate::support::random::{Dice, circumstances, complete_hand_of, riichi_hand, varied_hand};
use crate::support::session::{Evening, opened};
use jiff::SignedDuration;
use tilelens::{
    hand::Hand,
    points::Points,
    rules::{Circumstances, Payments, RuleSet, Win, Worth, WorthError},
    table::{Charged, Deal, EntryDoubt, Event, Scored, TableError, TileWas, WinBy, Winner},
    tile::{Face, Seat},
};

/// Evenings of all rule sets together.
const EVENINGS: usize = 1_000;

fn hands_for(dice: &mut Dice, rules: &RuleSet) -> Vec<Hand> {
    let one = |dice: &mut Dice| match rules.sets() {
        5 => {
            let claims = dice.chance(50);
            complete_hand_of(dice, 5, claims)
        }
        _ if rules.asks_for_furiten() => riichi_hand(dice),
        _ => varied_hand(dice),
    };
    let played = |hand: &Hand| {
        (0..34).filter_map(Face::from_index).all(|face| hand.count(face) == 0 || rules.plays(face))
    };
    std::iter::repeat_with(|| one(dice)).filter(played).take(150).collect()
}

/// A random winner and the way of winning, without the hand.
fn random_winner(dice: &mut Dice, hand: &Hand) -> Winner {
    let at = circumstances(dice, hand);
    let player = dice.below(4);
    let from = (player + 1 + dice.below(3)) % 4;
    let (win, from) = match at.win {
        Win::SelfDraw => (WinBy::SelfDraw, None),
        Win::Discard { .. } => (WinBy::Discard, Some(from)),
        Win::RobKong { .. } => (WinBy::RobKong, Some(from)),
    };
    let tile = from.map(|_| [TileWas::Fresh, TileWas::Own][dice.below(2)]);
    let other = Charged::Player((player + 1 + dice.below(3)) % 4);
    let charged = [Charged::Nobody, other][dice.below(2)];
    let responsible = from.filter(|_| dice.chance(40)).map(|_| charged);
    Winner { player, win, from, tile, responsible, ..Winner::default() }
}

/// The value of a scored hand on a paper sheet.
fn worth_of(rules: &RuleSet, scored: &Scored) -> Worth {
    let limit = rules
        .value_of(Worth::Limit(1), &Circumstances::new(Seat::South, Seat::East, Win::SelfDraw));
    match (scored.points, rules.points_choose_score()) {
        (None, true) => Worth::Limit((scored.score.0 / limit.unwrap().score.0) as u8),
        (points, true) => Worth::Counted { faan: scored.faan, points },
        (_, false) => Worth::Counted { faan: scored.faan, points: None },
    }
}

fn last_payments(evening: &Evening) -> Vec<Points> {
    evening.state().last_deal().unwrap().payments.to_vec()
}

/// The same winners by their worths alone, with a liable player where the hand shows one.
fn enter_by_worth(evening: &mut Evening, deal: &Deal, scored: &[Scored], paid: &[Points]) {
    let rules = evening.table.rules().unwrap().clone();
    let bare = |liable: [Option<usize>; 2]| {
        let one = |((winner, scored), pao): ((&Winner, &Scored), Option<usize>)| Winner {
            hand: None,
            worth: Some(worth_of(&rules, scored)),
            pao: pao.filter(|pao| *pao != winner.player),
            ..winner.clone()
        };
        let winners = deal.winners.iter().zip(scored).zip(liable).map(one).collect();
        Event::Deal(Deal { winners, ..deal.clone() })
    };
    let fits = |event: &Event| {
        let Ok(Event::Deal(done)) = evening.table.complete(event.clone(), evening.now) else {
            return false;
        };
        let of = |player: usize| {
            done.winners
                .iter()
                .map(|it| it.scored.as_ref().unwrap().payments[player])
                .sum::<Points>()
        };
        (0..4).map(of).eq(paid.iter().copied())
    };
    let anybody = [None, Some(0), Some(1), Some(2), Some(3)];
    let mut liable = anybody.into_iter().flat_map(|a| anybody.map(|b| [a, b]));
    let event = liable.by_ref().map(bare).find(fits);
    let event = event.unwrap_or_else(|| panic!("{deal:?}: {paid:?} is not paid for its worth"));
    let doubts = evening.table.doubts(&event, evening.now).unwrap();
    assert!(
        !doubts.iter().any(|it| matches!(it, EntryDoubt::Worth { .. })),
        "{deal:?}: {doubts:?}"
    );
    evening.enter(event).unwrap();
}

/// The totals of both are the same after each deal, and the payments are those of some hand.
fn play_both(id: &str, evenings: usize, seed: u64) {
    let mut dice = Dice(seed);
    let rules = RuleSet::preset(id).unwrap();
    let hands = hands_for(&mut dice, rules);
    let mut deals = 0;
    for evening in 0..evenings {
        let (mut by_hand, mut by_worth) =
            (Evening::opened(opened(id, 4)), Evening::opened(opened(id, 4)));
        for _ in 0..200 {
            if by_hand.state().over.is_some() || by_hand.state().history.len() >= 16 {
                break;
            }
            if dice.chance(10) {
                let tenpai = rules.asks_for_furiten().then(|| vec![dice.below(4)]);
                let draw = Event::Draw(tilelens::table::Draw { tenpai, ..Default::default() });
                by_hand.enter(draw.clone()).unwrap();
                by_worth.enter(draw).unwrap();
                continue;
            }
            let hand = &hands[dice.below(hands.len())];
            let first = Winner { hand: Some(hand.to_string()), ..random_winner(&mut dice, hand) };
            let mut winners = vec![first.clone()];
            let several = rules.session().most_winners > 1 && dice.chance(15);
            if first.win == WinBy::Discard && several {
                let second = (0..4).find(|it| *it != first.player && Some(*it) != first.from);
                winners.push(Winner { player: second.unwrap(), ..first });
            }
            let deal = Deal { winners, ..Deal::default() };
            if by_hand.enter(Event::Deal(deal.clone())).is_err() {
                continue;
            }
            deals += 1;
            let paid = last_payments(&by_hand);
            let record = by_hand.state().last_deal().unwrap();
            let scored: Vec<Scored> =
                record.winners.iter().map(|it| (**it.scored.as_ref().unwrap()).clone()).collect();
            if evening % 8 == 0 {
                let bare = |it: &Winner| Winner { hand: None, tile: None, ..it.clone() };
                let winners = deal.winners.iter().map(bare).collect();
                let said = Deal { winners, payments: Some(paid.clone()), ..Deal::default() };
                let doubts = by_worth.table.doubts(&Event::Deal(said), by_worth.now);
                assert_eq!(doubts.unwrap(), [], "{id}: {deal:?}");
            }
            enter_by_worth(&mut by_worth, &deal, &scored, &paid);
            assert_eq!(by_worth.totals(), by_hand.totals(), "{id}: {deal:?}");
        }
        let state = by_worth.state();
        let start: Points = std::iter::repeat_n(state.initial, 4).sum();
        assert_eq!(state.players.iter().map(|it| it.total).sum::<Points>(), start);
        assert_eq!(state.players, by_hand.state().players);
    }
    assert!(deals >= evenings * 4, "{id}: {deals} deals in {evenings} evenings");
}

#[test]
fn a_thousand_evenings_by_worth_are_those_by_hand() {
    // Of three players, and of rules that pay others than winners too, other tests are.
    let four = |rules: &&RuleSet| rules.four_players() && rules.pays_winners_alone();
    let kept = RuleSet::presets().filter(|rules| rules.session().kept).filter(four);
    let kept: Vec<&RuleSet> = kept.collect();
    for (seed, rules) in (1..).zip(&kept) {
        play_both(&rules.id, EVENINGS.div_ceil(kept.len()), seed);
    }
}

fn payments_of(id: &str, worth: &str, seat: Seat, win: Win) -> String {
    let rules = RuleSet::preset(id).unwrap();
    let at = Circumstances::new(seat, Seat::East, win);
    let value = rules.value_of(rules.read_worth(worth).unwrap(), &at).unwrap();
    let shown = |payments: &Payments| {
        payments.iter().map(|(_, amount)| amount.to_string()).collect::<Vec<_>>().join(" ")
    };
    shown(&value.payments)
}

#[test]
fn a_worth_is_paid_by_the_rules() {
    let discard = Win::Discard { from: Seat::North };
    for (id, worth, seat, win, paid) in [
        ("mmm", "7", Seat::South, discard, "0 400 0 -400"),
        ("mmm", "7", Seat::East, discard, "600 0 0 -600"),
        ("mmm", "3½", Seat::South, Win::SelfDraw, "-40 120 -40 -40"),
        ("mmm-dk", "7/2", Seat::South, Win::SelfDraw, "-60 120 -30 -30"),
        // More doublings than are paid.
        ("mmm-dk", "20", Seat::South, discard, "0 600 0 -600"),
        ("ims", "12 faan", Seat::South, discard, "0 144 0 -144"),
        ("ims", "limit", Seat::South, discard, "0 144 0 -144"),
        ("hkos", "3", Seat::South, discard, "-8 32 -8 -16"),
        ("hk", "3", Seat::South, Win::SelfDraw, "-8 24 -8 -8"),
        ("chumchu", "7", Seat::South, discard, "-4 22 -4 -14"),
        ("chumchu", "7 pv", Seat::South, Win::SelfDraw, "-7 21 -7 -7"),
        ("mcr", "25 fan", Seat::South, discard, "-8 49 -8 -33"),
        ("taiwan", "3", Seat::South, Win::SelfDraw, "-180 500 -160 -160"),
        ("taiwan", "3 tai", Seat::South, discard, "0 160 0 -160"),
        ("riichi", "3/30", Seat::South, discard, "0 3900 0 -3900"),
        ("riichi", "3 han 30 fu", Seat::East, discard, "5800 0 0 -5800"),
        ("riichi", "3/30", Seat::South, Win::SelfDraw, "-2000 4000 -1000 -1000"),
        ("riichi", "5", Seat::South, discard, "0 8000 0 -8000"),
        ("riichi", "4/40", Seat::South, discard, "0 8000 0 -8000"),
        ("riichi", "yakuman", Seat::South, discard, "0 32000 0 -32000"),
        ("riichi", "2 yakuman", Seat::East, discard, "96000 0 0 -96000"),
        ("riichi", "2/20", Seat::South, Win::SelfDraw, "-700 1500 -400 -400"),
    ] {
        assert_eq!(payments_of(id, worth, seat, win), paid, "{id} {worth} {seat:?} {win:?}");
    }
}

#[test]
fn a_worth_that_no_hand_has_is_refused() {
    let read = |id: &str, worth: &str| RuleSet::preset(id).unwrap().read_worth(worth);
    let value = |id: &str, worth: &str, win| {
        let at = Circumstances::new(Seat::South, Seat::East, win);
        RuleSet::preset(id).unwrap().value_of(read(id, worth).unwrap(), &at)
    };
    for (id, worth) in [
        ("mmm", ""),
        ("mmm", "seven"),
        ("mmm", "-7"),
        ("mmm", "3.25"),
        ("mmm", "3/4/5"),
        ("mmm", "1000000"),
        ("chumchu", "yakuman"),
        ("riichi", "3/"),
        ("riichi", "x/30"),
        ("riichi", "9 yakuman"),
        ("mcr", "limit"),
    ] {
        assert!(matches!(read(id, worth), Err(WorthError::Unread { .. })), "{id} {worth}");
    }
    assert!(matches!(read("mcr", "8½"), Err(WorthError::Halved { .. })));
    assert!(matches!(read("riichi", "3"), Err(WorthError::PointsLacking { .. })));
    let discard = Win::Discard { from: Seat::North };
    for (worth, win) in
        [("2/20", discard), ("3/35", discard), ("3/35", Win::SelfDraw), ("1/10", discard)]
    {
        let error = value("riichi", worth, win).unwrap_err();
        assert!(matches!(error, WorthError::NoSuchPoints { .. }), "{worth} {win:?}: {error}");
    }
    assert!(value("riichi", "2/25", discard).is_ok());
    for (id, worth) in [("mmm", "½"), ("chumchu", "2"), ("mcr", "7"), ("hk", "2")] {
        assert!(matches!(value(id, worth, discard), Err(WorthError::NoWin(_))), "{id} {worth}");
    }
    assert!(value("mmm", "1", discard).is_ok() && value("hkos", "0", discard).is_ok());
    // A ledger could not be read again after a larger score than that.
    assert!(value("taiwan", "4995", Win::SelfDraw).is_ok());
    let error = value("taiwan", "5000", Win::SelfDraw).unwrap_err();
    assert!(matches!(error, WorthError::TooMuch { .. }), "{error}");
}

#[test]
fn who_is_liable_pays_for_a_worth() {
    let mut evening = Evening::of("mmm-dk");
    let worth = Some(Worth::Counted { faan: "7".parse().unwrap(), points: None });
    let winner = Winner { player: 1, worth, pao: Some(3), ..Winner::default() };
    let deal = |winner: Winner| Event::Deal(Deal { winners: vec![winner], ..Deal::default() });
    evening.enter(deal(winner.clone())).unwrap();
    assert_eq!(evening.totals(), "0 400 0 -400");
    // Where nobody can be liable.
    let mut evening = Evening::of("mmm");
    let error = evening.enter(deal(winner.clone())).unwrap_err();
    assert_eq!(error, TableError::Worth(WorthError::NobodyLiable));
    // A part of it, which the worth does not show.
    let mut evening = Evening::of("riichi");
    let two = Winner { worth: Some(Worth::Limit(2)), ..winner.clone() };
    assert_eq!(evening.enter(deal(two)), Err(TableError::Worth(WorthError::PartUnknown)));
    evening.enter(deal(Winner { worth: Some(Worth::Limit(1)), ..winner })).unwrap();
    assert_eq!(evening.totals(), "25000 57000 25000 -7000");
}

#[test]
fn a_new_players_minimum_and_a_corrected_seat_count_for_a_worth() {
    let mut evening = Evening::of("mmm");
    let worth = |faan: &str| Some(Worth::Counted { faan: faan.parse().unwrap(), points: None });
    let deal = |player, from, faan: &str| {
        let by =
            if from == player { (WinBy::SelfDraw, None) } else { (WinBy::Discard, Some(from)) };
        let winner =
            Winner { player, win: by.0, from: by.1, worth: worth(faan), ..Winner::default() };
        Event::Deal(Deal { winners: vec![winner], ..Deal::default() })
    };
    evening.enter(deal(0, 1, "2")).unwrap();
    evening.enter(deal(0, 1, "2")).unwrap();
    assert_eq!(evening.totals(), "2120 1880 2000 2000");
    // The first deal was Bo's: Ann is no longer East in the second.
    let with = Box::new(deal(1, 0, "1"));
    evening.enter(Event::Corrected { event: 2, with }).unwrap();
    assert_eq!(evening.totals(), "2020 1980 2000 2000");
    let mut evening = Evening::of("chumchu");
    assert!(evening.enter(deal(1, 0, "2")).unwrap_err().is_an_answer());
    evening.enter(deal(1, 0, "3")).unwrap();
}

#[test]
fn payments_that_no_hand_gives_are_doubted() {
    let doubts = |id: &str, winners: &[(usize, Option<usize>)], paid: [&str; 4]| {
        let evening = Evening::of(id);
        let one = |&(player, from): &(usize, Option<usize>)| {
            let win = if from.is_some() { WinBy::Discard } else { WinBy::SelfDraw };
            Winner { player, win, from, ..Winner::default() }
        };
        let payments = Some(paid.map(|points| points.parse().unwrap()).to_vec());
        let deal = Deal { winners: winners.iter().map(one).collect(), payments, ..Deal::default() };
        evening.table.doubts(&Event::Deal(deal), evening.now).unwrap()
    };
    for (id, winners, paid) in [
        ("mmm-dk", &[(1, Some(3))][..], ["0", "80", "0", "-80"]),
        ("mmm-dk", &[(1, None)], ["-40", "80", "-20", "-20"]),
        // Liable for a self-draw.
        ("mmm-dk", &[(1, None)], ["0", "80", "0", "-80"]),
        ("mmm", &[(1, None)], ["-80/3", "80", "-80/3", "-80/3"]),
        ("riichi", &[(1, Some(3))], ["0", "3900", "0", "-3900"]),
        ("riichi", &[(1, Some(3)), (2, Some(3))], ["0", "3900", "1000", "-4900"]),
        ("chumchu", &[(1, Some(3))], ["-4", "22", "-4", "-14"]),
        // A safe tile.
        ("chumchu", &[(1, Some(3))], ["-7", "21", "-7", "-7"]),
        ("mcr", &[(1, Some(3))], ["-8", "49", "-8", "-33"]),
        ("taiwan", &[(1, None)], ["-180", "500", "-160", "-160"]),
    ] {
        assert_eq!(doubts(id, winners, paid), [], "{id} {paid:?}");
    }
    for (id, winners, paid) in [
        ("mmm-dk", &[(1, Some(3))][..], ["0", "81", "0", "-81"]),
        ("mmm-dk", &[(1, Some(3))], ["-40", "80", "0", "-40"]),
        ("mmm", &[(1, None)], ["-26", "80", "-27", "-27"]),
        ("riichi", &[(1, Some(3))], ["0", "3800", "0", "-3800"]),
        ("riichi", &[(1, Some(3)), (2, Some(3))], ["0", "3900", "1100", "-5000"]),
        ("chumchu", &[(1, Some(3))], ["-3", "20", "-3", "-14"]),
        ("mcr", &[(1, Some(3))], ["-8", "31", "-8", "-15"]),
        ("taiwan", &[(1, None)], ["-160", "480", "-160", "-160"]),
    ] {
        let doubts = doubts(id, winners, paid);
        assert!(matches!(doubts[..], [EntryDoubt::Payments { .. }]), "{id} {paid:?}: {doubts:?}");
    }
    let doubt = &doubts("mmm-dk", &[(1, Some(3))], ["0", "81", "0", "-81"])[0];
    assert!(doubt.to_string().ends_with("Bo receives 80 or 120"), "{doubt}");
}

#[test]
fn the_same_deal_within_a_minute_is_doubted() {
    let worth = Some(Worth::Counted { faan: "7".parse().unwrap(), points: None });
    let winner = Winner { player: 1, worth, ..Winner::default() };
    let deal = Event::Deal(Deal { winners: vec![winner], ..Deal::default() });
    let mut evening = Evening::of("mmm");
    evening.enter(deal.clone()).unwrap();
    let entered = evening.now - SignedDuration::from_mins(1);
    let after = |evening: &Evening, event: &Event, seconds| {
        evening.table.doubts(event, entered + SignedDuration::from_secs(seconds)).unwrap()
    };
    assert_eq!(after(&evening, &deal, 10), [EntryDoubt::Twice { number: 1, seconds: 10 }]);
    assert_eq!(after(&evening, &deal, 59).len(), 1);
    assert_eq!(after(&evening, &deal, 60), []);
    // Another deal, the same after it was taken back, a correction of it.
    assert_eq!(after(&evening, &Event::DRAW, 10), []);
    let with = Box::new(deal.clone());
    assert_eq!(after(&evening, &Event::Corrected { event: 2, with }, 10), []);
    evening.enter(Event::Undone { event: 2 }).unwrap();
    assert_eq!(after(&evening, &deal, 10), []);
    let mut evening = Evening::of("riichi");
    let draw = |tenpai: &[usize], riichi: &[usize]| {
        let (tenpai, riichi) = (Some(tenpai.to_vec()), riichi.to_vec());
        Event::Draw(tilelens::table::Draw { tenpai, riichi, ..Default::default() })
    };
    evening.enter(draw(&[1], &[2])).unwrap();
    assert_eq!(after(&evening, &draw(&[1], &[2]), 5).len(), 1);
    assert_eq!(after(&evening, &draw(&[2, 1], &[2]), 5).len(), 1);
    assert_eq!(after(&evening, &draw(&[1], &[]), 5), []);
}

/// The program at a table in a folder of its own.
#[cfg(feature = "ledger")]
mod commands {
    use std::path::PathBuf;

    use assert_cmd::Command;
    use serde_json::Value as Json;

    struct Desk {
        _folder: tempfile::TempDir,
        file: PathBuf,
    }

    impl Desk {
        fn of(rules: &str) -> Self {
            Self::with(rules, "Ann,Bo,Cy,Di")
        }

        fn with(rules: &str, players: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("evening.tlg");
            let desk = Self { _folder: folder, file };
            desk.done("new", &["--rules", rules, "--players", players]);
            desk
        }

        /// Exit code, standard output, standard error.
        fn run(&self, command: &str, arguments: &[&str], input: &str) -> (i32, String, String) {
            let mut program = Command::cargo_bin("tilelens").unwrap();
            program.args(["table", command]).arg(&self.file).args(arguments).env("TZ", "UTC");
            let output = program.write_stdin(input).output().unwrap();
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
        }

        fn done(&self, command: &str, arguments: &[&str]) -> String {
            let (code, out, error) = self.run(command, arguments, "");
            assert_eq!(code, 0, "{command} {arguments:?}: {error}");
            out
        }

        fn fails(&self, command: &str, arguments: &[&str], input: &str) -> String {
            let (code, out, error) = self.run(command, arguments, input);
            assert_eq!(code, 2, "{command} {arguments:?} {input}: {out}{error}");
            error
        }

        fn state(&self) -> Json {
            serde_json::from_str(&self.done("show", &["--json"])).unwrap()
        }

        fn totals(&self) -> Vec<String> {
            let state = self.state();
            let players = state["players"].as_array().unwrap();
            players.iter().map(|player| player["total"].as_str().unwrap().to_owned()).collect()
        }
    }

    #[test]
    fn a_deal_by_worth_from_the_command_line() {
        let desk = Desk::of("mmm");
        let page = desk.done("deal", &["-w", "Bo", "--from", "Di", "--worth", "7"]);
        assert!(page.contains("Bo on Di's discard, worth 7: Bo +400, Di -400"), "{page}");
        desk.done("deal", &["-w", "Cy", "--self-draw", "--worth", "3½"]);
        assert_eq!(desk.totals(), ["1960", "2360", "2120", "1560"]);
        desk.done("deal", &["-w", "Cy", "--from", "Bo", "--worth", "1", "--also", "Di=2"]);
        // Cy is East: half as much again.
        assert_eq!(desk.totals(), ["1960", "2290", "2150", "1600"]);
        let log = desk.done("log", &[]);
        assert!(log.contains("Bo wins on Di's discard (worth 7)"), "{log}");
        assert!(desk.done("export", &[]).contains(",Bo,discard,Di,worth 7,"));
        // A correction uses the same words.
        desk.done("correct", &["--deal", "1", "-w", "Bo", "--from", "Di", "--worth", "8"]);
        assert_eq!(desk.totals(), ["1960", "2330", "2150", "1560"]);
        desk.done("verify", &[]);
        for (arguments, said) in [
            (&["-w", "Bo", "--from", "Di", "--worth", "much"][..], "`much` is not a worth"),
            (&["-w", "Bo", "--from", "Di"], "--worth"),
            (&["-w", "Bo", "--worth", "7"], "the way of winning is missing"),
            (&["-w", "Bo", "--self-draw", "--worth", "7", "--pay", "Bo=80"], "cannot be used with"),
            (&["-w", "Bo", "--from", "Di", "--worth", "7", "--also", "Cy"], "PLAYER=WORTH"),
        ] {
            let error = desk.fails("deal", arguments, "");
            assert!(error.contains(said), "{arguments:?}: {error}");
        }
        // Too little is an answer of the rules.
        let (code, _, error) = desk.run("deal", &["-w", "Bo", "--self-draw", "--worth", "½"], "");
        assert_eq!(code, 1, "{error}");
    }

    #[test]
    fn a_table_and_a_score_say_how_payments_come_about() {
        let desk = Desk::of("mmm-dk");
        let page = desk.done("deal", &["-w", "Ann", "--from", "Di", "--worth", "20"]);
        for line in [
            "  20 doublings counted, 12 at most\n",
            "  12 doublings score 600 by the table\n",
            "  Di pays 900: 600 × 1½: gave the tile, East wins\n",
        ] {
            assert!(page.contains(line), "{line} in {page}");
        }
        let steps = desk.state()["last_deal_steps"][0].clone();
        assert_eq!(steps[2]["kind"], "share");
        assert_eq!((&steps[2]["seat"], &steps[2]["amount"]), (&"N".into(), &"900".into()));
        // Amounts that were said have nothing to explain.
        desk.done("deal", &["-w", "Bo", "--from", "Di", "--pay", "Bo=120,Di=-120"]);
        assert!(desk.state()["last_deal_steps"].is_null());
        let mut program = Command::cargo_bin("tilelens").unwrap();
        let hand = ["123m456m789p23s55s +4s", "--rules", "mmm", "--seat", "E", "--round", "E"];
        let score = program.arg("score").args(hand).args(["--from", "N"]).output().unwrap();
        let page = String::from_utf8(score.stdout).unwrap();
        assert!(page.contains("30  20 × 1½: gave the tile, East wins"), "{page}");
        let mut program = Command::cargo_bin("tilelens").unwrap();
        let json =
            program.arg("score").args(hand).args(["--from", "N", "--json"]).output().unwrap();
        let answer: Json = serde_json::from_slice(&json.stdout).unwrap();
        assert_eq!(answer["steps"][1]["text"], "20 × 1½: gave the tile, East wins");
        assert_eq!(answer["payments"]["N"], "-30");
    }

    #[test]
    fn a_fault_that_pays_is_entered_under_any_rules() {
        let desk = Desk::of("mmm");
        let error = desk.fails("chombo", &["bo"], "");
        assert!(error.contains("or say what everybody received and paid (--pay)"), "{error}");
        let pay = ["bo", "--pay", "Bo=-120,Ann=40,Cy=40,Di=40", "--note", "false win"];
        let page = desk.done("chombo", &pay);
        assert!(page.contains("chombo of Bo (false win): Ann +40, Bo -120"), "{page}");
        // Played again: Ann still deals.
        assert!(page.contains("Ann deals"), "{page}");
        assert!(
            desk.fails("chombo", &["bo", "--pay", "Bo=-120,Ann=40"], "").contains("add up to -80")
        );
        desk.done("verify", &[]);
        desk.done(
            "correct",
            &["--deal", "1", "--chombo", "Bo", "--pay", "Bo=-60,Ann=20,Cy=20,Di=20"],
        );
        assert_eq!(desk.totals(), ["2020", "1940", "2020", "2020"]);
    }

    #[test]
    fn items_have_one_name() {
        let desk = Desk::of("hk");
        let rules = tilelens::rules::RuleSet::preset("hk").unwrap();
        let hand = "222z333z444z111z5z +5z";
        let at = tilelens::rules::Circumstances::new(
            tilelens::tile::Seat::South,
            tilelens::tile::Seat::East,
            tilelens::rules::Win::SelfDraw,
        );
        let score = rules.score(&hand.parse().unwrap(), &at).unwrap();
        let page = desk.done("deal", &[hand, "-w", "Bo", "--self-draw"]);
        for item in &score.items {
            assert!(page.contains(&item.name), "{} in {page}", item.name);
        }
        assert!(
            score.items.iter().any(|item| item.id.replace('_', " ") != item.name)
                || rules.item_names().is_empty()
        );
    }

    #[test]
    fn a_player_is_renamed_at_any_time() {
        let desk = Desk::of("mmm");
        desk.done("deal", &["-w", "Bo", "--from", "Di", "--worth", "7"]);
        let page = desk.done("rename", &["bo", "Bo Berg"]);
        assert!(page.contains("Bo Berg on Di's discard"), "{page}");
        assert_eq!(desk.totals()[1], "2400");
        assert!(desk.fails("rename", &["ann", "di"], "").contains("two players are called"));
        assert!(desk.done("log", &[]).contains("Bo is Bo Berg"));
    }

    #[test]
    fn riichi_by_worth_with_counters_and_sticks() {
        let desk = Desk::of("riichi");
        desk.done("draw", &["--tenpai", "Ann"]);
        desk.done("deal", &["-w", "Bo", "--from", "Di", "--worth", "3/30", "--riichi", "Bo,Cy"]);
        // 25000 less 1000 for the draw; 3900, a counter's 300, Cy's stick.
        assert_eq!(desk.totals(), ["28000", "29200", "23000", "19800"]);
        let error = desk.fails("deal", &["-w", "Bo", "--from", "Di", "--worth", "3"], "");
        assert!(error.contains("give the fu too"), "{error}");
    }

    #[test]
    fn payments_are_read_as_printed_and_asked_about() {
        let desk = Desk::of("ims");
        desk.done(
            "deal",
            &["-w", "Bo", "--self-draw", "--pay", "Bo=112½,Ann=-37.5,Cy=-37½,Di=-75/2"],
        );
        assert_eq!(desk.totals(), ["-75/2", "225/2", "-75/2", "-75/2"]);
        let odd = ["-w", "Bo", "--from", "Di", "--pay", "Bo=33,Di=-33"];
        let error = desk.fails("deal", &odd, "");
        assert!(error.contains("no hand of") && error.contains("24 or 36"), "{error}");
        assert!(error.contains("--meant"), "{error}");
        assert_eq!(desk.totals()[1], "225/2");
        desk.done("deal", &[&odd[..], &["--meant"]].concat());
        assert_eq!(desk.totals()[1], "291/2");
        // A correction is asked about by the seats of its own deal.
        let correct = ["--deal", "2", "-w", "Bo", "--from", "Di", "--pay", "Bo=31,Di=-31"];
        assert!(desk.fails("correct", &correct, "").contains("no hand of"));
        desk.done("correct", &["--deal", "2", "-w", "Bo", "--from", "Di", "--pay", "Bo=48,Di=-48"]);
    }

    #[test]
    fn the_same_deal_at_once_is_asked_about() {
        let desk = Desk::of("mmm");
        let deal = ["-w", "Bo", "--from", "Di", "--worth", "7"];
        desk.done("deal", &deal);
        let error = desk.fails("deal", &deal, "");
        assert!(
            error.contains("deal 1 was entered like that") && error.contains("--meant"),
            "{error}"
        );
        desk.done("deal", &[&deal[..], &["--meant"]].concat());
        desk.done("draw", &[]);
        assert!(desk.fails("draw", &[], "").contains("deal 3 was entered"));
        // An entry with a name of its own is known by that.
        desk.done("draw", &["--id", "second"]);
        desk.done("draw", &["--id", "second"]);
        assert_eq!(desk.state()["number"], 5);
    }

    /// Sixteen deals as they are typed at the prompt, the same as arguments, and the totals that they come to.
    const SHEETS: [(&str, &[(&str, &str)]); 4] = [
        (
            "mmm",
            &[
                ("bo di 7", "deal -w Bo --from Di --worth 7"),
                ("a t 2", "deal -w Ann --self-draw --worth 2"),
                ("c b 1½", "deal -w Cy --from Bo --worth 3/2"),
                ("d", "draw"),
                ("di a 3 c 1", "deal -w Di --from Ann --worth 3 --also Cy=1"),
            ],
        ),
        (
            "riichi",
            &[
                ("b d 3/30 r b", "deal -w Bo --from Di --worth 3/30 --riichi Bo"),
                ("d b c r a", "draw --tenpai Bo,Cy --riichi Ann"),
                ("a t 1/30", "deal -w Ann --self-draw --worth 1/30"),
                ("di c 2/30", "deal -w Di --from Cy --worth 2/30"),
            ],
        ),
        (
            "chumchu",
            &[
                ("b d 7", "deal -w Bo --from Di --worth 7"),
                ("c a 12 safe", "deal -w Cy --from Ann --worth 12 --tile own"),
                ("a * 4", "deal -w Ann --self-draw --worth 4"),
            ],
        ),
        (
            "taiwan",
            &[
                ("a t 3", "deal -w Ann --self-draw --worth 3"),
                ("a t 4", "deal -w Ann --self-draw --worth 4"),
                ("b c 5 kong", "deal -w Bo --rob-kong Cy --worth 5"),
                ("d", "draw"),
            ],
        ),
    ];

    #[test]
    fn an_evening_typed_at_the_prompt_is_that_of_the_commands() {
        let rest = ["hkos", "hk", "mcr", "mmm-dk", "ims", "riichi-ema", "hkos-heavy", "hkos-faan"];
        let plain: &[(&str, &str)] = &[
            ("b d 8", "deal -w Bo --from Di --worth 8"),
            ("c t 9", "deal -w Cy --self-draw --worth 9"),
            ("a c 10", "deal -w Ann --from Cy --worth 10"),
            ("di a 8", "deal -w Di --from Ann --worth 8"),
        ];
        let sheets = SHEETS.into_iter().chain(rest.map(|rules| (rules, plain)));
        for (rules, deals) in sheets {
            let (typed, commanded) = (Desk::of(rules), Desk::of(rules));
            let sheet: Vec<&(&str, &str)> = deals.iter().cycle().take(16).collect();
            let mut lines = String::new();
            for (number, (line, command)) in sheet.iter().enumerate() {
                let keys = line.chars().count() + 1;
                assert!(keys <= 15, "{rules}: `{line}` is {keys} keystrokes");
                lines += line;
                lines.push('\n');
                let mut words = command.split(' ');
                let (name, arguments) = (words.next().unwrap(), words.collect::<Vec<_>>());
                let (code, _, error) = commanded.run(name, &arguments, "");
                assert_eq!(code, 0, "{rules} {number} {command}: {error}");
                // Riichi is over after two rounds.
                if rules.starts_with("riichi") && !commanded.state()["over"].is_null() {
                    break;
                }
            }
            let deals = commanded.state()["history"].as_array().unwrap().len();
            assert!(deals == 16 || rules.starts_with("riichi") && deals >= 8, "{rules}: {deals}");
            let (code, out, error) = typed.run("evening", &[], &lines);
            assert_eq!(code, 0, "{rules}: {out}{error}");
            assert_eq!(typed.totals(), commanded.totals(), "{rules}");
            assert_eq!(typed.state()["history"].as_array().unwrap().len(), deals, "{rules}");
        }
    }

    #[test]
    fn the_prompt_undoes_runs_commands_and_stops_at_a_mistake() {
        let desk = Desk::of("mmm");
        let hand = "deal \"123m567p34s678s22p +5s\" -w Bo --from Di --tile fresh";
        let lines =
            format!("bo di 7\nbo di 7!\nu\n\n{hand}\npenalty cy --points 10\nhelp\nq\nbo di 9\n");
        let (code, out, error) = desk.run("evening", &["--author", "Eve"], &lines);
        assert_eq!(code, 0, "{error}");
        assert!(out.contains("taken back") && out.contains("names may be shortened"), "{out}");
        assert_eq!(desk.totals()[1], "2430");
        assert!(desk.done("log", &[]).contains("Eve"));
        for (lines, said) in [
            ("bo di 9\nbo xi 3\nbo di 8\n", "line 2, `bo xi 3`: who is `xi`?"),
            ("bo di 5\nbo di 5\n", "line 2, `bo di 5`: deal"),
            ("bo di\n", "line 1, `bo di`: unrecognized subcommand"),
            ("evening\n", "open already"),
        ] {
            let error = desk.fails("evening", &[], lines);
            assert!(error.contains(said), "{lines}: {error}");
        }
        // The lines before the mistake are written.
        assert_eq!(desk.state()["history"].as_array().unwrap().len(), 4);
        let tom = Desk::with("mmm", "Ann,Bo,Cy,Tom");
        assert!(tom.fails("evening", &[], "bo t 7\n").contains("may be a self-draw or Tom"));
        // The option that mends an entry is said here too.
        let error = desk.fails("evening", &[], "undo 99\n");
        assert!(error.contains("no event 99") && error.contains("table log lists them"), "{error}");
        assert_eq!(tom.run("evening", &[], "bo * 7\nbo to 7\n").0, 0);
    }
}

mod explained {
    use super::{Dice, circumstances, hands_for};
    use num_rational::Ratio;
    use tilelens::{
        hand::Hand,
        rules::{Circumstances, RuleSet, ScoreStep, StepKind, Win},
        tile::Seat,
    };

    /// Each step as `seat amount kind: text`.
    fn steps(rules: &str, hand: &str, seat: Seat, win: Win) -> Vec<String> {
        let hand: Hand = hand.parse().unwrap();
        let at = Circumstances::new(seat, Seat::East, win);
        let steps = RuleSet::preset(rules).unwrap().steps(&hand, &at).unwrap();
        steps.iter().map(line).collect()
    }

    fn line(step: &ScoreStep) -> String {
        let seat = step.seat.map_or(String::new(), |seat| format!("{seat} "));
        let amount = step.amount.map_or(String::new(), |amount| format!("{amount} "));
        let kind = serde_json::to_string(&step.kind).unwrap();
        format!("{seat}{amount}{}: {}", kind.trim_matches('"'), step.text.english())
    }

    #[test]
    fn each_factor_share_and_cap_has_a_line() {
        let discard = Win::Discard { from: Seat::North };
        let chows = "123m456m789p23s55s +4s";
        for (rules, hand, seat, win, lines) in [
            // East's one and a half.
            (
                "mmm",
                chows,
                Seat::East,
                discard,
                &[
                    "score: 1 faan scores 20 by the table",
                    "N 30 share: 20 × 1½: gave the tile, East wins",
                ][..],
            ),
            (
                "mmm",
                chows,
                Seat::West,
                discard,
                &["score: 1 faan scores 20 by the table", "N 20 share: 20: gave the tile"],
            ),
            // Who is liable.
            (
                "mmm-dk",
                "5m (1'23m) (4'56p) (7'89s) (2'34s) +5m",
                Seat::West,
                discard,
                &[
                    "score: 1 doubling scores 20 by the table",
                    "S 20 liable: 20: liable: a winner with four claimed chows: the player to the left pays for all",
                ],
            ),
            (
                "hkos",
                "111m22m333p456s78s +9s",
                Seat::South,
                discard,
                &[
                    "score: 1 faan scores 2 by the table",
                    "E 2 share: 2: each pays that",
                    "W 2 share: 2: each pays that",
                    "N 4 share: 2 × 2: gave the tile",
                ],
            ),
        ] {
            let found = steps(rules, hand, seat, win);
            let found: Vec<&str> = found.iter().map(String::as_str).collect();
            assert_eq!(found, lines, "{rules} {hand}");
        }
    }

    #[test]
    fn a_total_that_is_cut_off_says_so() {
        // Doublings that are never more than 12, auxiliary points included.
        let hand = "222z333z444z111z5z +5z";
        let found = steps("mmm-dk", hand, Seat::South, Win::Discard { from: Seat::North });
        let score = {
            let at =
                Circumstances::new(Seat::South, Seat::East, Win::Discard { from: Seat::North });
            RuleSet::preset("mmm-dk").unwrap().score(&hand.parse().unwrap(), &at).unwrap()
        };
        let items: i32 = score.items.iter().map(|item| item.value.0).sum();
        assert!(items / 2 > 12, "{items}");
        // A half or a whole doubling of the points comes on top.
        let counted = [items + 1, items + 2].map(|halves| format!("cap: {}", halves / 2));
        assert!(counted.iter().any(|text| found[0].starts_with(text)), "{found:?}");
        assert!(found[0].ends_with("doublings counted, 12 at most"), "{found:?}");
        assert_eq!(
            found[1..],
            ["score: 12 doublings score 600 by the table", "N 600 share: 600: gave the tile"]
        );
        // Mangan, and hands raised to it.
        let at = Circumstances::new(Seat::South, Seat::East, Win::Discard { from: Seat::North });
        let texts = |worth: &str, rules: &RuleSet| -> Vec<String> {
            let steps = rules.steps_of(rules.read_worth(worth).unwrap(), &at).unwrap();
            steps.iter().map(line).collect()
        };
        let riichi = RuleSet::preset("riichi").unwrap();
        assert_eq!(
            texts("4/40", riichi),
            [
                "cap: 40 fu doubled 6 times would be 2560: 2000 counts",
                "N 8000 share: 2000 × 4: gave the tile",
            ]
        );
        assert_eq!(texts("6", riichi)[0], "score: 6 han: 3000 from 6 han on");
        assert_eq!(
            texts("3/30", riichi)[1],
            "N 3900 share: 960 × 4: gave the tile, 3840 rounded up"
        );
        let taiwan = RuleSet::preset("taiwan").unwrap();
        let at = Circumstances {
            honba: 1,
            ..Circumstances::new(Seat::South, Seat::East, Win::SelfDraw)
        };
        let steps = taiwan.steps_of(taiwan.read_worth("3").unwrap(), &at).unwrap();
        let of_east: Vec<String> =
            steps.iter().filter(|it| it.seat == Some(Seat::East)).map(line).collect();
        assert_eq!(
            of_east,
            [
                "E 160 share: 160: a self-draw, for which each pays",
                "E 60 dealer: 3 tai more × 20, as East pays",
            ]
        );
    }

    #[test]
    fn the_steps_of_each_payer_come_to_what_he_pays() {
        for (seed, rules) in (1..).zip(RuleSet::presets()) {
            let (mut dice, id) = (Dice(seed), &rules.id);
            let (mut hands, mut explained, mut differ) = (0, 0, false);
            for hand in hands_for(&mut dice, rules) {
                let at = circumstances(&mut dice, &hand);
                let Ok(score) = rules.score(&hand, &at) else { continue };
                hands += 1;
                let steps = rules.steps(&hand, &at).unwrap();
                for (seat, paid) in score.value.payments.iter().filter(|(seat, _)| *seat != at.seat)
                {
                    let own = steps.iter().filter(|step| step.seat == Some(seat));
                    let sum: Ratio<i64> = own.filter_map(|step| step.amount).sum();
                    assert_eq!(-paid, sum, "{id} {hand} {at:?}: {steps:?}");
                }
                differ |= score.value.faan != score.value.score;
                explained += usize::from(steps.iter().any(|step| step.kind == StepKind::Score));
            }
            assert!(hands > 10, "{id}: {hands} hands");
            assert!(explained > 0 || !differ, "{id}: its scores are not its faan");
        }
    }
}
