//! The auxiliary points of a hand, one by one: sets and pairs as they lie, flowers, then what the winner
//! alone has.

use serde::Serialize;

use super::{
    answer::as_text,
    compiled::{Core, Points},
    pattern::{PatternSet, View},
};
use crate::{
    hand::{Form, MeldKind, each_face},
    tile::Face,
};

/// Points of a set, a pair, a flower, or of the win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PointItem {
    /// The name in answers, such as `pung`.
    pub id: &'static str,
    /// The points.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "super::answer::AsText<u32>"))]
    pub value: u32,
}

/// The list under construction; what brings nothing is left out.
struct PointList(Vec<PointItem>);

impl PointList {
    fn add(&mut self, id: &'static str, value: u32) {
        if value != 0 {
            self.0.push(PointItem { id, value });
        }
    }

    fn add_set(&mut self, points: &Points, view: &View, face: Face) {
        let tally = view.hand.tally();
        let kongs = tally.open_kongs | tally.concealed_kongs;
        let id = if kongs >> face.index() & 1 == 1 { "kong" } else { "pung" };
        self.add(id, points.of_set(view, face.index()));
    }

    fn add_pair(&mut self, points: &Points, view: &View, face: Face) {
        let (own, round) = (face == view.at.seat.wind(), face == view.at.round.wind());
        if face.is_dragon() {
            self.add("dragon_pair", points.dragon_pair);
        }
        if own && round && points.both_winds_pair != points.own_wind_pair + points.round_wind_pair {
            self.add("both_winds_pair", points.both_winds_pair);
            return;
        }
        if own {
            self.add("own_wind_pair", points.own_wind_pair);
        }
        if round {
            self.add("round_wind_pair", points.round_wind_pair);
        }
    }

    /// Concealed pungs and pairs in the order of the tiles.
    fn add_concealed(&mut self, points: &Points, view: &View) {
        let held = view.hand.concealed();
        let form = view.arrangement.form;
        for face in Face::all().take(held.len()) {
            if view.arrangement.own_pungs >> face.index() & 1 == 1 {
                self.add_set(points, view, face);
            }
            let pairs = match form {
                Form::Sets | Form::KnittedStraight => u8::from(face == view.arrangement.pair),
                Form::MajorPairs | Form::SevenPairs => held[face.index()] / 2,
                Form::Unwon => u8::from(held[face.index()] == 2),
                _ => 0,
            };
            (0..pairs).for_each(|_| self.add_pair(points, view, face));
        }
    }
}

impl Core {
    /// The points of a reading one by one, where the rules list them; `flowers`: those of flowers too.
    pub(crate) fn list_points(
        &self,
        view: &View,
        held: PatternSet,
        flowers: bool,
    ) -> Vec<PointItem> {
        let Some(points) = self.points.as_ref().filter(|points| points.listed) else {
            return Vec::new();
        };
        let mut list = PointList(Vec::with_capacity(12));
        for meld in view.hand.melds().filter(|meld| meld.kind() != MeldKind::Chow) {
            list.add_set(points, view, meld.face());
        }
        list.add_concealed(points, view);
        if flowers {
            let bonus = each_face(u64::from(view.bonus));
            bonus.for_each(|_| list.add("bonus_tile", points.bonus_tile));
        }
        let form = view.arrangement.form;
        if form == Form::Unwon {
            return list.0;
        }
        list.add("base", points.base);
        let sets = matches!(form, Form::Sets | Form::KnittedStraight);
        let [pair, only] = if sets { points.of_completion(view) } else { [0, 0] };
        list.add("mah_jong", if sets { points.mah_jong } else { 0 });
        list.add("self_drawn", points.of_self_draw(view, held));
        list.add("pair_completed", pair);
        list.add("only_tile", only);
        list.0
    }
}
