//! Sources on the command line: the source of frames, and the kind of view.

use std::{path::PathBuf, str::FromStr};

use crate::{
    capture::{SourceSpec, SourceState},
    tile::Seat,
};

/// Reports the state of a source in the terminal, once for each change.
#[derive(Default)]
pub(super) struct SourceReporter {
    state: Option<SourceState>,
    trouble: Option<String>,
}

impl SourceReporter {
    /// Lines to print about a source as it is now.
    pub fn lines(
        &mut self,
        name: &str,
        state: SourceState,
        trouble: Option<String>,
    ) -> Vec<String> {
        let mut lines = Vec::new();
        let was_lost = matches!(self.state, Some(SourceState::Lost { .. }));
        match (&state, &self.state) {
            (SourceState::Lost { why, .. }, Some(SourceState::Lost { why: before, .. }))
                if why == before => {}
            (SourceState::Lost { why, .. }, _) if why.starts_with(name) => lines.push(why.clone()),
            (SourceState::Lost { why, .. }, _) => lines.push(format!("{name}: {why}")),
            (SourceState::Running { .. }, _) if was_lost => lines.push(format!("{name} is back")),
            (SourceState::Ended, before) if *before != Some(SourceState::Ended) => {
                lines.push(format!("{name} has been shown to its end"));
            }
            _ => {}
        }
        if trouble != self.trouble
            && let Some(trouble) = &trouble
        {
            lines.push(format!("{name}: {trouble}"));
        }
        (self.state, self.trouble) = (Some(state), trouble);
        lines
    }
}

/// `SOURCE`, `table.toml=SOURCE` or `south=SOURCE`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SourceArg {
    pub source: SourceSpec,
    pub shows: SourceShows,
}

/// The view of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SourceShows {
    /// One hand.
    Hand,
    /// A table, described by that file.
    Table(PathBuf),
    /// The upright hand of that seat.
    Standing(Seat),
}

impl FromStr for SourceArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let split = text.split_once('=').and_then(|(what, source)| Some((to_show(what)?, source)));
        let (shows, source) = split.unwrap_or((SourceShows::Hand, text));
        let source =
            source.parse().map_err(|error: crate::capture::SpecError| error.to_string())?;
        Ok(Self { source, shows })
    }
}

/// The view named before the `=`; any other text is a part of the source's own name.
fn to_show(what: &str) -> Option<SourceShows> {
    let same =
        |seat: &Seat| seat.name().eq_ignore_ascii_case(what) || what == seat.letter().to_string();
    let seat = Seat::ALL.into_iter().find(same).map(SourceShows::Standing);
    seat.or_else(|| what.ends_with(".toml").then(|| SourceShows::Table(what.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_of_a_source_is_reported_once() {
        let mut report = SourceReporter::default();
        let running = |fps| SourceState::Running { width: 640, height: 480, fps };
        let lost = |why: &str, seconds| SourceState::Lost {
            why: why.to_owned(),
            retry_in: std::time::Duration::from_secs(seconds),
        };
        let mut lines = |state: SourceState, trouble: Option<&str>| {
            report.lines("camera:0", state, trouble.map(str::to_owned)).join("\n")
        };
        assert_eq!(lines(SourceState::Starting, None), "");
        assert_eq!(lines(lost("there is no camera 0", 1), None), "camera:0: there is no camera 0");
        assert_eq!(lines(lost("there is no camera 0", 2), None), "");
        assert_eq!(lines(lost("camera 0 is in use", 2), None), "camera:0: camera 0 is in use");
        assert_eq!(lines(running(0.0), None), "camera:0 is back");
        assert_eq!(lines(running(9.0), Some("a damaged picture")), "camera:0: a damaged picture");
        assert_eq!(lines(running(8.0), Some("a damaged picture")), "");
        assert_eq!(lines(running(8.0), None), "");
        assert_eq!(lines(lost("camera:0: gone", 2), None), "camera:0: gone");
        assert_eq!(lines(SourceState::Ended, None), "camera:0 has been shown to its end");
        assert_eq!(lines(SourceState::Ended, None), "");
    }

    #[test]
    fn a_source_may_say_what_it_shows() {
        let shows =
            |text: &str| text.parse::<SourceArg>().map(|fed| (fed.shows, fed.source.to_string()));
        let camera = || "camera:0".to_owned();
        assert_eq!(shows("camera:0"), Ok((SourceShows::Hand, camera())));
        assert_eq!(
            shows("hall/table.toml=camera:0"),
            Ok((SourceShows::Table("hall/table.toml".into()), camera()))
        );
        assert_eq!(shows("south=camera:0"), Ok((SourceShows::Standing(Seat::South), camera())));
        assert_eq!(shows("N=camera:0"), Ok((SourceShows::Standing(Seat::North), camera())));
        let own = "camera:0?size=1280x720&fps=30";
        assert_eq!(shows(own), Ok((SourceShows::Hand, own.to_owned())));
        assert_eq!(
            shows(&format!("W={own}")),
            Ok((SourceShows::Standing(Seat::West), own.to_owned()))
        );
        assert!(shows("south=camera:front").is_err());
    }
}
