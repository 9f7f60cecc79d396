//! The feeders of a hand, who are liable since they gave the tiles of dear sets.

use super::{
    compiled::{Condition, Core, Liability},
    file::{Feeder, SetFamily},
    liability::Liable,
    pattern::View,
    scoring::ReadingValue,
};
use crate::{
    hand::{Hand, Meld, MeldKind},
    tile::{Seat, Side},
};

impl Core {
    /// The players who are liable for everything or for a part. Of several who are liable for everything it is the
    /// one whose set was laid last: without his tile the hand would not have been as dear.
    pub(crate) fn liable(&self, view: &View, best: &ReadingValue) -> Liable {
        let mut parts = Liable::NOBODY;
        let mut whole: Option<(usize, Seat, usize)> = None;
        let mut over_another = false;
        for (place, liability) in self.liabilities.iter().enumerate() {
            let Some((laid, feeder)) = fed(liability, view, best) else { continue };
            if let Some(item) = liability.item.filter(|_| !liability.whole) {
                parts.add(feeder, self.limit_score(&self.limits[item]));
                parts = parts.because(place);
                continue;
            }
            over_another |= whole.is_some_and(|(_, other, _)| other != feeder);
            if whole.is_none_or(|(earlier, ..)| laid > earlier) {
                whole = Some((laid, feeder, place));
            }
        }
        let Some((_, feeder, place)) = whole else { return parts };
        Liable::whole(feeder, best.score).because(place).over_another(over_another)
    }
}

/// Who is liable for such a hand, and the place among its open sets of the last one that makes him so.
fn fed(liability: &Liability, view: &View, best: &ReadingValue) -> Option<(usize, Seat)> {
    let at = view.at;
    let holds = if at.win.is_claim() { liability.claimed } else { liability.self_draw };
    let is_hand = liability.item.is_none_or(|item| best.limits >> item & 1 == 1);
    if !holds || !is_hand {
        return None;
    }
    let (laid, giver) = match liability.condition {
        Condition::Pattern(pattern) => {
            (pattern(view) > 0).then(|| (view.hand.melds().count(), None))
        }
        Condition::LastSetOf(family) => last_set(view.hand, family, liability.concealed_kongs),
    }?;
    let feeder = match liability.feeder {
        Feeder::Left => at.neighbour(Side::Left),
        Feeder::Giver => giver.and_then(|side| at.neighbour(side)).or(at.pao),
    };
    Some((laid, feeder.filter(|feeder| *feeder != at.seat)?))
}

/// Where the hand shows all sets of a family, the last one claimed: its place among the open sets, and who gave
/// it, if it shows that. `None` where the family is not complete or its last set was not claimed.
fn last_set(
    hand: &Hand,
    family: SetFamily,
    concealed_kongs: bool,
) -> Option<(usize, Option<Side>)> {
    let (belongs, needed): (fn(Meld) -> bool, usize) = match family {
        SetFamily::Dragons => (|meld| meld.face().is_dragon(), 3),
        SetFamily::Winds => (|meld| meld.face().is_wind(), 4),
        SetFamily::Kongs => (Meld::is_kong, 4),
        SetFamily::Claimed => (Meld::is_claimed, 4),
    };
    let chows = family == SetFamily::Claimed;
    let mut sets = (hand.melds().enumerate())
        .filter(|(_, meld)| (chows || meld.kind() != MeldKind::Chow) && belongs(*meld))
        .filter(|(_, meld)| concealed_kongs || meld.is_claimed());
    let (laid, last) = sets.nth(needed - 1)?;
    last.is_claimed().then(|| (laid, last.giver()))
}
