//! When a session ends, and who pays.

use tilelens::{
    points::Points,
    rules::{Circumstances, RuleSet, Win, Worth},
    table::{Deal, Draw, Event, Opened, Over, WinBy, Winner},
    tile::Seat,
};

use crate::support::session::{Evening, opened};

const CAUSES: [&str; 4] = ["nine_terminals", "four_winds", "four_riichi", "four_kongs"];
const ANN: usize = 0;
const BO: usize = 1;
const CY: usize = 2;
const DI: usize = 3;

fn drawn(tenpai: &[usize]) -> Event {
    Event::Draw(Draw { tenpai: Some(tenpai.to_vec()), ..Draw::default() })
}

fn aborted(cause: &str, riichi: &[usize]) -> Event {
    let riichi = riichi.to_vec();
    Event::Draw(Draw { abortive: Some(cause.to_owned()), riichi, ..Draw::default() })
}

fn worth(text: &str) -> Worth {
    RuleSet::preset("riichi").unwrap().read_worth(text).unwrap()
}

/// Winners on one tile, with the worth of each.
fn won(from: usize, winners: &[(usize, &str)]) -> Event {
    let winner = |(player, text): &(usize, &str)| Winner {
        player: *player,
        win: WinBy::Discard,
        from: Some(from),
        worth: Some(worth(text)),
        ..Winner::default()
    };
    Event::Deal(Deal { winners: winners.iter().map(winner).collect(), ..Deal::default() })
}

/// The same with what everybody received.
fn paid(from: usize, winners: &[usize], payments: [i32; 4]) -> Event {
    let winner = |player: &usize| Winner {
        player: *player,
        win: WinBy::Discard,
        from: Some(from),
        ..Winner::default()
    };
    let winners = winners.iter().map(winner).collect();
    let payments = Some(payments.map(Points::whole).into());
    Event::Deal(Deal { winners, payments, ..Deal::default() })
}

/// Round, dealer and counters: `S4-7`.
fn place(evening: &Evening) -> String {
    let state = evening.state();
    let dealer = state.dealer_place().index() + 1;
    format!("{}{dealer}-{}", state.place.round, state.place.honba.unwrap())
}

fn enter(evening: &mut Evening, events: impl IntoIterator<Item = Event>) {
    for event in events {
        evening.enter(event).unwrap();
    }
}

/// Di, who deals last, leads with 33,000 in South 4.
fn last_deal() -> Evening {
    let mut evening = Evening::of("riichi");
    enter(&mut evening, [won(ANN, &[(DI, "5/30")])]);
    enter(&mut evening, (0..6).map(|_| drawn(&[])));
    assert_eq!((place(&evening).as_str(), &evening.state().over), ("S4-6", &None));
    evening
}

/// West 1, which Ann deals: nobody has won anything.
fn extra_round() -> Evening {
    let mut evening = Evening::of("riichi");
    enter(&mut evening, (0..8).map(|_| drawn(&[])));
    assert_eq!((place(&evening).as_str(), &evening.state().over), ("W1-8", &None));
    evening
}

/// Four winds in the last deal ended the game, as the last dealer led: it has to be played again.
#[test]
fn an_abortive_draw_never_ends_a_game() {
    for cause in CAUSES {
        let mut evening = last_deal();
        let riichi = if cause == "four_riichi" { vec![ANN, BO, CY, DI] } else { vec![CY] };
        let sticks = riichi.len() as u32;
        enter(&mut evening, [aborted(cause, &riichi)]);
        let state = evening.state();
        assert_eq!((place(&evening).as_str(), &state.over), ("S4-7", &None), "{cause}");
        assert_eq!(state.place.sticks, Some(sticks), "{cause}: they stay on the table");
        // Near misses: he keeps the deal by tenpai, or by a win, and leads.
        let mut tenpai = last_deal();
        enter(&mut tenpai, [aborted(cause, &riichi), drawn(&[DI])]);
        assert_eq!(tenpai.state().over, Some(Over::Leader), "{cause}");
        enter(&mut evening, [won(BO, &[(DI, "1/30")])]);
        assert_eq!(evening.state().over, Some(Over::Leader), "{cause}");
    }
    // Three winners, where that is a draw.
    let two = vec![("riichi.multiple_ron".into(), "two".into())];
    let mut evening = Evening::opened(Opened { rulings: two, ..opened("riichi", 4) });
    enter(&mut evening, [won(ANN, &[(DI, "5/30")])]);
    enter(&mut evening, (0..6).map(|_| drawn(&[])));
    enter(&mut evening, [aborted("three_winners", &[])]);
    assert_eq!((place(&evening).as_str(), &evening.state().over), ("S4-7", &None));
}

/// A stick takes the leader below the dealer: that was no win of his and no tenpai.
#[test]
fn an_abortive_draw_does_not_end_an_extra_round() {
    let mut evening = extra_round();
    enter(&mut evening, [paid(DI, &[ANN, BO], [5000, 5500, 0, -10500])]);
    assert_eq!(
        (evening.totals().as_str(), &evening.state().over),
        ("30000 30500 25000 14500", &None)
    );
    enter(&mut evening, [aborted("four_winds", &[BO])]);
    assert_eq!(evening.totals(), "30000 29500 25000 14500");
    assert_eq!((place(&evening).as_str(), &evening.state().over), ("W1-10", &None));
    enter(&mut evening, [drawn(&[ANN, BO, CY, DI])]);
    assert_eq!(evening.state().over, Some(Over::Target), "tenpai ends it, as he leads");
}

/// A player had the target, but East dealt again: the game ended all the same.
#[test]
fn an_extra_round_goes_on_while_east_keeps_the_deal() {
    // Bo has 33,000 and Ann, who won too, deals again.
    let mut evening = extra_round();
    enter(&mut evening, [won(CY, &[(BO, "5/30"), (ANN, "1/30")])]);
    assert_eq!((place(&evening).as_str(), &evening.state().over), ("W1-9", &None));
    assert_eq!(evening.state().players[BO].total, Points::whole(33_000));
    // Once the deal passes on, that is the end.
    enter(&mut evening, [drawn(&[])]);
    assert_eq!(evening.state().over, Some(Over::Target));

    // Cy deals West 3 and is tenpai; Bo, tenpai too, comes to 30,900.
    let mut evening = extra_round();
    enter(&mut evening, [paid(DI, &[BO], [0, 4400, 0, -4400]), drawn(&[])]);
    assert_eq!(evening.totals(), "25000 29400 25000 20600");
    enter(&mut evening, [drawn(&[CY, BO])]);
    assert_eq!(evening.totals(), "23500 30900 26500 19100");
    assert_eq!((place(&evening).as_str(), &evening.state().over), ("W3-2", &None));
}

#[test]
fn an_extra_round_ends_with_a_dealer_who_leads_with_the_target() {
    // Bo deals West 2 and is alone tenpai: 28,400 and 3000.
    let mut evening = extra_round();
    enter(&mut evening, [paid(DI, &[BO], [0, 3400, 0, -3400]), drawn(&[BO])]);
    assert_eq!(evening.totals(), "24000 31400 24000 20600");
    assert_eq!(evening.state().over, Some(Over::Target));
    // Near misses: he leads with less, or has as much as another who sat before him at first.
    let mut evening = extra_round();
    enter(&mut evening, [paid(DI, &[BO], [0, 1900, 0, -1900]), drawn(&[BO])]);
    assert_eq!(
        (evening.totals().as_str(), &evening.state().over),
        ("24000 29900 24000 22100", &None)
    );
    let mut evening = extra_round();
    let both = [paid(DI, &[ANN], [3500, 0, 0, -3500]), paid(DI, &[BO], [0, 3500, 0, -3500])];
    enter(&mut evening, both);
    enter(&mut evening, [drawn(&[ANN, BO])]);
    assert_eq!(
        (evening.totals().as_str(), &evening.state().over),
        ("30000 30000 23500 16500", &None)
    );
    // Ann, level with Bo, goes first by the seats of the first deal; where level places are shared, nobody leads.
    let share = [("riichi.extension", "west"), ("riichi.last_hand_stop", "yes")]
        .map(|(id, choice)| (id.into(), choice.into()));
    let shared = Opened {
        rulings: share.into(),
        initial: Some(Points::whole(25_000)),
        ..opened("riichi-ema", 4)
    };
    for (begun, over) in [(opened("riichi", 4), Some(Over::Target)), (shared, None)] {
        let mut evening = Evening::opened(begun);
        enter(&mut evening, (0..8).map(|_| drawn(&[])));
        enter(&mut evening, [paid(DI, &[ANN, BO], [5000, 5000, 0, -10_000])]);
        assert_eq!(evening.state().over, over, "{}", evening.state().rules);
    }
}

/// What each step to a payment says.
fn explained(rules: &str, hand: &str, at: &Circumstances, payer: Seat) -> Vec<String> {
    let steps = RuleSet::preset(rules).unwrap().steps(&hand.parse().unwrap(), at).unwrap();
    let own = steps.iter().filter(|step| step.seat == Some(payer));
    own.map(|step| format!("{} {}", step.amount.unwrap(), step.text.english())).collect()
}

/// Tenhou has the liable player pay the counters, the European rules the giver of the tile; both say so.
#[test]
fn the_counters_of_a_liable_hand_are_paid_as_the_rules_say() {
    let hand = "24m99p (5'55z) (66'6z) (777'z) +3m";
    let won = Win::Discard { from: Seat::North };
    let at = Circumstances { honba: 2, ..Circumstances::new(Seat::South, Seat::East, won) };
    let [west, north] =
        [Seat::West, Seat::North].map(|seat| move |rules| explained(rules, hand, &at, seat));
    assert_eq!(west("riichi")[1], "600 2 counters on the table: liable");
    assert_eq!(north("riichi").len(), 1);
    assert_eq!(north("riichi-ema")[1], "600 2 counters on the table");
    assert_eq!(west("riichi-ema").len(), 1);
}

/// In Hong Kong the giver of the third dragon set and of the twelfth piece may be two: one of them pays.
#[test]
fn of_two_liable_players_the_later_giver_pays() {
    let at = Circumstances::new(Seat::South, Seat::East, Win::SelfDraw);
    let says = |hand: &str, payer| explained("hk", hand, &at, payer).join("; ");
    // West gave the red dragon, then East the chow.
    let both = "4p (5'55z) (66'6z) (777'z) (1'23m) +4p";
    assert_eq!(says(both, Seat::West), "");
    assert_eq!(
        says(both, Seat::East),
        "384 128 × 3: liable: whoever gave the last of four claimed sets pays a self-draw for all, the later of two who are liable"
    );
    // Near misses: one player gave both, in one set or in two.
    for one in ["4p (1'23m) (5'55z) (66'6z) (777'z) +4p", "4p (5'55z) (66'6z) (7'77z) (1'23m) +4p"]
    {
        let said = [Seat::East, Seat::West].map(|payer| says(one, payer)).concat();
        assert!(said.contains("liable") && !said.contains("later"), "{one}: {said}");
    }
}

/// The program, and its pages: by whatever way an abortive draw of the last deal comes in, the game goes on.
#[cfg(all(feature = "server", target_os = "linux"))]
mod entered {
    use serde_json::json;

    use super::CAUSES;
    use crate::support::served::{Served, tilelens};

    /// A ledger in which Di, who deals last, leads with 33,000 in South 4.
    fn last_deal(file: &str) {
        let table = |words: &[&str]| tilelens(&[&["table"], words].concat());
        table(&["new", file, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"]);
        table(&["deal", file, "-w", "Di", "--from", "Ann", "--worth", "5/30"]);
        (0..6).for_each(|_| drop(table(&["draw", file, "--noten", "--meant"])));
    }

    #[test]
    fn by_commands() {
        let folder = tempfile::tempdir().unwrap();
        for cause in CAUSES {
            let file = folder.path().join(cause).to_str().unwrap().to_owned();
            last_deal(&file);
            let mut draw = vec!["table", "draw", &file, "--abortive", cause];
            if cause == "four_riichi" {
                draw.extend(["--riichi", "Ann,Bo,Cy,Di"]);
            }
            let shown = tilelens(&draw);
            assert!(!shown.contains("session is over"), "{cause}: {shown}");
            let state = tilelens(&["table", "show", &file, "--json"]);
            let state: serde_json::Value = serde_json::from_str(&state).unwrap();
            let place = [&state["round"], &state["dealer"], &state["honba"], &state["over"]];
            assert_eq!(place, [&json!("S"), &json!(3), &json!(7), &json!(null)], "{cause}");
        }
    }

    /// With three in riichi it was written without a question.
    #[test]
    fn four_riichi_of_three_are_asked_about_on_the_page() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("evening.tlg").to_str().unwrap().to_owned();
        tilelens(&["table", "new", &file, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"]);
        let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
        let draw = json!({ "abortive": "four_riichi" });
        served.post("api/context", &json!({ "riichi_by": ["E", "S", "W"] }));
        let asked = served.post("api/draw", &draw);
        assert_eq!(asked.status, 409, "{}", asked.text());
        let doubt = asked.json()["asked"]["doubts"][0].to_string();
        assert!(doubt.contains("4 players are in riichi then, and 3 are given"), "{doubt}");
        served.post("api/context", &json!({ "riichi_by": ["E", "S", "W", "N"] }));
        assert_eq!(served.post("api/draw", &draw).status, 200);
    }

    #[test]
    fn on_the_page() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("evening.tlg").to_str().unwrap().to_owned();
        last_deal(&file);
        let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
        for cause in CAUSES {
            let riichi =
                if cause == "four_riichi" { json!(["E", "S", "W", "N"]) } else { json!([]) };
            let said = served.post("api/context", &json!({ "riichi_by": riichi }));
            assert_eq!(said.status, 200, "{}", said.text());
            let drawn = served.post("api/draw", &json!({ "abortive": cause, "meant": true }));
            assert_eq!(drawn.status, 200, "{cause}: {}", drawn.text());
            let table = &drawn.json()["table"];
            let place = [&table["round"], &table["dealer"], &table["honba"], &table["over"]];
            assert_eq!(place, [&json!("S"), &json!(3), &json!(7), &json!(null)], "{cause}");
            let undone = served.undo();
            assert_eq!(undone.status, 200, "{}", undone.text());
        }
    }
}
