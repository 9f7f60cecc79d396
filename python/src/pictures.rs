//! Pictures from Python, and the networks that read them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use image::RgbImage;
use pyo3::{buffer::PyBuffer, prelude::*};
use tilelens_eye::{
    picture::{MOST_BYTES, Picture},
    vision::{ModelError, Reader},
};
use tilelens_scoring::sight::SeenTile;

use crate::errors::{Kind, refused};

/// The threads of a reader, as of the program's.
const THREADS: usize = 2;

/// Readers that are not at work: one for each picture that was read at the same time.
struct Idle {
    /// The process that made them: the threads of its networks are not in a process that was forked from it.
    process: u32,
    readers: Vec<Reader>,
}

static IDLE: Mutex<Idle> = Mutex::new(Idle { process: 0, readers: Vec::new() });

fn idle() -> MutexGuard<'static, Idle> {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if idle.process != process {
        // To end threads that are not there would take for ever.
        std::mem::forget(std::mem::take(&mut idle.readers));
        idle.process = process;
    }
    idle
}

/// Pixels of a picture that was decoded in Python, or the bytes of its file.
pub enum Given {
    File(Vec<u8>),
    Pixels(RgbImage),
}

impl Given {
    /// # Errors
    /// Numbers that are neither bytes nor a picture's pixels.
    pub fn of(picture: &Bound<'_, PyAny>) -> PyResult<Self> {
        let wrong = |why: String| refused(Kind::BadPicture, why);
        let numbers = PyBuffer::<u8>::get(picture).map_err(|error| {
            wrong(format!("{error}: give pixels as whole numbers from 0 to 255 (uint8), or a file's name or bytes"))
        })?;
        let bytes = numbers.to_vec(picture.py())?;
        match *numbers.shape() {
            [_] => Ok(Self::File(bytes)),
            [height, width, 3] => {
                let sides = (u32::try_from(width), u32::try_from(height));
                let pixels = if let (Ok(width), Ok(height)) = sides {
                    RgbImage::from_raw(width, height, bytes)
                } else {
                    None
                };
                pixels
                    .map(Self::Pixels)
                    .ok_or_else(|| wrong("the pixels do not fill the size".to_owned()))
            }
            ref shape => Err(wrong(format!(
                "an array of the shape {shape:?}: give height, width and the three colours red, green, blue"
            ))),
        }
    }

    fn decoded(self) -> Result<Picture, Unread> {
        let picture = match self {
            Self::File(bytes) if bytes.len() as u64 > MOST_BYTES => {
                let why = format!("more than {} MiB are no picture of a hand", MOST_BYTES >> 20);
                return Err(Unread::Picture(why));
            }
            Self::File(bytes) => Picture::from_bytes(&bytes),
            Self::Pixels(pixels) => Picture::from_rgb(pixels),
        };
        picture.map_err(|error| Unread::Picture(error.to_string()))
    }
}

/// Why a picture was not read.
pub enum Unread {
    Picture(String),
    Networks(ModelError),
}

impl From<Unread> for PyErr {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Picture(why) => refused(Kind::BadPicture, why),
            Unread::Networks(why) => refused(Kind::ReaderFailed, why),
        }
    }
}

/// A picture's size and tiles.
pub struct Read {
    pub width: u32,
    pub height: u32,
    pub tiles: Vec<SeenTile>,
}

/// Reads a picture, without Python.
///
/// # Errors
/// The picture cannot be decoded, or the networks do not run.
pub fn read(given: Given) -> Result<Read, Unread> {
    let picture = given.decoded()?;
    // In a statement of its own, so that others may take a reader while one is made.
    let taken = idle().readers.pop();
    let mut reader = match taken {
        Some(reader) => reader,
        None => Reader::builtin(THREADS).map_err(Unread::Networks)?,
    };
    let tiles = reader.read(&picture);
    idle().readers.push(reader);
    let (width, height) = (picture.width(), picture.height());
    Ok(Read { width, height, tiles: tiles.map_err(Unread::Networks)? })
}
