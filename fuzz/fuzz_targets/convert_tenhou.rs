//! Any text is a hand in this notation or is refused; what is written again reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::convert::HandFormat;

fuzz_target!(|text: &str| {
    if let Ok(read) = HandFormat::Tenhou.parse(text)
        && let Ok(written) = HandFormat::Tenhou.print(&read.value)
    {
        let again = HandFormat::Tenhou.parse(&written.value).expect("what was written reads");
        if written.notes.is_empty() {
            assert_eq!(again.value, read.value);
        }
    }
});
