//! One line of text for a hand: `234m567p2s (7'77z) (345s) 13f +2s`.
//!
//! Reads what people write (letters for honors, Unicode glyphs, groups with or without spaces) and
//! prints one canonical form; reading the printed form gives the same [`Reading`].

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::{Reading, SeenSet, SetForm, SetTile};
use crate::tile::{Face, SeenFace, Suit, Tile};

/// An error in a text, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotationError {
    /// A character that has no meaning in a hand.
    #[error(
        "`{found}` at character {at} is not part of a hand: expected digits with m p s z f, the letters E S W N P F C, x, ?, brackets or +"
    )]
    Character {
        /// The character.
        found: char,
        /// Its place, from 1.
        at: usize,
    },
    /// Digits without the letter of their suit.
    #[error("no suit letter after `{digits}`: expected m, p, s, z or f, such as {digits}p")]
    NoSuit {
        /// The digits.
        digits: String,
    },
    /// A suit letter with no digit before it.
    #[error("`{letter}` at character {at} has no digit before it")]
    NoDigit {
        /// The letter.
        letter: char,
        /// Its place, from 1.
        at: usize,
    },
    /// A digit that its suit does not have.
    #[error("there is no {digit}{letter}: {letter} has {known}")]
    NoSuchTile {
        /// The digit.
        digit: u8,
        /// The suit's letter.
        letter: char,
        /// The digits that exist.
        known: &'static str,
    },
    /// A mark outside a set, or with no tile before it.
    #[error("the mark ' at character {at} follows no tile of a claimed set")]
    Mark {
        /// Its place, from 1.
        at: usize,
    },
    /// A bracket that does not match.
    #[error("`{found}` at character {at} matches no bracket before it")]
    Bracket {
        /// The bracket.
        found: char,
        /// Its place, from 1.
        at: usize,
    },
    /// A set that is not closed.
    #[error("the set opened by `{open}` is not closed")]
    Unclosed {
        /// The opening bracket.
        open: char,
    },
    /// `()` or `[]`.
    #[error("an empty set at character {at}")]
    EmptySet {
        /// The place of its closing bracket, from 1.
        at: usize,
    },
    /// A `+` that is not followed by just one tile.
    #[error("+ is followed by {found} tiles: expected the one winning tile, such as +5p")]
    Winning {
        /// The number of tiles that follow.
        found: usize,
    },
    /// More than one `+`.
    #[error("two winning tiles (+): a hand has one")]
    TwoWinning,
}

/// The tile of a single letter.
fn honor(letter: char) -> Option<Face> {
    let number = match letter {
        'E' => 1,
        'S' => 2,
        'W' => 3,
        'N' => 4,
        'P' | 'B' => 5,
        'F' => 6,
        'C' => 7,
        _ => return None,
    };
    Face::new(Suit::Honors, number)
}

fn tile(digit: u8, suit: Suit) -> Result<Tile, NotationError> {
    let tile = match digit {
        0 => Tile::red_five(suit),
        _ => Face::new(suit, digit).map(Tile::new),
    };
    tile.ok_or(NotationError::NoSuchTile {
        digit,
        letter: suit.letter(),
        known: match suit {
            Suit::Honors => "1-4 (winds) and 5-7 (dragons)",
            Suit::Bonus => "1-4 (flowers) and 5-8 (seasons)",
            _ => "1-9 and 0 (red five)",
        },
    })
}

/// The part of the hand to which the tiles being read belong.
#[derive(Clone, Copy, PartialEq)]
enum NotationPart {
    Concealed,
    Set(SetForm),
    Winning,
}

#[derive(Default)]
struct Reader {
    reading: Reading,
    /// Tiles of the group being read; digits still wait for their suit.
    group: Vec<(Pending, bool)>,
}

#[derive(Clone, Copy)]
enum Pending {
    Digit(u8),
    Seen(SeenFace),
}

impl Reader {
    fn name(&mut self, suit: Suit, at: usize) -> Result<(), NotationError> {
        let mut named = false;
        for (pending, _) in &mut self.group {
            if let Pending::Digit(digit) = *pending {
                *pending = Pending::Seen(SeenFace::Tile(tile(digit, suit)?));
                named = true;
            }
        }
        if named { Ok(()) } else { Err(NotationError::NoDigit { letter: suit.letter(), at }) }
    }

    /// Ends the group and gives its tiles.
    fn take(&mut self) -> Result<Vec<SetTile>, NotationError> {
        let digits: String = (self.group.iter())
            .filter_map(|(pending, _)| match pending {
                Pending::Digit(digit) => Some(char::from(b'0' + digit)),
                Pending::Seen(_) => None,
            })
            .collect();
        if !digits.is_empty() {
            return Err(NotationError::NoSuit { digits });
        }
        Ok((self.group.drain(..))
            .filter_map(|(pending, sideways)| match pending {
                Pending::Seen(face) => Some(SetTile { face, sideways }),
                Pending::Digit(_) => None,
            })
            .collect())
    }

    /// Ends the part and puts its tiles where they belong.
    fn close(&mut self, part: NotationPart, at: usize) -> Result<(), NotationError> {
        let tiles = self.take()?;
        match part {
            NotationPart::Concealed => {
                for SetTile { face, .. } in tiles {
                    match face {
                        SeenFace::Tile(tile) if tile.face().is_bonus() => {
                            self.reading.bonus.push(face);
                        }
                        _ => self.reading.concealed.push(face),
                    }
                }
            }
            NotationPart::Set(_) if tiles.is_empty() => return Err(NotationError::EmptySet { at }),
            NotationPart::Set(form) => self.reading.sets.push(SeenSet { tiles, form }),
            NotationPart::Winning => match tiles.as_slice() {
                [SetTile { face, .. }] => self.reading.winning = Some(*face),
                _ => return Err(NotationError::Winning { found: tiles.len() }),
            },
        }
        Ok(())
    }
}

impl FromStr for Reading {
    type Err = NotationError;

    /// # Errors
    /// Where the text is not hand text; any number of any tiles is fine.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut reader = Reader::default();
        let mut part = NotationPart::Concealed;
        let mut open = '(';
        for (place, letter) in text.chars().enumerate() {
            let at = place + 1;
            match letter {
                '0'..='9' => reader.group.push((Pending::Digit(letter as u8 - b'0'), false)),
                'm' | 'p' | 's' | 'z' | 'f' => {
                    let suit = Suit::from_letter(letter)
                        .ok_or(NotationError::Character { found: letter, at })?;
                    reader.name(suit, at)?;
                }
                'x' => reader.group.push((Pending::Seen(SeenFace::Back), false)),
                '?' => reader.group.push((Pending::Seen(SeenFace::Unknown), false)),
                '\'' | '’' | '′' => match (part, reader.group.last_mut()) {
                    (NotationPart::Set(SetForm::Claimed), Some((_, sideways))) if !*sideways => {
                        *sideways = true;
                    }
                    _ => return Err(NotationError::Mark { at }),
                },
                '(' | '[' | '+' => {
                    if matches!(part, NotationPart::Set(_)) {
                        return Err(NotationError::Unclosed { open });
                    }
                    reader.close(part, at)?;
                    part = match letter {
                        '(' => NotationPart::Set(SetForm::Claimed),
                        '[' => NotationPart::Set(SetForm::ConcealedKong),
                        _ if reader.reading.winning.is_some() => {
                            return Err(NotationError::TwoWinning);
                        }
                        _ => NotationPart::Winning,
                    };
                    open = letter;
                }
                ')' | ']' => {
                    let matches = matches!(
                        (open, letter, part),
                        ('(', ')', NotationPart::Set(_)) | ('[', ']', NotationPart::Set(_))
                    );
                    if !matches {
                        return Err(NotationError::Bracket { found: letter, at });
                    }
                    reader.close(part, at)?;
                    part = NotationPart::Concealed;
                }
                _ if letter.is_whitespace() => {
                    // A space ends a group; inside a set it only ends the digits of one suit.
                    match part {
                        NotationPart::Set(_) => {}
                        NotationPart::Winning if reader.group.is_empty() => {}
                        _ => {
                            reader.close(part, at)?;
                            part = NotationPart::Concealed;
                        }
                    }
                }
                // Emoji presentation of a glyph.
                '\u{fe0e}' | '\u{fe0f}' => {}
                _ => {
                    let seen = honor(letter)
                        .map(|face| SeenFace::Tile(face.into()))
                        .or_else(|| SeenFace::from_glyph(letter))
                        .ok_or(NotationError::Character { found: letter, at })?;
                    reader.group.push((Pending::Seen(seen), false));
                }
            }
        }
        if matches!(part, NotationPart::Set(_)) {
            return Err(NotationError::Unclosed { open });
        }
        reader.close(part, text.len())?;
        Ok(reader.reading)
    }
}

/// Writes tiles so that neighbours of one suit share its letter.
pub(crate) fn write_tiles(
    f: &mut impl fmt::Write,
    tiles: impl Iterator<Item = SetTile> + Clone,
) -> fmt::Result {
    let suit = |seen: SeenFace| match seen {
        SeenFace::Tile(tile) => Some(tile.face().suit()),
        SeenFace::Back | SeenFace::Unknown => None,
    };
    let mut rest = tiles;
    while let Some(SetTile { face, sideways }) = rest.next() {
        let mark = if sideways { "'" } else { "" };
        match face {
            SeenFace::Tile(tile) => {
                f.write_char(char::from(b'0' + tile.digit()))?;
                f.write_str(mark)?;
                let next = rest.clone().find_map(|next| suit(next.face));
                if next != Some(tile.face().suit()) {
                    f.write_char(tile.face().suit().letter())?;
                }
            }
            SeenFace::Back | SeenFace::Unknown => write!(f, "{face}{mark}")?,
        }
    }
    Ok(())
}

fn plain(faces: &[SeenFace]) -> impl Iterator<Item = SetTile> + Clone {
    faces.iter().map(|&face| SetTile { face, sideways: false })
}

impl fmt::Display for SeenSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = match self.form {
            SetForm::Claimed => ('(', ')'),
            SetForm::ConcealedKong => ('[', ']'),
        };
        write!(f, "{open}")?;
        write_tiles(f, self.tiles.iter().copied())?;
        write!(f, "{close}")
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = "";
        if !self.concealed.is_empty() {
            write_tiles(f, plain(&self.concealed))?;
            space = " ";
        }
        for set in &self.sets {
            write!(f, "{space}{set}")?;
            space = " ";
        }
        if !self.bonus.is_empty() {
            f.write_str(space)?;
            write_tiles(f, plain(&self.bonus))?;
            space = " ";
        }
        if let Some(winning) = self.winning {
            write!(f, "{space}+{winning}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Reading {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn canonical_text_reads_and_prints_unchanged() {
        for text in [
            "234m567p2s (7'77z) (345s) +2s",
            "123m456p77z",
            "(1'1'11m) (11'11m) (111'1'm) [1111z] [xxxx] [1xx1z] 13f +0p",
            "x?123m?x",
            "+?",
            "",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
    }

    #[test]
    fn letters_glyphs_and_missing_spaces_are_read() {
        assert_eq!(read("EESSWWNNPPFFC+C").to_string(), "1122334455667z +7z");
        assert_eq!(read("(E'EE)").to_string(), "(1'11z)");
        assert_eq!(read("🀇🀈🀉 🀀🀀 🀐🀙").to_string(), "123m11z1s1p");
        assert_eq!(read("123m(7'77z)+2s").to_string(), "123m (7'77z) +2s");
        assert_eq!(read("11f 2f").bonus.len(), 3);
    }

    #[test]
    fn errors_name_the_place() {
        let error = |text: &str| text.parse::<Reading>().unwrap_err();
        assert_eq!(error("12q"), NotationError::Character { found: 'q', at: 3 });
        assert_eq!(error("123"), NotationError::NoSuit { digits: "123".into() });
        assert_eq!(error("12 3m"), NotationError::NoSuit { digits: "12".into() });
        assert_eq!(error("m1"), NotationError::NoDigit { letter: 'm', at: 1 });
        assert!(matches!(error("8z"), NotationError::NoSuchTile { digit: 8, letter: 'z', .. }));
        assert!(matches!(error("0z"), NotationError::NoSuchTile { digit: 0, letter: 'z', .. }));
        assert_eq!(error("1'23m"), NotationError::Mark { at: 2 });
        assert_eq!(error("[1'111m]"), NotationError::Mark { at: 3 });
        assert_eq!(error("(1''11m)"), NotationError::Mark { at: 4 });
        assert_eq!(error("(123m"), NotationError::Unclosed { open: '(' });
        assert_eq!(error("(123m]"), NotationError::Bracket { found: ']', at: 6 });
        assert_eq!(error("123m)"), NotationError::Bracket { found: ')', at: 5 });
        assert_eq!(error("()"), NotationError::EmptySet { at: 2 });
        assert_eq!(error("+"), NotationError::Winning { found: 0 });
        assert_eq!(error("+12m"), NotationError::Winning { found: 2 });
        assert_eq!(error("+1m +1m"), NotationError::TwoWinning);
    }

    fn any_face() -> impl Strategy<Value = SeenFace> {
        prop_oneof![
            8 => (0..Face::COUNT).prop_map(|i| SeenFace::Tile(Face::from_index(i).unwrap().into())),
            1 => (0..3usize).prop_map(|i| SeenFace::Tile(Tile::red_five(Suit::ALL[i]).unwrap())),
            1 => Just(SeenFace::Back),
            1 => Just(SeenFace::Unknown),
        ]
    }

    fn any_set() -> impl Strategy<Value = SeenSet> {
        (prop::collection::vec((any_face(), any::<bool>()), 1..5), any::<bool>()).prop_map(
            |(tiles, claimed)| SeenSet {
                tiles: (tiles.into_iter())
                    .map(|(face, sideways)| SetTile { face, sideways: sideways && claimed })
                    .collect(),
                form: if claimed { SetForm::Claimed } else { SetForm::ConcealedKong },
            },
        )
    }

    proptest! {
        #[test]
        fn whatever_was_seen_prints_and_reads_back(
            faces in prop::collection::vec(any_face(), 0..20),
            sets in prop::collection::vec(any_set(), 0..5),
            winning in prop::option::of(any_face()),
        ) {
            let is_bonus = |seen: &SeenFace| matches!(seen, SeenFace::Tile(t) if t.face().is_bonus());
            let (bonus, concealed) = faces.into_iter().partition(is_bonus);
            let reading = Reading { concealed, sets, bonus, winning };
            prop_assert_eq!(reading.to_string().parse::<Reading>(), Ok(reading));
        }

        #[test]
        fn no_text_panics(text in "[-0-9mpszfESWNPBFCx?'()+\\[\\] 🀀🀫é]{0,40}") {
            let _ = text.parse::<Reading>();
        }
    }
}
