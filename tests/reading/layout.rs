//! Laid-out hands, from any side and angle: the same tiles give the same reading.

use proptest::prelude::*;
use tilelens::{
    appraisal::{Input, Withheld, appraise},
    hand::Reading,
    layout::{Hints, PictureLayout, Role, ShownHand, Uncertainty, Unread, read},
    rules::{Circumstances, Library, RuleSet, Win},
    sight::SeenTile,
    tile::{Face, Seat, SeenFace, Tile},
};

const TALL: f32 = 1.35;

/// Tiles on a table, in tile widths, as the player sees them: y grows towards the player.
#[derive(Clone, Default)]
struct Table {
    tiles: Vec<SeenTile>,
}

fn certain(face: Option<Face>, corners: [[f32; 2]; 4]) -> SeenTile {
    let mut faces = [0.0; Face::COUNT];
    let (back, rest) = if face.is_some() { (0.0, 0.002) } else { (0.998, 0.002) };
    faces.fill(rest / Face::COUNT as f32);
    if let Some(face) = face {
        faces[face.index()] += 0.998;
    }
    // The turn read from a back means nothing.
    let turns = if face.is_some() { [0.97, 0.01, 0.01, 0.01] } else { [0.02, 0.94, 0.02, 0.02] };
    SeenTile { corners, found: 0.99, faces, back, reject: 0.0, red: 0.0, turns }
}

impl Table {
    /// A tile with its middle at (x, y), turned clockwise by quarter turns.
    fn put(mut self, code: &str, x: f32, y: f32, quarters: usize) -> Self {
        let [w, h] = if quarters.is_multiple_of(2) { [0.5, TALL / 2.0] } else { [TALL / 2.0, 0.5] };
        let mut corners = [[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]];
        corners.rotate_left(quarters % 4);
        self.tiles.push(certain(code.parse().ok(), corners));
        self
    }

    /// Tiles side by side from (x, y), their lower sides in line. `'` lays the tile before it
    /// sideways, `"` lays another of it on that one, a space leaves room, `x` lies face down.
    fn row(mut self, text: &str, mut x: f32, y: f32) -> Self {
        let letters: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < letters.len() {
            match letters[at] {
                ' ' => x += 0.8,
                'x' => {
                    self = self.put("x", x + 0.5, y - TALL / 2.0, 0);
                    x += 1.02;
                }
                digit if digit.is_ascii_digit() => {
                    let suit = letters[at..]
                        .iter()
                        .find(|letter| letter.is_alphabetic() && **letter != 'x')
                        .unwrap();
                    let code = format!("{digit}{suit}");
                    if matches!(letters.get(at + 1), Some('\'' | '"')) {
                        self = self.put(&code, x + TALL / 2.0, y - 0.5, 1);
                        if letters[at + 1] == '"' {
                            self = self.put(&code, x + TALL / 2.0, y - 1.52, 1);
                        }
                        x += TALL + 0.02;
                    } else {
                        self = self.put(&code, x + 0.5, y - TALL / 2.0, 0);
                        x += 1.02;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self
    }

    /// A camera that looks from some side, some height: turned, tilted, scaled.
    fn seen_by(&self, turn: f32, tilt: [f32; 2], scale: f32) -> Vec<SeenTile> {
        let points: Vec<[f32; 2]> = self.tiles.iter().flat_map(|tile| tile.corners).collect();
        let middle = |axis: usize| {
            let values = points.iter().map(|point| point[axis]);
            (values.clone().fold(f32::MAX, f32::min) + values.fold(f32::MIN, f32::max)) / 2.0
        };
        let (mx, my) = (middle(0), middle(1));
        let reach =
            points.iter().map(|point| (point[0] - mx).hypot(point[1] - my)).fold(1.0, f32::max);
        let (sin, cos) = turn.to_radians().sin_cos();
        self.tiles
            .iter()
            .map(|tile| {
                let corners = tile.corners.map(|[x, y]| {
                    let (x, y) = ((x - mx) / reach, (y - my) / reach);
                    let (x, y) = (x * cos - y * sin, x * sin + y * cos);
                    let depth = 1.0 + tilt[0] * x + tilt[1] * y;
                    [2000.0 + scale * x / depth, 1500.0 + scale * y / depth]
                });
                SeenTile { corners, ..tile.clone() }
            })
            .collect()
    }

    fn plain(&self) -> PictureLayout {
        read(&self.seen_by(0.0, [0.0; 2], 1000.0), &Hints::default())
    }
}

fn text(shown: &PictureLayout) -> String {
    shown
        .hand
        .as_ref()
        .map_or_else(|| format!("no hand: {:?}", shown.refusal), |hand| hand.reading.to_string())
}

/// Every layout convention, as (name, table, hand).
fn conventions() -> Vec<(&'static str, Table, &'static str)> {
    let table = Table::default;
    vec![
        ("fourteen in a row", table().row("123m456p789s11222z", 0.0, 0.0), "123m456p789s11222z"),
        ("unsorted", table().row("19m28p37s1z3m9p5s6z2m8s", 0.0, 0.0), "19m28p37s1z3m9p5s6z2m8s"),
        (
            "two rows",
            table().row("1123m45p", 0.0, 0.0).row("6p789s222z", 0.3, 1.6),
            "1123m45p6p789s222z",
        ),
        (
            "winning tile sideways at the end",
            table().row("123m456p789s1122z2'z", 0.0, 0.0),
            "123m456p789s1122z +2z",
        ),
        (
            "winning tile apart",
            table().row("123m456p789s1122z 2z", 0.0, 0.0),
            "123m456p789s1122z +2z",
        ),
        (
            "winning tile sideways on top",
            table().row("123m456p789s1122z", 0.0, 0.0).put("2z", 5.5, -1.9, 1),
            "123m456p789s1122z +2z",
        ),
        (
            "winning tile above",
            table().row("123m456p789s1122z", 0.0, 0.0).put("2z", 6.5, -3.2, 0),
            "123m456p789s1122z +2z",
        ),
        (
            "claimed sets beside the hand",
            table().row("34m77p 6'66s 55'5z 1'23s 2m", 0.0, 0.0),
            "34m77p (6'66s) (55'5z) (1'23s) +2m",
        ),
        (
            "claimed sets above the hand",
            table().row("1'23m 77'7z 444's", 1.0, -1.8).row("55p22z2'z", 0.0, 0.0),
            "55p22z (1'23m) (77'7z) (444's) +2z",
        ),
        (
            "kongs with one and two sideways",
            table().row("1'111m 22'22p 333'3's", 0.0, -1.8).row("55p22z2'z", 0.0, 0.0),
            "55p22z (1'111m) (22'22p) (333'3's) +2z",
        ),
        (
            "two sideways in the first places",
            table().row("1'1'11m 22'2'2p", 0.0, -1.8).row("55p123s22z2'z", 0.0, 0.0),
            "55p123s22z (1'1'11m) (22'2'2p) +2z",
        ),
        (
            "stacked kong tile",
            table().row("7\"77z 33\"3s 999\"p", 0.0, -2.0).row("55p22m2'm", 0.0, 0.0),
            "55p22m (7'7'77z) (33'3'3s) (999'9'p) +2m",
        ),
        (
            "concealed kong with two backs outside",
            table().row("x77xz", 0.0, -1.8).row("123m456p1122s2's", 0.0, 0.0),
            "123m456p1122s [x77xz] +2s",
        ),
        (
            "concealed kong with two backs inside",
            table().row("7xx7z", 0.0, -1.8).row("123m456p1122s2's", 0.0, 0.0),
            "123m456p1122s [7xx7z] +2s",
        ),
        (
            "concealed kong face down",
            table().row("xxxx", 0.0, -1.8).row("123m456p1122s2's", 0.0, 0.0),
            "123m456p1122s [xxxx] +2s",
        ),
        (
            "flowers apart",
            table().row("123m456p789s1122z2'z", 0.0, 0.0).row("15f", 0.0, -2.4),
            "123m456p789s1122z 15f +2z",
        ),
        (
            "flowers in the row",
            table().row("15f123m456p789s11222z", 0.0, 0.0),
            "15f 123m456p789s11222z",
        ),
        (
            "unmarked sets in a row of their own",
            table().row("1f111m777z345s", 0.0, -1.6).row("55p222m", 3.0, 0.0),
            "55p222m (111m) (777z) (345s) 1f",
        ),
        (
            "waiting, the winning tile among the discards",
            table()
                .row("123m456p789s1122z", 0.0, 0.0)
                .row("9m1s4z7p3p2s", 3.0, -6.0)
                .row("6m8p3z", 3.0, -4.6),
            "123m456p789s1122z",
        ),
        (
            "discards and an indicator",
            table()
                .row("123m456p789s1122z2'z", 0.0, 0.0)
                .row("9m1s4z7p3p2s", 3.0, -6.8)
                .row("6m8p3z5s9s1p", 3.0, -5.4)
                .row("xx5mxxx", 3.0, -9.0),
            "123m456p789s1122z +2z",
        ),
        (
            "walls before the hand",
            table().row("123m456p789s1122z2'z", 0.0, 0.0).row("xxxxxxxxxxxxxxxxx", -1.0, -3.6),
            "123m456p789s1122z +2z",
        ),
        (
            "another hand across the table",
            {
                let mut table = table().row("123m456p789s1122z2'z", 0.0, 0.0);
                for (i, code) in "1m4m7m2p5p8p3s6s9s1z3z5z7z".as_bytes().chunks(2).enumerate() {
                    let code = std::str::from_utf8(code).unwrap();
                    table = table.put(code, 14.0 - 1.02 * i as f32, -12.0, 2);
                }
                table
            },
            "123m456p789s1122z +2z",
        ),
        (
            "four alike in the row, a kong by count",
            table().row("1111m456p789s11222z", 0.0, 0.0),
            "456p789s11222z [1111m]",
        ),
    ]
}

#[test]
fn every_convention_is_read() {
    for (name, table, expected) in conventions() {
        let expected: Reading = expected.parse().unwrap();
        assert_eq!(text(&table.plain()), expected.to_string(), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]
    #[test]
    fn a_hand_reads_the_same_from_every_side(
        turn in 0.0f32..360.0,
        tilt_x in -0.25f32..0.25,
        tilt_y in -0.25f32..0.25,
        scale in 200.0f32..3000.0,
    ) {
        for (name, table, expected) in conventions() {
            let expected: Reading = expected.parse().unwrap();
            let seen = table.seen_by(turn, [tilt_x, tilt_y], scale);
            let shown = read(&seen, &Hints::default());
            prop_assert_eq!(text(&shown), expected.to_string(), "{}", name);
        }
    }

    #[test]
    fn any_tiles_at_all_are_no_panic(
        tiles in prop::collection::vec((0usize..42, -50.0f32..50.0, -50.0f32..50.0, 0usize..4), 0..60),
    ) {
        let mut table = Table::default();
        for (face, x, y, quarters) in tiles {
            table = table.put(&Face::from_index(face).unwrap().to_string(), x, y, quarters);
        }
        table.plain();
    }

    /// Rows of few faces: five and six alike beside each other, however many kongs they seem to be.
    #[test]
    fn rows_of_few_faces_are_no_panic(places in prop::collection::vec(0usize..3, 5..24)) {
        let text: String = places.iter().map(|&place| ["1z", "2z", "3m"][place]).collect();
        let shown = Table::default().row(&text, 0.0, 0.0).plain();
        let of = |hand: &ShownHand| {
            let sets: usize = hand.reading.sets.iter().map(|set| set.tiles.len()).sum();
            hand.reading.concealed.len() + sets + usize::from(hand.reading.winning.is_some())
        };
        prop_assert!(shown.hand.as_ref().map_or(0, of) <= places.len());
    }
}

/// Eight of one face, as of a pattern that is read as tiles; once a panic.
#[test]
fn more_of_a_face_than_a_set_has_is_no_panic() {
    Table::default().row("1z1z1z3m2z2z2z2z3m3m3m3m3m3m1z", 0.0, 0.0).plain();
}

/// A face that hardly tells which way it is turned, taken for one turned by quarters more than it is.
fn barely_clear(tile: &mut SeenTile, quarters: usize) {
    tile.corners.rotate_left(quarters);
    tile.turns = [0.4, 0.1, 0.25, 0.25];
}

#[test]
fn faces_with_an_unclear_turn_take_that_of_their_neighbours() {
    // Birds as no one else draws them, in a row with others.
    let mut birds = Table::default().row("123456789p111s22z", 0.0, 0.0);
    birds.tiles[9..12].iter_mut().for_each(|bird| barely_clear(bird, 1));
    assert_eq!(text(&birds.plain()), "123456789p111s22z");

    // The claimed one of a set still lies sideways: it is as wide as the others are high.
    for quarters in 0..4 {
        let mut claimed = Table::default().row("123m456p55z789s  11'1s", 0.0, 0.0);
        barely_clear(&mut claimed.tiles[12], quarters);
        assert_eq!(text(&claimed.plain()), "123m456p55z789s (11'1s)");
    }
}

#[test]
fn numbers_that_are_no_numbers_are_passed_over() {
    let mut tiles =
        Table::default().row("123m456p789s11222z", 0.0, 0.0).seen_by(0.0, [0.0; 2], 500.0);
    let mut broken = tiles[0].clone();
    broken.corners = [[f32::NAN; 2]; 4];
    tiles.push(broken.clone());
    broken.corners = [[0.0; 2]; 4];
    broken.faces = [f32::NAN; Face::COUNT];
    broken.turns = [f32::NAN; 4];
    tiles.push(broken);
    assert_eq!(text(&read(&tiles, &Hints::default())), "123m456p789s11222z");
}

#[test]
fn fifteen_tiles_are_reported_as_such() {
    let shown = Table::default().row("123m456p789s112223z", 0.0, 0.0).plain();
    assert_eq!(text(&shown), "123m456p789s112223z");
    assert!(
        shown.hand.unwrap().doubts.iter().any(|doubt| doubt.why.to_string().contains("15 tiles"))
    );
}

fn under(rules: &str, table: &Table) -> PictureLayout {
    let whole = RuleSet::preset(rules).unwrap().whole_hand();
    read(&table.seen_by(0.0, [0.0; 2], 1000.0), &Hints { whole, ..Hints::default() })
}

#[test]
fn hands_of_seventeen_tiles_are_read_where_the_rules_have_them() {
    let table = Table::default;
    for (table, hand) in [
        (table().row("123m456p789s111222z33'z", 0.0, 0.0), "123m456p789s1112223z +3z"),
        (table().row("123m456p789s1112223z 3z", 0.0, 0.0), "123m456p789s1112223z +3z"),
        (
            table().row("34m77p 6'66s 55'5z 1'23s 2'22p 2m", 0.0, 0.0),
            "34m77p (6'66s) (55'5z) (1'23s) (2'22p) +2m",
        ),
        (
            table().row("1'111m 22'22p 333'3s 7'77z 55'5z", 0.0, -1.8).row("5p5'p", 0.0, 0.0),
            "5p (1'111m) (22'22p) (333'3s) (7'77z) (55'5z) +5p",
        ),
        (table().row("1111m456p789s22233z11s1's", 0.0, 0.0), "456p789s22233z11s [1111m] +1s"),
        (
            table().row("1f3f", 2.0, -1.8).row("123m456p789s1112223z3'z", 0.0, 0.0),
            "123m456p789s1112223z 13f +3z",
        ),
    ] {
        assert_eq!(text(&under("taiwan", &table)), hand);
    }
    let whole = under("taiwan", &table().row("123m456p789s1112223z3'z", 0.0, 0.0));
    let hand = whole.hand.unwrap();
    assert!(hand.finished && hand.doubts.is_empty(), "{:?}", hand.doubts);
    let sixteen = under("taiwan", &table().row("123m456p789s1112223z", 0.0, 0.0));
    assert_eq!(
        in_doubt(&sixteen, Uncertainty::is_of_winning),
        [Uncertainty::WinningElsewhere { tiles: 16 }]
    );
    let fewer = under("taiwan", &table().row("123m456p789s1122z2'z", 0.0, 0.0));
    assert_eq!(
        in_doubt(&fewer, Uncertainty::is_of_hand)[0],
        Uncertainty::WrongCount { tiles: 14, kongs: 0, whole: 17 }
    );
}

#[test]
fn forms_that_only_some_rules_know_settle_an_unclear_tile_under_these_alone() {
    for (row, unclear, named, other) in
        [("147m258p369s12345z", 8, "9s", "8s"), ("147m258p369s11122z", 8, "9s", "8s")]
    {
        let mut table = Table::default().row(row, 0.0, 0.0);
        unsure(&mut table, unclear, &[(other, 0.6), (named, 0.39)]);
        assert_eq!(text(&under("mcr", &table)), row, "the form is whole with it");
        let elsewhere = text(&under("mmm", &table));
        assert_eq!(
            elsewhere,
            row.replace("369s", "368s"),
            "there it looks like what it looks like"
        );
    }
}

#[test]
fn an_indicator_lies_face_up_in_a_row_of_backs() {
    let hand = Table::default().row("234567m34p678s555p", 0.0, 0.0);
    let wall = hand.clone().row("xx4pxxxx", 2.0, -8.0);
    let shown = wall.plain();
    let faces: Vec<String> = shown.indicators().iter().map(ToString::to_string).collect();
    assert_eq!(faces, ["4p"]);
    assert_eq!(text(&shown), "234567m34p678s555p");
    for (row, why) in [("4p", "no wall"), ("x44sx", "a kong"), ("1m4p7sxx", "discards")] {
        assert!(hand.clone().row(row, 2.0, -8.0).plain().indicators().is_empty(), "{why}");
    }
}

#[test]
fn twelve_tiles_are_reported_as_such() {
    let shown = Table::default().row("123m456p789s112z", 0.0, 0.0).plain();
    assert_eq!(text(&shown), "123m456p789s112z");
    assert!(
        shown.hand.unwrap().doubts.iter().any(|doubt| doubt.why.to_string().contains("12 tiles"))
    );
}

/// Laid sets behind one's own standing tiles: nearer, and seen from the front, those look larger.
#[test]
fn standing_tiles_before_laid_sets_are_one_hand() {
    let laid = Table::default().row("6666p222p8888m", 0.0, 0.0);
    let mut table = Table::default().row("33777m", 2.0, 2.0);
    for tile in &mut table.tiles {
        tile.corners = tile.corners.map(|[x, y]| [1.17 * x, 1.27 * y]);
    }
    for tile in laid.tiles {
        table.tiles.push(SeenTile { corners: tile.corners.map(|[x, y]| [x, 0.8 * y]), ..tile });
    }
    assert_eq!(text(&table.plain()), "33777m (6666p) (222p) (8888m)");
}

/// A plain white dragon shows no direction: lying sideways it may be read as one that stands upright, and wide.
#[test]
fn a_sideways_winning_tile_read_as_an_upright_one_is_as_large_as_the_others() {
    let mut table = Table::default().row("123m456p789s1155z", 0.0, 0.0).put("5z", 5.5, -1.9, 1);
    table.tiles.last_mut().unwrap().corners.rotate_left(1);
    assert_eq!(text(&table.plain()), "123m456p789s1155z +5z");
}

#[test]
fn discards_are_not_surely_a_hand_where_others_may_be_it() {
    let pond = Table::default().row("9m1s4z7p3p2s", 0.0, 0.0).row("6m8p3z5s9s1p", 0.0, 1.4);
    let shown = pond.plain().hand.unwrap();
    assert!(shown.confidence > 0.9, "nothing else is there: {}", shown.confidence);

    let other = |text: &str| pond.clone().row(text, 20.0, 12.0).plain().hand.unwrap();
    let elsewhere = other("5m6m7m");
    assert!(elsewhere.confidence <= 0.5, "{}", elsewhere.confidence);
    assert!(elsewhere.doubts.iter().any(|doubt| matches!(doubt.why, Uncertainty::OtherLayout(_))));
    // One more tile completes no twelve.
    assert_eq!(other("5m").confidence, shown.confidence);
}

#[test]
fn five_of_a_face_are_reported_and_not_bent_away() {
    let shown = Table::default().row("55555p123m789s222z", 0.0, 0.0).plain();
    assert_eq!(text(&shown), "55555p123m789s222z");
    let hand = shown.hand.unwrap();
    assert!(hand.doubts.iter().any(|doubt| doubt.why.to_string().contains("5 5p were seen")));
    assert!(hand.confidence < 1.0 || hand.price > 6.0);
}

#[test]
fn thirteen_tiles_ask_for_the_winning_one_and_take_it() {
    let table = Table::default().row("123m456p789s1122z", 0.0, 0.0);
    let hand = table.plain().hand.unwrap();
    assert!(hand.doubts.iter().any(|doubt| doubt.why.to_string().contains("13 tiles")));
    let hints = Hints { winning: "2z".parse().ok(), ..Hints::default() };
    let shown = read(&table.seen_by(0.0, [0.0; 2], 1000.0), &hints);
    assert_eq!(text(&shown), "123m456p789s1122z +2z");
}

#[test]
fn the_last_tile_of_a_row_won_where_it_lies_clearly_apart_whether_or_not_it_touches() {
    let row = |room: f32, end: f32| {
        let codes = "1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z".split(' ');
        let table = codes.enumerate().fold(Table::default(), |table, (n, code)| {
            table.put(code, (1.0 + room) * n as f32, 0.0, 0)
        });
        let last = 13.0 + 12.0 * room + end;
        table.put("2z", last, 0.0, 0).plain().hand.expect("a hand")
    };
    for end in [0.42, 0.48, 0.52, 0.6] {
        let hand = row(0.03, end);
        assert_eq!(hand.reading.to_string(), "123m456p789s1122z +2z", "{end}");
        assert!(hand.confidence > 0.85, "{end}: {}", hand.confidence);
    }
    // In a loose row that says little, and nothing for a tile in line with the others.
    for (room, end) in [(0.03, 0.15), (0.3, 0.36)] {
        assert_eq!(row(room, end).reading.to_string(), "123m456p789s11222z", "{room} {end}");
    }
}

/// Dots look the same upside down: what is read of their turns is chance, and no dozen of them outvotes two sixes.
#[test]
fn faces_that_look_alike_upside_down_do_not_say_from_where_a_row_is_read() {
    let mut table = Table::default();
    for (n, digit) in "76655443322111".chars().enumerate() {
        table =
            table.put(&format!("{digit}p"), 1.02 * n as f32, 0.0, if digit == '6' { 2 } else { 0 });
    }
    for tile in table.tiles.iter_mut().skip(3) {
        tile.turns = [0.6, 0.0, 0.4, 0.0];
    }
    assert_eq!(text(&table.plain()), "11122334455667p");
}

#[test]
fn a_given_winning_tile_is_taken_from_the_hand() {
    let table = Table::default().row("123m456p789s11222z", 0.0, 0.0);
    let hints = Hints { winning: "5p".parse().ok(), ..Hints::default() };
    let shown = read(&table.seen_by(0.0, [0.0; 2], 1000.0), &hints);
    assert_eq!(text(&shown), "123m46p789s11222z +5p");
}

#[test]
fn a_corrected_tile_keeps_its_correction() {
    let table = Table::default().row("123m456p789s11223z", 0.0, 0.0);
    let shown = table.plain();
    let third =
        shown.tiles.iter().position(|tile| tile.face == SeenFace::Tile("3z".parse().unwrap()));
    let hints = Hints { fixes: vec![(third.unwrap(), "2z".parse().unwrap())], ..Hints::default() };
    let shown = read(&table.seen_by(0.0, [0.0; 2], 1000.0), &hints);
    assert_eq!(text(&shown), "123m456p789s11222z");
}

#[test]
fn two_finished_hands_are_refused() {
    let mut table = Table::default().row("123m456p789s11222z", 0.0, 0.0);
    for (i, code) in
        ["1m", "1m", "2m", "3m", "4m", "5p", "6p", "7p", "7s", "8s", "9s", "5z", "5z", "5z"]
            .iter()
            .enumerate()
    {
        table = table.put(code, 14.0 - 1.02 * i as f32, -9.0, 2);
    }
    let shown = table.plain();
    assert!(shown.hand.is_none(), "{}", text(&shown));
    assert_eq!(shown.refusal, Some(Unread::TwoHands));
}

#[test]
fn no_tiles_and_scattered_tiles_are_no_hand() {
    assert_eq!(read(&[], &Hints::default()).refusal, Some(Unread::NoTiles));
    let shown = Table::default().put("1m", 0.0, 0.0, 0).put("5p", 9.0, 4.0, 1).plain();
    assert!(shown.hand.is_none());
}

/// The hand's tile at a place, made unsure between faces.
fn unsure(table: &mut Table, tile: usize, faces: &[(&str, f32)]) {
    let rest: f32 = 1.0 - faces.iter().map(|(_, p)| p).sum::<f32>();
    table.tiles[tile].faces = [rest / Face::COUNT as f32; Face::COUNT];
    for (code, p) in faces {
        table.tiles[tile].faces[code.parse::<Face>().unwrap().index()] = *p;
    }
}

#[test]
fn a_fifth_copy_is_read_as_its_alternative() {
    let mut table = Table::default().row("1111m456p789s1122z", 0.0, 0.0);
    // Tiles 0-3 are 1m, another one looks like 1m too, a little.
    unsure(&mut table, 4, &[("1m", 0.5), ("4p", 0.45)]);
    let shown = table.plain();
    assert!(text(&shown).contains('4'), "{}", text(&shown));
    let greedy =
        read(&table.seen_by(0.0, [0.0; 2], 1000.0), &Hints { joint: false, ..Hints::default() });
    assert!(text(&greedy).starts_with("11111m"), "{}", text(&greedy));
    let hand = shown.hand.unwrap();
    let bent = Uncertainty::Bent {
        taken: SeenFace::Tile("4p".parse().unwrap()),
        looks: "1m".parse::<Tile>().unwrap().face(),
        complete: false,
    };
    assert!(hand.doubts.iter().any(|doubt| doubt.why == bent), "{:?}", hand.doubts);
}

#[test]
fn an_unclear_tile_beside_the_hand_may_be_its_flower() {
    let hand = Table::default().row("123m456p789s11155z", 0.0, 0.0);
    let beside = |faces: &[(&str, f32)], x: f32, y: f32| {
        let mut table = hand.clone().put("1s", x, y, 0);
        unsure(&mut table, 14, faces);
        table.plain()
    };
    let asked = |shown: &PictureLayout| {
        let doubts = shown.hand.iter().flat_map(|hand| &hand.doubts);
        let flower = doubts.filter(|doubt| matches!(doubt.why, Uncertainty::StrayBonus { .. }));
        flower.map(|doubt| doubt.otherwise.clone().unwrap().to_string()).collect::<Vec<_>>()
    };
    let unknown = [("1s", 0.5), ("5p", 0.25), ("2f", 0.15)];
    let shown = beside(&unknown, 5.0, 1.0);
    assert_eq!(text(&shown), "123m456p789s11155z");
    assert_eq!(asked(&shown), ["123m456p789s11155z 2f"]);
    assert!(shown.hand.unwrap().confidence < 0.85, "it is asked about where flowers count");
    // A person's answer settles it: the flower is his, or is not.
    let mut table = hand.clone().put("1s", 5.0, 1.0, 0);
    unsure(&mut table, 14, &unknown);
    for (face, hand) in [("2f", "123m456p789s11155z 2f"), ("1s", "123m456p789s11155z")] {
        let hints = Hints { fixes: vec![(14, face.parse().unwrap())], ..Hints::default() };
        let shown = read(&table.seen_by(0.0, [0.0; 2], 1000.0), &hints);
        assert_eq!((text(&shown).as_str(), asked(&shown).len()), (hand, 0));
        let doubts = shown.hand.unwrap().doubts;
        let other = |why: &Uncertainty| matches!(why, Uncertainty::OtherLayout(_));
        assert!(!doubts.iter().any(|doubt| other(&doubt.why)), "{doubts:?}");
    }
    // Known surely, or far away, it does not belong to the hand.
    for shown in [beside(&[("1s", 0.97)], 5.0, 1.0), beside(&unknown, 5.0, 6.0)] {
        assert_eq!(asked(&shown), Vec::<String>::new(), "{}", text(&shown));
        assert!(shown.hand.unwrap().confidence > 0.85);
    }
    // One of a row of discards is a discard.
    let mut table = hand.row("3m7p1s4z", 3.0, 2.6);
    unsure(&mut table, 16, &unknown);
    assert_eq!(asked(&table.plain()), Vec::<String>::new());
}

#[test]
fn a_tile_that_may_be_a_flower_withholds_the_score_only_where_flowers_count() {
    let mut table = Table::default().row("123m456p789s11155z", 0.0, 0.0).put("1s", 5.0, 1.0, 0);
    unsure(&mut table, 14, &[("1s", 0.5), ("5p", 0.25), ("3f", 0.15)]);
    let seen = table.seen_by(0.0, [0.0; 2], 1000.0);
    let input = Input {
        hints: Hints { winning: "9s".parse().ok(), ..Hints::default() },
        at: Some(Circumstances::new(Seat::South, Seat::East, Win::SelfDraw)),
        ..Input::default()
    };
    let library = Library::new(Box::new(|_| None));
    let scored = |id: &str| appraise(&seen, &library.rule_set(id, &[]).unwrap(), &input);
    let without = scored("mmm");
    assert!(without.answer.is_some(), "{:?}", without.withheld);
    let doubts = &without.shown.hand.unwrap().doubts;
    let flower = |why: &Uncertainty| matches!(why, Uncertainty::StrayBonus { .. });
    assert!(!doubts.iter().any(|doubt| flower(&doubt.why)), "{doubts:?}");
    let with = scored("hkos");
    assert!(with.answer.is_none(), "without a flower it is worth more than with another player's");
    assert!(matches!(with.withheld, Some(Withheld::TooUnsure(_))), "{:?}", with.withheld);
}

/// The doubts of one kind.
fn in_doubt(shown: &PictureLayout, kind: fn(&Uncertainty) -> bool) -> Vec<Uncertainty> {
    let doubts = shown.hand.iter().flat_map(|hand| &hand.doubts);
    doubts.map(|doubt| doubt.why.clone()).filter(kind).collect()
}

fn with_winning(table: &Table, winning: &str) -> PictureLayout {
    let hints = Hints { winning: winning.parse().ok(), ..Hints::default() };
    read(&table.seen_by(0.0, [0.0; 2], 1000.0), &hints)
}

#[test]
fn false_backs_beside_the_winning_tile_do_not_hide_it() {
    let row = || Table::default().row("111m333p55s77z789s", 0.0, 0.0);
    let alone = row().put("7z", 14.8, -TALL / 2.0, 0);
    assert_eq!(text(&alone.plain()), "111m333p55s77z789s +7z");
    let cloth = alone.clone().put("x", 15.85, -TALL / 2.0, 0);
    assert_eq!(text(&cloth.plain()), "111m333p55s77z789s +7z");
    // A square of it that the winning tile seems to lie on.
    let mut above = alone.clone().put("x", 14.8, -TALL - 0.72, 1);
    for corner in &mut above.tiles.last_mut().unwrap().corners {
        corner[1] = -TALL - 0.02 + (corner[1] + TALL + 0.72 - 0.5) * 1.35;
    }
    assert_eq!(text(&above.plain()), "111m333p55s77z789s +7z");
    // A cloth with a pattern: more of them near the row than the winning tile is.
    let pattern = (0..9).fold(alone.clone(), |table, k| table.put("x", 1.6 * k as f32, 1.0, 0));
    assert_eq!(text(&pattern.plain()), "111m333p55s77z789s +7z");
    let rows = alone.row("xx", 14.3, -TALL - 0.1).row("xx", 14.3, TALL + 0.1);
    assert_eq!(text(&rows.plain()), "111m333p55s77z789s +7z");
}

#[test]
fn a_hole_in_a_row_that_lacks_a_tile_is_a_doubt() {
    let room = |table: Table| {
        let [left, right] = ["9p", "2s"].map(|tile| SeenFace::Tile(tile.parse().unwrap()));
        in_doubt(&table.plain(), Uncertainty::is_of_hand)
            .contains(&Uncertainty::Gap { left, right })
    };
    let row = |text: &str| Table::default().row("134256m789p", 0.0, -1.6).row(text, 0.3, 0.0);
    let hole = Table::default().row("134256m789p", 0.0, 0.0).row("23s44z", 10.2, 0.0);
    assert!(room(hole.clone()), "{:?}", hole.plain().hand);
    // A tile that does not count lies there.
    assert!(!room(hole.put("1f", 9.7, -TALL / 2.0, 0)));
    // Rows, and gaps between groups, are no holes; nor is one where no tile is missing.
    assert!(!room(row("23s44z")));
    assert!(!room(Table::default().row("134256m789p", 0.0, 0.0).row("23s44z", 9.7, 0.0)));
    assert!(!room(Table::default().row("134256m789p", 0.0, 0.0).row("234s44z", 10.2, 0.0)));
}

#[test]
fn a_winning_tile_that_is_not_there_is_said() {
    let whole = Table::default().row("123m456p789s11222z", 0.0, 0.0);
    let shown = with_winning(&whole, "5s");
    assert_eq!(text(&shown), "123m456p789s11222z");
    assert_eq!(
        in_doubt(&shown, Uncertainty::is_of_winning),
        [Uncertainty::NoSuchWinning("5s".parse().unwrap())]
    );
    let shown = with_winning(&whole, "2z");
    assert_eq!(text(&shown), "123m456p789s1122z +2z");
    assert_eq!(in_doubt(&shown, Uncertainty::is_of_winning), []);
}

#[test]
fn naming_another_winning_tile_moves_the_marked_one_back_into_the_hand() {
    let marked = Table::default().row("123m456p789s1122z2'z", 0.0, 0.0);
    assert_eq!(text(&marked.plain()), "123m456p789s1122z +2z");
    let shown = with_winning(&marked, "9s");
    assert_eq!(text(&shown), "123m456p78s11222z +9s");
    let of = |role: Role| -> Vec<String> {
        let tiles = shown.tiles.iter().filter(|tile| tile.role == role);
        tiles.map(|tile| tile.face.to_string()).collect()
    };
    assert_eq!((of(Role::Winning).join(" "), of(Role::Concealed).len()), ("9s".to_owned(), 13));
    for (index, group) in shown.groups.iter().enumerate() {
        assert!(group.tiles.iter().all(|&tile| shown.tiles[tile].group == Some(index)));
    }
}

#[test]
fn alternatives_keep_the_winning_tile_that_a_person_gave() {
    let mut table = Table::default().row("123m456p789s11222z", 0.0, 0.0);
    unsure(&mut table, 0, &[("1m", 0.55), ("4m", 0.44)]);
    let hand = with_winning(&table, "9s").hand.unwrap();
    let doubt = hand.doubts.iter().find(|doubt| doubt.tile == Some(0)).expect("a doubt");
    assert_eq!(doubt.otherwise.as_ref().unwrap().to_string(), "423m456p78s11222z +9s");
}

#[test]
fn kongs_by_count_are_one_question() {
    let shown = Table::default().row("1111m4444p789s11222z", 0.0, 0.0).plain();
    let kongs = |why: &Uncertainty| matches!(why, Uncertainty::KongsByCount { .. });
    assert_eq!(
        in_doubt(&shown, kongs),
        [Uncertainty::KongsByCount { kongs: 2 }],
        "{}",
        text(&shown)
    );
}

#[test]
fn a_tile_of_an_open_set_is_read_by_its_set() {
    let mut table = Table::default().row("55p22m", 0.0, 0.0).row("7'77z 33'3s 999'p", 0.0, -2.0);
    table = table.row("2'm", 4.3, 0.0);
    unsure(&mut table, 5, &[("6z", 0.5), ("7z", 0.4)]);
    assert_eq!(text(&table.plain()), "55p22m (7'77z) (33'3s) (999'p) +2m");
}

#[test]
fn a_random_row_is_not_bent_into_a_win() {
    // One tile short of a finished hand, and sure of it.
    let mut table = Table::default().row("123m456p789s11223z", 0.0, 0.0);
    unsure(&mut table, 13, &[("3z", 0.985), ("2z", 0.01)]);
    assert_eq!(text(&table.plain()), "123m456p789s11223z");
}

#[test]
fn an_open_question_of_the_hand_is_a_doubt_with_its_alternative() {
    let mut table = Table::default().row("123m456p789s11222z", 0.0, 0.0);
    unsure(&mut table, 0, &[("1m", 0.55), ("4m", 0.44)]);
    let hand = table.plain().hand.unwrap();
    let doubt = hand.doubts.iter().find(|doubt| doubt.tile == Some(0)).expect("a doubt");
    assert!(matches!(doubt.why, Uncertainty::OtherFace { .. }), "{}", doubt.why);
    assert_eq!(doubt.otherwise.as_ref().unwrap().to_string(), "423m456p789s11222z");
    assert!(hand.confidence < 0.6);
}

#[test]
fn roles_and_groups_cover_the_hand_and_nothing_else() {
    let table = Table::default()
        .row("55p22z2'z", 0.0, 0.0)
        .row("1'23m 77'7z 444's", 1.0, -1.8)
        .row("9m1s4z7p3p2s", 3.0, -9.4);
    let shown = table.plain();
    let count = |role: Role| shown.tiles.iter().filter(|tile| tile.role == role).count();
    assert_eq!(
        [Role::Concealed, Role::Meld, Role::Winning, Role::Bonus, Role::Other].map(count),
        [4, 9, 1, 0, 6]
    );
    for (index, group) in shown.groups.iter().enumerate() {
        assert!(group.tiles.iter().all(|&tile| shown.tiles[tile].group == Some(index)));
    }
}
