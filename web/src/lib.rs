//! Tilelens inside a browser: the page's worker puts bytes in, calls a function, and takes the answer out.
//!
//! For a call, `room(n)` returns the address of a buffer of n bytes; the worker writes there and calls one of the
//! functions below, which returns the length of its JSON answer; `answer()` returns the address of that. Errors are
//! `{"error": …, "kind": …}`. One picture is held at a time.

use std::{
    fmt::Display,
    sync::{Mutex, MutexGuard, PoisonError},
};

use image::RgbImage;
use serde_json::{Value, json};
use tilelens::{
    appraisal::ImageSize,
    page::{self, package},
    picture::Picture,
    sight::SeenTile,
    vision::{Reader, Step},
};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Reports the next step: detection or classification, and the number of the pass.
    safe fn step(naming: u32, reading: u32);
    /// Reports a panic, as text at an address.
    safe fn broke(text: *const u8, length: usize);
}

/// The state between calls.
struct State {
    room: Vec<u8>,
    answer: Vec<u8>,
    reader: Option<Reader>,
    picture: Option<Picture>,
    /// The size of the picture that was read last.
    image: ImageSize,
    tiles: Vec<SeenTile>,
}

static STATE: Mutex<State> = Mutex::new(State {
    room: Vec::new(),
    answer: Vec::new(),
    reader: None,
    picture: None,
    image: ImageSize { width: 0, height: 0 },
    tiles: Vec::new(),
});

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a function, stores its answer, or the object of its error, and returns the length.
fn answered(work: impl FnOnce(&mut State) -> Result<Value, Value>) -> usize {
    let mut state = state();
    let answer = work(&mut state).unwrap_or_else(|error| error);
    state.answer = answer.to_string().into_bytes();
    state.answer.len()
}

fn bad_picture(why: impl Display) -> Value {
    json!({ "kind": "bad_picture", "error": why.to_string() })
}

fn reader_failed(why: impl Display) -> Value {
    json!({ "kind": "reader_failed", "error": why.to_string() })
}

/// An error of a page's request, which names the labels of its fields.
fn bad_request(why: impl Display) -> Value {
    json!({ "kind": "bad_request", "error": page::wording::labels(&why.to_string()) })
}

impl State {
    fn hold(&mut self, picture: Picture) -> Value {
        self.image = ImageSize { width: picture.width(), height: picture.height() };
        self.tiles = Vec::new();
        self.picture = Some(picture);
        json!({ "image": self.image })
    }
}

/// Sets the program up; called once, first.
#[unsafe(no_mangle)]
pub extern "C" fn begin() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        broke(text.as_ptr(), text.len());
    }));
}

/// Resizes the input buffer to `bytes` and returns its address; earlier input is gone.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    let mut state = state();
    state.room = vec![0; bytes];
    state.room.as_mut_ptr()
}

/// The address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    state().answer.as_ptr()
}

/// Uses the RGB pixels in the input buffer as the picture.
#[unsafe(no_mangle)]
pub extern "C" fn pixels(width: u32, height: u32) -> usize {
    answered(|state| {
        let room = std::mem::take(&mut state.room);
        let rgb = RgbImage::from_raw(width, height, room).ok_or("the pixels do not fill the size");
        let rgb = rgb.map_err(bad_picture)?;
        Ok(state.hold(Picture::from_rgb(rgb).map_err(bad_picture)?))
    })
}

/// Decodes the file in the input buffer as the picture, for formats that the browser does not support.
#[unsafe(no_mangle)]
pub extern "C" fn file() -> usize {
    answered(|state| {
        let room = std::mem::take(&mut state.room);
        Ok(state.hold(Picture::from_bytes(&room).map_err(bad_picture)?))
    })
}

/// The address of the picture's RGB pixels; null without a picture.
#[unsafe(no_mangle)]
pub extern "C" fn shown() -> *const u8 {
    state().picture.as_ref().map_or(std::ptr::null(), |picture| picture.rgb().as_ptr())
}

/// Reads the picture, drops it and returns the number of tiles.
#[unsafe(no_mangle)]
pub extern "C" fn read() -> usize {
    answered(|state| {
        let State { reader, picture, tiles, .. } = state;
        let picture = picture.take().ok_or("there is no picture").map_err(bad_picture)?;
        let reader = match reader {
            Some(reader) => reader,
            none => none.insert(Reader::builtin(1).map_err(reader_failed)?),
        };
        reader.watch(Some(Box::new(|now: Step| {
            step(now.naming.into(), now.reading);
            true
        })));
        *tiles = reader.read(&picture).map_err(reader_failed)?;
        Ok(json!({ "tiles": tiles.len() }))
    })
}

/// Answers the request in the input buffer as the server answers pages. `ask`: `rules`, `hand` (of the picture;
/// `context`, `fixes`), `advice`.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    answered(|state| {
        let room = std::mem::take(&mut state.room);
        let asked: Value = serde_json::from_slice(&room).map_err(bad_request)?;
        page::answer(asked, state.image, &state.tiles).map_err(bad_request)
    })
}

/// Answers the call of the npm package in the input buffer. `call`: `read` (of the picture), `score`, `waits`, `advise`,
/// `convert`, `rules`.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> usize {
    answered(|state| {
        let room = std::mem::take(&mut state.room);
        package::answer(&room, state.image, &state.tiles).map_err(|why| package::refusal(&why))
    })
}
