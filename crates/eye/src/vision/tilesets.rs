//! The profiles of tile sets that a reader knows, and which of them a picture shows.

use super::{ModelError, Reader, networks::Classified, pixels::Pixels, reader::Crop};
use crate::{
    picture::Picture,
    sight::Corners,
    tile::Face,
    tileset::{Fit, Profile, SetName, weight},
};
/// Largest distance in fit from the best set at which another one may be the set on the table, as two of one
/// maker.
const AS_GOOD: f32 = 0.004;

/// Profiles at hand.
#[derive(Default)]
pub(super) struct Tilesets {
    profiles: Vec<Profile>,
    /// Whether a person chose the only profile.
    chosen: bool,
    /// The sets that the last picture shows; saved and restored around a reading that may be discarded.
    pub choice: TilesetChoice,
}

/// The profiles that count for a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TilesetChoice {
    /// Index, fit and weight of the set that fits best.
    in_use: Option<(usize, Option<f32>, f32)>,
    /// Indices of other sets that fit equally well.
    as_good: Vec<usize>,
}

/// The tile set of the last picture.
#[derive(Clone, Debug, PartialEq)]
pub struct InUse<'r> {
    /// The set that fits best.
    pub name: &'r SetName,
    /// How well its tiles look like the picture's, as a cosine; `None` where too few are sure.
    pub fit: Option<f32>,
    /// Its weight in the classification, 0-1: 0 means that it was ignored.
    pub weight: f32,
}

impl Tilesets {
    pub fn is_empty(&self) -> bool {
        self.profiles.is_empty()
    }

    /// Chooses the set that a picture shows, by its sure faces.
    pub fn choose(&mut self, crops: &[Crop]) {
        let fits: Vec<Option<f32>> =
            self.profiles.iter().map(|profile| fit(profile, crops)).collect();
        self.settle(&fits);
    }

    /// Chooses the set by the fit of each profile.
    fn settle(&mut self, fits: &[Option<f32>]) {
        let value = |fit: Option<f32>| fit.unwrap_or(f32::NEG_INFINITY);
        // Of equals the first, so that the choice does not change from picture to picture.
        let best = (0..fits.len()).rev().max_by(|a, b| value(fits[*a]).total_cmp(&value(fits[*b])));
        let in_use = best.map(|place| (place, fits[place], weight(fits[place], self.chosen)));
        let near = |place: &usize| {
            best.is_some_and(|best| {
                best != *place && fits[*place].is_some_and(|fit| fit >= value(fits[best]) - AS_GOOD)
            })
        };
        let as_good = (0..fits.len()).filter(near).collect();
        self.choice = TilesetChoice { in_use, as_good };
    }

    /// The classes of crops, with the set in use.
    pub fn classified(&self, crops: Vec<Crop>) -> Vec<Classified> {
        let in_use = self.choice.in_use.filter(|(_, _, weight)| *weight > 0.0);
        let profiles: Vec<&Profile> = (in_use.iter().map(|(place, ..)| place))
            .chain(&self.choice.as_good)
            .filter_map(|place| self.profiles.get(*place))
            .collect();
        let name = |crop: Crop| match in_use {
            Some((_, _, weight)) => with(&profiles, weight, &crop),
            None => crop.classified,
        };
        crops.into_iter().map(name).collect()
    }
}

/// How well a profile fits a picture's crops.
fn fit(profile: &Profile, crops: &[Crop]) -> Option<f32> {
    let mut fit = Fit::default();
    for crop in crops {
        profile.fit(&mut fit, &crop.classified.classes, &crop.classified.turns, &crop.shown);
    }
    fit.median()
}

/// The classes of a crop by the network and by all profiles that may be the set on the table.
fn with(profiles: &[&Profile], weight: f32, crop: &Crop) -> Classified {
    let mut classified = crop.classified.clone();
    let likenesses = profiles.iter().map(|profile| profile.likeness(&crop.shown));
    let Some(likeness) = likenesses.reduce(|all, other| all.or(&other)) else { return classified };
    likeness.apply(&mut classified.classes, &mut classified.turns, weight);
    let face = Face::all()
        .max_by(|a, b| classified.classes[a.index()].total_cmp(&classified.classes[b.index()]));
    if let Some(face) = face {
        classified.red = likeness.red(face, &classified.turns, classified.red, weight);
    }
    classified
}

/// The answer of one tile set for some tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Opinion {
    /// How well the set fits them, as a cosine; `None` where too few are sure.
    pub fit: Option<f32>,
    /// The likeliest class of each tile: faces by [`Face::index`](crate::tile::Face::index), then the back and no
    /// tile. The set counts as if a person had chosen it.
    pub classes: Vec<usize>,
}

impl Reader {
    /// The network's classes of tiles in quads, and those with each of the reader's tile sets.
    ///
    /// # Errors
    /// The runtime fails.
    pub fn opinions(
        &mut self,
        picture: &Picture,
        quads: &[Corners],
    ) -> Result<(Vec<usize>, Vec<Opinion>), ModelError> {
        let crops = self.classify(&Pixels::new(picture.rgb())?, quads)?;
        let likeliest = |classes: &[f32]| {
            (0..classes.len()).max_by(|a, b| classes[*a].total_cmp(&classes[*b])).unwrap_or(0)
        };
        let alone = crops.iter().map(|crop| likeliest(&crop.classified.classes)).collect();
        let opinion = |profile: &Profile| {
            let fit = fit(profile, &crops);
            let weight = weight(fit, true);
            let classes =
                crops.iter().map(|crop| likeliest(&with(&[profile], weight, crop).classes));
            Opinion { fit, classes: classes.collect() }
        };
        Ok((alone, self.tilesets.profiles.iter().map(opinion).collect()))
    }

    /// Gives the reader tile sets to choose from, picture by picture: one that clearly fits, or no set.
    ///
    /// # Errors
    /// A profile was made for another classifier; nothing is changed then.
    pub fn set_tilesets(&mut self, profiles: Vec<Profile>) -> Result<(), ModelError> {
        for profile in &profiles {
            self.accept(profile)?;
        }
        self.tilesets = Tilesets { profiles, ..Tilesets::default() };
        Ok(())
    }

    /// Gives the reader the tile set that a person chose. It is still ignored in pictures that it does not fit.
    ///
    /// # Errors
    /// The profile was made for another classifier; nothing is changed then.
    pub fn set_tileset(&mut self, profile: Profile) -> Result<(), ModelError> {
        self.accept(&profile)?;
        self.tilesets = Tilesets { profiles: vec![profile], chosen: true, ..Tilesets::default() };
        Ok(())
    }

    /// Whether a profile belongs to this reader's classifier.
    #[must_use]
    pub fn knows(&self, profile: &Profile) -> bool {
        profile.about.network == self.models.fingerprint()
    }

    fn accept(&self, profile: &Profile) -> Result<(), ModelError> {
        if self.knows(profile) {
            return Ok(());
        }
        let name = &profile.about.name;
        Err(ModelError::File(
            format!("{name}.toml"),
            format!(
                "the tile set was learnt for another classifier; make it again: tilelens calibrate tiles PHOTO --name {name}"
            ),
        ))
    }

    /// The tile set of the last picture; `None` without profiles.
    #[must_use]
    pub fn tileset(&self) -> Option<InUse<'_>> {
        let (place, fit, weight) = self.tilesets.choice.in_use?;
        let profile = self.tilesets.profiles.get(place)?;
        Some(InUse { name: &profile.about.name, fit, weight })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(fits: &[Option<f32>]) -> (Option<(usize, f32)>, Vec<usize>) {
        let mut sets = Tilesets::default();
        sets.settle(fits);
        (sets.choice.in_use.map(|(place, _, weight)| (place, weight)), sets.choice.as_good)
    }

    #[test]
    fn the_set_that_clearly_fits_is_chosen_and_near_misses_are_not() {
        assert_eq!(settled(&[Some(0.96), Some(0.99)]), (Some((1, 1.0)), vec![]));
        // Neither set fits, or nothing is known: no set counts.
        assert_eq!(settled(&[Some(0.95), Some(0.94)]).0, Some((0, 0.0)));
        assert_eq!(settled(&[None, None]).0.map(|(_, weight)| weight), Some(0.0));
        assert_eq!(settled(&[]), (None, vec![]));
        // A set that just fits counts a little.
        let (place, weight) = settled(&[None, Some(0.96)]).0.unwrap();
        assert!(place == 1 && weight > 0.0 && weight < 0.3, "{weight}");
    }

    #[test]
    fn two_sets_of_one_maker_are_both_asked_and_the_first_is_named() {
        assert_eq!(settled(&[Some(0.988), Some(0.988)]), (Some((0, 1.0)), vec![1]));
        assert_eq!(settled(&[Some(0.986), Some(0.989)]), (Some((1, 1.0)), vec![0]));
        assert_eq!(settled(&[Some(0.98), Some(0.989)]), (Some((1, 1.0)), vec![]));
    }
}
