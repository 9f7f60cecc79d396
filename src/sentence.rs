//! Sentences that each reader gets in a language of his own.

use std::fmt;

use serde::{Serialize, Serializer};

/// A sentence: English with blanks, such as `{size} tiles, and no other tile makes them a win`, and what fills them.
/// `Display` gives it in English; pages look the text up among their language's words.
///
/// ```
/// use tilelens::sentence;
/// let size = 13;
/// let said = sentence!("{size} tiles, and {tile} is missing", size, tile = "5p");
/// assert_eq!(said.to_string(), "13 tiles, and 5p is missing");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// English, with names of blanks in braces.
    pub text: &'static str,
    /// Each blank's name, and what fills it.
    #[serde(serialize_with = "as_object")]
    pub with: Vec<(&'static str, String)>,
}

/// A [`Sentence`](crate::sentence::Sentence): its text, and a value for each of its blanks; `name` alone stands for `name = name`.
#[macro_export]
macro_rules! sentence {
    ($text:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::sentence::Sentence {
            text: $text,
            with: vec![$((stringify!($name), $crate::sentence!(@ $name $(= $value)?).to_string())),*],
        }
    };
    (@ $name:ident = $value:expr) => { $value };
    (@ $name:ident) => { $name };
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            f.write_str(before)?;
            let value = self.with.iter().find(|(blank, _)| *blank == name);
            f.write_str(value.map_or("", |(_, value)| value))?;
            rest = after;
        }
        f.write_str(rest)
    }
}

fn as_object<S: Serializer>(
    with: &[(&'static str, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(with.iter().map(|(name, value)| (name, value)))
}
