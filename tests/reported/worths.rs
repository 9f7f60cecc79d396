//! Worths that no hand has, and draws that cannot have come about, which were written without a question.

use tilelens::{
    points::Points,
    rules::RuleSet,
    table::{Deal, Draw, EntryDoubt, Event, WinBy, Winner},
};

use crate::support::session::{Evening, opened};

/// The doubts about Bo's win from Di, or about his self-draw.
fn doubts(evening: &Evening, worth: &str, win: WinBy) -> Vec<EntryDoubt> {
    let worth = evening.table.rules().unwrap().read_worth(worth).unwrap();
    let from = (win != WinBy::SelfDraw).then_some(3);
    let winner = Winner { player: 1, win, from, worth: Some(worth), ..Winner::default() };
    let deal = Event::Deal(Deal { winners: vec![winner], ..Deal::default() });
    evening.table.complete(deal.clone(), evening.now).unwrap();
    evening.table.doubts(&deal, evening.now).unwrap()
}

/// 1 han 25 fu was paid without a word, although seven pairs alone are two han, and three where they are self-drawn.
#[test]
fn a_worth_that_no_hand_has_is_asked_about() {
    use WinBy::{Discard, RobKong, SelfDraw};
    let evening = Evening::of("riichi");
    for (worth, win, least) in [
        ("1/25", Discard, "2"),
        ("1/25", RobKong, "2"),
        ("1/25", SelfDraw, "3"),
        ("2/25", SelfDraw, "3"),
        // Pinfu, fully concealed.
        ("1/20", SelfDraw, "2"),
        // Three kongs, or three concealed pungs fully concealed.
        ("1/110", SelfDraw, "2"),
        // Three concealed kongs.
        ("3/120", Discard, "4"),
    ] {
        let doubts = doubts(&evening, worth, win);
        let [EntryDoubt::Worth { fewest, .. }] = &doubts[..] else {
            panic!("{worth} {win:?}: {doubts:?}");
        };
        assert_eq!(fewest.to_string(), least, "{worth} {win:?}");
    }
    for (worth, win) in [
        ("2/25", Discard),
        ("3/25", SelfDraw),
        ("5/25", SelfDraw),
        ("2/20", SelfDraw),
        ("1/30", Discard),
        ("1/30", SelfDraw),
        ("1/40", SelfDraw),
        ("1/100", SelfDraw),
        // Two concealed kongs and a pung of terminals, the pung won on, and a pair of the double wind.
        ("1/110", Discard),
        ("2/110", SelfDraw),
        ("4/120", Discard),
        ("5", Discard),
        ("13", SelfDraw),
        ("yakuman", SelfDraw),
    ] {
        assert_eq!(doubts(&evening, worth, win), [], "{worth} {win:?}");
    }
    let said = doubts(&evening, "2/25", SelfDraw)[0].to_string();
    let whole = "no hand of Riichi (common Japanese) won like this is worth 2 han with 25 fu: the least is 3 han";
    assert_eq!(said, whole);
    // Points do not choose the score.
    assert_eq!(doubts(&Evening::of("mmm"), "1", SelfDraw), []);
}

/// Where an open hand may have 20 fu, it wins with them on a discard, and self-drawn it has 22.
#[test]
fn the_rulings_decide_which_worths_there_are() {
    let mut open = opened("riichi", 4);
    open.rulings = vec![("riichi.open_pinfu".to_owned(), "20".to_owned())];
    let evening = Evening::opened(open);
    assert_eq!(doubts(&evening, "1/20", WinBy::Discard), []);
    assert_eq!(doubts(&evening, "1/20", WinBy::SelfDraw).len(), 1);
    assert_eq!(doubts(&evening, "2/20", WinBy::SelfDraw), []);
}

/// What everybody paid was compared with 1 han 25 fu, too.
#[test]
fn payments_of_a_worth_that_no_hand_has_are_asked_about() {
    let evening = Evening::of("riichi");
    let doubts = |received: i32| {
        let payments = Some([0, received, 0, -received].map(Points::whole).to_vec());
        let winner = Winner { player: 1, win: WinBy::Discard, from: Some(3), ..Winner::default() };
        let deal = Event::Deal(Deal { winners: vec![winner], payments, ..Deal::default() });
        evening.table.doubts(&deal, evening.now).unwrap()
    };
    assert!(matches!(doubts(800)[..], [EntryDoubt::Payments { .. }]));
    assert_eq!(doubts(1000), []);
    assert_eq!(doubts(1600), []);
}

/// Four riichi ended a deal in which three had declared it.
#[test]
fn a_draw_by_four_riichi_needs_four() {
    let evening = Evening::of("riichi");
    let doubts = |cause: &str, riichi: &[usize]| {
        let abortive = Some(cause.to_owned());
        let draw = Event::Draw(Draw { abortive, riichi: riichi.to_vec(), ..Draw::default() });
        evening.table.complete(draw.clone(), evening.now).unwrap();
        evening.table.doubts(&draw, evening.now).unwrap()
    };
    for riichi in [&[][..], &[0, 1, 2], &[0, 1, 2, 2]] {
        let doubts = doubts("four_riichi", riichi);
        assert!(
            matches!(doubts[..], [EntryDoubt::Riichi { needed: 4, .. }]),
            "{riichi:?}: {doubts:?}"
        );
    }
    let said = doubts("four_riichi", &[0, 1, 2])[0].to_string();
    assert_eq!(
        said,
        "all four have declared riichi: 4 players are in riichi then, and 3 are given"
    );
    assert_eq!(doubts("four_riichi", &[0, 1, 2, 3]), []);
    assert_eq!(doubts("four_kongs", &[0, 1, 2]), []);
}

/// "mangan" was no worth.
#[test]
fn limits_are_worths_by_their_names() {
    let riichi = RuleSet::preset("riichi").unwrap();
    let ema = RuleSet::preset("riichi-ema").unwrap();
    for (said, counted) in [
        ("mangan", "5"),
        ("Haneman", "6"),
        ("baiman", "8"),
        ("sanbaiman", "11"),
        ("kazoe yakuman", "13"),
        // In the pages' languages.
        ("満貫", "5"),
        ("满贯", "5"),
        ("跳满", "6"),
        ("Kazoe-Yakuman", "13"),
        ("役満", "yakuman"),
        ("3翻30符", "3/30"),
        ("3番30符", "3/30"),
    ] {
        assert_eq!(riichi.read_worth(said), riichi.read_worth(counted), "{said}");
        assert!(riichi.read_worth(said).is_ok(), "{said}");
    }
    // Thirteen han are a sanbaiman there.
    let refused = ema.read_worth("kazoe yakuman").unwrap_err().to_string();
    let cure = "expected han and fu such as 3/30, or mangan, haneman, baiman, sanbaiman, yakuman";
    assert!(refused.ends_with(cure), "{refused}");
    for (rules, said) in
        [(riichi, "2 mangan"), (riichi, "man"), (RuleSet::preset("mmm").unwrap(), "mangan")]
    {
        let refused = rules.read_worth(said).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("`{said}` is not a worth")), "{refused}");
    }
}
