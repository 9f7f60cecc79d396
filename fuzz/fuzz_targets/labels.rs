//! Any text is labels or is refused, and so are corrections.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::evaluation::{LabelPatch, parse_labels};

fuzz_target!(|text: &str| {
    let _ = parse_labels(text, "source", "folder".as_ref());
    let _ = LabelPatch::parse(text);
});
