//! A legal hand: the number of tiles of a finished hand, with no more of a face than a tile set has.

use std::borrow::Cow;

use thiserror::Error;

use super::{
    Meld, MeldError, MeldKind, Reading,
    arrangement::chow_shift,
    meld::is_red,
    suit_table::{Packed, pack},
};
use crate::tile::{Face, SeenFace, Suit, Tile};

/// A hand that may be scored: 14 tiles, or 17, and one more for each kong, the winning one among them.
/// Where a flower or season wins it is beside the tiles, which are then one fewer. Whether the hand is
/// complete, and which number of tiles is played, is for the rules to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hand {
    concealed: [u8; Face::SET_FACES],
    melds: [Option<Meld>; MOST_MELDS],
    bonus: u8,
    winning: Face,
    red: RedFives,
    tally: HandCounts,
}

/// The most sets that may be laid apart.
const MOST_MELDS: usize = 5;

/// Red fives outside the melds: they count as fives, and some rule sets pay for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct RedFives {
    /// Suits whose red five is concealed and not the winning tile, a bit each.
    concealed: u8,
    /// The winning tile is a red five.
    winning: bool,
    /// Suits of which more than one red five was seen, melds included, a bit each.
    twice: u8,
}

/// The counts that all readings of a hand share. Faces are bits by [`Face::index`],
/// chows as in [`Arrangement`](super::Arrangement).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct HandCounts {
    /// Concealed counts of each suit and the honors, three bits a face.
    pub packed: [Packed; 4],
    /// Counts of each suit and the honors, melds included, three bits a face.
    pub all: [Packed; 4],
    /// Faces in the hand, melds included.
    pub present: u64,
    /// Chows that were claimed.
    pub chows: u64,
    /// Pungs and kongs laid apart.
    pub pungs: u64,
    /// Claimed and added kongs.
    pub open_kongs: u64,
    /// Concealed kongs.
    pub concealed_kongs: u64,
    /// The number of sets laid apart.
    pub melds: u8,
    /// The number of claimed sets.
    pub claimed: u8,
    /// The number of sets in the hand: four, or five in a hand of 17.
    pub sets: u8,
}

/// The thirteen terminals and honors.
pub(crate) const MAJORS: u64 = 0b1111111 << 27 | 0x101 << 18 | 0x101 << 9 | 0x101;

impl HandCounts {
    fn new(concealed: &[u8; Face::SET_FACES], melds: &[Meld], sets: u8) -> Self {
        let packed = [
            pack(&concealed[..9]),
            pack(&concealed[9..18]),
            pack(&concealed[18..27]),
            pack(&concealed[27..]),
        ];
        let melded = melds.len() as u8;
        let mut tally = Self { packed, all: packed, melds: melded, sets, ..Self::default() };
        for (index, &count) in concealed.iter().enumerate() {
            tally.present |= u64::from(count > 0) << index;
        }
        for face in melds.iter().flat_map(|meld| meld.faces()) {
            tally.all[face.index() / 9] += 1 << (3 * (face.index() % 9));
        }
        for meld in melds {
            let bit = 1u64 << meld.face().index();
            match meld.kind() {
                MeldKind::Chow => {
                    tally.chows += 1 << chow_shift(meld.face());
                    tally.present |= 0b111 << meld.face().index();
                }
                MeldKind::Pung => tally.pungs |= bit,
                MeldKind::OpenKong => tally.open_kongs |= bit,
                MeldKind::ConcealedKong => tally.concealed_kongs |= bit,
            }
            tally.claimed += u8::from(meld.is_claimed());
        }
        tally.pungs |= tally.open_kongs | tally.concealed_kongs;
        tally.present |= tally.pungs;
        tally
    }
}

/// Why a reading is not a legal hand.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HandError {
    /// An invalid set.
    #[error(transparent)]
    Meld(#[from] MeldError),
    /// A tile face down or not recognised.
    #[error("`{0}` in the hand: every tile must be known before it is scored")]
    NotKnown(SeenFace),
    /// More than four of a face.
    #[error("{count} {face} in the hand: there are four of each")]
    TooMany {
        /// The face.
        face: Face,
        /// The number in the hand.
        count: u8,
    },
    /// The same flower or season twice.
    #[error("{0} twice: there is one of each flower and season")]
    BonusTwice(Face),
    /// A flower as the winning tile of a hand whose tiles are counted.
    #[error("+{0}: a flower or season is no winning tile here, it is replaced")]
    BonusWins(Face),
    /// The winning tile is not marked.
    #[error("no winning tile: mark it with +, such as +5p")]
    NoWinningTile,
    /// Six sets or more are laid apart.
    #[error("{0} sets laid apart: a hand has four, or five")]
    TooManySets(usize),
    /// A winning tile in a hand that has not won.
    #[error("+{0} in a hand that has not won: leave out the +")]
    WinningTile(SeenFace),
    /// Too few or too many tiles.
    #[error(
        "{found} tiles in the hand, the winning one included: expected {expected} (14, and one more for each kong), or {} where hands have five sets", .expected + 3
    )]
    Size {
        /// The number of tiles, without bonus tiles.
        found: usize,
        /// The number that a hand of four sets should have.
        expected: usize,
    },
}

impl Hand {
    /// A hand of concealed tiles (counts by [`Face::index`], the winning tile included), melds in
    /// the order in which they were laid down, bonus tiles as a bit each (1f = bit 0). A flower or season
    /// that wins is one of the bonus tiles.
    ///
    /// # Errors
    /// [`HandError`] where it has the wrong number of tiles, too many of one, or lacks the
    /// winning tile among the concealed ones.
    pub fn new(
        concealed: [u8; Face::SET_FACES],
        melds: &[Meld],
        bonus: u8,
        winning: Face,
    ) -> Result<Self, HandError> {
        if winning.is_bonus() && bonus >> (winning.number() - 1) & 1 == 0 {
            return Err(HandError::NoWinningTile);
        }
        if melds.len() > MOST_MELDS {
            return Err(HandError::TooManySets(melds.len()));
        }
        let mut counts = concealed;
        for face in melds.iter().flat_map(|meld| meld.faces()) {
            counts[face.index()] = counts[face.index()].saturating_add(1);
        }
        check_copies(&counts)?;
        let kongs = melds.iter().filter(|meld| meld.is_kong()).count();
        let tiles: usize = counts.iter().map(|&count| usize::from(count)).sum();
        let found = tiles + usize::from(winning.is_bonus());
        let sets = match found.checked_sub(kongs) {
            Some(14) => 4,
            Some(17) => 5,
            _ => return Err(HandError::Size { found, expected: 14 + kongs }),
        };
        if concealed.get(winning.index()) == Some(&0) {
            return Err(HandError::NoWinningTile);
        }
        let tally = HandCounts::new(&concealed, melds, sets);
        let red = RedFives::default();
        let mut hand = Self { concealed, melds: [None; MOST_MELDS], bonus, winning, red, tally };
        for (slot, &meld) in hand.melds.iter_mut().zip(melds) {
            *slot = Some(meld);
        }
        Ok(hand)
    }

    /// Concealed tiles by [`Face::index`], the winning tile included.
    pub const fn concealed(&self) -> &[u8; Face::SET_FACES] {
        &self.concealed
    }

    pub(crate) const fn tally(&self) -> &HandCounts {
        &self.tally
    }

    /// The number of sets beside the pair: four, or five for 17 tiles and one more for each kong.
    pub const fn sets(&self) -> u8 {
        self.tally.sets
    }

    /// Sets laid apart, in the order in which they were laid down.
    pub fn melds(&self) -> impl Iterator<Item = Meld> + Clone + '_ {
        self.melds.iter().flatten().copied()
    }

    /// Flowers and seasons, a bit each: 1f bit 0 to 8f bit 7.
    pub const fn bonus(&self) -> u8 {
        self.bonus
    }

    /// The winning tile.
    pub const fn winning(&self) -> Face {
        self.winning
    }

    /// The number of red fives in the hand, melds included.
    pub fn red_fives(&self) -> u8 {
        let melded = self.melds().filter(|meld| meld.has_red_five()).count() as u8;
        self.red.concealed.count_ones() as u8 + u8::from(self.red.winning) + melded
    }

    /// A red five that the hand holds more than once, where there is one: a set of tiles has one in
    /// each suit.
    pub fn red_five_twice(&self) -> Option<Tile> {
        let suits = [Suit::Characters, Suit::Dots, Suit::Bamboo];
        let suit = suits.into_iter().enumerate().find(|(i, _)| self.red.twice >> i & 1 == 1);
        suit.and_then(|(_, suit)| Tile::red_five(suit))
    }

    /// Suits whose red five is held, melds included, a bit each in the order of the notation.
    pub(crate) fn red_suits(&self) -> u8 {
        let melds = self.melds().filter(|meld| meld.has_red_five());
        let melded = melds.fold(0, |suits, meld| suits | 1u8 << (meld.face().index() / 9));
        let winning = u8::from(self.red.winning) << (self.winning.index() / 9);
        self.red.concealed | winning | melded
    }

    /// Whether a concealed tile other than the winning one is the red five of a suit (by its place
    /// in the notation), and whether the winning tile is a red five.
    pub(crate) const fn concealed_red(&self, suit: usize) -> bool {
        self.red.concealed >> suit & 1 == 1
    }

    pub(crate) const fn winning_red(&self) -> bool {
        self.red.winning
    }

    /// The same hand with every red five an ordinary five.
    #[must_use]
    pub fn without_red_fives(&self) -> Self {
        let melds = self.melds.map(|meld| meld.map(Meld::without_red_five));
        Self { melds, red: RedFives::default(), ..*self }
    }

    /// The number of a face in the hand, melds included.
    #[inline]
    pub fn count(&self, face: Face) -> u8 {
        let suit = self.tally.all.get(face.index() / 9).copied().unwrap_or(0);
        // Flowers and seasons go on where the honors end, and are not counted.
        (suit >> (3 * (face.index() % 9)) & 7) as u8
    }

    /// Whether no set was claimed.
    pub fn is_concealed(&self) -> bool {
        !self.melds().any(Meld::is_claimed)
    }

    /// The flowers and seasons.
    pub fn bonus_faces(&self) -> impl Iterator<Item = Face> + Clone + '_ {
        (0..8).filter(|bit| self.bonus >> bit & 1 == 1).filter_map(|bit| Face::from_index(34 + bit))
    }
}

/// Counts the concealed tiles of a reading, the winning one among them.
pub(super) fn concealed_counts(reading: &Reading) -> Result<[u8; Face::SET_FACES], HandError> {
    let mut counts = [0u8; Face::SET_FACES];
    for &seen in reading.concealed.iter().chain(&reading.winning) {
        let SeenFace::Tile(tile) = seen else { return Err(HandError::NotKnown(seen)) };
        match counts.get_mut(tile.face().index()) {
            Some(count) => *count = count.saturating_add(1),
            None => return Err(HandError::BonusWins(tile.face())),
        }
    }
    Ok(counts)
}

/// The flowers and seasons of a reading, a bit each: 1f bit 0 to 8f bit 7.
pub(super) fn bonus_bits(reading: &Reading) -> Result<u8, HandError> {
    let mut bits = 0u8;
    for &seen in &reading.bonus {
        let face = match seen {
            SeenFace::Tile(tile) if tile.face().is_bonus() => tile.face(),
            _ => return Err(HandError::NotKnown(seen)),
        };
        let bit = 1 << (face.number() - 1);
        if bits & bit != 0 {
            return Err(HandError::BonusTwice(face));
        }
        bits |= bit;
    }
    Ok(bits)
}

impl Reading {
    /// Checks that a legal hand of `whole` tiles, each kong counted as three, can hold these tiles. Tiles that are face
    /// down or not recognised may be any.
    ///
    /// # Errors
    /// [`HandError`] says which tile or set is wrong, or that there are too many tiles.
    pub fn can_become(&self, whole: usize) -> Result<(), HandError> {
        bonus_bits(self)?;
        let mut counts = [0u8; Face::COUNT];
        let seen = self.concealed.iter().chain(&self.winning).filter_map(|seen| match seen {
            SeenFace::Tile(tile) => Some(tile.face()),
            SeenFace::Back | SeenFace::Unknown => None,
        });
        let mut faces: Vec<Face> = seen.collect();
        for set in &self.sets {
            match Meld::try_from(set) {
                Ok(meld) => faces.extend(meld.faces()),
                Err(MeldError::Unknown { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        for face in faces {
            counts[face.index()] = counts[face.index()].saturating_add(1);
        }
        check_copies(&counts)?;
        let kongs = self.sets.iter().filter(|set| set.tiles.len() == 4).count();
        let apart: usize = self.sets.iter().map(|set| set.tiles.len()).sum();
        let found = self.concealed.len() + usize::from(self.winning.is_some()) + apart;
        if found > whole + kongs {
            return Err(HandError::Size { found, expected: 14 + kongs });
        }
        Ok(())
    }
}

impl Hand {
    /// The tiles of a hand that has not won, whatever their number. It has no winning tile, and no number of
    /// sets that a rule set plays.
    pub(super) fn unwon(reading: &Reading) -> Result<Self, HandError> {
        let bonus = bonus_bits(reading)?;
        let concealed = concealed_counts(reading)?;
        if reading.sets.len() > MOST_MELDS {
            return Err(HandError::TooManySets(reading.sets.len()));
        }
        let mut melds = [None; MOST_MELDS];
        let mut counts = concealed;
        for (slot, set) in melds.iter_mut().zip(&reading.sets) {
            let meld = Meld::try_from(set)?;
            *slot = Some(meld);
            meld.faces()
                .for_each(|face| counts[face.index()] = counts[face.index()].saturating_add(1));
        }
        check_copies(&counts)?;
        let laid: Vec<Meld> = melds.iter().flatten().copied().collect();
        let tally = HandCounts::new(&concealed, &laid, 0);
        let red = RedFives::of(reading);
        Ok(Self { concealed, melds, bonus, winning: Face::FIRST, red, tally })
    }

    /// The same hand with its kongs as pungs.
    #[must_use]
    pub(crate) fn with_pungs_for_kongs(&self) -> Self {
        let melds = self.melds.map(|meld| meld.map(Meld::as_pung));
        let laid: Vec<Meld> = melds.iter().flatten().copied().collect();
        let tally = HandCounts::new(&self.concealed, &laid, self.tally.sets);
        Self { melds, tally, ..*self }
    }
}

/// Refuses more than four of a face.
fn check_copies(counts: &[u8]) -> Result<(), HandError> {
    let most = counts.iter().position(|&count| count > Face::COPIES);
    match most.and_then(|index| Some((Face::from_index(index)?, counts[index]))) {
        Some((face, count)) => Err(HandError::TooMany { face, count }),
        None => Ok(()),
    }
}

impl TryFrom<&Reading> for Hand {
    type Error = HandError;

    /// # Errors
    /// [`HandError`] says which tile or set is wrong.
    fn try_from(reading: &Reading) -> Result<Self, HandError> {
        let mut bonus = bonus_bits(reading)?;
        let mut counted = Cow::Borrowed(reading);
        if let Some(SeenFace::Tile(tile)) = reading.winning
            && tile.face().is_bonus()
        {
            let bit = 1 << (tile.face().number() - 1);
            if bonus & bit != 0 {
                return Err(HandError::BonusTwice(tile.face()));
            }
            bonus |= bit;
            counted.to_mut().winning = None;
        }
        let concealed = concealed_counts(&counted)?;
        if reading.sets.len() > MOST_MELDS {
            return Err(HandError::TooManySets(reading.sets.len()));
        }
        let mut melds = [Meld::PLACEHOLDER; MOST_MELDS];
        for (slot, set) in melds.iter_mut().zip(&reading.sets) {
            *slot = Meld::try_from(set)?;
        }
        let Some(SeenFace::Tile(winning)) = reading.winning else {
            return Err(HandError::NoWinningTile);
        };
        let hand = Self::new(concealed, &melds[..reading.sets.len()], bonus, winning.face())?;
        Ok(Self { red: RedFives::of(reading), ..hand })
    }
}

impl RedFives {
    fn of(reading: &Reading) -> Self {
        let mut found = Self::default();
        let mut suits = 0u8;
        let sets = reading.sets.iter().flat_map(|set| &set.tiles).map(|tile| tile.face);
        for seen in reading.concealed.iter().copied().chain(reading.winning).chain(sets) {
            if let SeenFace::Tile(tile) = seen
                && tile.is_red()
            {
                let bit = 1 << (tile.face().index() / 9);
                found.twice |= suits & bit;
                suits |= bit;
            }
        }
        for &seen in &reading.concealed {
            if let SeenFace::Tile(tile) = seen
                && tile.is_red()
            {
                found.concealed |= 1 << (tile.face().index() / 9);
            }
        }
        found.winning = reading.winning.is_some_and(is_red);
        found
    }
}

impl From<&Hand> for Reading {
    /// Sorted; a red five goes before the other fives.
    fn from(hand: &Hand) -> Self {
        let mut rest = *hand.concealed();
        if let Some(count) = rest.get_mut(hand.winning.index()) {
            *count -= 1;
        }
        let seen = |face: Face| SeenFace::Tile(Tile::new(face));
        let red = |face: Face| Tile::red_five(face.suit()).filter(|red| red.face() == face);
        let concealed_red = |face: Face| red(face).filter(|_| hand.concealed_red(face.index() / 9));
        let winning = red(hand.winning).filter(|_| hand.winning_red());
        Self {
            concealed: Face::all()
                .take(Face::SET_FACES)
                .flat_map(|face| {
                    let count = usize::from(rest[face.index()]);
                    (0..count).map(move |i| match concealed_red(face).filter(|_| i == 0) {
                        Some(red) => SeenFace::Tile(red),
                        None => seen(face),
                    })
                })
                .collect(),
            sets: hand.melds().map(Meld::seen).collect(),
            bonus: hand.bonus_faces().filter(|face| *face != hand.winning).map(seen).collect(),
            winning: Some(winning.map_or_else(|| seen(hand.winning), SeenFace::Tile)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<Hand>().unwrap_err().to_string()
    }

    #[test]
    fn a_hand_prints_sorted_and_reads_back() {
        let hand: Hand = "666z55z23m (7'77z) (5'67p) 31f +4m".parse().unwrap();
        assert_eq!(hand.to_string(), "23m55666z (7'77z) (5'67p) 13f +4m");
        assert_eq!(hand.to_string().parse(), Ok(hand));
        assert!(!hand.is_concealed());
    }

    #[test]
    fn errors_name_the_tile_and_what_was_expected() {
        assert!(error("11112m345p678s99s +1m").contains("5 1m"));
        assert!(error("111m 99s234p56p (1'11m) +7p").contains("6 1m"));
        assert!(error("123m456p789s1122z").contains("mark it with +"));
        assert!(error("123m456p789s112z +2z").contains("13 tiles"));
        assert!(error("123m456p789s11222z +2z").contains("15 tiles"));
        assert!(error("123m456p789s11x2z +2z").contains("`x`"));
        assert!(error("123m456p789s11z2z 11f +2z").contains("1f twice"));
        assert!(error("123m456p789s1122z 1f +1f").contains("1f twice"));
        assert!(error("123m456p789s11223z +1f").contains("15 tiles"));
        assert!(error("11m345p678s99s (123z) +1m").contains("(123z) is neither"));
        assert!(error("23m (1'2'3m) 345p678s99s +1m").contains("two tiles are marked"));
    }

    #[test]
    fn red_fives_are_kept_where_they_lie() {
        for text in [
            "340678m1122z (4'06p) +0s",
            "340678m1122z (0'55p) +1m",
            "340678m1122z (50'5p) +1m",
            "340678m1122z (5'05p) +1m",
            "340678m1122z (055'p) +1m",
            "340678m1122z (0555'p) +1m",
            "340678m1122z [0555p] +1m",
            "340678m1122z (406s) +0p",
        ] {
            let hand: Hand = text.parse().unwrap();
            assert_eq!(hand.to_string(), text);
            assert_eq!(hand.red_five_twice(), None);
            assert_eq!(hand.without_red_fives().red_fives(), 0);
            assert_eq!(hand.without_red_fives().to_string(), text.replace('0', "5"));
        }
        let hand: Hand = "345067m1122z (4'06p) +0s".parse().unwrap();
        assert_eq!((hand.red_fives(), hand.to_string().as_str()), (3, "340567m1122z (4'06p) +0s"));
        let hand: Hand = "340067m1122z (4'06p) +0s".parse().unwrap();
        assert_eq!(hand.red_five_twice(), Tile::red_five(Suit::Characters));
    }

    #[test]
    fn seventeen_tiles_are_a_hand_of_five_sets() {
        let sets = |text: &str| text.parse::<Hand>().unwrap().sets();
        assert_eq!(sets("123m456p789s1122z +2z"), 4);
        assert_eq!(sets("123m456p789s11122z23m +1m"), 5);
        assert_eq!(sets("2m (1'11m) (55'55p) [9999s] (2'34s) (77'7z) +2m"), 5);
        assert_eq!(sets("1379m2468p359s12345z 1234567f +8f"), 5);
        assert_eq!(sets("1379m2468p359s12z 1234567f +8f"), 4);
        assert!(error("123m456p789s111222z23m +1m").contains("18 tiles"));
        assert!(error("123m456p789s11222z3m +1m").contains("16 tiles"));
        assert!(error("123m456p789s11222z3m +1m").contains("expected 14"));
        assert!(error("2m (111m) (555p) (999s) (234s) (777z) (666z) +2m").contains("6 sets"));
    }

    #[test]
    fn a_flower_that_wins_prints_and_reads_back() {
        let text = "1379m2468p359s12345z 1234567f +8f";
        let hand: Hand = text.parse().unwrap();
        assert_eq!((hand.to_string().as_str(), hand.bonus()), (text, 0xff));
        assert!(error("1379m2468p359s12345z 12345678f +8f").contains("8f twice"));
        assert!(error("1379m2468p359s123456z 1234567f +8f").contains("18 tiles"));
    }

    #[test]
    fn every_kong_needs_one_tile_more() {
        assert!("23s66p (1'111m) (55'55p) [9999s] +4s".parse::<Hand>().is_ok());
        assert!("23s66p (1'11m) (55'55p) [9999s] +4s".parse::<Hand>().is_ok());
        assert!(error("23s667p (1'11m) (55'55p) [9999s] +4s").contains("17 tiles"));
    }
}
