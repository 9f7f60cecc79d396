//! Settings of sources on the command line.

use anyhow::bail;
use clap::Args;

use crate::capture::{SourceSpec, Wishes, parse_rate, parse_size};

/// Settings of sources as options, which need no quotes in a shell.
#[derive(Args, Clone, Debug)]
pub(super) struct WishArgs {
    /// The size of a camera's pictures, or of a part of the screen, such as 1280x720. It is the same as
    /// 'camera:0?size=1280x720'
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = size)]
    size: Option<[u32; 2]>,
    /// The number of frames a second of a camera or the screen. It is the same as 'camera:0?fps=30'
    #[arg(long, value_name = "N", value_parser = rate)]
    fps: Option<u32>,
    /// Begin a video file again when it ends. It is the same as 'match.mp4?loop'
    #[arg(long = "loop")]
    again: bool,
}

/// The help text on sources with settings in their names.
pub(super) const QUOTES: &str = "In a shell, put quotes around a source with ? or &, such as 'camera:0?size=1280x720&fps=30': a bare & runs the command in the background, without what follows. --size, --fps and --loop need no quotes.";

fn size(text: &str) -> Result<[u32; 2], &'static str> {
    parse_size(text).ok_or("write it as 1280x720")
}

fn rate(text: &str) -> Result<u32, &'static str> {
    parse_rate(text).ok_or("write a whole number of frames a second, 1 to 240")
}

impl WishArgs {
    /// Applies the settings to each source whose kind has them.
    ///
    /// # Errors
    /// A source's name has another value, or no source has the setting.
    pub fn ask<'a>(
        &self,
        sources: impl IntoIterator<Item = &'a mut SourceSpec>,
    ) -> anyhow::Result<()> {
        let wishes = Wishes { size: self.size, fps: self.fps, again: self.again };
        let mut left = wishes;
        for source in sources {
            let unknown = source.ask(&wishes)?;
            left.size = left.size.and(unknown.size);
            left.fps = left.fps.and(unknown.fps);
            left.again &= unknown.again;
        }
        if left.size.is_some() {
            bail!("--size is for cameras and screens, and no source is one");
        }
        if left.fps.is_some() {
            bail!("--fps is for cameras and screens, and no source is one");
        }
        if left.again {
            bail!("--loop is for video files, and no source is one");
        }
        Ok(())
    }
}
