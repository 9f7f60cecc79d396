//! Tables of accuracy in README.md and docs/accuracy.md show the counts of docs/accuracy.json, and these agree with the
//! counts of each photo in figures.json. `make accuracy` measures again; `UPDATE=1 cargo test --test house accuracy` writes
//! the tables alone.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::PathBuf};

use serde::Deserialize;
use tilelens::evaluation::Share;

/// A set of photos as docs/accuracy.json has it.
#[derive(Deserialize)]
struct Set {
    photos: usize,
    shares: BTreeMap<String, [usize; 2]>,
    #[serde(default)]
    sources: BTreeMap<String, Set>,
}

/// Sets of photos, in the order of the columns, with the titles of README and page.
const SETS: [(&str, &str, &str); 5] = [
    ("val", "photos of other sessions", "`val`"),
    ("cross", "webcam pictures of a source never trained on", "`cross`"),
    ("strangers", "30 photos of a stranger", "`strangers`"),
    ("tables", "14 photos of hard kinds: low tables, a black set", "`tables`"),
    ("datasets", "our own rendered pictures", "`datasets/`"),
];

/// Rows of README, by the names that `tilelens eval --json` gives its shares.
const SUMMARY: [(&str, &str); 4] = [
    ("tiles found and named right", "found and right, of all"),
    ("photos all right", "photos all right, none too many"),
    ("hands exact", "hand: tiles right"),
    ("wrong scores given", "hand: wrong, and sure"),
];

/// Rows of docs/accuracy.md.
const ALL: [(&str, &str); 17] = [
    ("tiles found and named right", "found and right, of all"),
    ("tiles found", "tile recall"),
    ("detections that are tiles", "precision (complete)"),
    ("found tiles named right", "face right, of found"),
    ("flowers and seasons right, of all", "flowers and seasons"),
    ("sideways tiles right, of all", "sideways"),
    ("fives recognised as red or plain", "red fives told from plain ones"),
    ("orientation right", "turn right"),
    ("photos all right, nothing extra", "photos all right, none too many"),
    ("photos without a tile, nothing seen", "photos without a tile, none seen"),
    ("wrong at a confidence of 80 % or more, of all tiles", "wrong at 0.8 or more, of all"),
    ("hands exact", "hand: tiles right"),
    ("hands with sets, givers and winning tile", "hand: layout right"),
    ("hands too unsure to score unasked", "hand: abstained"),
    ("hands not read, or read with a doubt", "hand: not read, or doubted"),
    ("wrong scores given", "hand: wrong, and sure"),
    ("pictures without one hand, refused", "no one hand: refused"),
];

/// Rows of the table by source, of docs/accuracy.md.
const BY_SOURCE: [(&str, &str); 4] = [
    ("tiles found and named right", "found and right, of all"),
    ("detections that are tiles", "precision (complete)"),
    ("photos all right, nothing extra", "photos all right, none too many"),
    ("hands exact", "hand: tiles right"),
];

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file)
}

fn read(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn measured() -> BTreeMap<String, Set> {
    serde_json::from_str(&read("docs/accuracy.json")).expect("docs/accuracy.json")
}

impl Set {
    fn share(&self, name: &str) -> Option<Share> {
        self.shares.get(name).map(|&[good, of]| Share { good, of })
    }
}

/// A percentage that is 100 or 0 only where the share is.
fn percent(share: f64) -> String {
    let rounded = (1000.0 * share).round() / 10.0;
    let rounded = if share < 1.0 { rounded.min(99.9) } else { rounded };
    format!("{rounded:.1} %")
}

/// A share without its interval, for README.
fn short(share: Share) -> String {
    let Share { good, of } = share;
    match share.value() {
        Some(value) if good > 0 => format!("{} ({good} of {of})", percent(value)),
        _ => format!("{good} of {of}"),
    }
}

/// A share with its 95 % interval.
fn long(share: Share) -> String {
    let (Some(value), Some([low, high])) = (share.value(), share.interval()) else {
        return "–".to_owned();
    };
    let [low, high] = [100.0 * low, 100.0 * high];
    format!("{} [{low:.1}, {high:.1}] {}/{}", percent(value), share.good, share.of)
}

fn table(
    titles: &[&str],
    sets: &[&Set],
    rows: &[(&str, &str)],
    cell: fn(Share) -> String,
) -> String {
    let mut out = format!("| | {} |\n|---|{}\n", titles.join(" | "), "---|".repeat(titles.len()));
    for (title, name) in rows {
        let cells = sets.iter().map(|set| set.share(name).map_or_else(|| "–".to_owned(), cell));
        let _ = writeln!(out, "| {title} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    out
}

fn rendered(name: &str, measured: &BTreeMap<String, Set>) -> String {
    let sets: Vec<&Set> = SETS.iter().map(|(key, ..)| &measured[*key]).collect();
    match name {
        "summary" => table(&SETS.map(|(_, title, _)| title), &sets, &SUMMARY, short),
        "all" => {
            let titles: Vec<String> = (SETS.iter().zip(&sets))
                .map(|((.., title), set)| format!("{title}, {} photos", set.photos))
                .collect();
            table(&titles.iter().map(String::as_str).collect::<Vec<_>>(), &sets, &ALL, long)
        }
        "sources" => {
            let (titles, sets): (Vec<&str>, Vec<&Set>) =
                measured["val"].sources.iter().map(|(name, set)| (name.as_str(), set)).unzip();
            table(&titles, &sets, &BY_SOURCE, long)
        }
        _ => panic!("no table is called {name}"),
    }
}

/// The page with each table between `<!-- accuracy: NAME -->` and `<!-- /accuracy -->` made from the figures.
fn with_tables(page: &str, measured: &BTreeMap<String, Set>) -> (String, usize) {
    const BEGINS: &str = "<!-- accuracy: ";
    const ENDS: &str = "<!-- /accuracy -->";
    let mut parts = page.split(BEGINS);
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut count = 0;
    for part in parts {
        let (name, rest) = part.split_once(" -->\n").expect("a name and the end of the comment");
        let (_, after) = rest.split_once(ENDS).expect("the end of the table");
        let _ = write!(out, "{BEGINS}{name} -->\n{}{ENDS}{after}", rendered(name, measured));
        count += 1;
    }
    (out, count)
}

#[test]
fn the_pages_show_the_figures() {
    let measured = measured();
    for (file, tables) in [("README.md", 1), ("docs/accuracy.md", 2)] {
        let page = read(file);
        let (made, count) = with_tables(&page, &measured);
        assert_eq!(count, tables, "tables of {file}");
        if std::env::var_os("UPDATE").is_some() {
            fs::write(path(file), made).unwrap_or_else(|error| panic!("{file}: {error}"));
        } else {
            assert!(
                page == made,
                "{file} does not show docs/accuracy.json: run UPDATE=1 cargo test --test house accuracy"
            );
        }
    }
}

/// The readings of one photo, in the format of figures.json.
#[derive(Deserialize)]
struct Photo {
    right: usize,
    of: usize,
    /// Whether the hand is read with sets, givers and winning tile.
    hand: Option<bool>,
}

#[test]
fn the_figures_are_those_of_the_photos() {
    let photos: BTreeMap<String, Photo> =
        serde_json::from_str(&read("figures.json")).expect("figures.json");
    let measured = measured();
    for (name, is_drawn) in [("datasets", true), ("val", false)] {
        let (mut count, mut tiles, mut hands) = (0, [0, 0], [0, 0]);
        for photo in (photos.iter())
            .filter(|(name, _)| name.starts_with("tables/") == is_drawn)
            .map(|(_, photo)| photo)
        {
            count += 1;
            tiles = [tiles[0] + photo.right, tiles[1] + photo.of];
            if let Some(right) = photo.hand {
                hands = [hands[0] + usize::from(right), hands[1] + 1];
            }
        }
        let set = &measured[name];
        let figures =
            (set.photos, set.shares["found and right, of all"], set.shares["hand: layout right"]);
        assert_eq!(
            figures,
            (count, tiles, hands),
            "{name}: docs/accuracy.json and figures.json differ: run make accuracy"
        );
    }
}

#[test]
fn a_share_is_never_rounded_to_all() {
    assert_eq!(short(Share { good: 9999, of: 10000 }), "99.9 % (9999 of 10000)");
    assert_eq!(short(Share { good: 5, of: 5 }), "100.0 % (5 of 5)");
    assert_eq!(short(Share { good: 0, of: 42 }), "0 of 42");
    assert_eq!(long(Share { good: 0, of: 20 }), "0.0 % [0.0, 16.1] 0/20");
    assert_eq!(long(Share::default()), "–");
}

/// A network that was exchanged without its manifest, or without its weights in float, could not be made again or taught on.
#[test]
fn each_network_has_a_manifest_with_its_checksum_and_a_checkpoint_in_float() {
    use sha2::{Digest, Sha256};
    let models = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("models");
    let runs = models.join("training/runs");
    let sum = |path: PathBuf| -> String {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(&runs).unwrap() {
        files.push(entry.unwrap().file_name().into_string().unwrap());
    }
    files.sort();
    let mut described = Vec::new();
    let mut kept: Vec<String> = Vec::new();
    for file in files.iter().filter(|file| file.ends_with(".toml")) {
        let manifest: toml::Table = fs::read_to_string(runs.join(file)).unwrap().parse().unwrap();
        let network = manifest["network"].as_str().unwrap();
        assert_eq!(manifest["sha256"].as_str(), Some(&*sum(models.join(network))), "{network}");
        described.push(network.to_owned());
        // The judges' own files hold their weights in float.
        if network.ends_with(".onnx") {
            let checkpoint = manifest["checkpoint"].as_table().expect("a checkpoint");
            let file = checkpoint["file"].as_str().unwrap();
            assert_eq!(checkpoint["sha256"].as_str(), Some(&*sum(runs.join(file))), "{file}");
            kept.push(file.to_owned());
        }
    }
    let networks =
        ["classifier.onnx", "corners.onnx", "detector.onnx", "tile_judge.json", "white_judge.json"];
    assert_eq!(described, networks);
    files.retain(|file| !file.ends_with(".toml"));
    assert_eq!(kept, files, "each checkpoint is of a network that there is");
}
