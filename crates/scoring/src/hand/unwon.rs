//! A hand that has not won: its tiles as they lie, of any number.

use super::{
    Arrangement, Form, Hand, HandError, Meld, Reading, TextError, WonGroup,
    arrangement::{each_face, whole},
};
use crate::tile::{Face, SeenFace, Tile};

/// The tiles of a hand that has not won. Thirteen is the right number for four sets, kongs counted as three,
/// but any may be scored as it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnwonHand {
    tiles: Hand,
    number: usize,
}

impl UnwonHand {
    /// The number of its tiles without flowers and seasons, each kong counted as three.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// The tiles, as those of a hand without a winning tile, which no rule set takes for complete.
    pub(crate) const fn tiles(&self) -> &Hand {
        &self.tiles
    }

    /// The hand with a tile drawn, where that makes a hand that may be complete.
    pub(crate) fn with(&self, drawn: Face) -> Option<Hand> {
        let mut concealed = *self.tiles.concealed();
        *concealed.get_mut(drawn.index())? += 1;
        let melds: Vec<Meld> = self.tiles.melds().collect();
        Hand::new(concealed, &melds, self.tiles.bonus(), drawn).ok()
    }

    /// The same hand with its kongs as pungs.
    #[must_use]
    pub(crate) fn with_pungs_for_kongs(&self) -> Self {
        Self { tiles: self.tiles.with_pungs_for_kongs(), number: self.number }
    }

    /// Its sets and each of its pairs, one reading for a pair; one without a pair where it has none. Three
    /// or four alike among the concealed tiles are a concealed pung.
    pub(crate) fn each_reading(&self, mut visit: impl FnMut(&Arrangement)) {
        let tally = self.tiles.tally();
        let held = |least: u8, most: u8| {
            let counts = self.tiles.concealed().iter().enumerate();
            counts
                .filter(|(_, count)| (least..=most).contains(*count))
                .fold(0u64, |faces, (face, _)| faces | 1 << face)
        };
        let (own_pungs, pairs) = (held(3, Face::COPIES), held(2, 2));
        let mut arrangement = Arrangement {
            chows: tally.chows,
            pungs: own_pungs | tally.pungs,
            own_pungs,
            concealed_pungs: own_pungs | tally.concealed_kongs,
            // No pair of simples is worth anything.
            ..whole(Form::Unwon, Face::FIRST, WonGroup::Single)
        };
        if pairs == 0 {
            visit(&arrangement);
        }
        for pair in each_face(pairs) {
            arrangement.pair = pair;
            visit(&arrangement);
        }
    }
}

impl TryFrom<&Reading> for UnwonHand {
    type Error = HandError;

    /// # Errors
    /// [`HandError`] says which tile or set is wrong.
    fn try_from(reading: &Reading) -> Result<Self, HandError> {
        if let Some(winning) = reading.winning {
            return Err(HandError::WinningTile(winning));
        }
        let tiles = Hand::unwon(reading)?;
        let number = reading.concealed.len() + 3 * reading.sets.len();
        Ok(Self { tiles, number })
    }
}

impl std::str::FromStr for UnwonHand {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let reading: Reading = text.parse()?;
        Ok(Self::try_from(&reading)?)
    }
}

impl From<&UnwonHand> for Reading {
    /// Sorted.
    fn from(hand: &UnwonHand) -> Self {
        let seen = |face: Face| SeenFace::Tile(Tile::new(face));
        let counts = hand.tiles.concealed();
        let concealed = Face::all()
            .take(counts.len())
            .flat_map(|face| std::iter::repeat_n(seen(face), usize::from(counts[face.index()])));
        Self {
            concealed: concealed.collect(),
            sets: hand.tiles.melds().map(Meld::seen).collect(),
            bonus: hand.tiles.bonus_faces().map(seen).collect(),
            winning: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<UnwonHand>().unwrap_err().to_string()
    }

    #[test]
    fn any_number_of_tiles_lies_as_it_does() {
        for (text, number) in [
            ("111m5567p3s55z89s2z 3f", 13),
            ("2m (1'11z) [5555z] 666z777z", 13),
            ("5m", 1),
            ("", 0),
        ] {
            let hand: UnwonHand = text.parse().unwrap();
            assert_eq!(hand.number(), number, "{text}");
            assert_eq!(Reading::from(&hand).to_string().parse(), Ok(hand));
        }
    }

    #[test]
    fn wrong_tiles_are_named() {
        assert!(error("11m +1m").contains("leave out the +"));
        assert!(error("11111m").contains("5 1m"));
        assert!(error("1m 11f").contains("1f twice"));
        assert!(error("1m (123z)").contains("(123z)"));
    }

    #[test]
    fn four_alike_are_a_pung_and_pairs_are_read_one_by_one() {
        let hand: UnwonHand = "5555m11z23p66z789s".parse().unwrap();
        let mut pairs = Vec::new();
        hand.each_reading(|reading| {
            assert_eq!(reading.pungs, 1 << 4);
            pairs.push(reading.pair.to_string());
        });
        assert_eq!(pairs, ["1z", "6z"]);
    }
}
