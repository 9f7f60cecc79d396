//! The scene that viewers see: a pure function of the programme and the ledger's table. The overlay, the score folder
//! and OBS show it and decide nothing; pages word it in their language.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::{Context, PhaseName, Preview, SeatView};
use crate::{
    appraisal::{ImageSize, TileReading},
    page::{
        reading::{PageReading, PageWait, RulesWords},
        score::Counted,
    },
    points::Points,
    table::{Before, DealPlace, DealRecord, Placed, PlayerState, TableState, WinBy},
    tile::Seat,
};

/// The scene that viewers see.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct OnAir {
    pub phase: PhaseName,
    pub title: Option<String>,
    /// The ledger's deal: the confirmed one, or the one that is played.
    pub place: Option<DealPlace>,
    pub round: Option<Seat>,
    /// The dora indicators, in our notation.
    pub dora: Option<String>,
    pub names: BTreeMap<Seat, String>,
    pub of: Seating,
    /// The hand; `None` where none is on air.
    pub hand: Option<HandOnAir>,
    /// The confirmed win; `None` before it, and in a deal without a counted hand.
    pub story: Option<Story>,
    /// Whether the payments of the deal are shown.
    pub pays: bool,
    /// The players that are known, from East on.
    pub players: Vec<PlayerOnAir>,
    /// The players around the table whose tiles or names are known, by their seats in the first deal of the round.
    pub seats: Vec<SeatOnAir>,
    pub notices: Vec<Notice>,
}

/// Who sits where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Seating {
    /// The dealer's seat in the first deal of the round.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dealer: Option<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub players: Option<usize>,
}

/// The hand on air.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct HandOnAir {
    pub text: String,
    /// The winner's wind; before a win it is not known whose hand it is, nor who gave its claimed tiles.
    pub seat: Option<Seat>,
    /// It is marked as in doubt.
    pub doubtful: bool,
    /// A camera sees it: it goes when nothing more is heard of the camera.
    pub live: bool,
    pub waits: Vec<PageWait>,
    /// Where it lies in the camera's picture; a photo has no such place.
    pub lies: Option<Places>,
}

/// The places of a hand's tiles in a picture, so roughly that a trembling picture leaves them unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Places {
    #[serde(flatten)]
    pub image: ImageSize,
    /// Left, top, right and bottom of each tile.
    pub tiles: Vec<[f64; 4]>,
}

/// A confirmed win.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Story {
    pub winner: Seat,
    pub win: Option<WinBy>,
    pub from: Option<Seat>,
    /// The deal in the ledger.
    pub deal: Option<DealPlace>,
    #[serde(flatten)]
    pub rules: RulesWords,
    pub item_names: BTreeMap<String, String>,
    pub score: Counted,
}

/// A player.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PlayerOnAir {
    /// The wind in the deal on show.
    pub seat: Seat,
    pub name: Option<String>,
    /// The points at a ledger's table.
    pub standing: Option<Points>,
    /// The rank there; level players share it.
    pub rank: Option<u32>,
    /// What the player had before the deal on show.
    pub before: Option<Before>,
    /// What the place is worth once the session is over.
    pub placed: Option<Placed>,
    pub riichi: bool,
    /// The points of the deal on show.
    pub paid: Option<Points>,
    pub won: bool,
}

/// A player's place at the table.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SeatOnAir {
    /// The seat in the first deal of the round.
    pub place: Seat,
    pub wind: Seat,
    /// The tiles that lie there, in our notation.
    pub text: Option<String>,
    /// The player has won the deal on show.
    pub wins: bool,
    /// The tiles are marked as in doubt.
    pub doubtful: bool,
    /// A camera sees them.
    pub live: bool,
    pub waits: Vec<PageWait>,
    /// The discards in order, in our notation, the sideways one marked: `1z2p5'p`. Only where all of them are known, and
    /// before the deal is decided.
    pub discards: Option<String>,
}

/// What is said of a table, in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Notice {
    /// The deal that is played, or why nothing more is.
    Playing,
    /// Who got the sticks that were left at the end.
    Leftover,
    /// How the deal on show ended, which nobody won.
    Unwon,
}

impl OnAir {
    /// The scene of a programme, at a ledger's table.
    pub fn of(programme: &Preview, table: Option<&TableState>) -> Self {
        let Inputs { context, ended, counted, read, .. } = &Inputs::of(programme, table);
        let paid = paid(*ended, counted.as_ref());
        let moves = paid.values().any(|paid| *paid != Points::ZERO);
        let (winner, players) =
            (context.seat(), players(programme, table, &paid, counted.is_some()));
        let title = context.text("title").filter(|title| !title.is_empty());
        let title = title.or_else(|| table?.title.as_deref());
        Self {
            phase: programme.phase,
            title: title.map(str::to_owned),
            place: ended.map(|deal| deal.place).or_else(|| Some(table?.place)),
            round: context.text("round").and_then(seat_of),
            dora: context.text("dora_indicators").map(str::to_owned),
            names: names(context),
            of: Seating {
                dealer: context.text("dealer").and_then(seat_of),
                players: context.players(),
            },
            hand: read.map(|read| hand(programme, read)),
            story: counted.clone().zip(programme.read()).map(|(score, read)| Story {
                winner,
                win: won_by(context),
                from: context.text("from").and_then(seat_of),
                deal: ended.map(|deal| deal.place),
                rules: read.rules.clone(),
                item_names: read.item_names.clone(),
                score,
            }),
            pays: counted.is_some() || moves,
            seats: seats(programme, *read, counted.is_some(), &players),
            notices: table.map_or_else(Vec::new, |table| notices(table, *ended)),
            players,
        }
    }
}

/// What a scene is made of.
struct Inputs<'a> {
    context: &'a Context,
    /// The reading of the hand on air.
    read: Option<&'a PageReading>,
    /// What the confirmed hand counts.
    counted: Option<Counted>,
    /// The confirmed deal of the ledger.
    ended: Option<&'a DealRecord>,
}

impl<'a> Inputs<'a> {
    fn of(programme: &'a Preview, table: Option<&'a TableState>) -> Self {
        let is_gone = programme.phase == PhaseName::Rejected || programme.stale;
        let is_confirmed = programme.phase == PhaseName::Confirmed;
        let reading = programme.read();
        let read = reading.filter(|reading| !is_gone && reading.hand.is_some());
        // A typed worth has a score without a hand. Drafts are not for viewers.
        let scored = reading.filter(|reading| read.is_some() || reading.hand.is_none());
        let score = scored.and_then(|reading| reading.score.as_ref()).filter(|_| is_confirmed);
        Self {
            context: &programme.context,
            read,
            counted: score.and_then(|score| score.counted()),
            ended: table.and_then(TableState::last_deal).filter(|_| is_confirmed),
        }
    }
}

/// Each player's points of the deal, by wind: all that it brought, sticks too; of several winners on one tile the hand
/// on show is paid for.
fn paid(ended: Option<&DealRecord>, counted: Option<&Counted>) -> BTreeMap<Seat, Points> {
    match ended.filter(|deal| deal.winners.len() < 2 || deal.played_on.is_some()) {
        Some(deal) => {
            let seats = deal.seats.iter().enumerate();
            seats.map(|(player, seat)| (*seat, TableState::change(deal, player))).collect()
        }
        None => {
            let payments = counted.into_iter().flat_map(|counted| counted.value.payments.iter());
            payments.filter_map(|(seat, paid)| Some((seat, Points::of(paid)?))).collect()
        }
    }
}

/// The players with a name, a standing or a payment, from East on.
fn players(
    programme: &Preview,
    table: Option<&TableState>,
    paid: &BTreeMap<Seat, Points>,
    is_won: bool,
) -> Vec<PlayerOnAir> {
    let context = &programme.context;
    // While a deal is on show the winds are those of that deal; the table has gone on.
    let is_past = programme.phase == PhaseName::Confirmed || programme.also.is_some();
    let past = table.and_then(|table| Some((table, table.last_deal().filter(|_| is_past)?)));
    let winds = past.map(|(_, deal)| &deal.seats);
    let sits = |(place, player): (usize, &'_ PlayerState)| {
        winds.and_then(|winds| winds.get(place)).copied().unwrap_or(player.seat)
    };
    let declared: BTreeSet<Seat> = context.riichi_by().into_iter().collect();
    let seated = table.map_or(&[][..], |table| &table.players);
    let player = |seat: Seat| {
        let found = seated.iter().enumerate().find(|player| sits(*player) == seat);
        let (index, at_table) = found.unzip();
        let name = context.name(seat).filter(|name| !name.is_empty()).map(str::to_owned);
        let one = PlayerOnAir {
            seat,
            name: name.or_else(|| Some(at_table?.name.to_string())),
            standing: at_table.map(|player| player.standing),
            rank: at_table.and_then(|player| player.rank),
            before: past.zip(index).map(|((table, deal), of)| table.before(deal, of)),
            placed: at_table.and_then(|player| player.placed),
            riichi: at_table.is_some() && winds.is_none() && declared.contains(&seat),
            paid: paid.get(&seat).copied(),
            won: is_won && context.seat() == seat,
        };
        (one.name.is_some() || one.standing.is_some() || one.paid.is_some()).then_some(one)
    };
    Seat::ALL.into_iter().filter_map(player).collect()
}

fn hand(programme: &Preview, read: &PageReading) -> HandOnAir {
    let context = &programme.context;
    let hand = read.hand.as_ref();
    let image = read.image.filter(|_| programme.photo.is_none());
    HandOnAir {
        text: hand.map(|hand| hand.text.clone()).unwrap_or_default(),
        seat: context.text("win").map(|_| context.seat()),
        doubtful: programme.doubtful,
        live: programme.is_live(),
        waits: read.waits.clone(),
        lies: image.map(|image| Places::of(image, &read.tiles)),
    }
}

/// The players around the table. The winner shows the confirmed or corrected hand, not the current tiles.
fn seats(
    programme: &Preview,
    read: Option<&PageReading>,
    is_won: bool,
    players: &[PlayerOnAir],
) -> Vec<SeatOnAir> {
    let context = &programme.context;
    let seat = |place: Seat| {
        let wind = context.wind_at(place)?;
        let seen = programme.seats.get(&wind).filter(|seat| !seat.stale);
        let wins = wind == context.seat() && context.text("win").is_some();
        let own = read.filter(|_| wins);
        let own_hand = own.and_then(|own| own.hand.as_ref());
        let text = match own_hand {
            Some(hand) => Some(hand.text.clone()),
            None => seen.and_then(|seat| Some(seat.hand.as_ref()?.text.clone())),
        };
        let is_known = players.iter().any(|player| {
            player.seat == wind && (player.name.is_some() || player.standing.is_some())
        });
        if seen.is_none() && text.is_none() && !is_known {
            return None;
        }
        let waits = own.map(|own| &own.waits).or_else(|| Some(&seen?.waits));
        let is_doubtful = match own {
            Some(_) => programme.doubtful,
            None => text.is_some() && seen.is_some_and(|seat| seat.doubtful),
        };
        let known = seen.filter(|seat| seat.discards_known && !is_won);
        Some(SeatOnAir {
            place,
            wind,
            text,
            wins: wins && is_won,
            doubtful: is_doubtful,
            live: own.is_none() || programme.is_live(),
            waits: waits.filter(|_| !is_won).cloned().unwrap_or_default(),
            discards: known.and_then(discards),
        })
    };
    Seat::ALL.into_iter().filter_map(seat).collect()
}

/// A player's discards in our notation; `None` before the first.
fn discards(seat: &SeatView) -> Option<String> {
    let tile = |(place, code): (usize, &String)| {
        let (number, suit) = code.split_at_checked(1)?;
        let mark = if seat.sideways == Some(place) { "'" } else { "" };
        Some(format!("{number}{mark}{suit}"))
    };
    let text: String = seat.discards.iter().enumerate().filter_map(tile).collect();
    Some(text).filter(|text| !text.is_empty())
}

fn notices(table: &TableState, ended: Option<&DealRecord>) -> Vec<Notice> {
    let left = table.over.is_some() && table.leftover.is_some();
    let unwon = ended.is_some_and(|deal| deal.winners.is_empty());
    let said = [(true, Notice::Playing), (left, Notice::Leftover), (unwon, Notice::Unwon)];
    said.into_iter().filter(|(is_said, _)| *is_said).map(|(_, notice)| notice).collect()
}

fn names(context: &Context) -> BTreeMap<Seat, String> {
    let name = |seat: Seat| Some((seat, context.name(seat)?.to_owned()));
    Seat::ALL.into_iter().filter_map(name).collect()
}

fn won_by(context: &Context) -> Option<WinBy> {
    match context.text("win")? {
        "self_draw" => Some(WinBy::SelfDraw),
        "discard" => Some(WinBy::Discard),
        "rob_kong" => Some(WinBy::RobKong),
        _ => None,
    }
}

pub(super) fn seat_of(letter: &str) -> Option<Seat> {
    letter.chars().next().and_then(Seat::from_letter)
}

impl Places {
    /// The places of the hand's own tiles, in 64ths of the picture's width.
    fn of(image: ImageSize, tiles: &[TileReading]) -> Self {
        let step = f64::from(image.width) / 64.0;
        let edge = |tile: &TileReading, axis: usize| {
            let along = tile.corners.map(|corner| corner[axis] / step);
            let least = along.into_iter().fold(f64::INFINITY, f64::min).floor() * step;
            let most = along.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil() * step;
            [least, most]
        };
        let rough = |tile: &TileReading| {
            let ([left, right], [top, bottom]) = (edge(tile, 0), edge(tile, 1));
            [left, top, right, bottom]
        };
        let own = tiles.iter().filter(|tile| tile.is_of_hand());
        Self { image, tiles: own.map(rough).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::fixture::{HAND, confirmed, context, deal, draw, preview, seat, table, won};

    fn player(scene: &OnAir, seat: Seat) -> &PlayerOnAir {
        scene.players.iter().find(|player| player.seat == seat).unwrap()
    }

    #[test]
    fn a_draft_shows_its_tiles_and_a_confirmed_hand_its_story() {
        let draft = OnAir::of(&won(), None);
        let hand = draft.hand.unwrap();
        assert_eq!((hand.text.as_str(), hand.seat, hand.live), (HAND, Some(Seat::South), true));
        assert_eq!((draft.story, draft.pays, draft.players), (None, false, Vec::new()));
        let result = OnAir::of(&confirmed(won()), None);
        let story = result.story.as_ref().unwrap();
        let of = (story.winner, story.win, story.from, story.deal);
        assert_eq!(of, (Seat::South, Some(WinBy::Discard), Some(Seat::West), None));
        assert!(result.pays && player(&result, Seat::South).won);
        let paid = |seat| player(&result, seat).paid.unwrap();
        assert_eq!(paid(Seat::South), -paid(Seat::West));
        assert_eq!(paid(Seat::East), Points::ZERO);
        assert!(!result.hand.unwrap().live, "whatever happens on the table");
    }

    #[test]
    fn a_hand_that_is_gone_or_rejected_is_off_the_air_with_its_score() {
        for gone in [
            Preview { stale: true, ..confirmed(won()) },
            Preview { phase: PhaseName::Rejected, ..won() },
        ] {
            let scene = OnAir::of(&gone, None);
            assert_eq!((scene.hand, scene.story, scene.pays), (None, None, false));
        }
        let doubtful = OnAir::of(&Preview { doubtful: true, ..won() }, None);
        assert!(doubtful.hand.unwrap().doubtful);
    }

    #[test]
    fn before_a_win_it_is_not_known_whose_hand_it_is() {
        let scene = OnAir::of(&preview(context("riichi", &[("hand", HAND)])), None);
        assert_eq!(scene.hand.unwrap().seat, None);
    }

    #[test]
    fn a_typed_worth_is_a_story_without_a_hand_and_typed_payments_are_none() {
        let typed = |field: (&str, &str)| {
            let said = context("mmm", &[("win", "self_draw"), field]);
            OnAir::of(&confirmed(preview(said)), None)
        };
        let worth = typed(("worth", "3"));
        assert!(worth.hand.is_none() && worth.story.is_some() && worth.pays);
        let mut paid = won();
        paid.reading = None;
        let scene = OnAir::of(&confirmed(paid), None);
        assert_eq!((scene.story, scene.pays), (None, false));
    }

    #[test]
    fn a_deal_on_show_has_its_own_winds_and_brings_the_sticks_too() {
        let after = table(vec![deal()]);
        let scene = OnAir::of(&confirmed(won()), Some(&after));
        let (bo, cy) = (player(&scene, Seat::South), player(&scene, Seat::West));
        assert_eq!((bo.name.as_deref(), cy.name.as_deref()), (Some("Bo"), Some("Cy")));
        assert_eq!((bo.standing, bo.rank), (Some(after.players[1].standing), Some(1)));
        let began = Before { standing: after.initial, rank: 1 };
        assert!(scene.players.iter().all(|player| player.before == Some(began)));
        let last = after.last_deal().unwrap();
        assert_eq!(bo.paid, Some(last.payments[1] + Points::whole(1000)), "Cy's stick too");
        assert_eq!(cy.paid, Some(last.payments[2] - Points::whole(1000)));
        assert_eq!((scene.place.unwrap().number, scene.title.as_deref()), (1, Some("Final")));
        assert_eq!(scene.notices, [Notice::Playing]);
        // The next deal has the table's winds.
        let next = OnAir::of(&preview(context("riichi", &[])), Some(&after));
        assert_eq!(player(&next, Seat::East).name.as_deref(), Some("Bo"));
        assert_eq!((next.place.unwrap().number, next.pays), (2, false));
        // One more winner of the deal is looked for: its winds stay.
        let also = OnAir::of(&Preview { also: Some(2), ..won() }, Some(&after));
        assert_eq!(player(&also, Seat::East).name.as_deref(), Some("Ann"));
    }

    #[test]
    fn a_deal_that_nobody_won_is_a_notice_and_pays_only_if_points_moved() {
        let ended = |table: &TableState| {
            let drawn = Preview { reading: None, ..confirmed(won()) };
            OnAir::of(&drawn, Some(table))
        };
        let scene = ended(&table(vec![draw()]));
        assert_eq!(scene.notices, [Notice::Playing, Notice::Unwon]);
        assert!(!scene.pays && scene.story.is_none());
        let one = crate::table::Draw { tenpai: Some(vec![0]), ..Default::default() };
        let scene = ended(&table(vec![crate::table::Event::Draw(one)]));
        assert!(scene.pays);
        assert_eq!(player(&scene, Seat::East).paid, Some(Points::whole(3000)));
    }

    #[test]
    fn seats_are_those_with_tiles_or_a_name_and_the_winner_shows_the_hand_on_air() {
        let seats = [
            (Seat::East, seat("19m", 0.9)),
            (Seat::South, seat("28p", 0.9)),
            (Seat::North, SeatView { stale: true, ..seat("37s", 0.9) }),
        ];
        let scene = OnAir::of(&Preview { seats: seats.into(), ..won() }, None);
        let shown: Vec<_> =
            scene.seats.iter().map(|seat| (seat.wind, seat.text.as_deref())).collect();
        assert_eq!(shown, [(Seat::East, Some("19m")), (Seat::South, Some(HAND))]);
        assert!(scene.seats.iter().all(|seat| !seat.wins), "not before it is confirmed");
        let scene = OnAir::of(&confirmed(won()), Some(&table(vec![deal()])));
        assert_eq!(scene.seats.len(), 4, "all players of the ledger's table");
        assert!(scene.seats[1].wins && !scene.seats[1].live && scene.seats[0].live);
    }

    #[test]
    fn discards_are_on_air_in_order_while_all_of_them_are_known() {
        let discards = |known| SeatView {
            discards: ["1z", "5p", "0m"].map(str::to_owned).to_vec(),
            discards_known: known,
            sideways: Some(1),
            ..seat("19m", 0.9)
        };
        let on_air = |preview: &Preview| OnAir::of(preview, None).seats[0].discards.clone();
        let of = |seat| Preview { seats: [(Seat::East, seat)].into(), ..won() };
        assert_eq!(on_air(&of(discards(true))).as_deref(), Some("1z5'p0m"));
        assert_eq!(on_air(&of(discards(false))), None, "one of them is not known");
        assert_eq!(on_air(&of(seat("19m", 0.9))), None, "before the first");
        assert_eq!(on_air(&confirmed(of(discards(true)))), None, "the result is shown instead");
    }

    #[test]
    fn the_tiles_places_are_rough_and_a_photo_has_none() {
        let tile = |corners, role| TileReading {
            id: 0,
            code: "1m".to_owned(),
            corners,
            confidence: 1.0,
            alternatives: Vec::new(),
            place: Some(crate::appraisal::TilePlace { role, group: None }),
        };
        let image = ImageSize { width: 640, height: 480 };
        let at = |left: f64, top: f64| {
            let [right, bottom] = [left + 17.0, top + 28.0];
            [[left, top], [right, top], [right, bottom], [left, bottom]]
        };
        let places = |left, top| {
            let tiles = [
                tile(at(left, top), crate::layout::Role::Concealed),
                tile(at(0.0, 0.0), crate::layout::Role::Other),
            ];
            Places::of(image, &tiles).tiles
        };
        assert_eq!(places(11.0, 11.0), [[10.0, 10.0, 30.0, 40.0]]);
        assert_eq!(places(12.0, 11.5), places(11.0, 11.0), "a picture that trembles");
        let scene = OnAir::of(&Preview { photo: Some(3), ..won() }, None);
        assert_eq!(scene.hand.unwrap().lies, None);
    }
}
