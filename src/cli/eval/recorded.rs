//! Compares the record that is made of a session of whole deals with the true one.

use std::{fmt::Write as _, fs, path::Path, time::Duration};

use anyhow::Context;

use super::live::TrackedFrame;
use crate::{
    calibration::table::{Edge, TableProfile},
    convert::log,
    evaluation::{Replay, ReplayGame, Share, median_and_p95},
    hand::WholeHand,
    output::{self, Inputs},
    record::{Compared, Event, Record},
    recorder::{Look, Recorder},
};

/// Reads the true record.
pub(super) fn truth(file: &Path) -> anyhow::Result<Record> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    log::read_own(&text).with_context(|| file.display().to_string())
}

/// The figures of the record of some frames, as text; the record goes into `into`.
pub(super) fn compare(
    truth: &Record,
    game: &ReplayGame,
    replay: &Replay,
    frames: &[TrackedFrame],
    into: Option<&Path>,
) -> anyhow::Result<String> {
    let profile = TableProfile::new(replay.size, game.corners, Edge::Bottom)?;
    let view = profile.view(replay.size);
    let mut recorder = Recorder::default();
    let (mut events, mut delays, mut lines) = (Vec::new(), Vec::new(), String::new());
    for frame in frames {
        let at = Duration::from_secs_f32(frame.at);
        let look = Look { at, tiles: &frame.tiles, ids: &frame.ids, unseen: &frame.unseen };
        for line in recorder.observe(&look, &view, None, WholeHand::default()) {
            if matches!(line.event, Event::Discard { .. }) {
                let ms = f64::from(1e3 * frame.at + frame.tracked_ms) - line.at as f64;
                delays.push(ms / 1e3);
            }
            writeln!(lines, "{}", serde_json::to_string(&line)?)?;
            events.push(line.event);
        }
    }
    if let Some(into) = into {
        output::write(into, lines.as_bytes(), &Inputs::default())
            .with_context(|| format!("cannot write {}", into.display()))?;
    }
    Ok(report(&Compared::records(&truth.events, &events), &delays))
}

fn report(compared: &Compared, delays: &[f64]) -> String {
    let share = |[good, of]: [usize; 2]| Share { good, of };
    let wrong = Share { good: compared.wrongly_certain, of: compared.certain[0] };
    let [median, p95] = median_and_p95(delays).unwrap_or_default();
    let mut text = format!(
        "deals                        {} (cut or taken as one: {})\n\
         discards                     {}\n\
         claims with their giver      {}\n\
         kongs                        {}\n\
         riichi                       {}\n\
         winners with their giver     {}\n\
         events without a doubt       {}\n\
         wrong among these            {wrong}\n\
         deals with an unsaid gap     {}\n\
         from a discard to its line   median {median:.2} s, p95 {p95:.2} s\n",
        compared.deals,
        compared.miscounted,
        share(compared.discards),
        share(compared.claims),
        share(compared.kongs),
        share(compared.riichi),
        share(compared.wins),
        share(compared.certain),
        compared.silent,
    );
    for difference in &compared.differences {
        text += difference;
        text.push('\n');
    }
    text
}
