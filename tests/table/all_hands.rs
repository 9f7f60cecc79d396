//! Tables of rules that score every hand: settlement among all by hands and by worths, the passing of the deal, what is
//! refused.

use crate::support::{
    random::Dice,
    session::{Evening, NAMES},
};
use tilelens::{
    points::Points,
    rules::{Halves, Worth},
    table::{Deal, Event, OtherHand, PlayerFault, TableError, WinBy, Winner},
    tile::Seat::{self, North, South},
};

/// The deal of CLASSICAL.md, section 7: West wins by North's 9s.
const WORKED: [(&str, &str); 4] = [
    ("(5'55z) 999m 22p 4s 16p 78p 1f", "64"),
    ("1134557m 113455p", "200"),
    ("111z 333s 678s (2'22s) 9s 2f +9s", "152"),
    ("[6666z] 44z 38p 67m 2458s 4f", "152"),
];

/// Everybody's gain by the text alone: each loser pays the winner his score, the lower of two losers the difference, double
/// where one of the two is East. A liable player pays all three shares, and nobody else anything.
pub fn settled(east: usize, winner: usize, scores: [i64; 4], liable: Option<usize>) -> [i64; 4] {
    let mut gains = [0; 4];
    let times = |one: usize, other: usize| if one == east || other == east { 2 } else { 1 };
    for payer in (0..4).filter(|player| *player != winner) {
        let from = liable.unwrap_or(payer);
        gains[from] -= times(payer, winner) * scores[winner];
        gains[winner] += times(payer, winner) * scores[winner];
        for payee in (0..4).filter(|player| *player != winner && liable.is_none()) {
            let more = (scores[payee] - scores[payer]).max(0) * times(payer, payee);
            gains[payer] -= more;
            gains[payee] += more;
        }
    }
    gains
}

/// A deal by what each player's hand is worth, by the players in their order.
fn by_worths(evening: &Evening, player: usize, from: Option<usize>, worths: [&str; 4]) -> Deal {
    let rules = evening.table.rules().unwrap();
    let worth = |player: usize| Some(rules.read_worth(worths[player]).unwrap());
    let others = (0..4).filter(|other| *other != player);
    let winner = Winner {
        player,
        win: if from.is_some() { WinBy::Discard } else { WinBy::SelfDraw },
        from,
        worth: worth(player),
        others: others
            .map(|player| OtherHand { player, worth: worth(player), ..OtherHand::default() })
            .collect(),
        ..Winner::default()
    };
    Deal { winners: vec![winner], ..Deal::default() }
}

#[test]
fn the_worked_deal_is_settled_by_hands_by_worths_and_by_both() {
    for by_hand in 0..16_u32 {
        let mut evening = Evening::of("classical-bmja");
        let worths = WORKED.map(|(_, worth)| worth);
        let mut deal = by_worths(&evening, 2, Some(3), worths);
        let winner = &mut deal.winners[0];
        if by_hand >> 2 & 1 == 1 {
            (winner.hand, winner.worth) = (Some(WORKED[2].0.to_owned()), None);
        }
        for other in winner.others.iter_mut().filter(|other| by_hand >> other.player & 1 == 1) {
            (other.hand, other.worth) = (Some(WORKED[other.player].0.to_owned()), None);
        }
        evening.enter(Event::Deal(deal)).unwrap();
        assert_eq!(evening.totals(), "-752 168 608 -24", "{by_hand:b}");
        let record = evening.state().last_deal().unwrap();
        let scored = record.winners[0].scored.as_ref().unwrap();
        let others: Vec<String> = scored.others.iter().map(ToString::to_string).collect();
        assert_eq!(others, ["64", "200", "0", "152"]);
        let said = record.said.iter().map(|said| said.english()).collect::<Vec<_>>();
        assert_eq!(said[1], "the others’ hands: Ann 64, Bo 200, Di 152");
        // Each payment is explained, those among the losers too.
        let steps = evening.table.explain(record).unwrap().remove(0);
        let of = |seat: Seat| steps.iter().filter(move |step| step.seat == Some(seat));
        let paid: Points = of(South).filter_map(|step| Points::of(-step.amount?)).sum();
        assert_eq!(paid, Points::whole(168));
        assert!(of(North).any(|step| step.text.english().contains("to South")), "{steps:?}");
    }
}

#[test]
fn random_deals_come_to_what_the_text_says_and_add_up_to_nothing() {
    let mut random = Dice(41);
    for (rules, limit) in [("classical-bmja", 1000), ("classical-dmjl", 500)] {
        let mut evening = Evening::of(rules);
        let mut totals = [0; 4];
        for _ in 0..400 {
            let mut scores = [0; 4].map(|_: i64| 2 * random.below(limit / 2 + 1) as i64);
            let winner = random.below(4);
            scores[winner] = scores[winner].max(20);
            let from = Some(random.below(4)).filter(|from| *from != winner);
            let liable = from.filter(|_| random.below(5) == 0);
            let worths = scores.map(|score| score.to_string());
            let texts = std::array::from_fn(|player| worths[player].as_str());
            let mut deal = by_worths(&evening, winner, from, texts);
            deal.winners[0].pao = liable;
            let east = evening.state().place.dealer;
            // One game of four rounds after another.
            if evening.enter(Event::Deal(deal.clone())).is_err() {
                (evening, totals) = (Evening::of(rules), [0; 4]);
                continue;
            }
            let gains = settled(east, winner, scores, liable);
            totals = std::array::from_fn(|player| totals[player] + gains[player]);
            assert_eq!(evening.totals(), totals.map(|total| total.to_string()).join(" "));
            assert_eq!(totals.iter().sum::<i64>(), 0);
        }
    }
}

#[test]
fn a_score_above_the_limit_is_refused_whoever_has_it() {
    for (rules, limit) in [("classical-bmja", 1000), ("classical-dmjl", 500)] {
        for above in 0..4 {
            let mut evening = Evening::of(rules);
            let read = |score: i32| evening.table.rules().unwrap().read_worth(&score.to_string());
            let error = read(limit + 2).unwrap_err().to_string();
            let said =
                format!("{} is above the limit: no hand scores more than {limit}", limit + 2);
            assert!(error.contains(&said), "{error}");
            assert!(read(limit).is_ok());
            // Points and doublings stop at the limit.
            let score = |text: &str| {
                let rules = evening.table.rules().unwrap();
                rules.score_of(rules.read_worth(text).unwrap()).unwrap()
            };
            assert_eq!(score("3/38"), Halves::whole(304));
            assert_eq!(score("8/40"), Halves::whole(limit));
            // A program may say it without reading it.
            let mut deal = by_worths(&evening, 1, Some(3), ["20", "20", "20", "20"]);
            let winner = &mut deal.winners[0];
            let worth = Some(Worth::Score(Halves::whole(limit + 2)));
            match winner.others.iter_mut().find(|other| other.player == above) {
                Some(other) => other.worth = worth,
                None => winner.worth = worth,
            }
            let error = evening.enter(Event::Deal(deal)).unwrap_err().to_string();
            assert!(error.contains(&said), "{above}: {error}");
            let most = limit.to_string();
            let deal = by_worths(&evening, 1, Some(3), [&most, "limit", &most, &most]);
            evening.enter(Event::Deal(deal)).unwrap();
            let expected = settled(0, 1, [i64::from(limit); 4], None).map(|gain| gain.to_string());
            assert_eq!(evening.totals(), expected.join(" "));
        }
    }
}

#[test]
fn each_hand_is_asked_for_once() {
    let mut evening = Evening::of("classical-bmja");
    let deal = by_worths(&evening, 1, Some(3), ["64", "152", "200", "20"]);
    let mut missing = deal.clone();
    missing.winners[0].others.retain(|other| other.player == 2);
    let error = evening.enter(Event::Deal(missing.clone())).unwrap_err();
    assert!(error.to_string().starts_with("what did Ann and Di have?"), "{error}");
    // A liable player pays all, so that nobody else's hand matters.
    missing.winners[0].pao = Some(2);
    let error = evening.enter(Event::Deal(missing.clone())).unwrap_err().to_string();
    assert!(error.contains("discard") || error.contains("gave"), "Cy did not give it: {error}");
    missing.winners[0].pao = Some(3);
    evening.enter(Event::Deal(missing)).unwrap();
    assert_eq!(evening.totals(), "0 608 0 -608", "East's share is double");
    let mut twice = deal.clone();
    twice.winners[0].others[0].player = 2;
    let error = evening.enter(Event::Deal(twice)).unwrap_err();
    assert!(matches!(&error, TableError::OtherTwice(name) if name.as_str() == NAMES[2]), "{error}");
    let mut both = deal.clone();
    both.winners[0].others[0].hand = Some(WORKED[0].0.to_owned());
    assert!(matches!(evening.enter(Event::Deal(both)), Err(TableError::Shape(_))));
    // Five white dragons.
    let mut five = deal;
    for other in &mut five.winners[0].others[..2] {
        (other.hand, other.worth) = (Some("555z 123456789m 1p".to_owned()), None);
    }
    let error = evening.enter(Event::Deal(five)).unwrap_err().to_string();
    assert!(error.contains("5z"), "{error}");
    // Nobody else's hand counts elsewhere.
    let mut elsewhere = Evening::of("mmm-dk");
    let mut deal = by_worths(&elsewhere, 1, Some(3), ["3", "4", "3", "3"]);
    let error = elsewhere.enter(Event::Deal(deal.clone())).unwrap_err().to_string();
    assert!(error.contains("knows no worth of a hand that has not won"), "{error}");
    deal.winners[0].others.clear();
    elsewhere.enter(Event::Deal(deal)).unwrap();
}

#[test]
fn losers_may_receive_what_is_entered_as_paid_but_the_winner_pays_nothing() {
    let mut evening = Evening::of("classical-bmja");
    let paid = |amounts: [i64; 4]| {
        let winner = Winner { player: 2, win: WinBy::Discard, from: Some(3), ..Winner::default() };
        let payments = Some(amounts.map(Points::whole).to_vec());
        Event::Deal(Deal { winners: vec![winner], payments, ..Deal::default() })
    };
    evening.enter(paid([-752, 168, 608, -24])).unwrap();
    assert_eq!(evening.totals(), "-752 168 608 -24");
    assert!(evening.enter(paid([752, 168, -896, -24])).is_err());
    assert!(evening.enter(paid([-752, 168, 608, -25])).is_err());
}

#[test]
fn a_dead_hand_scores_nothing_and_pays() {
    let mut evening = Evening::of("classical-bmja");
    let fault = PlayerFault { player: 1, cause: Some("foul".to_owned()), note: String::new() };
    evening.enter(Event::DeadHand(fault)).unwrap();
    let deal = by_worths(&evening, 2, Some(3), WORKED.map(|(_, worth)| worth));
    evening.enter(Event::Deal(deal)).unwrap();
    let expected = settled(0, 2, [64, 0, 152, 152], None).map(|gain| gain.to_string());
    assert_eq!(evening.totals(), expected.join(" "));
}

/// East keeps the deal after a draw and his own win; in the German rules not after his ninth win in a row.
#[test]
fn the_deal_passes_when_another_wins_or_after_the_ninth_win() {
    let plain = ["40", "40", "40", "40"];
    let win = |evening: &mut Evening, player: usize| {
        let deal = by_worths(evening, player, None, plain);
        evening.enter(Event::Deal(deal)).unwrap();
        evening.state().place.dealer
    };
    for (rules, most) in [("classical-bmja", None), ("classical-dmjl", Some(9))] {
        let mut evening = Evening::of(rules);
        evening.draw();
        assert_eq!(evening.state().place.dealer, 0, "{rules}, a draw");
        for wins in 1..=most.unwrap_or(10) {
            let dealer = win(&mut evening, 0);
            let passes = most.is_some_and(|most| wins >= most);
            assert_eq!(dealer, usize::from(passes), "{rules}, {wins} wins");
        }
        let mut broken = Evening::of(rules);
        for _ in 0..8 {
            win(&mut broken, 0);
        }
        broken.draw();
        assert_eq!(win(&mut broken, 0), 0, "{rules}: a draw has broken the row");
        assert_eq!(win(&mut broken, 2), 1, "{rules}: another wins");
    }
    // The ninth win is worth the limit, by the hand.
    let mut evening = Evening::of("classical-dmjl");
    for _ in 0..8 {
        win(&mut evening, 0);
    }
    let mut deal = by_worths(&evening, 0, None, plain);
    let hand = "123m456m789p23s55s +4s";
    (deal.winners[0].hand, deal.winners[0].worth) = (Some(hand.to_owned()), None);
    evening.enter(Event::Deal(deal)).unwrap();
    let record = evening.state().last_deal().unwrap();
    let scored = record.winners[0].scored.as_ref().unwrap();
    assert_eq!((&*scored.items[0].0, &*scored.score.to_string()), ("ninth_east_win", "500"));
}

/// A log that somebody has changed: whatever a number says, it is refused or replayed.
#[test]
fn a_log_with_wrong_numbers_is_refused_or_replayed() {
    let mut evening = Evening::of("classical-bmja");
    let deal = by_worths(&evening, 2, Some(3), WORKED.map(|(_, worth)| worth));
    evening.enter(Event::Deal(deal.clone())).unwrap();
    let mut by_hands = by_worths(&evening, 2, Some(3), WORKED.map(|(_, worth)| worth));
    for other in &mut by_hands.winners[0].others {
        (other.hand, other.worth) = (Some(WORKED[other.player].0.to_owned()), None);
    }
    evening.enter(Event::Deal(by_hands)).unwrap();
    let with = Box::new(Event::Deal(deal));
    evening.enter(Event::Corrected { event: 2, with }).unwrap();
    evening.with_changed_numbers(2000);
}
