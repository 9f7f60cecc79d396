//! The hash chain: each event's hash covers the one before it, so that nothing in the middle of a
//! log can be changed, left out or exchanged unnoticed.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The end of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Link(pub [u8; 32]);

impl Link {
    /// Before the first event.
    pub(super) const START: Self = Self([0; 32]);

    /// The next link: over the last one, the table, the event's number and its texts, each with
    /// its length so that nothing can move from one to the other.
    pub(super) fn next(self, table: u32, seq: u64, texts: [&str; 4]) -> Self {
        let mut hash = Sha256::new();
        hash.update(self.0);
        hash.update(table.to_be_bytes());
        hash.update(seq.to_be_bytes());
        for text in texts {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
        Self(hash.finalize().into())
    }
}

/// Bytes in hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl From<Link> for String {
    fn from(link: Link) -> Self {
        hex(&link.0)
    }
}

impl TryFrom<String> for Link {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let (pairs, _) = text.as_bytes().as_chunks::<2>();
        let byte = |pair: &[u8; 2]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Option<Vec<u8>> = pairs.iter().map(byte).collect();
        bytes.and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or("not 64 hexadecimal digits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_changes_the_link() {
        let texts = ["a", "b", "", "{}"];
        let link = Link::START.next(1, 1, texts);
        assert_eq!(link, Link::START.next(1, 1, texts));
        for other in [
            Link::START.next(2, 1, texts),
            Link::START.next(1, 2, texts),
            link.next(1, 1, texts),
            Link::START.next(1, 1, ["ab", "", "", "{}"]),
            Link::START.next(1, 1, ["a", "b", "", "{ }"]),
        ] {
            assert_ne!(link, other);
        }
    }
}
