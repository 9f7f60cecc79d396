//! Pictures that phones send: read one at a time, the last few kept for corrections.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::Semaphore;

use super::hub::Look;
use crate::vision::{ModelError, Picture, PictureError, Reader};

/// Makes the reader, when the first picture comes.
pub type ReaderMaker = Box<dyn Fn() -> Result<Reader, ModelError> + Send + Sync>;

/// So many pictures may wait for the one being read; then the next is sent away.
const WAITING: usize = 6;
/// So many looks are kept.
const KEPT: usize = 16;
/// A picture that has waited longer is sent away.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why a picture was not read.
#[derive(Debug, thiserror::Error)]
pub(super) enum PhotoError {
    /// Too many at once.
    #[error("too many pictures at once: try again in a few seconds")]
    Busy,
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

/// The reader of photos and the last looks.
pub(super) struct Photos {
    make: ReaderMaker,
    reader: Mutex<Option<Reader>>,
    places: Semaphore,
    turn: Semaphore,
    kept: Mutex<VecDeque<(u64, Look)>>,
}

impl Photos {
    pub fn new(make: ReaderMaker) -> Arc<Self> {
        Arc::new(Self {
            make,
            reader: Mutex::new(None),
            places: Semaphore::new(WAITING),
            turn: Semaphore::new(1),
            kept: Mutex::default(),
        })
    }

    /// Reads a picture; the number under which it is kept, and the look.
    pub async fn read(self: &Arc<Self>, bytes: Vec<u8>) -> Result<(u64, Look), PhotoError> {
        let _place = self.places.try_acquire().map_err(|_| PhotoError::Busy)?;
        let turn = tokio::time::timeout(PATIENCE, self.turn.acquire()).await;
        let Ok(Ok(_turn)) = turn else { return Err(PhotoError::Busy) };
        let own = Arc::clone(self);
        let look = tokio::task::spawn_blocking(move || own.look(&bytes))
            .await
            .map_err(|error| PhotoError::Broken(error.to_string()))??;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let number = loop {
            let number = random();
            if kept.iter().all(|(other, _)| *other != number) {
                break number;
            }
        };
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((number, look.clone()));
        Ok((number, look))
    }

    fn look(&self, bytes: &[u8]) -> Result<Look, PhotoError> {
        let picture = Arc::new(Picture::from_bytes(bytes)?);
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let reader = match &mut *reader {
            Some(reader) => reader,
            none => none.insert((self.make)()?),
        };
        let tiles = reader.read(&picture)?;
        let ids = (0..tiles.len() as u64).collect();
        Ok(Look { picture, at: Instant::now(), tiles, ids, settled: true, changed: random() })
    }

    /// A look that is still kept.
    pub fn kept(&self, number: u64) -> Option<Look> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(other, _)| *other == number).map(|(_, look)| look.clone())
    }
}

/// A number that nobody guesses, exact in JavaScript.
fn random() -> u64 {
    // Without the machine's randomness numbers only become guessable.
    getrandom::u64().unwrap_or(1) >> 12
}
