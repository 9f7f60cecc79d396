//! Words in the languages of our rule sets (English, Danish, German, Japanese and Chinese), for output, and for lists
//! and answers of people.

use std::{borrow::Cow, collections::HashMap, fmt::Display, sync::LazyLock};

use serde::{Serialize, Serializer};

use crate::tile::Seat;

/// A language of pages and printouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language(usize);

/// The languages, as in addresses and options. English is first: its texts are the keys of the others.
pub const LANGUAGES: [&str; 5] = ["en", "da", "de", "ja", "zh"];

/// The files of the other languages, in their order.
const FILES: [&str; 4] = [
    include_str!("words/da.json"),
    include_str!("words/de.json"),
    include_str!("words/ja.json"),
    include_str!("words/zh.json"),
];

/// The translations of English texts in the other languages.
static WORDS: LazyLock<[HashMap<String, String>; 4]> = LazyLock::new(|| {
    // A test checks the files; user input does not reach this.
    FILES.map(|file| serde_json::from_str(file).unwrap_or_else(|error| unreachable!("{error}")))
});

impl Language {
    /// English.
    pub const ENGLISH: Self = Self(0);

    /// The language of that name.
    ///
    /// ```
    /// use tilelens_scoring::words::Language;
    /// assert_eq!(Language::named("da").unwrap().word("East"), "Øst");
    /// assert_eq!(Language::named("fr"), None);
    /// ```
    pub fn named(tag: &str) -> Option<Self> {
        LANGUAGES.iter().position(|other| *other == tag).map(Self)
    }

    /// Its name in addresses, options and documents.
    pub const fn tag(self) -> &'static str {
        LANGUAGES[self.0]
    }

    /// The file of its translations, a JSON object by English texts, which pages read too; `None` for English.
    pub fn file(self) -> Option<&'static str> {
        self.0.checked_sub(1).and_then(|place| FILES.get(place)).copied()
    }

    /// The translation of an English text; the text itself if there is none, such as for a house's own term.
    pub fn word(self, english: &str) -> &str {
        let words = self.0.checked_sub(1).and_then(|place| WORDS.get(place));
        words.and_then(|words| words.get(english)).map_or(english, String::as_str)
    }

    /// The same in this language, tiles in our notation.
    pub fn say(self, said: &Say) -> String {
        match said {
            Say::Plain(text) | Say::Tiles(text) => text.clone(),
            Say::Words(english, values) => {
                let mut parts = self.word(english).split('{');
                let mut text = parts.next().unwrap_or_default().to_owned();
                for part in parts {
                    let (name, rest) = part.split_once('}').unwrap_or((part, ""));
                    let value = values.iter().find(|(known, _)| *known == name);
                    text += &value.map(|(_, value)| self.say(value)).unwrap_or_default();
                    text += rest;
                }
                text
            }
        }
    }
}

/// A word in each language in lower case, to recognise what people type.
pub fn in_each_language(english: &str) -> impl Iterator<Item = String> {
    (0..LANGUAGES.len()).map(|place| Language(place).word(english).to_lowercase())
}

/// A sentence that each language words for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Say {
    /// The same text in each language: a number, a name.
    Plain(String),
    /// Tiles in our notation, which terminals print and pages draw.
    Tiles(String),
    /// An English text with the values of its `{name}`s.
    Words(Cow<'static, str>, Vec<(&'static str, Say)>),
}

impl Say {
    /// Words that a rule file has, such as a unit.
    pub fn of(english: impl Into<Cow<'static, str>>) -> Self {
        Self::Words(english.into(), Vec::new())
    }

    /// A tile, a set or a hand.
    pub fn tiles(tiles: impl Display) -> Self {
        Self::Tiles(tiles.to_string())
    }

    /// This and another text after it, with something between them that no language has of its own.
    #[must_use]
    pub fn and(self, between: &str, next: Self) -> Self {
        Self::Words(format!("{{one}}{between}{{next}}").into(), vec![("one", self), ("next", next)])
    }

    /// This with a reason in brackets, if there is one.
    #[must_use]
    pub fn because(self, why: Option<Self>) -> Self {
        match why {
            Some(why) => Self::Words("{what} ({why})".into(), vec![("what", self), ("why", why)]),
            None => self,
        }
    }

    /// In English.
    pub fn english(&self) -> String {
        Language::ENGLISH.say(self)
    }
}

/// The form that pages translate (`lang.js`): a plain text, an object with tiles, or a list of the English text and any
/// values.
impl Serialize for Say {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(text) => serializer.serialize_str(text),
            Self::Tiles(text) => HashMap::from([("tiles", text)]).serialize(serializer),
            Self::Words(english, values) if values.is_empty() => [english].serialize(serializer),
            Self::Words(english, values) => {
                let values: HashMap<_, _> =
                    values.iter().map(|(name, value)| (name, value)).collect();
                (english, values).serialize(serializer)
            }
        }
    }
}

#[cfg(feature = "schema")]
crate::schema::described_as!("Say", Say, |generator| {
    let said = generator.subschema_for::<Say>();
    let tiles = schemars::json_schema!({
        "type": "object",
        "properties": { "tiles": { "type": "string" } },
        "required": ["tiles"],
        "additionalProperties": false,
    });
    let words = schemars::json_schema!({
        "type": "array",
        "prefixItems": [{ "type": "string" }, { "type": "object", "additionalProperties": said }],
        "items": false,
        "minItems": 1,
    });
    schemars::json_schema!({
        "description": "A sentence that pages translate: a text that is the same in each language, tiles, or an English text and its values.",
        "anyOf": [{ "type": "string" }, tiles, words],
    })
});

/// A value of a sentence.
impl<T: Display> From<T> for Say {
    fn from(text: T) -> Self {
        Self::Plain(text.to_string())
    }
}

/// A sentence in English with its values; `name` alone means `name = name`. A test checks that each language has it.
#[macro_export]
macro_rules! say {
    ($english:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::words::Say::Words(
            $english.into(),
            vec![$((stringify!($name), $crate::words::Say::from($crate::say!(@ $name $(= $value)?)))),*],
        )
    };
    (@ $name:ident = $value:expr) => { $value };
    (@ $name:ident) => { $name };
}
pub use say;

/// Whether a text means yes or no; `None` for neither. An empty text means no.
///
/// ```
/// use tilelens_scoring::words::yes_or_no;
/// assert_eq!((yes_or_no("Ja"), yes_or_no("否"), yes_or_no("perhaps")), (Some(true), Some(false), None));
/// ```
pub fn yes_or_no(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" | "x" | "ja" | "j" | "是" | "有" | "はい" | "○" | "✓" => {
            Some(true)
        }
        "" | "no" | "n" | "false" | "0" | "nej" | "nein" | "否" | "不" | "不是" | "无" | "無"
        | "没有" | "沒有" | "いいえ" | "-" => Some(false),
        _ => None,
    }
}

/// The seat of a text: `E`, `East`, and the words of the other languages. Single letters of other languages are read if
/// no language means another wind by them.
pub fn wind(text: &str) -> Option<Seat> {
    let seat = match text.trim().to_lowercase().as_str() {
        "e" | "east" | "øst" | "ost" | "ø" | "o" | "東" | "东" | "東家" | "东家" => {
            Seat::East
        }
        "s" | "south" | "syd" | "süd" | "sued" | "南" | "南家" => Seat::South,
        "w" | "west" | "vest" | "v" | "西" | "西家" => Seat::West,
        "n" | "north" | "nord" | "北" | "北家" => Seat::North,
        _ => return None,
    };
    Some(seat)
}

/// Each column of input files, with its other names.
const COLUMNS: [(&str, &[&str]); 15] = [
    (
        "name",
        &[
            "navn",
            "spieler",
            "spielerin",
            "spiller",
            "player",
            "姓名",
            "名字",
            "名称",
            "名前",
            "氏名",
        ],
    ),
    ("reserve", &["ersatz", "reservespieler", "候补", "候補", "替补", "替補", "補欠", "リザーブ"]),
    ("new", &["ny", "neu", "新手", "新人", "初心者"]),
    ("round", &["runde", "轮", "輪", "轮次", "回合", "回戦", "ラウンド"]),
    ("table", &["bord", "tisch", "桌", "桌号", "桌號", "卓", "卓番"]),
    ("wind", &["vind", "seat", "plads", "platz", "风", "風", "座位", "席", "風牌"]),
    ("points", &["point", "score", "punkte", "分数", "分數", "得分", "点数", "得点", "スコア"]),
    (
        "player",
        &["spiller", "spieler", "spielerin", "name", "navn", "玩家", "选手", "選手", "プレイヤー"],
    ),
    ("place", &["rank", "position", "placering", "platz", "rang", "名次", "排名", "順位"]),
    ("club", &["klub", "verein", "俱乐部", "俱樂部", "クラブ", "所属"]),
    ("country", &["land", "nation", "国家", "國家", "国", "国籍"]),
    ("team", &["hold", "mannschaft", "队", "隊", "队伍", "隊伍", "チーム"]),
    (
        "member",
        &[
            "player number",
            "member number",
            "ema number",
            "ema id",
            "medlemsnummer",
            "mitgliedsnummer",
            "会员号",
            "會員號",
            "会員番号",
        ],
    ),
    ("fixed_table", &["fixed table", "fast bord", "fester tisch", "固定桌", "固定卓"]),
    ("wins", &["sejre", "siege", "胡牌", "和牌", "和了", "和了数"]),
];

/// Whether a heading is one of a column's names.
pub fn is_column(heading: &str, name: &str) -> bool {
    let heading = heading.trim().to_lowercase();
    let others = COLUMNS.iter().find(|(known, _)| *known == name).map(|(_, others)| *others);
    heading == name || others.is_some_and(|others| others.contains(&heading.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_stands_in_what_is_said() {
        let said = say!("{name} wins", name = say!("Table {number}", number = 3));
        assert_eq!(said.english(), "Table 3 wins");
        assert_eq!(Language::named("ja").unwrap().say(&said), "3卓の和了");
        let json = r#"["{name} wins",{"name":["Table {number}",{"number":"3"}]}]"#;
        assert_eq!(serde_json::to_string(&said).unwrap(), json);
        let said = say!("{taken} is not sure", taken = Say::tiles("0p"));
        assert_eq!(said.english(), "0p is not sure");
        let json = r#"["{taken} is not sure",{"taken":{"tiles":"0p"}}]"#;
        assert_eq!(serde_json::to_string(&said).unwrap(), json);
        // A house's own words, and names that happen to be words.
        assert_eq!(
            Language::named("da").unwrap().say(&Say::of("Grandma's hand")),
            "Grandma's hand"
        );
        assert_eq!(Language::named("da").unwrap().say(&Say::from("East")), "East");
    }
}
