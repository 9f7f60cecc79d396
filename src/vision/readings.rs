//! What one reading of a picture tells.

use super::{ModelError, Picture, Reader, SeenTile, finds::Find, looks::Look, rules::Rule, strays::without_strays};

/// What one reading of a picture tells.
pub(super) struct Reading {
    /// Its tiles,
    pub tiles: Vec<SeenTile>,
    /// and what they were made of.
    pub seen: Seen,
}

/// What may be a tile, and what was looked at.
pub(super) struct Seen {
    pub finds: Vec<(Find, Look)>,
    pub looks: Vec<Look>,
}

impl Seen {
    /// The finds that are at least so hot.
    pub fn warm(&self, least: f32) -> Vec<Find> {
        let finds = self.finds.iter().map(|(find, _)| *find);
        finds.filter(|find| find.heat >= least).collect()
    }
}

impl Reader {
    /// Every tile of a picture.
    ///
    /// # Errors
    /// The runtime fails.
    pub fn read(&mut self, picture: &Picture) -> Result<Vec<SeenTile>, ModelError> {
        let tiles = self.read_once(picture)?.tiles;
        if std::env::var("TL_WORK").is_ok() { eprintln!("{:?}", self.work); }
        Ok(if self.heeds(Rule::Strays) { without_strays(tiles) } else { tiles })
    }
}
