//! Which parts of a picture are looked at, and how large: the whole of it at a few sizes, then
//! closer where tiles are that were small.

/// Long sides in pixels at which the whole picture is looked at.
const WHOLE: [f32; 2] = [640.0, 1024.0];
/// And this one for large tiles, where they are not all shorter, there, than the second.
const FARTHER: [f32; 2] = [384.0, 12.0];
/// The same for tiles that may fill the picture.
const FARTHEST: [f32; 2] = [192.0, 45.0];
/// What is found less surely than this does not tell that all tiles are small: cloth and print look a little like tiles of few pixels.
const TELLS_SMALL: f32 = 0.6;
/// Long side of the closer look.
const CLOSER: f32 = 1600.0;
/// A picture is enlarged at most so many times.
const MOST_ENLARGED: f32 = 2.5;
/// Tiles with a shorter side than this, at 1024, are looked at more closely.
const SMALL_AT_WHOLE: f32 = 24.0;
/// Tiles with a shorter side than this, at the closer look, are looked at more closely still.
const SMALL_AT_CLOSER: f32 = 26.0;
/// To this side.
const COMFORTABLE: f32 = 36.0;
/// Most pixels of one patch: bounds the memory.
const MOST_PIXELS: f32 = 2.4e6;

/// Live, tiles are shown with this short side,
const LIVE: f32 = 26.0;
/// or a shorter one down to this, where the look would be larger
const LIVE_LEAST: f32 = 18.0;
/// than so many pixels.
const LIVE_PIXELS: f32 = 0.5e6;
/// Round what has changed there is so much room, in short sides of a tile.
const LIVE_ROOM: f32 = 2.5;
/// Windows are one where that is no larger than so many times both.
const MERGED: f32 = 1.15;
/// Where more than this share has changed, the whole picture is looked at.
const LIVE_WHOLE: f32 = 0.7;

/// A part of the picture at a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Left and top in pixels of the picture.
    pub low: [i32; 2],
    /// Right and bottom.
    pub high: [i32; 2],
    /// Pixels shown for one of the picture.
    pub scale: f32,
    /// Which of the scales it belongs to: one scale may take several parts.
    pub level: usize,
    /// Whether it is shown turned by a quarter to the right.
    pub turned: bool,
}

impl Look {
    /// The same in the places of a picture half as wide and high.
    pub fn halved(self) -> Self {
        let [low, high] = [self.low.map(|at| at / 2), self.high.map(|at| (at + 1) / 2)];
        Self { low, high, scale: 2.0 * self.scale, ..self }
    }
}

/// What the looks so far have found: short sides and boxes of likely tiles, in the picture's pixels.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Short side of each find that is likely a tile.
    pub short_sides: Vec<f32>,
    /// Heat of that which is likeliest a tile.
    pub surest: f32,
    /// Box (left, top, right, bottom) round everything that may be a tile.
    pub around: Option<[f32; 4]>,
}

/// The first looks: the whole picture.
#[must_use]
pub fn first(width: u32, height: u32) -> Vec<Look> {
    let long = width.max(height) as f32;
    let sides = WHOLE.iter().filter(|side| **side <= MOST_ENLARGED * long);
    let high = [width as i32, height as i32];
    sides
        .enumerate()
        .map(|(level, side)| Look { low: [0, 0], high, scale: side / long, level, turned: false })
        .collect()
}

/// A look from farther away, but where the first ones found only tiles that are too small for it.
#[must_use]
pub fn farther(width: u32, height: u32, found: &Found, level: usize) -> Vec<Look> {
    from_afar(width, height, found, level, FARTHER)
}

/// The same from so far that a tile may fill the picture.
#[must_use]
pub fn farthest(width: u32, height: u32, found: &Found, level: usize) -> Vec<Look> {
    from_afar(width, height, found, level, FARTHEST)
}

fn from_afar(
    width: u32,
    height: u32,
    found: &Found,
    level: usize,
    [side, small]: [f32; 2],
) -> Vec<Look> {
    let long = width.max(height) as f32;
    let scale = side / long;
    let all_small =
        found.surest >= TELLS_SMALL && found.short_sides.iter().all(|short| short * scale < small);
    if all_small || side > MOST_ENLARGED * long {
        return Vec::new();
    }
    vec![Look { low: [0, 0], high: [width as i32, height as i32], scale, level, turned: false }]
}

/// A closer look at what the first ones found small, or at all of a large picture where they found
/// nothing.
#[must_use]
pub fn closer(width: u32, height: u32, found: &Found, level: usize) -> Vec<Look> {
    let long = width.max(height) as f32;
    if CLOSER > MOST_ENLARGED * long {
        return Vec::new();
    }
    match typical(&found.short_sides) {
        Some(short) if short * WHOLE[1] / long > SMALL_AT_WHOLE => Vec::new(),
        Some(short) => parts(width, height, region(found, short), CLOSER / long, level),
        None if long > WHOLE[1] => parts(width, height, None, CLOSER / long, level),
        None => Vec::new(),
    }
}

/// The closest look, at native resolution at most.
#[must_use]
pub fn closest(width: u32, height: u32, found: &Found, level: usize) -> Vec<Look> {
    let long = width.max(height) as f32;
    match typical(&found.short_sides) {
        Some(short) if short * CLOSER / long < SMALL_AT_CLOSER => {
            let scale = (COMFORTABLE / short).min(1.0);
            if scale * long < 1.15 * CLOSER {
                return Vec::new();
            }
            parts(width, height, region(found, short), scale, level)
        }
        // Nothing so far: tiles of some twenty pixels in a large picture look like nothing at 1600.
        None if long > 1.5 * CLOSER => parts(width, height, None, 1.0, level),
        _ => Vec::new(),
    }
}

/// The looks at a frame in which tiles are known: at what has changed (boxes: left, top, right,
/// bottom) with room for the tiles that reach out of it; `None` where too little is known.
#[must_use]
pub fn live(width: u32, height: u32, known: &Found, changed: &[[f32; 4]]) -> Option<Vec<Look>> {
    let short = typical(&known.short_sides)?;
    let area = |[l, t, r, b]: [f32; 4]| (r - l).max(0.0) * (b - t).max(0.0);
    let mut windows: Vec<[f32; 4]> = Vec::new();
    for [l, t, r, b] in changed {
        let room = LIVE_ROOM * short;
        let low = [l - room, t - room].map(|side| side.max(0.0).floor());
        let high = [(r + room).min(width as f32), (b + room).min(height as f32)].map(f32::ceil);
        let mut window = [low[0], low[1], high[0], high[1]];
        // Two that share more than they leave out are cheaper as one.
        while let Some((near, both)) = windows.iter().enumerate().find_map(|(near, other)| {
            let [l, t, r, b] = *other;
            let both = [l.min(window[0]), t.min(window[1]), r.max(window[2]), b.max(window[3])];
            (area(both) <= MERGED * (area(*other) + area(window))).then_some((near, both))
        }) {
            windows.swap_remove(near);
            window = both;
        }
        windows.push(window);
    }
    let all: f32 = windows.iter().map(|window| area(*window)).sum::<f32>().max(1.0);
    let whole = width as f32 * height as f32;
    if all > LIVE_WHOLE * whole {
        windows = vec![[0.0, 0.0, width as f32, height as f32]];
    }
    let all = all.min(whole);
    let scale = (LIVE / short).min((LIVE_PIXELS / all).sqrt().max(LIVE_LEAST / short));
    let scale = scale.min(MOST_ENLARGED).min((MOST_PIXELS / all).sqrt());
    let look = |[l, t, r, b]: [f32; 4]| Look {
        low: [l as i32, t as i32],
        high: [r as i32, b as i32],
        scale,
        level: 0,
        turned: false,
    };
    Some(windows.into_iter().map(look).collect())
}

/// The short side that a quarter of the tiles do not reach: the small ones count.
fn typical(short_sides: &[f32]) -> Option<f32> {
    let mut sorted = short_sides.to_vec();
    sorted.sort_by(f32::total_cmp);
    (sorted.len() >= 2).then(|| sorted[sorted.len() / 4])
}

/// Where tiles may be, with room for those that were missed beside them.
fn region(found: &Found, short: f32) -> Option<[f32; 4]> {
    let room = 3.0 * short;
    found.around.map(|[l, t, r, b]| [l - room, t - room, r + room, b + room])
}

/// A region (or everything) at a scale, in parts that overlap and are not too large.
fn parts(width: u32, height: u32, region: Option<[f32; 4]>, scale: f32, level: usize) -> Vec<Look> {
    let whole = [0.0, 0.0, width as f32, height as f32];
    let [l, t, r, b] = region.unwrap_or(whole);
    let low = [l.max(0.0), t.max(0.0)];
    let size = [r.min(whole[2]) - low[0], b.min(whole[3]) - low[1]];
    if size[0] <= 0.0 || size[1] <= 0.0 {
        return Vec::new();
    }
    let most = MOST_PIXELS.sqrt();
    let overlap = (6.0 * COMFORTABLE / scale).min(size[0].min(size[1]) / 2.0);
    let count = size.map(|side| ((side * scale - 1.0) / most).floor().max(0.0) as i32 + 1);
    let step = [0, 1].map(|axis| size[axis] / count[axis] as f32);
    let mut looks = Vec::new();
    for row in 0..count[1] {
        for column in 0..count[0] {
            let place = [column as f32, row as f32];
            let from = [0, 1].map(|axis| low[axis] + place[axis] * step[axis] - overlap / 2.0);
            let to =
                [0, 1].map(|axis| low[axis] + (place[axis] + 1.0) * step[axis] + overlap / 2.0);
            looks.push(Look {
                low: [0, 1].map(|axis| from[axis].max(low[axis]).floor() as i32),
                high: [0, 1].map(|axis| to[axis].min(low[axis] + size[axis]).ceil() as i32),
                scale,
                level,
                turned: false,
            });
        }
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_picture_is_not_blown_up() {
        assert_eq!(first(200, 150), []);
        let looks = farther(200, 150, &Found::default(), 0);
        assert_eq!(looks.len(), 1);
        assert!((looks[0].scale - 1.92).abs() < 1e-4);
        assert_eq!(first(4000, 3000).len(), 2);
    }

    #[test]
    fn the_look_for_large_tiles_is_left_out_where_all_are_small() {
        let found = |short_sides: &[f32], surest: f32| Found {
            short_sides: short_sides.to_vec(),
            surest,
            around: None,
        };
        let of = |short_sides: &[f32]| found(short_sides, 0.7);
        assert_eq!(farther(4000, 3000, &of(&[100.0; 14]), 2), []);
        assert_eq!(farther(4000, 3000, &of(&[100.0, 100.0, 300.0]), 2).len(), 1);
        assert_eq!(farther(4000, 3000, &Found::default(), 2).len(), 1);
        let looks = farther(4000, 3000, &found(&[100.0; 14], 0.5), 2);
        assert_eq!(looks.len(), 1, "cloth may look like small tiles");
        assert_eq!(farthest(4000, 3000, &of(&[100.0, 100.0, 800.0]), 3), []);
        let looks = farthest(4000, 3000, &of(&[100.0, 1000.0]), 3);
        assert_eq!(looks.len(), 1, "a tile may fill the picture");
        assert!((looks[0].scale - 0.048).abs() < 1e-4);
        assert_eq!(farthest(4000, 3000, &Found::default(), 3).len(), 1);
    }

    #[test]
    fn small_tiles_are_looked_at_where_they_are() {
        let found = Found {
            short_sides: vec![80.0; 14],
            surest: 0.9,
            around: Some([1000.0, 1000.0, 2400.0, 1140.0]),
        };
        let looks = closer(4000, 3000, &found, 3);
        assert_eq!(looks.len(), 1);
        assert_eq!((looks[0].low, looks[0].high), ([760, 760], [2640, 1380]));
        assert_eq!(closest(4000, 3000, &found, 4), []);
        let large = Found { short_sides: vec![100.0; 14], ..found.clone() };
        assert_eq!(closer(4000, 3000, &large, 3), []);
        let tiny = Found { short_sides: vec![22.0; 14], ..found };
        let looks = closest(4000, 3000, &tiny, 4);
        assert!(looks.iter().all(|look| (look.scale - 1.0).abs() < 1e-6));
    }

    #[test]
    fn the_parts_of_a_huge_picture_cover_it_and_stay_small() {
        let looks = closest(12_000, 8_000, &Found::default(), 4);
        let mut covered = vec![false; 120 * 80];
        for look in &looks {
            let side = |axis: usize| (look.high[axis] - look.low[axis]) as f32 * look.scale;
            assert!(side(0) * side(1) < 2.0 * MOST_PIXELS);
            for y in look.low[1] / 100..(look.high[1] + 99) / 100 {
                for x in look.low[0] / 100..(look.high[0] + 99) / 100 {
                    covered[(y * 120 + x) as usize] = true;
                }
            }
        }
        assert!(covered.iter().all(|is| *is));
    }
}
