//! Unicode's mahjong glyphs, U+1F000-U+1F029, whose order is not the notation's.

use super::{Face, SeenFace};

const FIRST: u32 = 0x1F000;
const BACK: char = '\u{1F02B}';

/// Faces in the order of the glyphs: winds, red, green, white, characters, bamboo, dots, plum,
/// orchid, bamboo, chrysanthemum, seasons.
const ORDER: [u8; Face::COUNT] = [
    27, 28, 29, 30, 33, 32, 31, // honors
    0, 1, 2, 3, 4, 5, 6, 7, 8, // characters
    18, 19, 20, 21, 22, 23, 24, 25, 26, // bamboo
    9, 10, 11, 12, 13, 14, 15, 16, 17, // dots
    34, 35, 37, 36, // flowers
    38, 39, 40, 41, // seasons
];

impl Face {
    /// The face as a glyph.
    ///
    /// ```
    /// use tilelens_scoring::tile::Face;
    /// assert_eq!("7z".parse::<Face>().unwrap().glyph(), '🀄');
    /// ```
    pub fn glyph(self) -> char {
        let place = ORDER.iter().position(|&index| usize::from(index) == self.index());
        place
            .and_then(|place| char::from_u32(FIRST + place as u32))
            .unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// The face of a glyph.
    pub fn from_glyph(glyph: char) -> Option<Self> {
        let place = u32::from(glyph).checked_sub(FIRST)? as usize;
        Self::from_index(usize::from(*ORDER.get(place)?))
    }
}

impl SeenFace {
    /// The tile as a glyph; a red five as the plain five, an unknown tile as `?`.
    pub fn glyph(self) -> char {
        match self {
            Self::Tile(tile) => tile.face().glyph(),
            Self::Back => BACK,
            Self::Unknown => '?',
        }
    }

    /// The tile or back of a glyph.
    pub fn from_glyph(glyph: char) -> Option<Self> {
        if glyph == BACK {
            return Some(Self::Back);
        }
        Face::from_glyph(glyph).map(|face| Self::Tile(face.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_stand_for_the_faces_that_unicode_names() {
        for (glyph, code) in [
            ('🀀', "1z"),
            ('🀃', "4z"),
            ('🀄', "7z"),
            ('🀅', "6z"),
            ('🀆', "5z"),
            ('🀇', "1m"),
            ('🀐', "1s"),
            ('🀙', "1p"),
            ('🀢', "1f"),
            ('🀣', "2f"),
            ('🀤', "4f"),
            ('🀥', "3f"),
            ('🀦', "5f"),
            ('🀩', "8f"),
        ] {
            assert_eq!(Face::from_glyph(glyph).map(|face| face.to_string()).as_deref(), Some(code));
        }
        assert_eq!(Face::from_glyph('\u{1F02A}'), None);
    }

    #[test]
    fn every_face_has_a_glyph_of_its_own() {
        for face in Face::all() {
            assert_eq!(Face::from_glyph(face.glyph()), Some(face));
        }
    }
}
