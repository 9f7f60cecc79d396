//! What arrangements cost, in nats, and the distances that decide: all chosen by hand.
//!
//! Distances are in widths along a row and in heights across it.

/// A run is in line with a row where their free space across is less than this: they share a fifth of their heights.
pub const IN_LINE: f32 = -0.2;
/// A single face among backs is a row's winning tile where they share so much of their heights,
pub const WELL_IN_LINE: f32 = -0.6;
/// and where it is no farther along than this.
pub const NEAR_END: f32 = 1.5;

/// A run's distance is its free space along times this, and its free space across times a tile's height in widths.
pub const ALONG: f32 = 0.6;
/// Nothing farther across a row is of its hand.
pub const FARTHEST_ACROSS: f32 = 4.0;
/// A run is of a row's hand where the cosine of their directions is larger than this.
pub const SAME_WAY: f32 = 0.8;
/// Runs nearer than this say wholly which side of the row is the player's,
pub const SAYS_SIDE: f32 = 0.8;
/// those up to this distance half,
pub const HALF_SAYS_SIDE: f32 = 1.5;
/// and where the sum is smaller than this nobody says.
pub const SIDE_UNSAID: f32 = 0.3;
/// Rows of a block lie no farther apart than this: across, along.
pub const BLOCK: [f32; 2] = [0.45, 0.6];

/// It costs the first that a flower is left out, less the second for each unit of distance, and the third at least;
pub const FLOWER_OUT: [f32; 3] = [2.2, 0.4, 0.3];
/// the same of another single tile,
pub const SINGLE_OUT: [f32; 3] = [1.5, 0.6, 0.0];
/// and of a row.
pub const ROW_OUT: [f32; 3] = [3.2, 1.2, 0.0];
/// A flower that a person named is left out for so much more.
pub const TOLD_OUT: f32 = 2.5;
/// It costs the first that a run is taken in for each height of free space across beyond the second,
pub const IN_ACROSS: [f32; 2] = [0.45, 0.3];
/// and this for each width along.
pub const IN_ALONG: f32 = 0.15;
/// It costs this that faces stand on their heads, at most; twice that for a row.
pub const UPSIDE_DOWN: f32 = 3.0;

/// It costs the first that a single tile of a block of discards is taken without the rest, and the second that a row is.
pub const TORN_BLOCK: [f32; 2] = [3.0, 2.0];
/// A row of fewer tiles than this is a short one.
pub const SHORT_ROW: usize = 5;
/// It costs this that a run in line with a short row is whole sets without a mark.
pub const SETS_BESIDE_SHORT: f32 = 1.2;
/// It costs this that a run in line with a longer one is whole sets without a mark.
pub const SETS_IN_LINE: f32 = 1.5;
/// It costs this that sets without a mark lie open where others have one.
pub const UNMARKED: f32 = 1.6;
/// It costs this that sets lie open and hardly a tile is concealed.
pub const NOTHING_CONCEALED: f32 = 3.0;
/// It costs the first that whole sets in a row of their own beside the rest of the hand are concealed, the second that sets in the same row are.
pub const SETS_CONCEALED: [f32; 2] = [2.4, 1.2];
/// It costs this that four alike are a kong by the number of tiles alone.
pub const KONG_BY_COUNT: f32 = 0.3;
/// It costs this that a whole hand shows no winning tile,
pub const NO_WINNING: f32 = 0.7;
/// this that a hand lacks a tile,
pub const LACKS_ONE: f32 = 1.6;
/// and this that it lacks one besides a winning one that it shows.
pub const LACKS_ONE_BUT_WON: f32 = 4.0;
/// It costs the first that two or more are missing, and the second for each of them after the first.
pub const LACKS: [f32; 2] = [3.0, 0.7];
/// It costs the first that there are too many, and the second for each of them.
pub const TOO_MANY: [f32; 2] = [4.0, 1.0];
/// Fewest tiles of a hand.
pub const FEWEST: usize = 5;

/// It costs the first that a single tile in line with a row is the winning one, and the second for each width of distance;
pub const WINNING_IN_LINE: [f32; 2] = [0.2, 0.1];
/// the first that one elsewhere is, the second for each height across, and the third for each width along.
pub const WINNING_ELSEWHERE: [f32; 3] = [0.6, 0.3, 0.4];
/// It costs this that a single tile elsewhere is one of the row's.
pub const STRAY_CONCEALED: f32 = 4.0;
/// It costs this that a tile clearly apart belongs to the row, as much as that one too far off to touch it does.
pub const NOT_APART: f32 = 2.5;
/// It costs this that a sideways tile is concealed.
pub const SIDEWAYS_CONCEALED: f32 = 5.0;
/// It costs the first that a back at the end of a row is not of it, and the second that one within is not.
pub const PASSED_BACK: [f32; 2] = [1.5, 4.0];
/// It costs the first that a sideways tile at the end of a row is the winning one, and the second that one within is.
pub const WINNING_SIDEWAYS: [f32; 2] = [0.2, 1.5];
/// The last tile is apart where its gap is wider than the usual one by more than this,
pub const GAP_APART: f32 = 0.2;
/// begins to be clearly so where it is wider than the widest other one by the first, and is wholly so at the second more.
pub const GAP_CLEAR: [f32; 2] = [0.1, 0.3];
/// It costs the first that a last tile apart is the winning one, less the second for each width of its gap up to the third.
pub const WINNING_APART: [f32; 3] = [1.6, 2.0, 0.6];
/// It costs the first that an open set touches concealed tiles, less the wider the gap, down to the second as a share at the third in widths.
pub const TOUCHING: [f32; 3] = [1.6, 0.2, 0.3];
