//! `tilelens tilesets`: the sets of tiles that were learnt.

use anyhow::Context as _;
use clap::{Args, Subcommand};

use super::Outcome;
use crate::tileset::{Folder, Profile, SHIPPED, SetName};

#[derive(Args)]
#[command(after_help = "A set is learnt with `tilelens calibrate tiles PHOTO --name NAME`.")]
pub(super) struct TilesetsArgs {
    #[command(subcommand)]
    what: Option<TilesetsCommand>,
}

#[derive(Subcommand)]
enum TilesetsCommand {
    /// List the sets, as without a subcommand
    List,
    /// Delete a set
    Remove {
        /// The name of the set
        name: SetName,
    },
    /// Take back the last correction that a set was taught
    Undo {
        /// The name of the set
        name: SetName,
    },
}

pub(super) fn run(args: &TilesetsArgs) -> anyhow::Result<Outcome> {
    let folder = Folder::of_user()?;
    match &args.what {
        None | Some(TilesetsCommand::List) => list(&folder),
        Some(TilesetsCommand::Remove { name }) => {
            folder.remove(name).with_context(|| format!("no set {name} of your own"))?;
            println!("{name} is deleted.");
            Ok(Outcome::Found)
        }
        Some(TilesetsCommand::Undo { name }) => {
            let mut profile = folder.load(name)?;
            let Some(tile) = profile.forget() else {
                println!("{name} was taught no correction.");
                return Ok(Outcome::Nothing);
            };
            folder.save(&profile)?;
            println!("{name} has forgotten the last correction, a {tile}.");
            Ok(Outcome::Found)
        }
    }
}

fn list(folder: &Folder) -> anyhow::Result<Outcome> {
    let names = folder.names()?;
    for name in &names {
        match folder.load(name) {
            Ok(profile) => println!("{name}: {}", about(&profile)),
            Err(error) => println!("{name}: {error}"),
        }
    }
    for (name, text) in SHIPPED {
        if !names.iter().any(|own| own.as_str() == *name) {
            println!(
                "{name}: {}, comes with the program, used when named",
                about(&Profile::parse(text)?)
            );
        }
    }
    Ok(Outcome::Found)
}

/// A set's details in one line.
pub(super) fn about(profile: &Profile) -> String {
    let about = &profile.about;
    let mut parts = vec![format!("{} tiles in a set with these faces", profile.tiles())];
    let red: Vec<String> = profile.red_fives().iter().map(ToString::to_string).collect();
    if !red.is_empty() {
        parts.push(format!("red fives {}", red.join(" ")));
    }
    parts.extend(about.white.map(|white| format!("white dragon {white}")));
    let colour = |name: &str, [r, g, b]: [u8; 3]| format!("{name} #{r:02x}{g:02x}{b:02x}");
    parts.extend(about.back.map(|back| colour("backs", back)));
    parts.extend(about.body.map(|body| colour("bodies", body)));
    let taught = profile.exemplars().iter().filter(|shown| shown.taught).count();
    if taught > 0 {
        parts.push(format!("{taught} corrections"));
    }
    parts.join(", ")
}
