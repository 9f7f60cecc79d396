//! Any text is a hand in this notation or is refused; what is written again reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::convert::HandFormat;

fuzz_target!(|text: &str| {
    if let Ok(read) = HandFormat::Mjai.parse(text)
        && let Ok(written) = HandFormat::Mjai.print(&read.value)
    {
        let again = HandFormat::Mjai.parse(&written.value).expect("what was written reads");
        if written.notes.is_empty() {
            assert_eq!(again.value, read.value);
        }
    }
});
