//! `tilelens cameras`: the cameras of this machine and what they offer.

use std::io::{self, Write};

use anyhow::anyhow;
use clap::Args;

use super::Outcome;
use crate::capture::camera::{Device, devices};

#[derive(Args)]
#[command(
    after_help = "A camera is called camera:0; camera:0?size=1280x720&fps=30 asks it for this size and rate\n\nExit codes: 0 there are cameras, 1 there are none, 2 an error"
)]
pub(super) struct CamerasArgs {
    /// Print JSON, one object for each camera
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CamerasArgs) -> anyhow::Result<Outcome> {
    let devices = devices().map_err(|why| anyhow!(why))?;
    let mut out = io::stdout().lock();
    for device in &devices {
        if args.json {
            writeln!(out, "{}", serde_json::to_string(device)?)?;
        } else {
            out.write_all(page(device).as_bytes())?;
        }
    }
    if devices.is_empty() {
        eprintln!(
            "no camera is connected; files, streams, screens and folders are read without one"
        );
        return Ok(Outcome::Nothing);
    }
    Ok(Outcome::Found)
}

fn page(device: &Device) -> String {
    let mut page = format!("camera:{}  {}\n", device.index, device.name);
    for mode in &device.modes {
        page.push_str(&format!("    {mode}\n"));
    }
    if let Some(trouble) = &device.trouble {
        page.push_str(&format!("    {trouble}\n"));
    }
    page
}
