//! The profile and its TOML file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Homography, TableView};
use crate::tile::Seat;

/// An edge of the table, by the corners of the profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Edge {
    /// From the first corner to the second.
    Top,
    /// From the second corner to the third.
    Right,
    /// From the third corner to the fourth.
    Bottom,
    /// From the fourth corner to the first.
    Left,
}

impl Edge {
    /// All edges in the order of play: the player at the next one is the right neighbour.
    pub const IN_PLAY: [Self; 4] = [Self::Bottom, Self::Right, Self::Top, Self::Left];

    /// The word of the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::Right => "right",
            Self::Bottom => "bottom",
            Self::Left => "left",
        }
    }

    /// The edge of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::IN_PLAY.into_iter().find(|edge| edge.name() == name)
    }
}

/// A rectangle in front of a player, in parts of the table's edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Range from the player's left (0) to his right (1).
    pub across: [f32; 2],
    /// Range from his edge (0) to the opposite one (1).
    pub deep: [f32; 2],
}

impl Area {
    /// Distance of a point of the player's view from the rectangle's nearest side; negative outside.
    #[must_use]
    pub fn depth_of(&self, [x, y]: [f32; 2]) -> f32 {
        let inside = |[from, to]: [f32; 2], at: f32| (at - from).min(to - at);
        inside(self.across, x).min(inside(self.deep, 1.0 - y))
    }

    fn is_sound(&self) -> bool {
        [self.across, self.deep].iter().all(|[from, to]| from < to && *from > -1.0 && *to < 2.0)
    }
}

/// The areas of a player's tiles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Areas {
    /// His hand, once it is laid open.
    pub hand: Area,
    /// His open sets and flowers.
    pub sets: Area,
    /// His discards, in rows of six.
    pub discards: Area,
}

impl Default for Areas {
    /// Bands along the edges: each includes the corner to the player's right, and the next player's band begins
    /// beyond it. Discards are in the middle.
    fn default() -> Self {
        let band = [-0.15, 0.24];
        Self {
            hand: Area { across: [0.24, 0.76], deep: band },
            sets: Area { across: [0.76, 1.15], deep: band },
            discards: Area { across: [0.3, 0.7], deep: [0.24, 0.48] },
        }
    }
}

/// A player's edge, and his own areas if they differ from the others'.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatPlace {
    /// His edge.
    pub edge: Edge,
    /// His hand's area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Area>,
    /// His open sets' area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sets: Option<Area>,
    /// His discards' area.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discards: Option<Area>,
}

/// A table's corners in a camera's picture, and the seats at its edges.
///
/// ```
/// use tilelens_scoring::{calibration::table::{Edge, TableProfile}, tile::Seat};
/// let corners = [[400.0, 100.0], [1500.0, 90.0], [1800.0, 1000.0], [120.0, 1010.0]];
/// let profile = TableProfile::new([1920, 1080], corners, Edge::Bottom).unwrap();
/// assert_eq!(profile.seats[&Seat::South].edge, Edge::Right);
/// assert_eq!(TableProfile::parse(&profile.to_toml()).unwrap(), profile);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TableProfile {
    /// Width and height of the picture in which the corners were marked, in pixels.
    pub picture: [u32; 2],
    /// The corners of the table's top in the picture, clockwise.
    pub corners: [[f32; 2]; 4],
    /// The seats in the first deal of a round; seats that this camera does not see are left out.
    pub seats: BTreeMap<Seat, SeatPlace>,
    /// The areas of tiles.
    pub areas: Areas,
}

/// Why a profile is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableProfileError {
    /// The text is not in the format.
    #[error("invalid table profile: {0}")]
    Syntax(String),
    /// The corners are not a table's.
    #[error(
        "these four corners are not a table's: mark them clockwise, as the picture shows them, each \
         within the picture or near it"
    )]
    Corners,
    /// The seat does not exist.
    #[error("`{0}` is not a seat: write [seats.E], S, W or N")]
    Seat(String),
    /// There are no seats, or two at one edge.
    #[error("each seat needs an edge of its own, and there is at least one seat")]
    Edges,
    /// An area's range is reversed.
    #[error("the area `{0}` needs `across` and `deep` from low to high, between -1 and 2")]
    Area(&'static str),
}

/// The file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    picture: [u32; 2],
    corners: [[f32; 2]; 4],
    seats: BTreeMap<String, SeatPlace>,
    #[serde(default)]
    areas: Areas,
}

impl TableProfile {
    /// A profile with four seats and the usual areas. `east` is East's edge in the first deal of a round; the
    /// others follow in the order of play.
    ///
    /// # Errors
    /// [`TableProfileError::Corners`].
    pub fn new(
        picture: [u32; 2],
        corners: [[f32; 2]; 4],
        east: Edge,
    ) -> Result<Self, TableProfileError> {
        let first = Edge::IN_PLAY.iter().position(|edge| *edge == east).unwrap_or(0);
        let place = |seat: Seat| SeatPlace {
            edge: Edge::IN_PLAY[(first + seat.index()) % 4],
            hand: None,
            sets: None,
            discards: None,
        };
        let seats = Seat::ALL.into_iter().map(|seat| (seat, place(seat))).collect();
        Self { picture, corners, seats, areas: Areas::default() }.checked()
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// The fault of the text.
    pub fn parse(text: &str) -> Result<Self, TableProfileError> {
        let file: File =
            toml::from_str(text).map_err(|error| TableProfileError::Syntax(error.to_string()))?;
        let seat = |name: String| match name.as_bytes() {
            [letter] => Seat::from_letter(char::from(*letter)).ok_or(TableProfileError::Seat(name)),
            _ => Err(TableProfileError::Seat(name)),
        };
        let seats = (file.seats.into_iter())
            .map(|(name, place)| Ok((seat(name)?, place)))
            .collect::<Result<_, TableProfileError>>()?;
        let File { picture, corners, areas, .. } = file;
        Self { picture, corners, seats, areas }.checked()
    }

    fn checked(self) -> Result<Self, TableProfileError> {
        let [width, height] = self.picture.map(|side| side as f32);
        let near = |[x, y]: [f32; 2]| {
            (-width..=2.0 * width).contains(&x) && (-height..=2.0 * height).contains(&y)
        };
        let turn = |k: usize| {
            let [a, b, c] = [0, 1, 2].map(|step| self.corners[(k + step) % 4]);
            (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
        };
        // Each corner turns to the right by more than a thin line would.
        let convex = (0..4).all(|k| turn(k) > 1e-3 * width * height);
        let sound = self.corners.iter().all(|corner| near(*corner));
        if !convex || !sound || Homography::from_square(&self.corners).is_none() {
            return Err(TableProfileError::Corners);
        }
        let edges: Vec<Edge> = self.seats.values().map(|place| place.edge).collect();
        let apart = edges.iter().enumerate().all(|(k, edge)| !edges[..k].contains(edge));
        if edges.is_empty() || !apart {
            return Err(TableProfileError::Edges);
        }
        for seat in self.seats.keys() {
            let areas = self.areas_of(*seat);
            for (name, area) in
                [("hand", areas.hand), ("sets", areas.sets), ("discards", areas.discards)]
            {
                if !area.is_sound() {
                    return Err(TableProfileError::Area(name));
                }
            }
        }
        Ok(self)
    }

    /// The areas of a player's tiles.
    #[must_use]
    pub fn areas_of(&self, seat: Seat) -> Areas {
        let own = self.seats.get(&seat);
        Areas {
            hand: own.and_then(|place| place.hand).unwrap_or(self.areas.hand),
            sets: own.and_then(|place| place.sets).unwrap_or(self.areas.sets),
            discards: own.and_then(|place| place.discards).unwrap_or(self.areas.discards),
        }
    }

    /// The table in pictures of a size, with the corners scaled to it.
    #[must_use]
    pub fn view(&self, size: [u32; 2]) -> TableView {
        TableView::new(self, size)
    }

    /// The file's text, with comments for a person who edits it.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let area = |area: &Area| {
            let [a, b] = area.across;
            let [c, d] = area.deep;
            format!("{{ across = [{a:?}, {b:?}], deep = [{c:?}, {d:?}] }}")
        };
        let [width, height] = self.picture;
        let corners: Vec<String> =
            self.corners.iter().map(|[x, y]| format!("[{x:?}, {y:?}]")).collect();
        let mut text = format!(
            "# Where a table lies in a camera's picture, and whose tiles lie where.\n\n\
             # The picture's size and the table's corners in it, in pixels, clockwise as the picture shows\n\
             # them. The edge from the first corner to the second is `top`, then `right`, `bottom`, `left`.\n\
             picture = [{width}, {height}]\ncorners = [{}]\n\n\
             # Where tiles lie before each player, in parts of the table's edge: `across` from his left (0)\n\
             # to his right (1), `deep` from his edge (0) to the opposite one (1).\n\
             [areas]\nhand = {}\nsets = {}\ndiscards = {}\n\n\
             # Who sits where in the first deal of a round. A seat may have areas of its own.\n",
            corners.join(", "),
            area(&self.areas.hand),
            area(&self.areas.sets),
            area(&self.areas.discards),
        );
        for (seat, place) in &self.seats {
            text += &format!("[seats.{seat}]\nedge = \"{}\"\n", place.edge.name());
            let own = [("hand", &place.hand), ("sets", &place.sets), ("discards", &place.discards)];
            for (name, own) in own {
                if let Some(own) = own {
                    text += &format!("{name} = {}\n", area(own));
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::table::Zone;

    const CORNERS: [[f32; 2]; 4] =
        [[400.0, 100.0], [1500.0, 90.0], [1800.0, 1000.0], [120.0, 1010.0]];

    fn profile() -> TableProfile {
        TableProfile::new([1920, 1080], CORNERS, Edge::Left).unwrap()
    }

    #[test]
    fn players_sit_round_the_table_in_the_order_of_play() {
        let edges = Seat::ALL.map(|seat| profile().seats[&seat].edge);
        assert_eq!(edges, [Edge::Left, Edge::Bottom, Edge::Right, Edge::Top]);
    }

    #[test]
    fn a_file_reads_back_as_it_was_written() {
        let mut changed = profile();
        changed.seats.remove(&Seat::North);
        let south = changed.seats.get_mut(&Seat::South).unwrap();
        south.sets = Some(Area { across: [-0.05, 0.2], deep: [0.0, 0.3] });
        assert_eq!(TableProfile::parse(&changed.to_toml()), Ok(changed.clone()));
        assert_eq!(changed.areas_of(Seat::South).sets.across, [-0.05, 0.2]);
        assert_eq!(changed.areas_of(Seat::West).sets, Areas::default().sets);
    }

    #[test]
    fn invalid_profiles_are_rejected() {
        let with = |corners| TableProfile::new([1920, 1080], corners, Edge::Bottom).unwrap_err();
        let [a, b, c, d] = CORNERS;
        for corners in [[d, c, b, a], [a, c, b, d], [a, b, a, b], [a, b, [f32::NAN, 0.0], d]] {
            assert_eq!(with(corners), TableProfileError::Corners, "{corners:?}");
        }
        let text = profile().to_toml();
        let error = |text: String| TableProfile::parse(&text).unwrap_err();
        assert_eq!(
            error(text.replace("seats.S", "seats.X")),
            TableProfileError::Seat("X".to_owned())
        );
        assert_eq!(error(text.replace("\"top\"", "\"left\"")), TableProfileError::Edges);
        assert_eq!(
            error(text.replace("[0.24, 0.48]", "[0.5, 0.48]")),
            TableProfileError::Area("discards")
        );
        assert!(matches!(error("corners = 3".to_owned()), TableProfileError::Syntax(_)));
        assert!(matches!(error(text.replace("hand =", "hands =")), TableProfileError::Syntax(_)));
    }

    #[test]
    fn the_usual_hands_of_two_players_never_overlap() {
        let view = profile().view([1920, 1080]);
        for step in 0..60 * 60 {
            let at = [step / 60, step % 60].map(|k| -0.1 + 0.0201 * k as f32);
            let mut zones = view.zones_at(at);
            zones.retain(|(_, zone)| matches!(zone, Zone::Own(_)));
            assert!(zones.len() <= 1, "{at:?} {zones:?}");
        }
    }
}
