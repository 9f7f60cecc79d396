//! Hands and how they were won as the crate `agari` takes them, and what it says of them.

#![allow(dead_code, reason = "a test and a benchmark use a part each")]

use agari::{
    context::{GameContext, WinType},
    hand::{HandStructure, KanType, Meld as PeerMeld, decompose_hand, decompose_hand_with_melds},
    parse::TileCounts,
    scoring::{ScoringResult, calculate_score},
    tile::{Honor, Suit as PeerSuit, Tile},
    yaku::{YakuResult, detect_yaku_with_context},
};
use tilelens::{
    hand::{Hand, Meld, MeldKind},
    rules::{Circumstances, Indicators, Win},
    tile::{Face, Seat},
};

/// A hand as the peer takes it, already parsed.
pub struct PeerHand {
    concealed: TileCounts,
    all: TileCounts,
    melds: Vec<PeerMeld>,
    context: GameContext,
}

fn tile(face: Face) -> Tile {
    const HONORS: [Honor; 7] = [
        Honor::East,
        Honor::South,
        Honor::West,
        Honor::North,
        Honor::White,
        Honor::Green,
        Honor::Red,
    ];
    const SUITS: [PeerSuit; 3] = [PeerSuit::Man, PeerSuit::Pin, PeerSuit::Sou];
    match face.index() {
        index @ 0..27 => Tile::suited(SUITS[index / 9], face.number()),
        index => Tile::honor(HONORS[index - 27]),
    }
}

fn wind(seat: Seat) -> Honor {
    [Honor::East, Honor::South, Honor::West, Honor::North][seat.index()]
}

fn meld(meld: Meld) -> PeerMeld {
    let tile = tile(meld.face());
    match meld.kind() {
        MeldKind::Chow => PeerMeld::shuntsu_open(tile),
        MeldKind::Pung => PeerMeld::koutsu_open(tile),
        MeldKind::OpenKong => PeerMeld::kan(tile, KanType::Open),
        MeldKind::ConcealedKong => PeerMeld::kan(tile, KanType::Closed),
    }
}

fn indicators(list: &Indicators) -> Vec<Tile> {
    list.iter().map(|indicator| tile(indicator.face())).collect()
}

impl PeerHand {
    pub fn new(hand: &Hand, at: &Circumstances) -> Self {
        let mut concealed = TileCounts::new();
        let mut all = TileCounts::new();
        for face in Face::all().take(Face::SET_FACES) {
            let (held, whole) = (hand.concealed()[face.index()], hand.count(face));
            if held > 0 {
                concealed.insert(tile(face), held);
            }
            if whole > 0 {
                all.insert(tile(face), whole);
            }
        }
        let win = if at.win.is_claim() { WinType::Ron } else { WinType::Tsumo };
        let mut context = GameContext::new(win, wind(at.round), wind(at.seat))
            .with_winning_tile(tile(hand.winning()))
            .with_dora(indicators(&at.dora_indicators))
            .with_ura_dora(indicators(&at.ura_indicators))
            .with_aka(hand.red_fives());
        context.is_open = !hand.is_concealed();
        context.is_riichi = at.in_riichi();
        context.is_double_riichi = at.double_riichi;
        context.is_ippatsu = at.ippatsu;
        context.is_rinshan = at.on_supplement();
        context.is_chankan = matches!(at.win, Win::RobKong { .. });
        // The peer counts houtei beside chankan too, which is never on a discard (tests/hands/peers.txt).
        context.is_last_tile = at.last_tile && !context.is_chankan;
        context.is_tenhou = at.first_draw && at.seat == Seat::East;
        context.is_chiihou = at.first_draw && at.seat != Seat::East;
        Self { concealed, all, melds: hand.melds().map(meld).collect(), context }
    }

    fn structures(&self) -> Vec<HandStructure> {
        if self.melds.is_empty() {
            decompose_hand(&self.concealed)
        } else {
            decompose_hand_with_melds(&self.concealed, &self.melds)
        }
    }

    /// Every reading of the hand with what it is worth; readings without a yaku are left out.
    pub fn readings(&self) -> Vec<(YakuResult, ScoringResult)> {
        let structures = self.structures().into_iter();
        let scored = structures.map(|structure| {
            let yaku = detect_yaku_with_context(&structure, &self.all, &self.context);
            let score = calculate_score(&structure, &yaku, &self.context);
            (yaku, score)
        });
        scored.filter(|(yaku, _)| !yaku.yaku_list.is_empty()).collect()
    }

    /// The best score of the hand, as the peer's own program finds it.
    pub fn best_total(&self) -> Option<u32> {
        (self.structures().iter())
            .map(|structure| {
                let yaku = detect_yaku_with_context(structure, &self.all, &self.context);
                calculate_score(structure, &yaku, &self.context).payment.total
            })
            .max()
    }
}
