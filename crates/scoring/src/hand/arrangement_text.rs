//! The readings of a hand as text.

use std::fmt;

use super::{
    Arrangement, Form, Hand, Meld, SetTile, WonGroup,
    arrangement::{each_chow, each_face, held_by_groups},
    notation::write_tiles,
    special::knitted_groups,
};
use crate::tile::{Face, SeenFace, Tile};

/// A reading of a hand as text: groups with spaces between, `+` before the one that the winning
/// tile completes.
pub struct ArrangementText<'a> {
    /// The hand.
    pub hand: &'a Hand,
    /// Its reading.
    pub arrangement: &'a Arrangement,
}

/// Writes the groups of a reading, each concealed red five in the first group that has room for it.
struct GroupWriter<'a, 'f, 'g> {
    hand: &'a Hand,
    f: &'f mut fmt::Formatter<'g>,
    space: &'static str,
    /// Suits whose concealed red five is not written yet, a bit each.
    red: u8,
}

impl GroupWriter<'_, '_, '_> {
    fn begin(&mut self, won: bool) -> fmt::Result {
        self.f.write_str(self.space)?;
        self.space = " ";
        self.f.write_str(if won { "+" } else { "" })
    }

    /// A group of concealed tiles; `won`: the winning tile is among them.
    fn group(&mut self, won: bool, faces: impl Iterator<Item = Face> + Clone) -> fmt::Result {
        self.begin(won)?;
        let winning = self.hand.winning();
        let mut red_of_group = 0u8;
        for suit in 0..3u8 {
            let fives = faces.clone().filter(|face| face.index() == usize::from(suit) * 9 + 4);
            let fives = fives.count();
            let wins_here = won && winning.index() == usize::from(suit) * 9 + 4;
            if fives > usize::from(wins_here) && self.red >> suit & 1 == 1 {
                self.red &= !(1 << suit);
                red_of_group |= 1 << suit;
            } else if wins_here && self.hand.winning_red() {
                red_of_group |= 1 << suit;
            }
        }
        let mut seen = [0u8; 3];
        let tiles: Vec<SetTile> = faces
            .map(|face| {
                let suit = face.index() / 9;
                let five = suit < 3 && face.index() % 9 == 4;
                let first = five && seen[suit] == 0;
                if five {
                    seen[suit] += 1;
                }
                let red =
                    Tile::red_five(face.suit()).filter(|_| first && red_of_group >> suit & 1 == 1);
                let tile = red.unwrap_or(Tile::new(face));
                SetTile { face: SeenFace::Tile(tile), sideways: false }
            })
            .collect();
        write_tiles(self.f, tiles.into_iter())
    }

    fn reading(&mut self, arrangement: &Arrangement) -> fmt::Result {
        match arrangement.form {
            Form::Sets => self.sets(arrangement),
            Form::KnittedStraight => {
                let loose = all_faces().filter(|&face| {
                    self.hand.concealed()[face.index()] > held_by_groups(arrangement, face)
                });
                self.group(arrangement.won == WonGroup::Single, loose)?;
                self.sets(arrangement)
            }
            Form::SevenPairs | Form::MajorPairs => self.pairs(false),
            Form::PairsAndPung => self.pairs(true),
            Form::KnittedPairs | Form::KnittedThrees => self.knitted_groups(),
            Form::Unwon => self.group(false, concealed_but(self.hand, None)),
            Form::Gates | Form::Snake => {
                let winning = self.hand.winning();
                self.group(false, concealed_but(self.hand, Some(winning)))?;
                self.group(true, std::iter::once(winning))
            }
            Form::EightFlowers => {
                let winning = self.hand.winning();
                self.group(false, concealed_but(self.hand, None))?;
                self.group(false, self.hand.bonus_faces().filter(|face| *face != winning))?;
                self.group(true, std::iter::once(winning))
            }
            Form::ThirteenOrphans | Form::Knitted | Form::HonorsAndKnitted => {
                self.singles(arrangement)
            }
        }
    }

    /// The concealed sets and the pair.
    fn sets(&mut self, arrangement: &Arrangement) -> fmt::Result {
        for (lowest, count) in each_chow(arrangement.own_chows) {
            for i in 0..count {
                let won = i == 0 && arrangement.won == WonGroup::Chow(lowest);
                self.group(won, Meld::chow(lowest, None).into_iter().flat_map(Meld::faces))?;
            }
        }
        for face in each_face(arrangement.own_pungs) {
            let won = face == self.hand.winning() && arrangement.won == WonGroup::Pung;
            self.group(won, std::iter::repeat_n(face, 3))?;
        }
        let won = arrangement.won == WonGroup::Pair;
        self.group(won, std::iter::repeat_n(arrangement.pair, 2))
    }

    /// The pairs of a hand of pairs; `with_pung`: three alike are a pung.
    fn pairs(&mut self, with_pung: bool) -> fmt::Result {
        let mut marked = false;
        for face in all_faces() {
            let count = self.hand.concealed()[face.index()];
            let group = if with_pung && count == 3 { 3 } else { 2 };
            for _ in 0..count / group {
                let won = face == self.hand.winning() && !marked;
                marked |= won;
                self.group(won, std::iter::repeat_n(face, usize::from(group)))?;
            }
        }
        Ok(())
    }

    fn knitted_groups(&mut self) -> fmt::Result {
        let mut marked = false;
        for group in knitted_groups(self.hand) {
            let won = !marked && group.contains(&self.hand.winning());
            marked |= won;
            self.group(won, group.into_iter())?;
        }
        Ok(())
    }

    /// Different tiles, and the doubled one where there is one.
    fn singles(&mut self, arrangement: &Arrangement) -> fmt::Result {
        let (hand, winning) = (self.hand, self.hand.winning());
        let singles =
            all_faces().filter(|face| hand.concealed()[face.index()] == 1 && *face != winning);
        self.group(false, singles)?;
        if arrangement.won == WonGroup::Single {
            self.group(true, std::iter::once(winning))?;
        }
        if arrangement.form == Form::HonorsAndKnitted {
            return Ok(());
        }
        let won = arrangement.won == WonGroup::Pair;
        self.group(won, std::iter::repeat_n(arrangement.pair, 2))
    }
}

fn all_faces() -> impl Iterator<Item = Face> + Clone {
    Face::all().take(34)
}

/// The concealed tiles without one copy of a face.
fn concealed_but(hand: &Hand, left_out: Option<Face>) -> impl Iterator<Item = Face> + Clone {
    all_faces().flat_map(move |face| {
        let count = usize::from(hand.concealed()[face.index()]);
        std::iter::repeat_n(face, count - usize::from(left_out == Some(face)))
    })
}

impl fmt::Display for ArrangementText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = self.hand;
        let red = (0..3).filter(|&suit| hand.concealed_red(suit)).fold(0, |red, s| red | 1 << s);
        let mut out = GroupWriter { hand, f, space: "", red };
        out.reading(self.arrangement)?;
        for meld in hand.melds() {
            out.begin(false)?;
            meld.fmt(out.f)?;
        }
        Ok(())
    }
}
