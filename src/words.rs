//! Words of the languages in which our rule sets are played, as people put them into lists and answers:
//! English, Danish, German, Chinese and Japanese.

use crate::tile::Seat;

/// Whether a text says yes or no; `None` where it says neither. Nothing at all is a no.
///
/// ```
/// use tilelens::words::yes_or_no;
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

/// The seat that a text names: `E`, `East`, and the words of the other languages. Single letters of other
/// languages are read where no language means another wind by them.
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

/// Each column of the files that are read, and what else it may be called.
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

/// Whether a column with this heading is the one of that name.
pub fn is_column(heading: &str, name: &str) -> bool {
    let heading = heading.trim().to_lowercase();
    let others = COLUMNS.iter().find(|(known, _)| *known == name).map(|(_, others)| *others);
    heading == name || others.is_some_and(|others| others.contains(&heading.as_str()))
}
