//! Sources on the command line: where frames come from, and what each shows.

use std::{path::PathBuf, str::FromStr};

use crate::{capture::SourceSpec, tile::Seat};

/// `SOURCE`, `table.toml=SOURCE` or `south=SOURCE`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FedBy {
    pub source: SourceSpec,
    pub shows: ToShow,
}

/// What a source is said to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ToShow {
    /// One hand.
    Hand,
    /// A table, described by that file.
    Table(PathBuf),
    /// The standing hand of that seat.
    Standing(Seat),
}

impl FromStr for FedBy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let told = text.split_once('=').and_then(|(what, source)| Some((to_show(what)?, source)));
        let (shows, source) = told.unwrap_or((ToShow::Hand, text));
        let source =
            source.parse().map_err(|error: crate::capture::SpecError| error.to_string())?;
        Ok(Self { source, shows })
    }
}

/// What stands before the `=`; anything else is a part of the source's own name.
fn to_show(what: &str) -> Option<ToShow> {
    let same =
        |seat: &Seat| seat.name().eq_ignore_ascii_case(what) || what == seat.letter().to_string();
    let seat = Seat::ALL.into_iter().find(same).map(ToShow::Standing);
    seat.or_else(|| what.ends_with(".toml").then(|| ToShow::Table(what.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_may_say_what_it_shows() {
        let shows =
            |text: &str| text.parse::<FedBy>().map(|fed| (fed.shows, fed.source.to_string()));
        let camera = || "camera:0".to_owned();
        assert_eq!(shows("camera:0"), Ok((ToShow::Hand, camera())));
        assert_eq!(
            shows("hall/table.toml=camera:0"),
            Ok((ToShow::Table("hall/table.toml".into()), camera()))
        );
        assert_eq!(shows("south=camera:0"), Ok((ToShow::Standing(Seat::South), camera())));
        assert_eq!(shows("N=camera:0"), Ok((ToShow::Standing(Seat::North), camera())));
        let own = "camera:0?size=1280x720&fps=30";
        assert_eq!(shows(own), Ok((ToShow::Hand, own.to_owned())));
        assert_eq!(shows(&format!("W={own}")), Ok((ToShow::Standing(Seat::West), own.to_owned())));
        assert!(shows("south=camera:front").is_err());
    }
}
