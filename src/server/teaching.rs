//! Tile sets that are taught on a page: a photo is read, and only confirmed tiles are written.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::OwnedSemaphorePermit;

use super::photos::{PhotoError, Photos, ReceivedPhoto, random};
use crate::{
    appraisal::{ImageSize, TileReading},
    lesson::{Lesson, LessonError, missing, profile},
    page::reading::PageReading,
    picture::Picture,
    sight::Corners,
    tile::Tile,
    tileset::{Exemplar, Folder, FolderError, ProfileError, SetName},
    vision::Reader,
};

/// The most sets that wait for confirmation with their photos.
const WAITING: usize = 2;
/// The most photos of one set.
const MOST_PHOTOS: usize = 2;

/// Why a set is not learnt.
#[derive(Debug, thiserror::Error)]
pub(super) enum TeachingError {
    /// The photo cannot be read.
    #[error(transparent)]
    Photo(#[from] PhotoError),
    /// The photo cannot be used for a set.
    #[error(transparent)]
    Lesson(#[from] LessonError),
    /// The draft has expired.
    #[error("this photo is no longer kept: send it again")]
    Gone,
    /// Two photos are there already.
    #[error("a set is learnt from one photo or two: confirm, or begin again")]
    Full,
    /// Tiles that look like others, and were not said to be right.
    #[error("some tiles look like others: say that they are right, or lay them right: {0}")]
    Unsure(String),
    /// A set of that name exists.
    #[error("{0} is known already: say that it is to be replaced, or choose another name")]
    Known(SetName),
    /// There is no home folder.
    #[error("there is no home folder to keep tile sets in")]
    NoHome,
    /// The disk.
    #[error(transparent)]
    Folder(#[from] FolderError),
}

/// What the photos of a laid-out set show.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FoundSet {
    /// The number by which it is answered, and a second photo is sent.
    number: u64,
    name: String,
    /// Whether a set of that name exists.
    known: bool,
    /// The size of the last photo.
    image: ImageSize,
    /// The rows of each photo: `reversed`, `open`, `tiles` (`code`, `corners`, `probability`, `looks_like`).
    photos: Vec<Value>,
    /// Faces that no photo shows.
    missing: Vec<String>,
    /// Whether no further photo is taken.
    full: bool,
}

/// A set that was learnt.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LearntSet {
    /// Its name.
    learnt: String,
    /// The number of its tiles.
    tiles: usize,
}

/// The person's answers about the found tiles.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Answered {
    /// Codes of tiles that look like others but are right.
    #[serde(default)]
    sure: Vec<String>,
    /// Codes of tiles whose face is right and whose place is wrong.
    #[serde(default)]
    instead: Vec<String>,
    /// A set of that name is to be replaced.
    #[serde(default)]
    replace: bool,
}

/// A set that waits for its confirmation.
struct Draft {
    number: u64,
    name: SetName,
    lessons: Vec<Lesson>,
}

/// Corrections of a photo's tiles, and whether a set is to learn from them.
pub(super) struct Keeping {
    pub set: SetName,
    pub picture: Arc<Picture>,
    /// The tiles by number, with the corners in the orientation of the face.
    pub tiles: Vec<(u64, Corners)>,
    pub fixes: Vec<(u64, Tile)>,
    pub keep: bool,
}

/// The tiles of a reading: number and corners, in the orientation of the face.
pub(super) fn numbered(reading: &PageReading) -> Vec<(u64, Corners)> {
    let corners = |tile: &TileReading| tile.corners.map(|corner| corner.map(|along| along as f32));
    reading.tiles.iter().map(|tile| (tile.id, corners(tile))).collect()
}

/// The sets that are being taught.
pub(super) struct Teaching {
    photos: Arc<Photos>,
    folder: Option<Folder>,
    drafts: Mutex<VecDeque<Draft>>,
    /// The examples learnt from corrections, by tile number.
    taught: Mutex<HashMap<u64, (SetName, Exemplar)>>,
}

impl Teaching {
    pub fn new(photos: Arc<Photos>, folder: Option<Folder>) -> Arc<Self> {
        Arc::new(Self { photos, folder, drafts: Mutex::default(), taught: Mutex::default() })
    }

    fn folder(&self) -> Result<&Folder, TeachingError> {
        self.folder.as_ref().ok_or(TeachingError::NoHome)
    }

    /// Takes a draft out of those that wait.
    fn take(&self, number: u64) -> Result<Draft, TeachingError> {
        let mut drafts = self.drafts.lock().unwrap_or_else(PoisonError::into_inner);
        let place = drafts.iter().position(|draft| draft.number == number);
        place.and_then(|place| drafts.remove(place)).ok_or(TeachingError::Gone)
    }

    /// The last photo of a draft that waits.
    pub fn picture(&self, number: u64) -> Result<Arc<Picture>, TeachingError> {
        let drafts = self.drafts.lock().unwrap_or_else(PoisonError::into_inner);
        let draft = drafts.iter().find(|draft| draft.number == number);
        let last = draft.and_then(|draft| draft.lessons.last()).ok_or(TeachingError::Gone)?;
        Ok(Arc::clone(last.picture()))
    }

    fn keep(&self, draft: Draft) {
        let mut drafts = self.drafts.lock().unwrap_or_else(PoisonError::into_inner);
        drafts.push_back(draft);
        if drafts.len() > WAITING {
            drafts.pop_front();
        }
    }

    /// Reads a photo of a laid-out set, the second one `with` the number of the first. Returns the found tiles for the
    /// page.
    pub async fn read_photo(
        &self,
        sent: ReceivedPhoto,
        name: SetName,
        with: Option<u64>,
    ) -> Result<FoundSet, TeachingError> {
        let known = self.folder()?.path(&name).exists();
        let ReceivedPhoto { standing, place, bytes } = sent;
        let read = move |reader: &mut Reader| {
            let picture = Arc::new(Picture::from_bytes(&bytes).map_err(PhotoError::from)?);
            Ok::<_, TeachingError>(Lesson::read(reader, picture)?)
        };
        let progress = Some(Arc::clone(&standing.progress));
        let lesson = self.photos.with_reader(place, progress, read).await??;
        let image =
            ImageSize { width: lesson.picture().width(), height: lesson.picture().height() };
        let mut lessons = Vec::new();
        if let Some(first) = with {
            let first = self.take(first)?;
            if first.lessons.len() >= MOST_PHOTOS {
                self.keep(first);
                return Err(TeachingError::Full);
            }
            lessons = first.lessons;
        }
        lessons.push(lesson);
        let draft = Draft { number: random(), name, lessons };
        let codes = |faces: Vec<crate::tile::Face>| -> Vec<String> {
            faces.iter().map(ToString::to_string).collect()
        };
        let found = FoundSet {
            number: draft.number,
            name: draft.name.as_str().to_owned(),
            known,
            image,
            photos: draft.lessons.iter().map(|lesson| lesson.rows_json(&[])).collect(),
            missing: codes(missing(&draft.lessons, &[])),
            full: draft.lessons.len() == MOST_PHOTOS,
        };
        self.keep(draft);
        Ok(found)
    }

    /// Writes the profile of the found tiles; later photos are read with it.
    pub async fn learn(
        self: &Arc<Self>,
        place: OwnedSemaphorePermit,
        number: u64,
        answered: Answered,
    ) -> Result<LearntSet, TeachingError> {
        let folder = self.folder()?.clone();
        let draft = self.take(number)?;
        let instead: Vec<Tile> =
            answered.instead.iter().filter_map(|code| code.parse().ok()).collect();
        let unsure: Vec<String> = (draft.lessons.iter().flat_map(Lesson::odd))
            .filter(|place| !instead.contains(&place.tile))
            .map(|place| place.tile.to_string())
            .filter(|code| !answered.sure.contains(code))
            .collect();
        let refused = if !unsure.is_empty() {
            Some(TeachingError::Unsure(unsure.join(" ")))
        } else if folder.path(&draft.name).exists() && !answered.replace {
            Some(TeachingError::Known(draft.name.clone()))
        } else {
            None
        };
        if let Some(refused) = refused {
            // The draft can be answered again.
            self.keep(draft);
            return Err(refused);
        }
        let draft = Arc::new(draft);
        let taught = Arc::clone(&draft);
        let made = move |reader: &mut Reader| {
            let profile = profile(reader, taught.name.clone(), &taught.lessons, &instead)?;
            folder.save(&profile)?;
            Ok::<_, TeachingError>(profile)
        };
        let made = self.photos.with_reader(place, None, made).await.map_err(TeachingError::from);
        let profile = made.flatten().inspect_err(|_| {
            // Nothing was written, as on a full disk: with free space it can be confirmed without another photo.
            if let Some(draft) = Arc::into_inner(draft) {
                self.keep(draft);
            }
        })?;
        self.photos.tilesets_changed();
        Ok(LearntSet { learnt: profile.about.name.as_str().to_owned(), tiles: profile.tiles() })
    }

    /// Teaches a set the corrections of a photo that are to be kept, and removes those that were taken back or changed.
    pub async fn keep_corrections(self: &Arc<Self>, keeping: Keeping) -> Result<(), TeachingError> {
        let taught = |(id, _): &(u64, Corners)| self.taught().contains_key(id);
        if !keeping.keep && !keeping.tiles.iter().any(taught) {
            return Ok(());
        }
        let place = self.photos.place().await?;
        let own = Arc::clone(self);
        let done = move |reader: &mut Reader| own.keep_with(reader, &keeping);
        if self.photos.with_reader(place, None, done).await?? {
            self.photos.tilesets_changed();
        }
        Ok(())
    }

    fn taught(&self) -> MutexGuard<'_, HashMap<u64, (SetName, Exemplar)>> {
        self.taught.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the set has changed.
    fn keep_with(&self, reader: &mut Reader, keeping: &Keeping) -> Result<bool, TeachingError> {
        let folder = self.folder()?;
        let mut profile = folder.load(&keeping.set)?;
        if !reader.knows(&profile) {
            return Ok(false);
        }
        let mut taught = self.taught();
        let mut now = taught.clone();
        let mut changed = false;
        for (id, corners) in &keeping.tiles {
            let is = keeping.fixes.iter().find(|(fixed, _)| fixed == id).map(|(_, is)| *is);
            let of_this = now.get(id).filter(|(set, _)| *set == keeping.set);
            let known = of_this.map(|(_, exemplar)| exemplar.clone());
            let stands = |known: &Exemplar| Some(known.tile) == is;
            if let Some(known) = known.as_ref().filter(|known| !stands(known)) {
                changed |= profile.forget_this(known);
                now.remove(id);
            }
            if let Some(is) = is
                && keeping.keep
                && !known.as_ref().is_some_and(stands)
            {
                for turns in
                    reader.examples(&keeping.picture, &[*corners]).map_err(LessonError::from)?
                {
                    let full = |error: ProfileError| LessonError::from(error);
                    profile.teach(is, turns.clone()).map_err(full)?;
                    let exemplar = Exemplar::new(is, true, turns).map_err(full)?;
                    now.insert(*id, (keeping.set.clone(), exemplar));
                    changed = true;
                }
            }
        }
        if changed {
            folder.save(&profile)?;
        }
        *taught = now;
        Ok(changed)
    }
}
