//! Photos from phones: read one at a time, the last few kept for corrections.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    photo_queue::{PhotoQueue, Progress, QueuedPhoto},
    tracked_picture::TrackedPicture,
};
use crate::{
    picture::{Picture, PictureError},
    tileset::{Folder, SetName},
    vision::{ModelError, Reader, Watcher},
};
/// Makes the reader when the first photo arrives.
pub type ReaderMaker = Box<dyn Fn() -> Result<Reader, ModelError> + Send + Sync>;
/// Called when a tile set has been taught or changed.
pub type TilesetsChanged = Box<dyn Fn() + Send + Sync>;

/// The most photos that are kept.
const KEPT: usize = 16;
/// The most bytes of kept photos.
const MOST_KEPT: usize = 512 << 20;
/// The longest wait for a place of work without a photo of its own.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why a picture was not read.
#[derive(Debug, thiserror::Error)]
pub(super) enum PhotoError {
    /// Too many at once.
    #[error("too many pictures at once: try again in a few seconds")]
    Busy,
    /// The sender has cancelled it.
    #[error("the picture was cancelled")]
    Cancelled,
    /// The bytes are no readable picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The networks failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The reading task ended early.
    #[error("reading the picture broke off: {0}")]
    Broken(String),
}

/// A photo that has arrived, and its place in the queue. Dropping it stops the reading.
pub(super) struct ReceivedPhoto {
    pub standing: QueuedPhoto,
    pub place: OwnedSemaphorePermit,
    pub bytes: Vec<u8>,
}

/// The reader of photos and the last photos.
pub(super) struct Photos {
    make: ReaderMaker,
    tilesets: Option<Folder>,
    reader: Mutex<Option<Reader>>,
    /// The queue of senders.
    pub queue: Arc<PhotoQueue>,
    turn: Arc<Semaphore>,
    /// The next tile number, unique among the tiles of all photos and cameras.
    ids: AtomicU64,
    kept: Mutex<VecDeque<(u64, TrackedPicture)>>,
    /// The tile sets have changed since the reader was made.
    stale: AtomicBool,
    /// Called to make the sources reload the tile sets.
    tell: TilesetsChanged,
}

impl Photos {
    pub fn new(make: ReaderMaker, tilesets: Option<Folder>, tell: TilesetsChanged) -> Arc<Self> {
        Arc::new(Self {
            make,
            tilesets,
            reader: Mutex::new(None),
            queue: PhotoQueue::new(),
            turn: Arc::new(Semaphore::new(1)),
            ids: AtomicU64::new(1 << 40),
            kept: Mutex::default(),
            stale: AtomicBool::new(false),
            tell,
        })
    }

    /// A place for work with the reader without a photo of its own.
    pub async fn place(&self) -> Result<OwnedSemaphorePermit, PhotoError> {
        self.queue.place(PATIENCE).await.ok_or(PhotoError::Busy)
    }

    /// Reads a photo; returns the number under which it is kept, and its tiles.
    pub async fn read(
        self: &Arc<Self>,
        sent: ReceivedPhoto,
    ) -> Result<(u64, TrackedPicture), PhotoError> {
        let own = Arc::clone(self);
        let ReceivedPhoto { standing, place, bytes } = sent;
        let progress = Some(Arc::clone(&standing.progress));
        let work = move |reader: &mut Reader| own.read_bytes(reader, &bytes);
        let new = self.with_reader(place, progress, work).await??;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let number = loop {
            let number = random();
            if kept.iter().all(|(other, _)| *other != number) {
                break number;
            }
        };
        keep(&mut kept, (number, new.clone()), MOST_KEPT);
        Ok((number, new))
    }

    /// Runs work with the reader when its turn comes, then frees the place. Cancelled work, as its `progress` says,
    /// does not begin, or ends at the reader's next step.
    pub async fn with_reader<T: Send + 'static>(
        self: &Arc<Self>,
        place: OwnedSemaphorePermit,
        progress: Option<Arc<Progress>>,
        work: impl FnOnce(&mut Reader) -> T + Send + 'static,
    ) -> Result<T, PhotoError> {
        let turn = Arc::clone(&self.turn).acquire_owned();
        let turn = match &progress {
            None => turn.await,
            Some(progress) => tokio::select! {
                turn = turn => turn,
                () = progress.cancelled() => return Err(PhotoError::Cancelled),
            },
        };
        let Ok(turn) = turn else { return Err(PhotoError::Busy) };
        let own = Arc::clone(self);
        tokio::task::spawn_blocking(move || {
            let mut reader = own.reader.lock().unwrap_or_else(PoisonError::into_inner);
            if own.stale.swap(false, Ordering::Relaxed) {
                *reader = None;
            }
            let reader = match &mut *reader {
                Some(reader) => reader,
                none => none.insert((own.make)()?),
            };
            let watcher = progress.clone().map(|progress| -> Watcher {
                progress.opens();
                Box::new(move |step| {
                    progress.reads(step);
                    !progress.is_cancelled()
                })
            });
            reader.watch(watcher);
            let done = work(reader);
            drop((place, turn));
            if progress.is_some_and(|progress| progress.is_cancelled()) {
                return Err(PhotoError::Cancelled);
            }
            Ok(done)
        })
        .await
        .map_err(|error| PhotoError::Broken(error.to_string()))?
    }

    /// Notes that the tile sets have changed: the next photo is read by a new reader, and the sources reload them.
    pub fn tilesets_changed(&self) {
        self.stale.store(true, Ordering::Relaxed);
        (self.tell)();
    }

    fn read_bytes(&self, reader: &mut Reader, bytes: &[u8]) -> Result<TrackedPicture, PhotoError> {
        let picture = Arc::new(Picture::from_bytes(bytes)?);
        let tiles = reader.read(&picture)?;
        let own =
            |set: &SetName| self.tilesets.as_ref().is_some_and(|folder| folder.path(set).exists());
        let said = reader.tileset().filter(|set| set.weight > 0.0);
        let tileset = said.map(|set| set.name.clone()).filter(own);
        let count = tiles.len() as u64;
        let first = self.ids.fetch_add(count, Ordering::Relaxed);
        let ids = (first..first + count).collect();
        let (at, changed) = (Instant::now(), random());
        Ok(TrackedPicture {
            picture,
            at,
            tiles,
            ids,
            unseen: Vec::new(),
            settled: true,
            changed,
            tileset,
        })
    }

    /// A photo that is still kept.
    pub fn kept(&self, number: u64) -> Option<TrackedPicture> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(other, _)| *other == number).map(|(_, kept)| kept.clone())
    }
}

/// Keeps one more photo and drops the oldest beyond [`KEPT`] photos or [`MOST_KEPT`] bytes.
fn keep(kept: &mut VecDeque<(u64, TrackedPicture)>, new: (u64, TrackedPicture), most_bytes: usize) {
    kept.push_back(new);
    let size = |(_, tracked): &(u64, TrackedPicture)| tracked.picture.rgb().len();
    while kept.len() > KEPT || (kept.len() > 1 && kept.iter().map(size).sum::<usize>() > most_bytes)
    {
        kept.pop_front();
    }
}

/// A random number that is exact in JavaScript.
pub(super) fn random() -> u64 {
    // Without system randomness the numbers are guessable, but still work.
    getrandom::u64().unwrap_or(1) >> 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_few_photos_are_kept_and_no_more_bytes_than_are_allowed() {
        let photo = |number: u64| {
            let picture = Arc::new(Picture::from_rgb(image::RgbImage::new(64, 64)).unwrap());
            let (tiles, ids, at) = (Vec::new(), Vec::new(), Instant::now());
            let tracked = TrackedPicture {
                picture,
                at,
                tiles,
                ids,
                unseen: Vec::new(),
                settled: true,
                changed: 0,
                tileset: None,
            };
            (number, tracked)
        };
        let numbers = |most_bytes: usize| {
            let mut kept = VecDeque::new();
            (0..40).for_each(|number| keep(&mut kept, photo(number), most_bytes));
            kept.iter().map(|(number, _)| *number).collect::<Vec<_>>()
        };
        assert_eq!(numbers(MOST_KEPT), (24..40).collect::<Vec<_>>());
        assert_eq!(numbers(3 * 64 * 64 * 3), [37, 38, 39]);
        assert_eq!(numbers(1), [39], "the last one is always kept");
    }
}
