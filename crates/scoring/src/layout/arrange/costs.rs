//! Costs of arrangements, in nats, and the distances that decide; all chosen by hand.
//!
//! Distances are in widths along a row and in heights across it.

/// Least free space across, in heights, at which a run is out of line with a row: they share a fifth of their
/// heights.
pub const IN_LINE: f32 = -0.2;
/// Largest free space across, in heights, at which a single face beside backs is the row's winning tile.
pub const WELL_IN_LINE: f32 = -0.6;
/// Largest free space along, in widths, at which a single face beside backs is the row's winning tile.
pub const NEAR_END: f32 = 1.5;

/// Weight of the free space along in a run's distance; the free space across weighs a tile's height in widths.
pub const ALONG: f32 = 0.6;
/// Largest distance across, in heights, of a run that belongs to a row's hand.
pub const FARTHEST_ACROSS: f32 = 4.0;
/// Least cosine between the directions of a run and of the row whose hand it belongs to.
pub const SAME_WAY: f32 = 0.8;
/// Largest distance at which a run counts fully for the player's side of the row.
pub const SAYS_SIDE: f32 = 0.8;
/// Largest distance at which a run counts half for the player's side.
pub const HALF_SAYS_SIDE: f32 = 1.5;
/// Smallest sum of those counts that decides the player's side.
pub const SIDE_UNSAID: f32 = 0.3;
/// Largest distances between the rows of a block: across, along.
pub const BLOCK: [f32; 2] = [0.45, 0.6];

/// Cost of leaving out a flower: at distance zero, its decrease for each unit of distance, and the least cost.
pub const FLOWER_OUT: [f32; 3] = [2.2, 0.4, 0.3];
/// Cost of leaving out another single tile, as in [`FLOWER_OUT`].
pub const SINGLE_OUT: [f32; 3] = [1.5, 0.6, 0.0];
/// Cost of leaving out a row, as in [`FLOWER_OUT`].
pub const ROW_OUT: [f32; 3] = [3.2, 1.2, 0.0];
/// Additional cost of leaving out a flower that is surely the player's: a person corrected it, or everything before him
/// is his.
pub const OWN_FLOWER_OUT: f32 = 2.5;
/// Cost of taking in a run for each height of free space across, and the free space without a cost.
pub const IN_ACROSS: [f32; 2] = [0.45, 0.3];
/// Cost of taking in a run for each width of free space along.
pub const IN_ALONG: f32 = 0.15;
/// Largest cost of upside-down faces; twice that for a row.
pub const UPSIDE_DOWN: f32 = 3.0;

/// Cost of taking a single tile out of a block of discards, and of taking a row.
pub const TORN_BLOCK: [f32; 2] = [3.0, 2.0];
/// Fewest tiles of a row that is not short.
pub const SHORT_ROW: usize = 5;
/// Cost of whole sets without a mark in line with a short row.
pub const SETS_BESIDE_SHORT: f32 = 1.2;
/// Cost of whole sets without a mark in line with a longer row.
pub const SETS_IN_LINE: f32 = 1.5;
/// Cost of open sets without a mark where others have one.
pub const UNMARKED: f32 = 1.6;
/// Cost of open sets with hardly any concealed tiles.
pub const NOTHING_CONCEALED: f32 = 3.0;
/// Cost of whole sets concealed in a row of their own beside the rest of the hand, and in the same row.
pub const SETS_CONCEALED: [f32; 2] = [2.4, 1.2];
/// Cost of whole sets concealed in a row of their own of an opened hand: whether they were claimed is asked.
pub const OPENED_SETS_CONCEALED: f32 = 8.0;
/// Cost of a kong that only the number of tiles shows.
pub const KONG_BY_COUNT: f32 = 0.3;
/// Cost of a whole hand without a winning tile.
pub const NO_WINNING: f32 = 0.7;
/// Cost of a hand that lacks one tile.
pub const LACKS_ONE: f32 = 1.6;
/// Cost of a hand with a winning tile that lacks one other tile.
pub const LACKS_ONE_BUT_WON: f32 = 4.0;
/// Cost of two missing tiles, and of each further one.
pub const LACKS: [f32; 2] = [3.0, 0.7];
/// Cost of each missing tile of a hand that was opened without having won.
pub const LOST_LACKS: f32 = 6.0;
/// Cost of having too many tiles, and of each of them.
pub const TOO_MANY: [f32; 2] = [4.0, 1.0];
/// Fewest tiles of a hand.
pub const FEWEST: usize = 5;

/// Cost of a winning tile in line with a row, and for each width of its distance.
pub const WINNING_IN_LINE: [f32; 2] = [0.2, 0.1];
/// Cost of a winning tile elsewhere, for each height across, and for each width along.
pub const WINNING_ELSEWHERE: [f32; 3] = [0.6, 0.3, 0.4];
/// Cost of a single tile elsewhere that is concealed.
pub const STRAY_CONCEALED: f32 = 4.0;
/// Cost of a concealed tile clearly apart from the row, equal to that of one too far off to touch it.
pub const NOT_APART: f32 = 2.5;
/// Cost of a sideways concealed tile.
pub const SIDEWAYS_CONCEALED: f32 = 5.0;
/// Cost of passing over a back at the end of a row, and of one within it.
pub const PASSED_BACK: [f32; 2] = [1.5, 4.0];
/// Cost of a sideways winning tile at the end of a row, and of one within it.
pub const WINNING_SIDEWAYS: [f32; 2] = [0.2, 1.5];
/// Least excess of the last gap over the usual one, in widths, at which the last tile is apart.
pub const GAP_APART: f32 = 0.2;
/// Excess of the last gap over the widest other one, in widths, where the tile begins to be clearly apart, and
/// the further excess to be wholly so.
pub const GAP_CLEAR: [f32; 2] = [0.1, 0.3];
/// Cost of a winning tile apart at the end, its decrease for each width of its gap, and the gap of the largest
/// decrease.
pub const WINNING_APART: [f32; 3] = [1.6, 2.0, 0.6];
/// Cost of an open set that touches concealed tiles; its least share at a wide gap, and that gap in widths.
pub const TOUCHING: [f32; 3] = [1.6, 0.2, 0.3];
