//! Any text is a hand in this notation or is refused; what is written again reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::convert::Format;

fuzz_target!(|text: &str| {
    if let Ok(read) = Format::Mjai.parse(text)
        && let Ok(written) = Format::Mjai.print(&read.value)
    {
        let again = Format::Mjai.parse(&written.value).expect("what was written reads");
        if written.notes.is_empty() {
            assert_eq!(again.value, read.value);
        }
    }
});
