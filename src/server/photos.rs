//! Pictures that phones send: read one at a time, the last few kept for corrections.

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
    line::{Line, Progress, Standing},
    look::Look,
};
use crate::{
    picture::{Picture, PictureError},
    tileset::{Folder, SetName},
    vision::{ModelError, Reader, Watcher},
};
/// Makes the reader, when the first picture comes.
pub type ReaderMaker = Box<dyn Fn() -> Result<Reader, ModelError> + Send + Sync>;
/// Is told when a tile set has been taught or changed.
pub type TilesetsChanged = Box<dyn Fn() + Send + Sync>;

/// So many looks are kept.
const KEPT: usize = 16;
/// They have no more bytes than this.
const MOST_KEPT: usize = 512 << 20;
/// What is to be done with the reader, without a picture of its own, waits for a place no longer than this.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why a picture was not read.
#[derive(Debug, thiserror::Error)]
pub(super) enum PhotoError {
    /// Too many at once.
    #[error("too many pictures at once: try again in a few seconds")]
    Busy,
    /// Whoever sent it does not want it read any more.
    #[error("the picture was cancelled")]
    Cancelled,
    /// No picture, or none that can be read.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The networks failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The reading broke off.
    #[error("reading the picture broke off: {0}")]
    Broken(String),
}

/// A picture that has come, and its place in the line. Dropping it stops the reading.
pub(super) struct Sent {
    pub standing: Standing,
    pub place: OwnedSemaphorePermit,
    pub bytes: Vec<u8>,
}

/// The reader of photos and the last looks.
pub(super) struct Photos {
    make: ReaderMaker,
    tilesets: Option<Folder>,
    reader: Mutex<Option<Reader>>,
    /// Who sends pictures.
    pub line: Arc<Line>,
    turn: Arc<Semaphore>,
    /// No tile of a photo has the number of another's, or of a tile that a camera sees.
    ids: AtomicU64,
    kept: Mutex<VecDeque<(u64, Look)>>,
    /// The tile sets have changed since the reader was made.
    stale: AtomicBool,
    /// Others who read with them.
    tell: TilesetsChanged,
}

impl Photos {
    pub fn new(make: ReaderMaker, tilesets: Option<Folder>, tell: TilesetsChanged) -> Arc<Self> {
        Arc::new(Self {
            make,
            tilesets,
            reader: Mutex::new(None),
            line: Line::new(),
            turn: Arc::new(Semaphore::new(1)),
            ids: AtomicU64::new(1 << 40),
            kept: Mutex::default(),
            stale: AtomicBool::new(false),
            tell,
        })
    }

    /// A place for what is to be done with the reader without a picture of its own.
    pub async fn place(&self) -> Result<OwnedSemaphorePermit, PhotoError> {
        self.line.place(PATIENCE).await.ok_or(PhotoError::Busy)
    }

    /// Reads a picture; the number under which it is kept, and the look.
    pub async fn read(self: &Arc<Self>, sent: Sent) -> Result<(u64, Look), PhotoError> {
        let own = Arc::clone(self);
        let Sent { standing, place, bytes } = sent;
        let progress = Some(Arc::clone(&standing.progress));
        let look = move |reader: &mut Reader| own.look(reader, &bytes);
        let new = self.with_reader(place, progress, look).await??;
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

    /// Has the reader do something when its turn comes. The place is given back when that is over. What
    /// nobody wants any more, as its `progress` says, does not begin, or ends at the reader's next step.
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

    /// The tile sets have changed: the next picture is read by a new reader, and the sources are told.
    pub fn tilesets_changed(&self) {
        self.stale.store(true, Ordering::Relaxed);
        (self.tell)();
    }

    fn look(&self, reader: &mut Reader, bytes: &[u8]) -> Result<Look, PhotoError> {
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
        Ok(Look { picture, at, tiles, ids, unseen: Vec::new(), settled: true, changed, tileset })
    }

    /// A look that is still kept.
    pub fn kept(&self, number: u64) -> Option<Look> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(other, _)| *other == number).map(|(_, kept)| kept.clone())
    }
}

/// Keeps one more look; the oldest go, so that they are no more than [`KEPT`] and have no more bytes than that.
fn keep(kept: &mut VecDeque<(u64, Look)>, new: (u64, Look), most_bytes: usize) {
    kept.push_back(new);
    let size = |(_, look): &(u64, Look)| look.picture.rgb().len();
    while kept.len() > KEPT || (kept.len() > 1 && kept.iter().map(size).sum::<usize>() > most_bytes)
    {
        kept.pop_front();
    }
}

/// A number that nobody guesses, exact in JavaScript.
pub(super) fn random() -> u64 {
    // Without the machine's randomness numbers only become guessable.
    getrandom::u64().unwrap_or(1) >> 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_few_photos_are_kept_and_no_more_bytes_than_are_allowed() {
        let look = |number: u64| {
            let picture = Arc::new(Picture::from_rgb(image::RgbImage::new(64, 64)).unwrap());
            let (tiles, ids, at) = (Vec::new(), Vec::new(), Instant::now());
            let look = Look {
                picture,
                at,
                tiles,
                ids,
                unseen: Vec::new(),
                settled: true,
                changed: 0,
                tileset: None,
            };
            (number, look)
        };
        let numbers = |most_bytes: usize| {
            let mut kept = VecDeque::new();
            (0..40).for_each(|number| keep(&mut kept, look(number), most_bytes));
            kept.iter().map(|(number, _)| *number).collect::<Vec<_>>()
        };
        assert_eq!(numbers(MOST_KEPT), (24..40).collect::<Vec<_>>());
        assert_eq!(numbers(3 * 64 * 64 * 3), [37, 38, 39]);
        assert_eq!(numbers(1), [39], "the last one is always kept");
    }
}
