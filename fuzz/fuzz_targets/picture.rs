//! Any bytes are a picture or are refused: no panic, and no memory beyond what their size allows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::picture::Picture;

fuzz_target!(|bytes: &[u8]| {
    let _ = Picture::from_bytes(bytes);
});
