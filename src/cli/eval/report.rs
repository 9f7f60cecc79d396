//! Figures as a table, or as JSON.

use std::{collections::BTreeMap, fmt::Write as _};

use serde_json::{Value, json};

use super::Figures;
use crate::{
    evaluation::{Dataset, ErrorKind, Share, TileError, median_and_p95, reliability},
    tile::Face,
};

/// A name for each share of tiles.
fn shares(figures: &Figures) -> Vec<(&'static str, Share)> {
    let tiles = &figures.tiles;
    vec![
        ("tile recall", tiles.recall),
        ("tile recall, IoU 0.5", tiles.recall_half),
        ("tile recall, IoU 0.75", tiles.recall_tight),
        ("precision (complete)", tiles.precision),
        ("precision (complete), IoU 0.5", tiles.precision_half),
        ("precision (complete), IoU 0.75", tiles.precision_tight),
        ("face right, of found", tiles.faces),
        ("found and right, of all", tiles.read),
        ("  flowers and seasons", tiles.bonus),
        ("  sideways", tiles.sideways),
        ("  upside down", tiles.upside_down),
        ("  short side under 30 px", tiles.small),
        ("  red fives told from plain ones", tiles.red),
        ("turn right", tiles.turns),
        ("photos all right, none too many", tiles.exact),
        ("photos without a tile, none seen", tiles.silent),
        ("wrong at 0.8 or more, of all", tiles.sure_and_wrong),
    ]
}

fn hand_shares(figures: &Figures) -> Vec<(&'static str, Share)> {
    let hands = &figures.hands;
    vec![
        ("hand: tiles right", hands.hand),
        ("hand: layout right", hands.layout),
        ("hand: abstained", hands.abstained),
        ("hand: wrong, and sure", hands.sure_and_wrong),
        ("no one hand: refused", hands.refused),
    ]
}

fn faces_without_turn(figures: &Figures) -> Vec<String> {
    let missing = Face::all().filter(|face| !figures.tiles.turned_faces.contains(face));
    missing.map(|face| face.to_string()).collect()
}

pub(super) fn text(split: &str, by_source: &BTreeMap<String, Figures>, total: &Figures) -> String {
    let mut out = String::new();
    let all = (by_source.len() > 1).then_some(("all sources", total));
    for (name, figures) in by_source.iter().map(|(name, f)| (name.as_str(), f)).chain(all) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{name} ({split}): {} photos", figures.tiles.photos);
        for (name, share) in shares(figures) {
            let _ = writeln!(out, "  {name:<34} {share}");
        }
        let _ =
            writeln!(out, "  {:<34} {}", "named extras at 0.8 or more", figures.tiles.sure_extras);
        if let Some([median, p95]) = median_and_p95(&figures.tiles.corner_errors) {
            let _ = writeln!(
                out,
                "  {:<34} median {:.1} %, p95 {:.1} % of the short side, n {}",
                "corner error",
                100.0 * median,
                100.0 * p95,
                figures.tiles.corner_errors.len()
            );
        }
        let (_, ece) = reliability(&figures.tiles.answers);
        let _ = writeln!(
            out,
            "  {:<34} {:.2} %, n {}",
            "ECE of found tiles",
            100.0 * ece,
            figures.tiles.answers.len()
        );
        if figures.hands.hand.of + figures.hands.refused.of > 0 {
            for (name, share) in hand_shares(figures) {
                let _ = writeln!(out, "  {name:<34} {share}");
            }
        }
        let faces = faces_without_turn(figures);
        if !faces.is_empty() {
            let _ = writeln!(out, "  no turn in the truth for: {}", faces.join(" "));
        }
        let _ = writeln!(out);
    }
    out
}

fn share(share: Share) -> Value {
    json!({ "good": share.good, "of": share.of, "share": share.value(), "interval": share.interval() })
}

fn figures_json(figures: &Figures) -> Value {
    let named = shares(figures).into_iter().chain(hand_shares(figures));
    let shares: serde_json::Map<String, Value> =
        named.map(|(name, value)| (name.trim().to_owned(), share(value))).collect();
    let corners = median_and_p95(&figures.tiles.corner_errors);
    let (bins, ece) = reliability(&figures.tiles.answers);
    json!({
        "photos": figures.tiles.photos,
        "shares": shares,
        "sure_extras": figures.tiles.sure_extras,
        "corner_error": { "median_p95": corners, "n": figures.tiles.corner_errors.len() },
        "ece": ece,
        "reliability": bins,
        "no_turn": faces_without_turn(figures),
    })
}

pub(super) fn json(
    split: &str,
    by_source: &BTreeMap<String, Figures>,
    total: &Figures,
    data: &Dataset,
    errors: &[TileError],
) -> Value {
    let sources: serde_json::Map<String, Value> =
        by_source.iter().map(|(name, figures)| (name.clone(), figures_json(figures))).collect();
    let errors: Vec<Value> = errors
        .iter()
        .map(|error| {
            let photo = &data.photos[error.photo];
            json!({
                "photo": format!("{}/{}", photo.source, photo.file),
                "kind": match error.kind {
                    ErrorKind::Missed => "missed",
                    ErrorKind::Extra => "extra",
                    ErrorKind::Misclassified => "misnamed",
                },
                "bounds": error.bounds,
                "truth": error.truth.map(|face| face.to_string()),
                "read": error.read.map(|(face, p)| json!([face.to_string(), p])),
            })
        })
        .collect();
    json!({ "split": split, "sources": sources, "all": figures_json(total), "errors": errors })
}
