//! Riichi for three scored naively: every yaku tried on every reading, payments as a list of who pays what.

use std::collections::BTreeMap;

use tilelens::{
    hand::{Hand, Meld},
    rules::{Circumstances, Indicators, Win},
    tile::{Seat, Side},
};

use super::naive_sets::{
    Divided, Sort, concealed, is_major, is_seven_pairs, is_thirteen, present, readings, suits,
    waits_on_nine,
};

/// Decided rulings; those left out have the choices of [`RULINGS`] that come first.
pub type Rulings = BTreeMap<&'static str, &'static str>;

/// Every ruling that changes scores and is known here, with its choices.
pub const RULINGS: [(&str, &[&str]); 19] = [
    ("sanma.tsumo_loss", &["loss", "half"]),
    ("sanma.honba", &["200", "300"]),
    ("sanma.north", &["bonus", "plain"]),
    ("sanma.north_value", &["none", "value"]),
    ("sanma.north_supplement", &["rinshan", "none"]),
    ("riichi.red_fives", &["three", "none"]),
    ("riichi.open_tanyao", &["yes", "no"]),
    ("riichi.double_wind_pair", &["4", "2"]),
    ("riichi.kiriage_mangan", &["no", "yes"]),
    ("riichi.kazoe_yakuman", &["yakuman", "sanbaiman"]),
    ("riichi.yakuman_together", &["add", "one"]),
    ("riichi.double_yakuman", &["all", "none", "four_winds"]),
    ("riichi.renhou", &["no", "yakuman"]),
    ("riichi.open_pinfu", &["30", "20"]),
    ("riichi.rinshan_fu", &["yes", "no"]),
    ("riichi.rinshan_last_tile", &["rinshan", "both"]),
    ("riichi.pao", &["dragons_winds", "dragons_winds_kongs", "none"]),
    ("riichi.pao_concealed_kong", &["counts", "not"]),
    ("riichi.pao_counters", &["giver", "liable"]),
];

const NORTH: usize = 30;
const YAKUMAN: i64 = 8000;

pub type Items = Vec<(&'static str, i64)>;

/// A reading's worth.
#[derive(Clone, Debug, Default)]
pub struct Worth {
    pub items: Items,
    /// Han; of yakuman 13 each.
    pub han: i64,
    /// Fu, but of yakuman.
    pub fu: Option<i64>,
    pub base: i64,
    /// Whether it has a yaku.
    pub wins: bool,
}

/// A hand, how it was won and the rulings.
pub struct Scorer<'a> {
    pub hand: &'a Hand,
    pub at: &'a Circumstances,
    pub rulings: &'a Rulings,
}

impl Scorer<'_> {
    fn is(&self, ruling: &str, choice: &str) -> bool {
        let known = RULINGS.iter().find(|(id, _)| *id == ruling).expect("a ruling");
        self.rulings.get(ruling).copied().unwrap_or(known.1[0]) == choice
    }

    fn north(&self) -> usize {
        if self.is("sanma.north", "bonus") { usize::from(self.at.north) } else { 0 }
    }

    fn is_drawn(&self) -> bool {
        self.at.win == Win::SelfDraw
    }

    fn is_closed(&self) -> bool {
        !self.hand.melds().any(Meld::is_claimed)
    }

    fn has_kong(&self) -> bool {
        self.hand.melds().any(Meld::is_kong)
    }

    fn is_rinshan(&self) -> bool {
        let counts = self.has_kong() || self.is("sanma.north_supplement", "rinshan");
        counts && (self.at.supplement || self.at.kong_on_kong)
    }

    /// What a pair or triplet of a wind or dragon counts: own wind, round wind, dragon, North for everybody.
    fn honor_values(&self, face: usize) -> [bool; 4] {
        [
            face == self.at.seat.wind().index(),
            face == self.at.round.wind().index(),
            face >= 31,
            face == NORTH && self.is("sanma.north_value", "value"),
        ]
    }

    fn is_pinfu(&self, reading: &Divided) -> bool {
        let winning = self.hand.winning().index();
        let two_sided = reading.won.is_some_and(|place| {
            let low = reading.groups[place].face;
            winning == low && low % 9 != 6 || winning == low + 2 && !low.is_multiple_of(9)
        });
        let plain = self.honor_values(reading.pair) == [false; 4];
        self.is_closed() && reading.runs().len() == 4 && plain && two_sided
    }

    /// The yaku that any hand may have.
    fn any_yaku(&self) -> Items {
        let (at, closed) = (self.at, self.is_closed());
        let faces = present(self.hand);
        let honors = faces.iter().any(|face| *face >= 27);
        let majors = faces.iter().all(|face| is_major(*face));
        let simple = !faces.iter().any(|face| is_major(*face));
        let one_suit = suits(&faces) == 1;
        let open = |open: i64, more: i64| open + if closed { more } else { 0 };
        let sea = at.last_tile && self.is_drawn();
        let alone = self.is("riichi.rinshan_last_tile", "rinshan") && self.is_rinshan();
        let all = [
            ("riichi", 1, at.riichi && !at.double_riichi),
            ("double_riichi", 2, at.double_riichi),
            ("ippatsu", 1, at.ippatsu),
            ("menzen_tsumo", 1, closed && self.is_drawn()),
            ("tanyao", 1, simple && (closed || self.is("riichi.open_tanyao", "yes"))),
            ("rinshan", 1, self.is_rinshan()),
            ("chankan", 1, matches!(at.win, Win::RobKong { .. })),
            ("haitei", 1, sea && !alone),
            ("houtei", 1, at.last_tile && matches!(at.win, Win::Discard { .. })),
            ("honroutou", 2, majors && honors),
            ("honitsu", open(2, 1), one_suit && honors),
            ("chinitsu", open(5, 1), one_suit && !honors),
        ];
        all.into_iter().filter(|(.., has)| *has).map(|(id, han, _)| (id, han)).collect()
    }

    /// The yaku of sets.
    fn set_yaku(&self, reading: &Divided) -> Items {
        let closed = self.is_closed();
        let (runs, alike, pair) = (reading.runs(), reading.alike(), reading.pair);
        let mut kinds = runs.clone();
        kinds.sort();
        kinds.dedup();
        let times = |run: &usize| runs.iter().filter(|other| *other == run).count();
        let twins = kinds.iter().map(|run| times(run) / 2).sum::<usize>();
        let honors = present(self.hand).iter().any(|face| *face >= 27);
        let dragons = alike.iter().filter(|face| **face >= 31).count();
        let straight = |suit: usize| [0, 3, 6].iter().all(|low| runs.contains(&(9 * suit + low)));
        let triple = |number: usize| (0..3).all(|suit| alike.contains(&(9 * suit + number)));
        let outside = reading.each_has(is_major) && !runs.is_empty();
        let open = i64::from(closed);
        let valued = |which: usize| alike.iter().any(|face| self.honor_values(*face)[which]);
        let all = [
            ("pinfu", 1, self.is_pinfu(reading)),
            ("iipeikou", 1, closed && twins == 1),
            ("ryanpeikou", 3, closed && twins == 2),
            ("seat_wind", 1, valued(0)),
            ("round_wind", 1, valued(1)),
            ("north_wind", 1, valued(3)),
            ("ittsuu", 1 + open, (0..3).any(straight)),
            ("chanta", 1 + open, outside && honors),
            ("junchan", 2 + open, outside && !honors),
            ("sanankou", 2, reading.concealed_alike() >= 3),
            ("toitoi", 2, alike.len() == 4),
            ("sanshoku_doukou", 2, (0..9).any(triple)),
            ("sankantsu", 2, reading.of(Sort::Kong).len() >= 3),
            ("shousangen", 2, dragons == 2 && pair >= 31),
        ];
        let yaku = all.into_iter().filter(|(.., has)| *has).map(|(id, han, _)| (id, han));
        yaku.chain((0..dragons).map(|_| ("dragon", 1))).collect()
    }

    /// The tile after an indicator.
    fn next(indicator: usize) -> usize {
        match indicator {
            0 => 8,
            8 => 0,
            9..27 => indicator / 9 * 9 + (indicator % 9 + 1) % 9,
            27..31 => 27 + (indicator - 26) % 4,
            _ => 31 + (indicator - 30) % 3,
        }
    }

    fn dora(&self, indicators: &Indicators) -> i64 {
        let held = |face: usize| {
            let aside = if face == NORTH { self.north() } else { 0 };
            let in_hand = tilelens::tile::Face::from_index(face).map(|face| self.hand.count(face));
            aside + usize::from(in_hand.unwrap())
        };
        indicators.iter().map(|tile| held(Self::next(tile.face().index())) as i64).sum()
    }

    fn bonus(&self) -> Items {
        let red = self.is("riichi.red_fives", "three");
        let all = [
            ("dora", self.dora(&self.at.dora_indicators)),
            ("ura_dora", self.dora(&self.at.ura_indicators)),
            ("red_five", if red { i64::from(self.hand.red_fives()) } else { 0 }),
            ("north_dora", self.north() as i64),
        ];
        all.into_iter().filter(|(_, han)| *han > 0).collect()
    }

    fn fu(&self, reading: &Divided) -> i64 {
        let pinfu = self.is_pinfu(reading);
        let winning = self.hand.winning().index();
        let narrow = reading.won.is_none_or(|place| {
            let group = reading.groups[place];
            let low = group.face;
            let edge =
                winning == low && low % 9 == 6 || winning == low + 2 && low.is_multiple_of(9);
            group.sort == Sort::Run && (winning == low + 1 || edge)
        });
        let pair = match self.honor_values(reading.pair) {
            [true, true, ..] if self.is("riichi.double_wind_pair", "4") => 4,
            values if values.contains(&true) => 2,
            _ => 0,
        };
        let mut fu = 20 + pair;
        for group in reading.groups.iter().filter(|group| group.sort != Sort::Run) {
            let mut worth = if group.sort == Sort::Kong { 8 } else { 2 };
            worth *= if group.open { 1 } else { 2 };
            fu += worth * if is_major(group.face) { 2 } else { 1 };
        }
        fu += if narrow { 2 } else { 0 };
        fu += if self.is_closed() && !self.is_drawn() { 10 } else { 0 };
        let supplement = self.is_rinshan() && self.is("riichi.rinshan_fu", "no");
        fu += if self.is_drawn() && !pinfu && !supplement { 2 } else { 0 };
        let fu = (fu + 9) / 10 * 10;
        if self.is_closed() || self.is("riichi.open_pinfu", "20") { fu } else { fu.max(30) }
    }

    fn ordinary(&self, yaku: Items, fu: i64) -> Worth {
        let wins = !yaku.is_empty();
        let items = [yaku, self.bonus()].concat();
        let han: i64 = items.iter().map(|(_, han)| han).sum();
        let base = match han {
            13.. if self.is("riichi.kazoe_yakuman", "yakuman") => YAKUMAN,
            11.. => 6000,
            8.. => 4000,
            6.. => 3000,
            5 => 2000,
            _ => match fu << (2 + han) {
                1920.. if self.is("riichi.kiriage_mangan", "yes") => 2000,
                base => base.min(2000),
            },
        };
        Worth { items, han, fu: Some(fu), base, wins }
    }

    /// The yakuman of a reading; `None`: of seven pairs or thirteen orphans.
    fn yakuman(&self, reading: Option<&Divided>) -> Items {
        let (at, faces) = (self.at, present(self.hand));
        let double = self.is("riichi.double_yakuman", "all");
        let pair_wait = match reading {
            Some(reading) => reading.won.is_none(),
            None => self.hand.concealed()[self.hand.winning().index()] == 2,
        };
        let first = !self.has_kong();
        let heaven = at.seat == Seat::East && self.is_drawn() && (at.first_turn || at.first_draw);
        let man = at.first_turn && at.win.is_claim() && self.is("riichi.renhou", "yakuman");
        let honors = faces.iter().all(|face| *face >= 27);
        let green = faces.iter().all(|face| [19, 20, 21, 23, 25, 32].contains(face));
        let thirteen = is_thirteen(self.hand);
        let mut all = vec![
            ("tenhou", 1, first && heaven),
            ("chiihou", 1, first && at.first_draw && at.seat != Seat::East),
            ("renhou_yakuman", 1, first && man),
            ("tsuuiisou", 1, honors && !thirteen),
            ("kokushi_13_wait", 2, thirteen && pair_wait && double),
            ("kokushi", 1, thirteen && !(pair_wait && double)),
        ];
        if let Some(reading) = reading {
            let alike = reading.alike();
            let among = |faces: std::ops::Range<usize>| {
                alike.iter().filter(|face| faces.contains(face)).count()
            };
            let four = reading.concealed_alike() == 4;
            let tiles = concealed(self.hand);
            let suit = tiles.first().map_or(0, |tile| tile / 9);
            let count =
                |number: usize| tiles.iter().filter(|tile| **tile == 9 * suit + number).count();
            let least = |number: usize| if number.is_multiple_of(8) { 3 } else { 1 };
            let gates = tiles.len() == 14
                && suits(&faces) == 1
                && faces.iter().all(|face| *face < 27)
                && (0..9).all(|number| count(number) >= least(number));
            let nine = gates && waits_on_nine(self.hand);
            let winds = if self.is("riichi.double_yakuman", "none") { 1 } else { 2 };
            all.extend([
                ("suuankou_tanki", 2, four && pair_wait && double),
                ("suuankou", 1, four && !(pair_wait && double)),
                ("daisangen", 1, among(31..34) == 3),
                ("shousuushii", 1, among(27..31) == 3 && (27..31).contains(&reading.pair)),
                ("daisuushii", winds, among(27..31) == 4),
                ("chinroutou", 1, faces.iter().all(|face| is_major(*face) && *face < 27)),
                ("ryuuiisou", 1, green),
                ("chuuren_9_wait", 2, nine && double),
                ("chuuren", 1, gates && !(nine && double)),
                ("suukantsu", 1, reading.of(Sort::Kong).len() == 4),
            ]);
        }
        all.into_iter().filter(|(.., has)| *has).map(|(id, times, _)| (id, times)).collect()
    }

    fn limit(&self, mut items: Items) -> Worth {
        if self.is("riichi.yakuman_together", "one") {
            // The dearest, the first of the table among equals.
            let order = [
                "tenhou",
                "chiihou",
                "renhou_yakuman",
                "kokushi",
                "kokushi_13_wait",
                "suuankou",
                "suuankou_tanki",
                "daisangen",
                "shousuushii",
                "daisuushii",
                "tsuuiisou",
                "chinroutou",
                "ryuuiisou",
                "chuuren",
                "chuuren_9_wait",
                "suukantsu",
            ];
            let place = |id: &str| order.iter().position(|other| *other == id).unwrap();
            items.sort_by_key(|(id, times)| (-times, place(id)));
            items.truncate(1);
        }
        let times: i64 = items.iter().map(|(_, times)| times).sum();
        Worth { items, han: 13 * times, fu: None, base: YAKUMAN * times, wins: true }
    }

    /// The dearest readings, all that are worth the same; none: the hand is not complete.
    pub fn best(&self) -> Vec<Worth> {
        let mut all = Vec::new();
        let mut add = |yakuman: Items, yaku: Items, fu: i64| {
            all.push(match yakuman.is_empty() {
                true => self.ordinary(yaku, fu),
                false => self.limit(yakuman),
            });
        };
        for reading in &readings(self.hand, self.at.win.is_claim()) {
            let yaku = [self.any_yaku(), self.set_yaku(reading)].concat();
            add(self.yakuman(Some(reading)), yaku, self.fu(reading));
        }
        if is_seven_pairs(self.hand, false) {
            add(self.yakuman(None), [self.any_yaku(), vec![("chiitoitsu", 2)]].concat(), 25);
        }
        if is_thirteen(self.hand) {
            add(self.yakuman(None), Vec::new(), 0);
        }
        let rank = |worth: &Worth| (worth.wins, worth.fu.is_none(), worth.base, worth.han);
        let most = all.iter().map(rank).max();
        all.retain(|worth| Some(rank(worth)) == most);
        all
    }

    /// The player on a side of the winner.
    fn beside(&self, side: Side) -> Option<usize> {
        let seat = self.at.seat.index();
        match side {
            Side::Right => Some((seat + 1) % 3),
            Side::Left => Some((seat + 2) % 3),
            Side::Opposite => [Some(2), None, Some(0)][seat],
        }
    }

    /// Who is liable for a yakuman of the hand.
    fn liable(&self, yakuman: &str) -> Option<usize> {
        let (of_family, needed): (fn(Meld) -> bool, usize) = match yakuman {
            _ if self.is("riichi.pao", "none") => return None,
            "daisangen" => (|meld| meld.face().is_dragon(), 3),
            "daisuushii" => (|meld| meld.face().is_wind(), 4),
            "suukantsu" if self.is("riichi.pao", "dragons_winds_kongs") => (Meld::is_kong, 4),
            _ => return None,
        };
        let kongs = self.is("riichi.pao_concealed_kong", "counts");
        let sets: Vec<Meld> = (self.hand.melds())
            .filter(|meld| of_family(*meld) && (kongs || meld.is_claimed()))
            .collect();
        let last = sets.last().filter(|last| sets.len() == needed && last.is_claimed())?;
        let marked = last.giver().and_then(|side| self.beside(side));
        let liable = marked.or(self.at.pao.map(Seat::index));
        liable.filter(|seat| *seat != self.at.seat.index())
    }

    /// Who gets and who pays.
    pub fn payments(&self, worth: &Worth) -> [i64; 3] {
        let (winner, giver) = (self.at.seat.index(), self.at.win.from().map(Seat::index));
        let half = self.is("sanma.tsumo_loss", "half");
        let counters = i64::from(self.at.honba);
        let claimed = counters * if self.is("sanma.honba", "200") { 200 } else { 300 };
        let all = |base: i64| base * if winner == 0 { 6 } else { 4 };
        // Twice the share of the base that a player pays for a self-draw.
        let drawn = |payer: usize| match (winner == 0, payer == 0, half) {
            (true, _, false) | (false, true, false) => 4,
            (true, _, true) => 6,
            (false, true, true) => 5,
            (false, false, false) => 2,
            (false, false, true) => 3,
        };
        let others: Vec<usize> = (0..3).filter(|seat| *seat != winner).collect();
        let hundreds = |doubled: i64| (doubled + 199) / 200 * 100;
        let mut bill: Vec<(usize, i64)> = Vec::new();
        let usual = |base: i64, bill: &mut Vec<(usize, i64)>| match giver {
            Some(giver) => bill.extend([(giver, hundreds(2 * all(base))), (giver, claimed)]),
            None => {
                let of = |payer: usize| hundreds(drawn(payer) * base) + 100 * counters;
                bill.extend(others.iter().map(|payer| (*payer, of(*payer))));
            }
        };
        let mut rest = worth.base;
        let mut first = None;
        for (yakuman, times) in worth.items.iter().filter(|_| worth.fu.is_none()) {
            let Some(liable) = self.liable(yakuman) else { continue };
            let part = YAKUMAN * times;
            rest -= part;
            first = first.or(Some(liable));
            match giver {
                None => bill
                    .push((liable, others.iter().map(|seat| drawn(*seat)).sum::<i64>() * part / 2)),
                Some(giver) if giver == liable => bill.push((liable, all(part))),
                Some(giver) => {
                    bill.extend([liable, giver].map(|payer| (payer, hundreds(all(part)))));
                }
            }
        }
        match (first, giver) {
            (Some(first), None) if rest == 0 => bill.push((first, 200 * counters)),
            (Some(first), Some(giver)) if rest == 0 => {
                let liable_pays = self.is("riichi.pao_counters", "liable");
                bill.push((if liable_pays { first } else { giver }, claimed));
            }
            _ => usual(rest, &mut bill),
        }
        let mut sums = [0; 3];
        for (payer, amount) in bill {
            sums[payer] -= amount;
            sums[winner] += amount;
        }
        sums
    }
}
