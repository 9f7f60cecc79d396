//! Hong Kong and Taiwan against scorers written naively from the same tables, with lists of sets in place of
//! masks; and hands of 17 tiles through the JSON and the commands that other programs use.

use std::sync::LazyLock;

use crate::support::random::{Dice, circumstances, complete_hand_of, with_flowers};
use assert_cmd::Command;
use num_rational::Ratio;
use serde_json::{Value as Json, json};
use tilelens::{
    convert::HandFormat,
    hand::{Hand, MeldKind},
    rules::{Circumstances, Library, NoWin, RuleSet, Win},
    tile::{Face, Seat},
};

/// A set of a reading.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Set {
    /// Its faces; a chow's three, else one.
    lowest: usize,
    chow: bool,
    kong: bool,
    claimed: bool,
    /// The winning tile completes it.
    won: bool,
}

/// A hand read as sets and a pair.
#[derive(Clone, Debug)]
struct Reading {
    sets: Vec<Set>,
    pair: usize,
    pair_won: bool,
}

type Counts = [u8; 34];

/// Every way to divide counts into sets and one pair, lowest tile first.
fn divide(
    counts: &mut Counts,
    sets: &mut Vec<(usize, bool)>,
    pair: Option<usize>,
    found: &mut Vec<(Vec<(usize, bool)>, usize)>,
) {
    let Some(lowest) = counts.iter().position(|count| *count > 0) else {
        if let Some(pair) = pair {
            let mut sorted = sets.clone();
            sorted.sort_unstable();
            if !found.contains(&(sorted.clone(), pair)) {
                found.push((sorted, pair));
            }
        }
        return;
    };
    if counts[lowest] >= 3 {
        counts[lowest] -= 3;
        sets.push((lowest, false));
        divide(counts, sets, pair, found);
        sets.pop();
        counts[lowest] += 3;
    }
    if lowest < 27 && lowest % 9 < 7 && counts[lowest + 1] > 0 && counts[lowest + 2] > 0 {
        (lowest..lowest + 3).for_each(|face| counts[face] -= 1);
        sets.push((lowest, true));
        divide(counts, sets, pair, found);
        sets.pop();
        (lowest..lowest + 3).for_each(|face| counts[face] += 1);
    }
    if pair.is_none() && counts[lowest] >= 2 {
        counts[lowest] -= 2;
        divide(counts, sets, Some(lowest), found);
        counts[lowest] += 2;
    }
}

fn divisions(counts: &Counts) -> Vec<(Vec<(usize, bool)>, usize)> {
    let mut found = Vec::new();
    divide(&mut counts.clone(), &mut Vec::new(), None, &mut found);
    found
}

/// Every reading with every group that the winning tile may complete.
fn readings(hand: &Hand) -> Vec<Reading> {
    let winning = hand.winning().index();
    let melds: Vec<Set> = (hand.melds())
        .map(|meld| Set {
            lowest: meld.face().index(),
            chow: meld.kind() == MeldKind::Chow,
            kong: meld.is_kong(),
            claimed: meld.is_claimed(),
            won: false,
        })
        .collect();
    let mut all = Vec::new();
    for (sets, pair) in divisions(hand.concealed()) {
        let own: Vec<Set> = (sets.iter())
            .map(|(lowest, chow)| Set {
                lowest: *lowest,
                chow: *chow,
                kong: false,
                claimed: false,
                won: false,
            })
            .collect();
        let plain = Reading { sets: [&own[..], &melds[..]].concat(), pair, pair_won: false };
        if pair == winning {
            all.push(Reading { pair_won: true, ..plain.clone() });
        }
        for (place, Set { lowest, chow, .. }) in own.iter().copied().enumerate() {
            if lowest == winning || chow && (lowest..lowest + 3).contains(&winning) {
                let mut reading = plain.clone();
                reading.sets[place].won = true;
                all.push(reading);
            }
        }
    }
    all
}

/// Whether no other tile completes the hand. A tile that the hand holds four times does not count.
fn waits_for_one_tile(hand: &Hand) -> bool {
    let mut before = *hand.concealed();
    before[hand.winning().index()] -= 1;
    let completes = |face: &usize| {
        let mut with = before;
        with[*face] += 1;
        let held = hand.count(Face::from_index(*face).unwrap());
        let held = held - u8::from(*face == hand.winning().index());
        held < 4 && !divisions(&with).is_empty()
    };
    (0..34).filter(completes).count() == 1
}

/// The facts that both tables use.
struct Facts<'a> {
    hand: &'a Hand,
    at: &'a Circumstances,
    reading: &'a Reading,
    faces: Vec<usize>,
}

impl<'a> Facts<'a> {
    fn new(hand: &'a Hand, at: &'a Circumstances, reading: &'a Reading) -> Self {
        let faces = Face::all().take(34).filter(|face| hand.count(*face) > 0);
        Self { hand, at, reading, faces: faces.map(Face::index).collect() }
    }

    fn self_drawn(&self) -> bool {
        self.at.win == Win::SelfDraw
    }

    fn concealed(&self) -> bool {
        self.reading.sets.iter().all(|set| !set.claimed)
    }

    fn pungs(&self) -> impl Iterator<Item = &Set> {
        self.reading.sets.iter().filter(|set| !set.chow)
    }

    fn pung_of(&self, face: usize) -> bool {
        self.pungs().any(|set| set.lowest == face)
    }

    fn pungs_in(&self, range: std::ops::Range<usize>) -> usize {
        self.pungs().filter(|set| range.contains(&set.lowest)).count()
    }

    fn concealed_pungs(&self) -> usize {
        self.pungs().filter(|set| !set.claimed && (self.self_drawn() || !set.won)).count()
    }

    fn suits(&self) -> usize {
        (0..3).filter(|suit| self.faces.iter().any(|face| *face < 27 && face / 9 == *suit)).count()
    }

    fn honors(&self) -> bool {
        self.faces.iter().any(|face| *face >= 27)
    }

    fn is_terminal(face: usize) -> bool {
        face < 27 && [0, 8].contains(&(face % 9))
    }

    /// The bits of the own flower and season.
    fn own_flowers(&self) -> [bool; 2] {
        [0, 4].map(|shift| self.hand.bonus() >> (shift + self.at.seat.index()) & 1 == 1)
    }

    fn four_flowers(&self) -> [bool; 2] {
        [0, 4].map(|shift| self.hand.bonus() >> shift & 0xf == 0xf)
    }

    /// How the winning tile completes its group: an edge or the middle of a chow, the pair; or an open end.
    fn narrow(&self) -> (bool, bool) {
        let winning = self.hand.winning().index();
        if self.reading.pair_won {
            return (true, false);
        }
        match self.reading.sets.iter().find(|set| set.won) {
            Some(set) if set.chow => {
                let place = winning - set.lowest;
                let edge = place == 2 && set.lowest % 9 == 0 || place == 0 && set.lowest % 9 == 6;
                (edge || place == 1, !edge && place != 1)
            }
            _ => (false, false),
        }
    }
}

/// Tai of a reading by the association's table, its hands that are not always of the first turn left out.
fn tai(facts: &Facts, one_wait: bool) -> i32 {
    let Facts { hand, at, reading, .. } = facts;
    let flag = |held: bool, worth: i32| if held { worth } else { 0 };
    let (own, round) = (27 + at.seat.index(), 27 + at.round.index());
    let winds = facts.pungs_in(27..31);
    let dragons = facts.pungs_in(31..34);
    let self_drawn = facts.self_drawn();
    let concealed = facts.concealed();
    let all_claimed = reading.sets.iter().all(|set| set.claimed);
    let all_pungs = reading.sets.iter().all(|set| !set.chow);
    let five = facts.concealed_pungs() == 5;
    let all_honors = facts.suits() == 0;
    let ready = at.double_riichi;
    let (narrow, open) = facts.narrow();
    let mut tai = 0;
    tai += flag(winds == 4, 16);
    tai += flag(winds == 3 && (27..31).contains(&reading.pair), 8);
    tai += flag(winds != 4 && facts.pung_of(own), 1);
    tai += flag(winds != 4 && facts.pung_of(round), 1);
    tai += match dragons {
        3 => 8,
        2 if reading.pair >= 31 => 4,
        some => some as i32,
    };
    tai += flag(all_honors, 8);
    tai += flag(facts.suits() == 1 && !facts.honors(), 8);
    tai += flag(facts.suits() == 1 && facts.honors(), 4);
    tai += match facts.concealed_pungs() {
        5 => 8,
        4 => 5,
        3 => 2,
        _ => 0,
    };
    tai += flag(all_pungs && !five, 4);
    tai += flag(
        reading.sets.iter().all(|set| set.chow)
            && !facts.honors()
            && hand.bonus() == 0
            && open
            && !self_drawn,
        2,
    );
    tai += flag(all_claimed, if self_drawn { 1 } else { 2 });
    tai += flag(ready, if at.seat == Seat::East { 8 } else { 4 });
    tai += flag(concealed && !five && !ready, 1);
    // The association takes both from who was ready with his first discard, and leaves him the self-draw.
    tai += flag(concealed && self_drawn && !ready, 1);
    tai += flag(self_drawn, 1);
    tai += facts.own_flowers().iter().map(|held| flag(*held, 1)).sum::<i32>();
    tai += facts.four_flowers().iter().map(|held| flag(*held, 2)).sum::<i32>();
    tai += flag(narrow && one_wait, 1);
    tai += flag(matches!(at.win, Win::RobKong { .. }), 1);
    tai += flag(at.supplement, 1);
    tai += flag(at.last_tile, 1);
    tai
}

/// Faan of a reading in Hong Kong, no limit and no first turn.
fn faan(facts: &Facts) -> i32 {
    let Facts { hand, at, reading, .. } = facts;
    let flag = |held: bool, worth: i32| if held { worth } else { 0 };
    let (own, round) = (27 + at.seat.index(), 27 + at.round.index());
    let winds = facts.pungs_in(27..31);
    let dragons = facts.pungs_in(31..34);
    let little_winds = winds == 3 && (27..31).contains(&reading.pair);
    let pungs = reading.sets.iter().all(|set| !set.chow);
    let kongs = reading.sets.iter().all(|set| set.kong);
    let all_honors = facts.suits() == 0;
    let one_suit = facts.suits() == 1 && !facts.honors();
    let terminals = facts.faces.iter().all(|face| Facts::is_terminal(*face));
    let majors = facts.faces.iter().all(|face| *face >= 27 || Facts::is_terminal(*face));
    let suit = hand.winning().index() / 9;
    let gates = one_suit
        && hand.melds().next().is_none()
        && (0..9).all(|n| hand.concealed()[9 * suit + n] >= if n == 0 || n == 8 { 3 } else { 1 });
    let self_triplets = facts.concealed_pungs() == 4;
    let mut faan = 0;
    faan += flag(winds == 4, 13) + flag(little_winds, 6);
    faan += flag(winds < 4 && !little_winds && facts.pung_of(own), 1);
    faan += flag(winds < 4 && !little_winds && facts.pung_of(round), 1);
    faan += match dragons {
        3 => 8,
        2 if reading.pair >= 31 => 5,
        some => some as i32,
    };
    faan += flag(kongs, 13) + flag(all_honors, 10) + flag(terminals, 10) + flag(gates, 10);
    faan += flag(self_triplets, 8);
    faan += flag(one_suit && !gates, 7);
    faan += flag(pungs && !kongs && !all_honors && !terminals && !self_triplets && winds < 4, 3);
    faan += flag(facts.suits() == 1 && facts.honors(), 3);
    faan += flag(majors && !terminals && !all_honors, 1);
    faan += flag(reading.sets.iter().all(|set| set.chow), 1);
    faan += flag(facts.concealed() && !gates && !self_triplets, 1);
    faan += flag(facts.self_drawn(), 1);
    faan += facts.own_flowers().iter().map(|held| flag(*held, 1)).sum::<i32>();
    faan += facts.four_flowers().iter().map(|held| flag(*held, 2)).sum::<i32>();
    faan += flag(hand.bonus() == 0, 1);
    faan += flag(at.last_tile, 1) + flag(at.supplement, 1);
    faan + flag(matches!(at.win, Win::RobKong { .. }), 1)
}

/// Points by faan: doubled up to four, then half as much again and a third more by turns.
fn half_spicy(faan: i32) -> i64 {
    if faan <= 4 {
        return 1 << faan;
    }
    let whole = 16 << ((faan - 4) / 2);
    if faan % 2 == 1 { whole + whole / 2 } else { whole }
}

#[test]
fn random_hands_of_taiwan_are_worth_what_a_naive_scorer_says() {
    let rules = RuleSet::preset("taiwan").unwrap();
    let mut dice = Dice(1616);
    let (mut won, mut dear) = (0, 0);
    for round in 0..20_000 {
        let hand = complete_hand_of(&mut dice, 5, round % 2 == 0);
        let hand = if round % 3 == 0 { with_flowers(&mut dice, &hand) } else { hand };
        let mut at = circumstances(&mut dice, &hand);
        at.double_riichi = hand.is_concealed() && dice.chance(10);
        let one_wait = waits_for_one_tile(&hand);
        let best = readings(&hand)
            .iter()
            .map(|reading| tai(&Facts::new(&hand, &at, reading), one_wait))
            .max();
        let found = rules.value(&hand, &at);
        let Some(best) = best else {
            assert_eq!(found, Err(NoWin::NotComplete), "{hand}");
            continue;
        };
        let value = found.unwrap_or_else(|why| panic!("{hand}: {why}"));
        assert_eq!(value.faan.0, 2 * best, "{hand} {at:?}");
        won += 1;
        dear += u32::from(best >= 10);
        for seat in Seat::ALL.into_iter().filter(|seat| *seat != at.seat) {
            let dealer = if seat == Seat::East || at.seat == Seat::East {
                1 + 2 * i64::from(at.honba)
            } else {
                0
            };
            let pays = at.win.from().is_none_or(|from| from == seat);
            let amount = if pays { 100 + 20 * (i64::from(best) + dealer) } else { 0 };
            assert_eq!(value.payments.of(seat), Some(Ratio::from_integer(-amount)), "{hand}");
        }
    }
    assert!(won > 19_000 && dear > 500, "{won} {dear}");
}

#[test]
fn random_hands_of_hong_kong_are_worth_what_a_naive_scorer_says() {
    let rules = RuleSet::preset("hk").unwrap();
    let mut dice = Dice(1313);
    let (mut won, mut limit, mut too_little) = (0, 0, 0);
    for round in 0..20_000 {
        let hand = complete_hand_of(&mut dice, 4, round % 2 == 0);
        let hand = if round % 3 == 0 { with_flowers(&mut dice, &hand) } else { hand };
        let at = circumstances(&mut dice, &hand);
        let best = readings(&hand)
            .iter()
            .map(|reading| faan(&Facts::new(&hand, &at, reading)).min(10))
            .max();
        match (best, rules.value(&hand, &at)) {
            (None, found) => assert_eq!(found, Err(NoWin::NotComplete), "{hand}"),
            (Some(..3), found) => {
                assert!(matches!(found, Err(NoWin::BelowMinimum { .. })), "{hand}: {found:?}");
                too_little += 1;
            }
            (Some(best), found) => {
                let value = found.unwrap_or_else(|why| panic!("{hand}: {why}"));
                assert_eq!(value.faan.0, 2 * best, "{hand} {at:?}");
                won += 1;
                limit += u32::from(best == 10);
                // With three claimed sets or more somebody may pay for all.
                if hand.melds().count() > 2 {
                    continue;
                }
                for seat in Seat::ALL.into_iter().filter(|seat| *seat != at.seat) {
                    let share = match at.win.from() {
                        None => 1,
                        Some(from) if from == seat => 2,
                        Some(_) => 0,
                    };
                    let amount = Ratio::from_integer(-share * half_spicy(best));
                    assert_eq!(value.payments.of(seat), Some(amount), "{hand}");
                }
            }
        }
    }
    assert!(won > 5_000 && limit > 500 && too_little > 3_000, "{won} {limit} {too_little}");
}

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::default);

/// The answer to a win of South's on a discard of West, changed as `changes` says.
fn answer(rules: &str, hand: &str, changes: &Json) -> Json {
    let mut request = json!({
        "rules": rules, "hand": hand, "seat": "S", "round": "E", "win": "discard", "from": "W",
    });
    for (field, value) in changes.as_object().unwrap() {
        request[field] = value.clone();
    }
    serde_json::to_value(LIBRARY.answer(&request.to_string(), false)).unwrap()
}

const PLAIN: &str = "123m456p789s234s34m77z +5m";
const FLOWERS: &str = "1379m2468p359s12345z 1234567f +8f";

#[test]
fn the_number_of_tiles_is_that_of_the_rule_set() {
    let kind = |rules: &str, hand: &str| answer(rules, hand, &json!({}))["error"].clone();
    assert_eq!(kind("taiwan", PLAIN), Json::Null);
    assert_eq!(kind("mmm", PLAIN), "bad_hand");
    assert_eq!(kind("mmm", "123m456p789s77z34m +5m"), Json::Null);
    assert_eq!(kind("taiwan", "123m456p789s77z34m +5m"), "bad_hand");
    // One more for each kong; 18 tiles without one are not a hand.
    assert_eq!(kind("taiwan", "123m456p34m77z [1111s] (7'777s) +5m"), Json::Null);
    assert_eq!(kind("taiwan", "123m456p34m777z [1111s] (7'777s) +5m"), "bad_hand");
    assert_eq!(kind("mmm", "123m456p789s234s34m777z +5m"), "bad_hand");
    assert_eq!(kind("taiwan", "1111m456p789s234s34m77z +5m"), "bad_hand");
    // Five sets apart, and the pair.
    assert_eq!(kind("taiwan", "5z (1'23m) (4'56p) (7'89s) (22'2s) (333'z) +5z"), Json::Null);
    assert_eq!(kind("taiwan", "123m456p789s234s34m77z +6m"), "not_complete");
    let message = answer("mmm", PLAIN, &json!({}))["message"].to_string();
    assert!(message.contains("five sets") || message.contains("5 sets"), "{message}");
}

#[test]
fn flowers_win_where_the_rules_say_so_and_are_refused_elsewhere() {
    let found = answer("taiwan", FLOWERS, &json!({"from": "N"}));
    assert_eq!(found["arrangement"], "1379m2468p359s12345z 1234567f +8f");
    assert_eq!(found["items"][0]["tiles"], "12345678f");
    for rules in ["mmm", "mcr", "riichi", "ims"] {
        let hand = "1379m246p359s123z 1234567f +8f";
        assert_eq!(answer(rules, hand, &json!({}))["error"], "bad_hand", "{rules}");
    }
    let six = "1379m2468p359s12345z 123456f +8f";
    assert_eq!(answer("taiwan", six, &json!({}))["error"], "not_complete");
    let ignored = json!({"rulings": {"taiwan.flowers": "not_used"}});
    assert_eq!(answer("taiwan", FLOWERS, &ignored)["error"], "bad_hand");
}

#[test]
fn the_dealers_tai_are_in_the_answer_where_he_pays() {
    let self_draw = json!({"win": "self_draw", "from": null, "honba": 2});
    let found = answer("taiwan", PLAIN, &self_draw);
    assert_eq!((&found["faan"], &found["dealer_faan"]), (&json!("3"), &json!("5")));
    assert_eq!(found["payments"], json!({"E": "-260", "S": "580", "W": "-160", "N": "-160"}));
    assert_eq!(answer("taiwan", PLAIN, &json!({"honba": 2}))["dealer_faan"], Json::Null);
    assert_eq!(answer("hk", "123m456p789s77z34m +5m", &json!({}))["dealer_faan"], Json::Null);
    let wrong = answer("taiwan", PLAIN, &json!({"honba": 100}));
    assert_eq!(wrong["error"], "bad_request");
    // Fields of riichi alone are ignored.
    let riichi = json!({"riichi": "perhaps", "dora_indicators": "9", "sticks": -1});
    assert_eq!(answer("taiwan", PLAIN, &riichi)["faan"], "1");
}

#[test]
fn circumstances_contradict_each_other_as_everywhere() {
    for (hand, changes) in [
        (PLAIN, json!({"from": "S"})),
        (PLAIN, json!({"win": "self_draw", "from": null, "supplement": true})),
        ("34m77z (1'23m) (4'56p) (7'89s) (2'34s) +5m", json!({"double_riichi": true})),
        (FLOWERS, json!({"first_turn": true, "last_tile": true})),
    ] {
        assert_eq!(answer("taiwan", hand, &changes)["error"], "not_allowed", "{hand} {changes}");
    }
}

#[test]
fn seventeen_tiles_go_through_the_notations_of_others_unchanged() {
    let hand: tilelens::hand::Reading = "12334m456p789s77z (2'34s) +5m".parse().unwrap();
    for format in [
        HandFormat::Unicode,
        HandFormat::TenhouLog,
        HandFormat::Gb,
        HandFormat::Botzone,
        HandFormat::Kajongg,
    ] {
        let there = format.print(&hand).unwrap_or_else(|error| panic!("{error}")).value;
        let back = format.parse(&there).unwrap_or_else(|error| panic!("{there}: {error}")).value;
        let tiles = |reading: &tilelens::hand::Reading| {
            let mut tiles: Vec<String> = (reading.concealed.iter().chain(&reading.winning))
                .chain(reading.sets.iter().flat_map(|set| &set.tiles).map(|tile| &tile.face))
                .map(ToString::to_string)
                .collect();
            tiles.sort();
            tiles
        };
        assert_eq!(tiles(&back), tiles(&hand), "{there}");
    }
}

fn tilelens(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tilelens").unwrap();
    command.args(args);
    command
}

fn output(mut command: Command) -> String {
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}

#[test]
fn the_commands_take_hands_of_seventeen_tiles() {
    let request = json!({
        "rules": "taiwan", "hand": PLAIN, "seat": "E", "round": "E", "win": "discard", "from": "W",
    });
    let mut batch = tilelens(&["score", "--batch", "-", "--brief"]);
    batch.write_stdin(format!("{request}\n{request}\n"));
    let lines = output(batch);
    assert_eq!(lines.lines().count(), 2);
    assert!(lines.contains(r#""dealer_faan":"1""#), "{lines}");
    let with =
        |args: &[&str]| output(tilelens(&[args, &["--rules", "taiwan", "--seat", "S"]].concat()));
    let page = with(&["score", PLAIN, "--self-draw", "--repeats", "1"]);
    assert!(page.contains("3   tai → score 160"), "{page}");
    assert!(page.contains("3   tai more for what East pays"), "{page}");
    let waits = with(&["waits", "123m456p78s99p234s456m"]);
    assert!(waits.contains("from E 3 → 180") && waits.contains("all chows 2"), "{waits}");
    let advice = with(&["advise", "123m456p78s99p234s456m", "--json"]);
    assert!(advice.contains(r#""shanten":0"#) && advice.contains(r#""worth""#), "{advice}");
    let short = with(&["waits", "123m456p78s99p234s"]);
    assert!(short.contains("13 tiles: one more set lies claimed"), "{short}");
}

#[test]
fn rule_files_say_what_does_not_go_with_five_sets() {
    let error = |lines: &str| {
        let text = format!("extends = \"taiwan\"\nid = \"house\"\n{lines}");
        RuleSet::parse(&text).unwrap_err().to_string()
    };
    for (lines, expected) in [
        ("sets = 6", "a hand has 4 sets and a pair, or 5"),
        ("sets = 4\nforms = [\"pairs_and_pung\"]", "pairs_and_pung: a hand of 4 sets"),
        ("forms = [\"sets\", \"seven_pairs\"]", "seven_pairs: a hand of 5 sets"),
        ("[stakes]\nunit = 20000", "at most 10000"),
        ("[stakes]\nrepeat = 1000", "at most 100"),
        ("[items.pure_straight]\ncombines = \"pure_straight\"\nvalue = 2", "sets = 4"),
    ] {
        let found = error(lines);
        assert!(found.contains(expected), "{lines}: {found}");
    }
    let house = "extends = \"taiwan\"\nid = \"house\"\n[stakes]\nbase = 30\nunit = 10";
    let rules = RuleSet::parse(house).unwrap();
    let at = Circumstances::new(Seat::South, Seat::East, Win::Discard { from: Seat::West });
    let value = rules.value(&PLAIN.parse().unwrap(), &at).unwrap();
    assert_eq!(value.score.to_string(), "40");
}

/// Mutilated requests and hands: an answer for each, never a panic, and payments that sum to zero.
#[test]
fn whatever_is_asked_has_an_answer() {
    let hands = [PLAIN, FLOWERS, "5z (1'23m) (4'56p) (7'89s) (22'2s) (333'z) +5z", "123m4f +4f"];
    let mut dice = Dice(8);
    for round in 0..4_000 {
        let mut hand: Vec<char> = hands[round % hands.len()].chars().collect();
        for _ in 0..dice.below(4) {
            let place = dice.below(hand.len());
            let letter = "123456789mpszf+()[]' "[dice.below(21)..].chars().next().unwrap();
            match dice.below(3) {
                0 => hand[place] = letter,
                1 => hand.insert(place, letter),
                _ => drop(hand.remove(place)),
            }
        }
        let hand: String = hand.into_iter().collect();
        let rules = ["taiwan", "hk", "mcr", "mmm", "riichi"][dice.below(5)];
        let mut changes = json!({"honba": dice.below(4), "double_riichi": dice.chance(20)});
        if dice.chance(50) {
            changes = json!({"win": "self_draw", "from": null, "first_draw": dice.chance(20)});
        }
        let found = answer(rules, &hand, &changes);
        let sum: i64 = (found["payments"].as_object().into_iter().flatten())
            .map(|(_, amount)| amount.as_str().unwrap().parse::<Ratio<i64>>().unwrap())
            .sum::<Ratio<i64>>()
            .to_integer();
        assert!(sum == 0 && (found["ok"] == true || found["error"].is_string()), "{found}");
    }
}
