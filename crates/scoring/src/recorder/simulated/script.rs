//! A deal as players play it, and where its tiles lie meanwhile.

use super::{Dice, Noise, PLAYERS};
use crate::{
    calibration::table::Edge,
    record::{ClaimKind, Played},
    sight::{Corners, laid},
    tile::Face,
};

/// Short and long side of a tile, in thousandths of the table's edge.
pub(super) const SIZE: [f32; 2] = [26.0, 34.0];
/// The lower left corner of a player's first discard.
pub(super) const FIRST: [f32; 2] = [420.0, 632.0];

/// A tile in one place, from one time to another, in seconds.
#[derive(Clone)]
pub(super) struct Lying {
    /// `None` for one that lies face down.
    pub face: Option<Face>,
    pub corners: Corners,
    /// Whose area it is in; arms cover areas.
    pub area: usize,
    pub from: f32,
    pub to: f32,
    /// Another face that it is taken for until a time, and how sure that is.
    pub wrong: Option<(Face, f32, f32)>,
    pub sure: f32,
    /// When it is moved by a part of its size, and whether it is still followed then.
    pub nudged: Option<(f32, [f32; 2], bool)>,
}

/// A deal as it is played, and as it lies there.
pub(super) struct Script {
    pub played: Vec<Played>,
    pub lying: Vec<Lying>,
    /// Arms over areas: area, from, to.
    pub arms: Vec<(usize, f32, f32)>,
    pub ends: f32,
}

struct Writer<'a> {
    dice: &'a mut Dice,
    noise: Noise,
    pool: Vec<Face>,
    script: Script,
    /// Discards that lie in each row, and where the next one begins.
    rows: [(usize, f32); PLAYERS],
    /// Where each player's next set ends at the right.
    right: [f32; PLAYERS],
    pungs: Vec<(usize, Face, usize, Corners)>,
    /// The stacks of the walls, in the order in which they are drawn, and the tiles that are drawn.
    walls: Vec<usize>,
    drawn: usize,
    /// The tiles of each player's hand, which stand concealed.
    hands: [Vec<usize>; PLAYERS],
}

/// A point of a player's view in the picture, seen from above with East below.
pub(super) fn in_picture(player: usize, [x, y]: [f32; 2]) -> [f32; 2] {
    match Edge::IN_PLAY[player] {
        Edge::Bottom => [x, y],
        Edge::Right => [y, 1000.0 - x],
        Edge::Top => [1000.0 - x, 1000.0 - y],
        Edge::Left => [1000.0 - y, x],
    }
}

impl<'a> Writer<'a> {
    fn new(dice: &'a mut Dice, noise: Noise) -> Self {
        let mut pool: Vec<Face> = (0..136).map(|k| Face::from_index(k / 4).unwrap()).collect();
        for k in (1..pool.len()).rev() {
            pool.swap(k, dice.below(k + 1));
        }
        Self {
            dice,
            noise,
            pool,
            script: Script { played: Vec::new(), lying: Vec::new(), arms: Vec::new(), ends: 0.0 },
            rows: [(0, FIRST[0]); PLAYERS],
            right: [995.0; PLAYERS],
            pungs: Vec::new(),
            walls: Vec::new(),
            drawn: 0,
            hands: Default::default(),
        }
    }

    /// A tile in a player's view with its upper left corner there.
    fn lie(&mut self, player: usize, face: Option<Face>, corners: Corners, area: usize, from: f32) {
        let level = self.noise.level;
        let turn = self.dice.between(-0.08, 0.08) * level;
        let middle =
            [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f32>() / 4.0);
        let jitter = [0, 1].map(|_| self.dice.between(-1.5, 1.5) * level);
        let (sin, cos) = turn.sin_cos();
        let corners = corners.map(|[x, y]| {
            let [u, v] = [x - middle[0], y - middle[1]];
            let turned = [
                middle[0] + cos * u - sin * v + jitter[0],
                middle[1] + sin * u + cos * v + jitter[1],
            ];
            in_picture(player, turned)
        });
        let mut sure = self.dice.between(0.97, 0.999);
        let mut wrong = None;
        let other = Face::from_index(self.dice.below(34)).unwrap();
        let chance = self.dice.share() / level.max(1e-6);
        if chance < 0.03 {
            wrong = Some((other, from + self.dice.between(0.2, 0.9), 0.7));
        } else if chance < 0.04 {
            wrong = Some((other, from + self.dice.between(2.0, 5.0), 0.8));
        } else if chance < 0.045 {
            wrong = Some((other, f32::INFINITY, self.dice.between(0.4, 0.9)));
        } else if chance < 0.06 {
            sure = self.dice.between(0.5, 0.9);
        }
        let nudged = self.dice.happens(0.06 * level).then(|| {
            let far = if self.dice.happens(0.3) { 28.0 } else { 9.0 };
            let by = [0, 1].map(|_| self.dice.between(-far, far));
            (from + self.dice.between(1.0, 60.0), by, self.dice.happens(0.6))
        });
        self.script.lying.push(Lying {
            face,
            corners,
            area,
            from,
            to: f32::INFINITY,
            wrong,
            sure,
            nudged,
        });
    }

    /// Walls stand between the discards and the concealed hands.
    fn build(&mut self) {
        for player in 0..PLAYERS {
            let wall = self.face_down(player, 17, [266.0, 775.0]);
            self.walls.extend(wall);
            self.hands[player] = self.face_down(player, 13, [250.0, 965.0]);
        }
    }

    fn face_down(&mut self, player: usize, count: usize, at: [f32; 2]) -> Vec<usize> {
        let first = self.script.lying.len();
        for tile in laid::row(&vec!["1m"; count].join(" "), at, SIZE) {
            self.lie(player, None, tile.corners, 2 * PLAYERS, 0.5);
        }
        (first..self.script.lying.len()).collect()
    }

    /// A tile is drawn: two from each stack.
    fn draw(&mut self, at: f32) {
        self.drawn += 1;
        if self.drawn.is_multiple_of(2) {
            self.script.lying[self.walls[self.drawn / 2 - 1]].to = at;
        }
    }

    /// Takes a face with as many others like it out of the tiles that are left.
    fn take(&mut self, face: Face, count: usize) -> bool {
        if self.pool.iter().filter(|other| **other == face).count() < count {
            return false;
        }
        for _ in 0..count {
            let place = self.pool.iter().position(|other| *other == face).unwrap();
            self.pool.swap_remove(place);
        }
        true
    }

    /// Puts a discard down; the place of its tile.
    fn discard(&mut self, player: usize, face: Face, sideways: bool, at: f32) -> usize {
        let (count, x) = &mut self.rows[player];
        if *count % 6 == 0 && *count < 18 {
            *x = FIRST[0];
        }
        let [short, long] = SIZE;
        let left = *x;
        let row = (*count / 6).min(2) as f32;
        (*count, *x) = (*count + 1, *x + if sideways { long } else { short } + 2.0);
        let code = if sideways { format!("{face}'") } else { face.to_string() };
        let corners = laid::row(&code, [left, FIRST[1] + 38.0 * row], SIZE)[0].corners;
        let late = self.dice.happens(0.04 * self.noise.level);
        let seen =
            at + if late { self.dice.between(1.0, 6.0) } else { self.dice.between(0.1, 0.4) };
        self.script.arms.push((player, at - 0.5, at + 0.3));
        self.lie(player, Some(face), corners, player, seen);
        self.script.played.push(Played::Discard { player, face: Some(face), sideways });
        self.script.lying.len() - 1
    }

    /// Takes the last discard of a row away.
    fn claimed(&mut self, giver: usize, tile: usize, at: f32, sideways: bool) {
        let (count, x) = &mut self.rows[giver];
        (*count, *x) = (*count - 1, *x - if sideways { SIZE[1] } else { SIZE[0] } - 2.0);
        let from = self.script.lying[tile].from;
        self.script.lying[tile].to = at.max(from);
    }

    /// Lays a set down, given as its player sees it; a face-down tile is written `x`.
    fn set(&mut self, player: usize, text: &str, at: f32) -> Corners {
        let plain = text.replace('x', "1m");
        let width = laid::row(&plain, [0.0, 0.0], SIZE).last().unwrap().corners;
        let width = width.iter().map(|corner| corner[0]).fold(0.0, f32::max);
        let left = self.right[player] - width;
        self.right[player] = left - 14.0;
        let mut marked = [[0.0; 2]; 4];
        for _ in 0..3 {
            let tile = self.hands[player].pop().unwrap();
            self.script.lying[tile].to = at;
        }
        let row = laid::row(&plain, [left, 965.0], SIZE);
        for (word, tile) in text.split_whitespace().zip(row) {
            let face = (word != "x").then(|| word.trim_end_matches('\'').parse().unwrap());
            if word.ends_with('\'') {
                marked = tile.corners;
            }
            let at = at + self.dice.between(0.0, 0.7);
            self.lie(player, face, tile.corners, PLAYERS + player, at);
        }
        marked
    }
}

/// The set as its player lays it: the claimed tile on its giver's side.
fn set_text(claimed: Face, own: &[Face], steps: usize) -> String {
    let mut words: Vec<String> = own.iter().map(ToString::to_string).collect();
    let place = match steps {
        3 => 0,
        2 => 1,
        _ => words.len(),
    };
    words.insert(place, format!("{claimed}'"));
    words.join(" ")
}

/// Plays a deal.
pub(super) fn script(dice: &mut Dice, noise: Noise, dealer: usize) -> Script {
    let mut writer = Writer::new(dice, noise);
    writer.build();
    let turns = 30 + writer.dice.below(40);
    let (mut now, mut player, mut sets) = (4.0, dealer, [0usize; PLAYERS]);
    let (mut riichi, mut again) = ([false; PLAYERS], [false; PLAYERS]);
    // A set that its player lays down after the discard.
    let mut owed: Option<(String, f32)> = None;
    let mut has_claimed = false;
    for turn in 0..turns {
        now += writer.dice.between(1.3, 4.0);
        // Nobody makes a kong right after a claim.
        if !std::mem::take(&mut has_claimed) {
            writer.draw(now - 1.0);
            now = kong(&mut writer, player, &mut sets, now);
        }
        let face = writer.pool[writer.dice.below(writer.pool.len())];
        writer.take(face, 1);
        let declares = !riichi[player] && turn > 16 && writer.dice.happens(0.03);
        riichi[player] |= declares;
        let sideways = declares || std::mem::take(&mut again[player]);
        let tile = writer.discard(player, face, sideways, now);
        if let Some((text, after)) = owed.take() {
            let claimed: Vec<&str> = text.split_whitespace().collect();
            let marked = writer.set(player, &text, now + after);
            remember_pung(&mut writer, player, &claimed, marked);
        }
        let Some((claimer, kind, own)) = claim(&mut writer, player, face, &sets) else {
            player = (player + 1) % PLAYERS;
            continue;
        };
        sets[claimer] += 1;
        again[player] = sideways;
        let quick = writer.dice.happens(0.03 * writer.noise.level);
        now += if quick { 0.2 } else { writer.dice.between(0.8, 2.0) };
        writer.claimed(player, tile, now, sideways);
        let text = set_text(face, &own, (player + PLAYERS - claimer) % PLAYERS);
        writer.script.played.push(Played::Claim {
            player: claimer,
            from: player,
            kind,
            face: Some(face),
        });
        let after = writer.dice.between(0.5, 1.6);
        if kind != ClaimKind::Kong && writer.dice.happens(0.25 * writer.noise.level) {
            owed = Some((text, after));
        } else {
            let marked = writer.set(claimer, &text, now + after);
            let words: Vec<&str> = text.split_whitespace().collect();
            remember_pung(&mut writer, claimer, &words, marked);
            now += after + 0.4;
        }
        // A kong's supplement may make another one.
        has_claimed = kind != ClaimKind::Kong;
        player = claimer;
    }
    if let Some((text, after)) = &owed {
        let (text, after) = (text.clone(), *after);
        writer.set(player, &text, now + after);
    }
    for _ in 0..(now * 0.12 * noise.level) as usize {
        let from = writer.dice.between(0.0, now);
        let long = writer.dice.between(0.4, 4.5);
        let area = writer.dice.below(2 * PLAYERS);
        writer.script.arms.push((area, from, from + long));
    }
    if owed.is_none() && !has_claimed {
        now = win(&mut writer, player, &sets, now);
    }
    now += 6.0;
    sweep(&mut writer, now);
    writer.script.ends = now + 12.0;
    writer.script
}

fn remember_pung(writer: &mut Writer, player: usize, words: &[&str], marked: Corners) {
    let faces: Vec<Face> =
        words.iter().map(|word| word.trim_end_matches('\'').parse().unwrap()).collect();
    if faces.len() == 3 && faces.iter().all(|face| *face == faces[0]) {
        writer.pungs.push((player, faces[0], 0, marked));
    }
}

/// A player makes a kong now and then.
fn kong(writer: &mut Writer, player: usize, sets: &mut [usize; PLAYERS], mut now: f32) -> f32 {
    let added = (writer.pungs.iter())
        .position(|(owner, face, ..)| *owner == player && writer.pool.contains(face));
    if let Some(place) = added.filter(|_| writer.dice.happens(0.5)) {
        let (_, face, _, marked) = writer.pungs.swap_remove(place);
        writer.take(face, 1);
        let above = marked.map(|[x, y]| [x, y - SIZE[0] - 1.0]);
        writer.lie(player, Some(face), above, PLAYERS + player, now);
        writer.script.played.push(Played::AddedKong { player, face: Some(face) });
        now += writer.dice.between(2.0, 4.0);
    } else if sets[player] < 3 && writer.dice.happens(0.012) {
        let face = writer.pool[writer.dice.below(writer.pool.len())];
        if writer.take(face, 4) {
            sets[player] += 1;
            writer.set(player, &format!("x {face} {face} x"), now);
            writer.script.played.push(Played::ConcealedKong { player, face: Some(face) });
            now += writer.dice.between(2.0, 4.0);
        }
    }
    now
}

/// Somebody claims a discard now and then: who, what, and the tiles from the hand.
fn claim(
    writer: &mut Writer,
    giver: usize,
    face: Face,
    sets: &[usize; PLAYERS],
) -> Option<(usize, ClaimKind, Vec<Face>)> {
    let claimer = (giver + 1 + writer.dice.below(PLAYERS - 1)) % PLAYERS;
    if sets[claimer] < 3 && writer.dice.happens(0.2) {
        if writer.dice.happens(0.1) && writer.take(face, 3) {
            return Some((claimer, ClaimKind::Kong, vec![face; 3]));
        }
        if writer.take(face, 2) {
            return Some((claimer, ClaimKind::Pung, vec![face; 2]));
        }
    }
    let next = (giver + 1) % PLAYERS;
    if sets[next] < 3 && !face.is_honor() && writer.dice.happens(0.08) {
        let low = (1..=7).find(|low| (*low..low + 3).contains(&face.number()))?;
        let others: Vec<Face> = (low..low + 3)
            .filter(|number| *number != face.number())
            .map(|number| Face::new(face.suit(), number).unwrap())
            .collect();
        if others.iter().all(|other| writer.pool.contains(other)) {
            for other in &others {
                writer.take(*other, 1);
            }
            return Some((next, ClaimKind::Chow, others));
        }
    }
    None
}

/// Most deals end with a complete hand: on the tile drawn, or on the last discard.
fn win(writer: &mut Writer, next: usize, sets: &[usize; PLAYERS], now: f32) -> f32 {
    if writer.dice.happens(0.3) {
        return now;
    }
    let giver = (next + PLAYERS - 1) % PLAYERS;
    let last =
        writer.script.played.iter().rposition(|played| matches!(played, Played::Discard { .. }));
    let Some(Played::Discard { player, face: Some(given), sideways }) =
        last.map(|place| writer.script.played[place])
    else {
        return now;
    };
    if player != giver || last != Some(writer.script.played.len() - 1) {
        return now;
    }
    let draws = writer.dice.happens(0.4);
    let winner = if draws { next } else { (giver + 1 + writer.dice.below(3)) % PLAYERS };
    let mut hand: Vec<Face> = Vec::new();
    if !draws {
        if !writer.take(given, 1) {
            return now;
        }
        hand = vec![given; 2];
    }
    while hand.len() < 2 {
        let face = writer.pool[writer.dice.below(writer.pool.len())];
        if writer.take(face, 2) {
            hand = vec![face; 2];
        }
    }
    for _ in sets[winner]..4 {
        let Some(low) = (0..27).filter_map(Face::from_index).find(|low| {
            low.number() <= 7
                && (0..3).all(|step| {
                    let next = Face::new(low.suit(), low.number() + step).unwrap();
                    writer.pool.contains(&next)
                })
        }) else {
            return now;
        };
        for step in 0..3 {
            let next = Face::new(low.suit(), low.number() + step).unwrap();
            writer.take(next, 1);
            hand.push(next);
        }
    }
    let at = now + writer.dice.between(1.0, 2.5);
    if !draws {
        let place = writer.script.lying.iter().rposition(|lying| {
            lying.area == giver && lying.face == Some(given) && lying.to == f32::INFINITY
        });
        writer.claimed(giver, place.unwrap(), at, sideways);
    }
    // The winning tile lies apart.
    let winning = hand.remove(0);
    hand.sort_unstable();
    let row: Vec<String> = hand.iter().map(ToString::to_string).collect();
    let text = format!("{} _ {winning}", row.join(" "));
    for tile in std::mem::take(&mut writer.hands[winner]) {
        writer.script.lying[tile].to = at + 0.8;
    }
    let faces = hand.iter().chain([&winning]);
    for (face, tile) in faces.zip(laid::row(&text, [250.0, 965.0], SIZE)) {
        writer.lie(winner, Some(*face), tile.corners, PLAYERS + winner, at + 1.0);
    }
    let from = (!draws).then_some(giver);
    writer.script.played.push(Played::Win { player: winner, from });
    at + 2.0
}

/// Everything is swept together, and some of it shows here and there.
fn sweep(writer: &mut Writer, now: f32) {
    for tile in 0..writer.script.lying.len() {
        let goes = now + writer.dice.between(0.0, 1.2);
        let lying = &mut writer.script.lying[tile];
        lying.to = lying.to.min(goes);
    }
    for _ in 0..(20.0 * writer.noise.level) as usize {
        let face = writer.pool[writer.dice.below(writer.pool.len())];
        let at = [writer.dice.between(300.0, 700.0), writer.dice.between(300.0, 700.0)];
        let corners = laid::row(&face.to_string(), at, SIZE)[0].corners;
        let from = now + writer.dice.between(0.5, 6.0);
        writer.lie(0, Some(face), corners, 0, from);
        let long = writer.dice.between(0.3, 1.2);
        writer.script.lying.last_mut().unwrap().to = from + long;
    }
}
