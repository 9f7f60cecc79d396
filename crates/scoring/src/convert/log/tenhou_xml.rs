//! A game in Tenhou's XML, an mjlog. Each of the 136 tiles has a number, four for each face; a tag is an event: `T52` a draw of
//! the first player, `D52` his discard, `N` a claim whose set is one number.

use roxmltree::{Document, Node};

use super::{Building, LogError, PLAYERS, end_named, wind};
use crate::{
    record::{Board, ClaimKind, DealBegins, Event, NoWin, Record, Tiles},
    tile::{Face, SeenFace, Suit, Tile},
};

/// The ends without a winner; an exhausted wall has no name.
const ENDS: [(&str, NoWin); 7] = [
    ("", NoWin::Exhausted),
    ("nm", NoWin::Nagashi),
    ("yao9", NoWin::NineTerminals),
    ("kaze4", NoWin::FourWinds),
    ("reach4", NoWin::FourRiichi),
    ("kan4", NoWin::FourKongs),
    ("ron3", NoWin::ThreeWinners),
];
/// The bits of a game's type.
const NO_RED_FIVES: u32 = 0x02;
const THREE_PLAYERS: u32 = 0x10;
/// Tags that say nothing of the game itself.
const BESIDE: [&str; 5] = ["SHUFFLE", "TAIKYOKU", "BYE", "UN", "GO"];

pub(super) fn read(text: &str) -> Result<Record, LogError> {
    let document =
        Document::parse(text).map_err(|error| LogError::new("the XML", error.to_string()))?;
    let root = document.root_element();
    if root.tag_name().name() != "mjloggm" {
        let problem = format!("<{}> instead of Tenhou's <mjloggm>", root.tag_name().name());
        return Err(LogError::new("line 1", problem));
    }
    let mut game = Game::default();
    for tag in root.children().filter(Node::is_element) {
        let place = document.text_pos_at(tag.range().start);
        let at = format!("line {}, column {}", place.row, place.col);
        for event in game.events(tag).map_err(|problem| LogError::new(&at, problem))? {
            game.building.push(&at, event)?;
        }
    }
    if game.has_result() {
        game.building.push("the end", Event::End)?;
    }
    Ok(game.building.done())
}

#[derive(Default)]
struct Game {
    building: Building,
    names: Vec<String>,
    no_red_fives: bool,
    is_named: bool,
    /// Somebody has said riichi and discards next.
    declares: bool,
    /// The number of the tile that was drawn last.
    drawn: Option<u32>,
    /// The number of the last discard.
    discarded: Option<u32>,
}

impl Game {
    fn has_result(&self) -> bool {
        self.building.board().is_some_and(Board::has_result)
    }

    /// The tag's events, with those that the XML leaves out.
    fn events(&mut self, tag: Node) -> Result<Vec<Event>, String> {
        let name = tag.tag_name().name();
        match name {
            "GO" => {
                let kind = number(tag, "type").unwrap_or(0);
                if kind & THREE_PLAYERS != 0 {
                    return Err("a game of three players, which is not read".to_owned());
                }
                self.no_red_fives = kind & NO_RED_FIVES != 0;
            }
            // It comes again where a player does, with his name alone.
            "UN" if self.names.is_empty() => {
                let named = |player| tag.attribute(format!("n{player}").as_str()).unwrap_or("");
                self.names = (0..PLAYERS).map(|player| unescaped(named(player))).collect();
            }
            "INIT" => return self.dealt(tag),
            _ if BESIDE.contains(&name) => {}
            _ if self.building.board().is_none() => return Err(format!("a {name} before INIT")),
            "REACH" => self.declares |= number(tag, "step")? == 1,
            _ => return Ok(vec![self.played(name, tag)?]),
        }
        Ok(Vec::new())
    }

    fn tile(&self, number: u32) -> Result<SeenFace, String> {
        tile(number, self.no_red_fives).map(SeenFace::Tile)
    }

    /// Tiles of a list of numbers.
    fn tiles(&self, list: &str) -> Result<Tiles, String> {
        numbers(list)?.into_iter().map(|number| self.tile(number)).collect()
    }

    fn dealt(&mut self, tag: Node) -> Result<Vec<Event>, String> {
        let ended = self.has_result().then_some(Event::End);
        let named = (!std::mem::replace(&mut self.is_named, true)).then(|| {
            let mut players = self.names.clone();
            players.resize(PLAYERS, String::new());
            Event::Game { players }
        });
        (self.declares, self.drawn, self.discarded) = (false, None, None);
        let seed = numbers(attribute(tag, "seed")?)?;
        let [deal, counters, sticks, _, _, indicator] = seed[..] else {
            return Err("`seed` is not six numbers".to_owned());
        };
        let hands = (0..PLAYERS).map(|player| self.tiles(attribute(tag, &format!("hai{player}"))?));
        let begins = DealBegins {
            round: wind(u64::from(deal) / 4).ok_or("no such round")?,
            dealer: deal as usize % PLAYERS,
            counters,
            sticks,
            hands: hands.collect::<Result<_, _>>()?,
            points: hundreds(attribute(tag, "ten")?, 1)?,
        };
        let begins = [Event::Deal(begins), Event::Indicator { tile: self.tile(indicator)? }];
        Ok(ended.into_iter().chain(named).chain(begins).collect())
    }

    /// An event in the middle of a deal.
    fn played(&mut self, name: &str, tag: Node) -> Result<Event, String> {
        Ok(match name {
            "DORA" => Event::Indicator { tile: self.tile(number(tag, "hai")?)? },
            "N" => {
                self.drawn = None;
                self.set(player(tag, "who")?, number(tag, "m")?)?
            }
            "AGARI" => {
                let player = player(tag, "who")?;
                let below = tag.attribute("doraHaiUra").unwrap_or_default();
                Event::Win {
                    player,
                    from: Some(self::player(tag, "fromWho")?).filter(|from| *from != player),
                    below: self.tiles(below)?,
                    paid: changes(tag)?,
                }
            }
            "RYUUKYOKU" => {
                let name = tag.attribute("type").unwrap_or_default();
                let why = end_named(&ENDS, name);
                let why = why.ok_or_else(|| format!("no end of type `{name}` is known"))?;
                Event::NoWin { why, paid: changes(tag)? }
            }
            other => self.moved(other)?,
        })
    }

    /// A draw (T, U, V, W and a number) or a discard (D, E, F, G).
    fn moved(&mut self, name: &str) -> Result<Event, String> {
        let unknown = || format!("no tag {name} is known");
        let letter = name.chars().next().ok_or_else(unknown)?;
        let code: u32 = name[letter.len_utf8()..].parse().map_err(|_| unknown())?;
        let tile = self.tile(code)?;
        let place = |letters: &str| letters.chars().position(|known| known == letter);
        if let Some(player) = place("TUVW") {
            self.drawn = Some(code);
            return Ok(Event::Draw { player, tile });
        }
        let player = place("DEFG").ok_or_else(unknown)?;
        let drawn = self.drawn.take() == Some(code);
        self.discarded = Some(code);
        let sideways = std::mem::take(&mut self.declares);
        Ok(Event::Discard { player, tile, sideways, drawn: Some(drawn) })
    }

    /// The set of a claim or a kong, which is packed into a number: two bits for the giver, the kind's bit, the tiles.
    fn set(&self, player: usize, packed: u32) -> Result<Event, String> {
        let from = (player + (packed & 3) as usize) % PLAYERS;
        let claim = |kind: ClaimKind, own: Vec<u32>| {
            let discarded = self.discarded.ok_or("a claim without a discard before it")?;
            let own = own.into_iter().map(|number| self.tile(number)).collect::<Result<_, _>>()?;
            Ok(Event::Claim { player, from, kind, tile: self.tile(discarded)?, own })
        };
        let but = |all: Vec<u32>, place: u32| -> Vec<u32> {
            let others = (0..).zip(all).filter(|(at, _)| *at != place);
            others.map(|(_, number)| number).collect()
        };
        if packed & 0b100 != 0 {
            let (order, called) = ((packed >> 10) / 3, (packed >> 10) % 3);
            let lowest = (order / 7 * 9 + order % 7) * 4;
            let all = [3, 5, 7]
                .iter()
                .zip(0..)
                .map(|(bit, step)| lowest + 4 * step + (packed >> bit & 3));
            return claim(ClaimKind::Chow, but(all.collect(), called));
        }
        if packed & 0b1_1000 != 0 {
            let (face, called) = ((packed >> 9) / 3, (packed >> 9) % 3);
            let apart = packed >> 5 & 3;
            if packed & 0b1000 == 0 {
                let tile = tile(4 * face + apart, self.no_red_fives)?;
                return Ok(Event::AddedKong { player, tile });
            }
            let pung = but((4 * face..4 * face + 4).collect(), apart);
            return claim(ClaimKind::Pung, but(pung, called));
        }
        if packed & 0b10_0000 != 0 {
            return Err("a North set aside, in a game of four".to_owned());
        }
        let (face, called) = ((packed >> 8) / 4, (packed >> 8) % 4);
        let all: Vec<u32> = (4 * face..4 * face + 4).collect();
        if packed & 3 != 0 {
            return claim(ClaimKind::Kong, but(all, called));
        }
        let tiles = all.into_iter().map(|number| self.tile(number)).collect::<Result<_, _>>()?;
        Ok(Event::ConcealedKong { player, tiles })
    }
}

/// The face of a tile's number; the first five of each suit is red, where red fives are played.
fn tile(number: u32, no_red_fives: bool) -> Result<Tile, String> {
    let face = u8::try_from(number / 4).ok().and_then(|face| Face::from_index(usize::from(face)));
    let face = face.filter(|face| !face.is_bonus());
    let face = face.ok_or_else(|| format!("{number} is no tile: they are 0 to 135"))?;
    let is_red = !no_red_fives
        && number.is_multiple_of(4)
        && face.number() == 5
        && face.suit() != Suit::Honors;
    Ok(Tile::red_five(face.suit()).filter(|_| is_red).unwrap_or(Tile::new(face)))
}

fn attribute<'a>(tag: Node<'a, '_>, name: &str) -> Result<&'a str, String> {
    tag.attribute(name).ok_or_else(|| format!("no `{name}` in {}", tag.tag_name().name()))
}

fn number(tag: Node, name: &str) -> Result<u32, String> {
    let text = attribute(tag, name)?;
    text.parse().map_err(|_| format!("`{name}` is {text} instead of a number"))
}

fn player(tag: Node, name: &str) -> Result<usize, String> {
    let player = number(tag, name)? as usize;
    if player < PLAYERS { Ok(player) } else { Err(format!("`{name}` is no player from 0 to 3")) }
}

fn numbers(list: &str) -> Result<Vec<u32>, String> {
    let parts = list.split(',').filter(|part| !part.is_empty());
    parts.map(|part| part.parse().map_err(|_| format!("`{part}` is no number"))).collect()
}

/// Four amounts of a list, each `step` after the one before; the list has them in hundreds.
fn hundreds(list: &str, step: usize) -> Result<Vec<i64>, String> {
    let amounts: Vec<Option<i64>> = list
        .split(',')
        .map(|amount| amount.parse::<i32>().ok().map(|amount| 100 * i64::from(amount)))
        .collect();
    let of = |player: usize| amounts.get(player * step + step - 1).copied().flatten();
    (0..PLAYERS)
        .map(|player| of(player).ok_or_else(|| format!("`{list}` has no points of four players")))
        .collect()
}

/// What each player receives: `sc` has points and their change for each.
fn changes(tag: Node) -> Result<Vec<i64>, String> {
    hundreds(attribute(tag, "sc")?, 2)
}

/// A name, of which the XML has bytes as `%E3`.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        let code = match (first, more) {
            (b'%', [high, low, ..]) => std::str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 16).ok()),
            _ => None,
        };
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { &more[2..] } else { more };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
