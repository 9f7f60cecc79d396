//! Sources on the command line: the source of frames, and the kind of view.

use std::{path::PathBuf, str::FromStr};

use anyhow::{Context as _, bail};

use crate::{calibration::table::TableProfile, capture::SourceSpec, server::Shows, tile::Seat};

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

/// Two sources that show the same would contradict each other.
pub(super) fn no_seat_twice(shown: &[Shows]) -> anyhow::Result<()> {
    let (mut lying, mut standing) = (Vec::new(), Vec::new());
    for shows in shown {
        let (before, now, cure) = match shows {
            Shows::Hand => continue,
            Shows::Standing(seat) => (&mut standing, vec![*seat], "name another seat"),
            Shows::Table(profile) => {
                let seats = profile.seats.keys().copied().collect();
                (&mut lying, seats, "leave its [seats] out of one of the table files")
            }
        };
        if let Some(seat) = now.iter().find(|seat| before.contains(*seat)) {
            bail!("two sources show {}: {cure}", seat.name());
        }
        before.extend(now);
    }
    Ok(())
}

/// What a source shows; the file of a table that is not there yet is made on the control page.
pub(super) fn shows(to_show: &SourceShows) -> anyhow::Result<Shows> {
    Ok(match to_show {
        SourceShows::Hand => Shows::Hand,
        SourceShows::Standing(seat) => Shows::Standing(*seat),
        SourceShows::Table(file) if !file.exists() => {
            let file = file.display();
            eprintln!("{file} is not there yet: mark the table's corners on the control page");
            Shows::Hand
        }
        SourceShows::Table(file) => {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            let profile = TableProfile::parse(&text).with_context(|| file.display().to_string())?;
            Shows::Table(profile)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
