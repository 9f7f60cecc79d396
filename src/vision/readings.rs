//! One reading of a picture, and others where it could be seen better: made clearer, or with its tiles in shape. What tells
//! more counts.

use std::borrow::Cow;

use super::{
    Corners, ModelError, Picture, Reader, SeenTile,
    clearer::{SoFar, WAYS, glare, shade},
    finds::Find,
    judgement::{SURE_FACE, in_reading_order, is_sure_face, typical_area, white},
    looks::Look,
    out_of_shape::{into_shape, product, pulls},
    pixels::{Pull, halved},
    quad::{centre, overlap, sides, signed_area},
    strays::without_strays,
};
use crate::tile::{Face, SeenFace};

/// Fewer sure faces, in a picture that was changed, may be anything.
const ROW: usize = 4;
/// In a clearer picture, where there was no row before, so many of the finds have to show a face surely.
const SURE: f32 = 0.67;
/// So much of the print that was read has to be read in a clearer picture: some of it may be false.
const AS_MUCH: f32 = 0.97;
/// Small tiles, of a shorter side in pixels than this, that are found less surely than that may have overlooked ones
/// among them.
const SMALL: f32 = 24.0;
const FOUND: f32 = 0.6;
/// A picture of more pixels is halved before it is read again: others beside the largest would take too much memory.
const MOST_PIXELS: u32 = 50_000_000;
/// A picture is pulled at most so often.
const PULLS: usize = 2;
/// What shares no more than this of the smaller with a tile is another one.
const APART: f32 = 0.2;
/// In a reflection a part of the print may be gone: what is left has to show a face more surely than this,
const VERY_SURE: f32 = 0.9;
/// on more than this share of a face's usual area.
const FULL_SIZE: f32 = 0.4;
/// What was plain to see and is not read again speaks more against a reading than what it shows besides speaks for it: in
/// reverse the dots of a nine that the picture's edge cuts were six sure tiles, and the four tiles of the row none.
const MISSED: f32 = 2.0;
/// A tile that holds less than this share of a face does not show it again: it may be a part of its print. One of two tiles
/// that were taken for one holds about a half.
const AGAIN: f32 = 0.3;

/// What one reading of a picture tells.
pub(super) struct Reading {
    /// Its tiles,
    pub tiles: Vec<SeenTile>,
    /// where faces are shown, tiles or not, each from its own top left,
    pub shown: Vec<Corners>,
    /// and what they were made of.
    pub seen: Seen,
}

/// What may be a tile, and what was looked at.
pub(super) struct Seen {
    pub finds: Vec<(Find, Look)>,
    pub looks: Vec<Look>,
}

impl Reading {
    /// The same in the places of a picture half as wide and high.
    fn halved(mut self) -> Self {
        let tiles = self.tiles.iter_mut().map(|tile| &mut tile.corners);
        let finds = self.seen.finds.iter_mut().map(|(find, _)| &mut find.quad);
        for corner in tiles.chain(finds).chain(&mut self.shown).flatten() {
            *corner = corner.map(|at| at / 2.0);
        }
        let looks = self.seen.finds.iter_mut().map(|(_, look)| look);
        looks.chain(&mut self.seen.looks).for_each(|look| *look = look.halved());
        self
    }
}

impl Reader {
    /// Every tile of a picture, from the top to the bottom, in each row from the left; none where
    /// none shows its face. Where it is grainy, veiled or tinted, reflects a lamp, or its tiles are dark, out of shape or hardly to be seen, the
    /// picture is made clearer or pulled into shape and read again; where a tile is in doubt, it is looked at turned as well.
    ///
    /// # Errors
    /// The runtime fails, as for want of memory.
    pub fn read(&mut self, picture: &Picture) -> Result<Vec<SeenTile>, ModelError> {
        let first = self.read_once(picture)?;
        let is_large = picture.width().saturating_mul(picture.height()) > MOST_PIXELS;
        let small = if is_large { halved(picture)? } else { None };
        let Some(small) = small else { return self.read_again(picture, first) };
        let mut tiles = self.read_again(&small, first.halved())?;
        let corners = tiles.iter_mut().flat_map(|tile| &mut tile.corners);
        corners.for_each(|corner| *corner = corner.map(|at| 2.0 * at));
        Ok(tiles)
    }

    /// Every tile of a picture by a first reading of it and by what others tell besides.
    fn read_again(
        &mut self,
        picture: &Picture,
        first: Reading,
    ) -> Result<Vec<SeenTile>, ModelError> {
        let Reading { tiles: mut best, mut shown, mut seen } = first;
        let mut so_far = so_far_of(Cow::Borrowed(picture), &best);
        for way in WAYS {
            let Some(clearer) = way(&so_far)? else { continue };
            let (least, has_row) = (AS_MUCH * told_by_print(&best), so_far.faces.len() >= ROW);
            let enough = |tiles: &[SeenTile]| {
                told_by_print(tiles) - lost(&best, tiles) > least && (has_row || !is_chance(tiles))
            };
            let more = self.told_more(&best, enough, picture, &clearer, |place| place)?;
            if let Some(more) = more {
                Reading { tiles: best, shown, seen } = more;
                so_far = so_far_of(Cow::Owned(clearer), &best);
            }
        }
        if best.iter().any(is_in_doubt) {
            let tileset = self.tilesets.choice.clone();
            let turned = self.read_turned(&so_far.picture, seen)?;
            let tells = told(&turned.tiles) - lost(&best, &turned.tiles);
            if may_replace(&turned.tiles, &best) && tells > told(&best) {
                Reading { tiles: best, shown, .. } = turned;
                so_far = so_far_of(so_far.picture, &best);
            } else {
                self.tilesets.choice = tileset;
            }
        }
        let picture: &Picture = &so_far.picture;
        if let Some(even) = shade::evened(&so_far)? {
            self.joined(&mut best, picture, &even, |place| place)?;
        }
        if let Some((dull, [x, y])) = glare::dulled(picture, &sure_faces(&best))? {
            self.filled(&mut best, picture, &dull, |[across, down]| [across + x, down + y])?;
        }
        for mut pull in pulls(&shown) {
            for _ in 0..PULLS {
                let Some(pulled) = Pull::new(picture, pull) else { break };
                let other = pulled.picture(picture)?;
                let back = |place| pulled.back(place);
                let Some(shown) = self.joined(&mut best, picture, &other, back)? else { break };
                let Some(more) = into_shape(&shown) else { break };
                pull = product(more, pull);
            }
        }
        Ok(without_strays(best))
    }

    /// Puts what another picture tells in the place of `best`, all but the sure faces that it overlooks, and says where it shows
    /// faces; `None`, and `best` as it was, where it tells no more. Otherwise as [`Reader::told_more`].
    fn joined(
        &mut self,
        best: &mut Vec<SeenTile>,
        picture: &Picture,
        other: &Picture,
        back: impl Fn([f32; 2]) -> [f32; 2],
    ) -> Result<Option<Vec<Corners>>, ModelError> {
        let enough = |tiles: &[SeenTile]| {
            let stays = |tile: &&SeenTile| is_overlooked(tile, tiles);
            told(tiles) - lost(best.iter().filter(|tile| !stays(tile)), tiles) > told(best)
        };
        let more = self.told_more(best, enough, picture, other, back)?;
        let Some(Reading { tiles, shown, .. }) = more else { return Ok(None) };
        best.retain(|tile| is_overlooked(tile, &tiles));
        best.extend(tiles);
        *best = in_reading_order(std::mem::take(best));
        Ok(Some(shown))
    }

    /// Takes over what another picture shows very surely where `best` shows nothing surely; the tile set
    /// stays as it was. `back` as in [`Reader::told_more`].
    fn filled(
        &mut self,
        best: &mut Vec<SeenTile>,
        picture: &Picture,
        other: &Picture,
        back: impl Fn([f32; 2]) -> [f32; 2],
    ) -> Result<(), ModelError> {
        let tileset = self.tilesets.choice.clone();
        let more = self.told_more(best, |_| true, picture, other, back)?;
        self.tilesets.choice = tileset;
        if let Some(more) = more {
            fill(best, more.tiles);
        }
        Ok(())
    }

    /// A reading of another picture of what `picture` shows, where it tells `enough` to take the place of `best`; `back`
    /// leads from places in it to those in `picture`. The tile set that it chose goes with it.
    fn told_more(
        &mut self,
        best: &[SeenTile],
        enough: impl Fn(&[SeenTile]) -> bool,
        picture: &Picture,
        other: &Picture,
        back: impl Fn([f32; 2]) -> [f32; 2],
    ) -> Result<Option<Reading>, ModelError> {
        let tileset = self.tilesets.choice.clone();
        let Reading { mut tiles, shown, seen } = self.read_once(other)?;
        for corner in tiles.iter_mut().flat_map(|tile| &mut tile.corners) {
            *corner = back(*corner);
        }
        tiles.retain(|tile| is_within(picture, centre(&tile.corners)));
        if !may_replace(&tiles, best) || !enough(&tiles) {
            self.tilesets.choice = tileset;
            return Ok(None);
        }
        Ok(Some(Reading { tiles: in_reading_order(tiles), shown, seen }))
    }
}

/// Whether a tile is named or found so unsurely that a look at the picture turned may tell more.
fn is_in_doubt(tile: &SeenTile) -> bool {
    let is_small = sides(&tile.corners)[0] < SMALL;
    tile.named().1 < SURE_FACE || is_small && tile.found < FOUND
}

/// Whether a reading shows a row, and no pattern that the one before did not.
fn may_replace(tiles: &[SeenTile], best: &[SeenTile]) -> bool {
    sure_faces(tiles).len() >= ROW && surplus(tiles) < surplus(best) + ROW
}

/// Puts those of `others` that show a face very surely, where `tiles` show nothing surely, in the place of what is there. A part of
/// a face, seen alone, is smaller than the tiles that are known.
fn fill(tiles: &mut Vec<SeenTile>, others: Vec<SeenTile>) {
    let Some(least) = typical_area(tiles).map(|area| FULL_SIZE * area) else { return };
    let shows = |other: &SeenTile| {
        other.faces.iter().any(|p| *p > VERY_SURE) && signed_area(&other.corners).abs() > least
    };
    for other in others.into_iter().filter(shows) {
        let is_there = |tile: &SeenTile| overlap(&tile.corners, &other.corners)[1] >= APART;
        if !tiles.iter().any(|tile| is_there(tile) && tile.named().1 >= SURE_FACE) {
            tiles.retain(|tile| !is_there(tile));
            tiles.push(other);
        }
    }
    *tiles = in_reading_order(std::mem::take(tiles));
}

/// Whether a tile shows a face surely where none of `tiles` lies: it stands where they lie, or the other way round.
fn is_overlooked(tile: &SeenTile, tiles: &[SeenTile]) -> bool {
    is_sure_face(tile)
        && tiles.iter().all(|other| overlap(&other.corners, &tile.corners)[1] < APART)
}

/// How much print that was read surely is not read again, [`MISSED`] times: another reading that misses what was plain to see
/// may be one of its print, as the dots of an eight that the picture's edge cuts, taken for tiles of their own.
fn lost<'a>(best: impl IntoIterator<Item = &'a SeenTile>, tiles: &[SeenTile]) -> f32 {
    let area = |tile: &SeenTile| signed_area(&tile.corners).abs();
    let held = |face: &SeenTile, tile: &SeenTile| {
        overlap(&tile.corners, &face.corners)[1] * (area(tile) / area(face)).min(1.0)
    };
    let again = |face: &SeenTile| tiles.iter().any(|tile| held(face, tile) >= AGAIN);
    let missed = best.into_iter().filter(|tile| is_sure_face(tile) && !again(tile));
    MISSED * missed.map(print).sum::<f32>()
}

fn is_within(picture: &Picture, [x, y]: [f32; 2]) -> bool {
    (0.0..picture.width() as f32).contains(&x) && (0.0..picture.height() as f32).contains(&y)
}

/// How much is read: the sum of how sure each name is.
fn told(tiles: &[SeenTile]) -> f32 {
    tiles.iter().map(|tile| tile.named().1).sum()
}

/// The same of faces with print alone: what is not clear to see is easily taken for a blank or for a tile that lies face
/// down, or these for one another.
fn told_by_print(tiles: &[SeenTile]) -> f32 {
    tiles.iter().map(print).sum()
}

/// How surely a face with print is read in a tile.
fn print(tile: &SeenTile) -> f32 {
    match tile.named() {
        (SeenFace::Tile(named), sure) if Some(named.face().index()) != white() => sure,
        _ => 0.0,
    }
}

/// What tells whether a picture could be clearer.
fn so_far_of<'p>(picture: Cow<'p, Picture>, tiles: &[SeenTile]) -> SoFar<'p> {
    SoFar::new(picture, sure_faces(tiles), is_chance(tiles) || surplus(tiles) > 0)
}

/// Where faces are shown surely.
fn sure_faces(tiles: &[SeenTile]) -> Vec<Corners> {
    tiles.iter().filter(|tile| is_sure_face(tile)).map(|tile| tile.corners).collect()
}

/// How many sure faces there are beyond the copies that a set has: a pattern shows the same again and again.
fn surplus(tiles: &[SeenTile]) -> usize {
    let mut copies = [0; Face::COUNT];
    for tile in tiles {
        for (copies, p) in copies.iter_mut().zip(tile.faces) {
            *copies += usize::from(p > SURE_FACE);
        }
    }
    copies.iter().map(|copies: &usize| copies.saturating_sub(Face::COPIES.into())).sum()
}

/// Whether too few of what is no back show a face surely: of tiles most do, of what only looks like some few.
fn is_chance(tiles: &[SeenTile]) -> bool {
    let faces = tiles.iter().filter(|tile| tile.named().0 != SeenFace::Back).count();
    (sure_faces(tiles).len() as f32) < SURE * faces as f32
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::{super::tilesets::Choice, *};

    fn tile(x: f32, face: Option<usize>) -> SeenTile {
        let mut faces = [0.0; Face::COUNT];
        if let Some(face) = face {
            faces[face] = 0.9;
        }
        let back = if face.is_none() { 0.9 } else { 0.0 };
        let corners = [[x, 0.0], [x + 30.0, 0.0], [x + 30.0, 40.0], [x, 40.0]];
        SeenTile {
            corners,
            found: 0.9,
            faces,
            back,
            reject: 0.1,
            red: 0.0,
            turns: [1.0, 0.0, 0.0, 0.0],
        }
    }

    #[test]
    fn backs_and_white_dragons_tell_something_but_not_by_print() {
        let three = [tile(0.0, Some(3)), tile(31.0, None), tile(62.0, white())];
        assert!((told(&three) - 2.7).abs() < 1e-6 && (told_by_print(&three) - 0.9).abs() < 1e-6);
        assert_eq!(sure_faces(&three), [three[0].corners, three[2].corners]);
    }

    #[test]
    fn a_few_sure_faces_among_many_doubtful_ones_are_chance_and_among_backs_are_not() {
        let mut doubtful = tile(0.0, Some(5));
        doubtful.faces[5] = 0.5;
        let sure = |count: usize| (0..count).map(|k| tile(31.0 * k as f32, Some(k)));
        let with = |others: SeenTile| -> Vec<SeenTile> {
            sure(4).chain((0..4).map(|_| others.clone())).collect()
        };
        assert!(is_chance(&with(doubtful.clone())));
        assert!(!is_chance(&with(tile(0.0, None))));
        assert!(!is_chance(&sure(4).chain([doubtful]).collect::<Vec<_>>()));
    }

    #[test]
    fn a_name_that_is_not_sure_is_in_doubt_and_so_is_a_small_tile_hardly_found() {
        let sure = tile(0.0, Some(3));
        let mut unnamed = sure.clone();
        unnamed.faces[3] = 0.7;
        let faint = SeenTile { found: 0.4, ..sure.clone() };
        let small =
            SeenTile { corners: sure.corners.map(|[x, y]| [x / 2.0, y / 2.0]), ..faint.clone() };
        assert_eq!([&sure, &unnamed, &faint, &small].map(is_in_doubt), [false, true, false, true]);
    }

    #[test]
    fn a_few_tiles_or_a_pattern_take_no_other_reading_s_place() {
        let row = |faces: &[usize]| -> Vec<SeenTile> {
            let tiles = faces.iter().enumerate();
            tiles.map(|(k, face)| tile(31.0 * k as f32, Some(*face))).collect()
        };
        assert!(may_replace(&row(&[1, 2, 3, 4]), &[]));
        assert!(!may_replace(&row(&[1, 2, 3]), &[]));
        assert!(!may_replace(&row(&[7; 8]), &[]), "four more than a set has");
        assert!(may_replace(&row(&[7; 8]), &row(&[7; 5])), "as before, nearly");
    }

    #[test]
    fn only_copies_beyond_those_of_a_set_are_surplus() {
        let mut tiles: Vec<SeenTile> = (0..4).map(|k| tile(31.0 * k as f32, Some(3))).collect();
        tiles.push(tile(200.0, Some(4)));
        tiles.extend((0..6).map(|k| tile(300.0 + 31.0 * k as f32, None)));
        assert_eq!(surplus(&tiles), 0);
        tiles.push(tile(600.0, Some(3)));
        assert_eq!(surplus(&tiles), 1);
    }

    #[test]
    fn a_sure_face_is_overlooked_where_nothing_was_found_and_a_back_is_no_loss() {
        let found = [tile(0.0, Some(3))];
        assert!(is_overlooked(&tile(40.0, Some(4)), &found));
        assert!(!is_overlooked(&tile(10.0, Some(4)), &found), "the same place");
        assert!(!is_overlooked(&tile(40.0, None), &found));
    }

    #[test]
    fn what_another_picture_shows_very_surely_fills_only_places_where_nothing_is_sure() {
        let very_sure = |x, face: usize| {
            let mut tile = tile(x, Some(face));
            tile.faces[face] = 0.95;
            tile
        };
        let faces = |others: Vec<SeenTile>| {
            let mut doubtful = tile(31.0, Some(5));
            doubtful.faces[5] = 0.5;
            let mut tiles = vec![tile(0.0, Some(3)), doubtful, tile(62.0, None)];
            fill(&mut tiles, others);
            tiles.iter().map(|tile| tile.named().0.to_string()).collect::<Vec<_>>()
        };
        let [three, five, eight, back] =
            [tile(0.0, Some(3)), tile(0.0, Some(5)), tile(0.0, Some(8)), tile(0.0, None)]
                .map(|tile| tile.named().0.to_string());
        let as_it_was = [three.clone(), five.clone(), back.clone()];
        let beside = faces(vec![very_sure(93.0, 8)]);
        assert_eq!((&beside[..3], &*beside[3]), (&as_it_was[..], &*eight));
        assert_eq!(faces(vec![very_sure(31.0, 8)]), [three, eight, back], "it was in doubt");
        assert_eq!(
            faces(vec![very_sure(2.0, 8), very_sure(60.0, 8)]),
            as_it_was,
            "sure, and sure that it lies face down"
        );
        assert_eq!(faces(vec![tile(93.0, Some(8))]), as_it_was, "not sure enough");
        let mut part = very_sure(93.0, 8);
        part.corners = part.corners.map(|[x, y]| [93.0 + (x - 93.0) / 2.0, y / 2.0]);
        assert_eq!(faces(vec![part]), as_it_was, "a part of its print");
    }

    #[test]
    fn what_was_read_surely_is_lost_where_a_reading_shows_only_its_print_or_nothing() {
        let row = [tile(0.0, Some(3)), tile(31.0, Some(4)), tile(62.0, None)];
        let mut print = tile(3.0, Some(10));
        print.corners = print.corners.map(|[x, y]| [x / 2.0, y / 2.0]);
        let mut other_name = row[1].clone();
        other_name.faces = tile(0.0, Some(5)).faces;
        assert!(lost(&row, &row).abs() < 1e-6);
        let only_print = lost(&row, &[print.clone(), other_name]);
        assert!((only_print - MISSED * 0.9).abs() < 1e-6, "a back is no loss");
        assert!(
            lost(&[print], &row).abs() < 1e-6,
            "print that was taken for a tile is none either"
        );
        assert!((lost(&row, &[]) - MISSED * 1.8).abs() < 1e-6);
        let blank = [tile(0.0, white())];
        assert!(lost(&blank, &[]).abs() < 1e-6, "it may have been a back, or a patch of light");
    }

    #[test]
    fn a_reading_that_was_halved_tells_of_the_same_places() {
        let quad = tile(40.0, Some(3)).corners;
        let find = Find { quad, heat: 0.9, back: false };
        let look = Look { low: [30, 0], high: [101, 60], scale: 0.4, level: 2, turned: false };
        let reading = Reading {
            tiles: vec![tile(40.0, Some(3))],
            shown: vec![quad],
            seen: Seen { finds: vec![(find, look)], looks: vec![look] },
        };
        let small = reading.halved();
        let halved = quad.map(|corner| corner.map(|at| at / 2.0));
        let (find, at) = small.seen.finds[0];
        assert_eq!([small.tiles[0].corners, small.shown[0], find.quad], [halved; 3]);
        let look = Look { low: [15, 0], high: [51, 30], scale: 0.8, ..look };
        assert_eq!([at, small.seen.looks[0]], [look; 2], "as large as before, the part rounded up");
    }

    #[test]
    fn a_reading_that_tells_no_more_is_not_taken_and_leaves_the_tile_set_as_it_was() {
        let mut reader = Reader::builtin(1).expect("networks");
        let blank = RgbImage::from_pixel(320, 240, Rgb([20, 90, 60]));
        let blank = Picture::from_rgb(blank).expect("a picture");
        reader.tilesets.choice = Choice::of(7);
        let more = reader.told_more(&[], |_| true, &blank, &blank, |place| place);
        let more = more.expect("a reading");
        assert!(more.is_none());
        assert_eq!(reader.tilesets.choice, Choice::of(7));
    }
}
