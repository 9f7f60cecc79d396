//! Files of a package besides the program, made from the same definitions: completions for shells, pages for `man`.

use std::{io, path::PathBuf};

use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Arguments, Outcome};

#[derive(Args)]
#[command(
    after_help = "For bash: tilelens completions bash > ~/.local/share/bash-completion/completions/tilelens\nFor fish: tilelens completions fish > ~/.config/fish/completions/tilelens.fish\nFor zsh: a file _tilelens in a folder of $fpath\nThe Debian package brings them along."
)]
pub(super) struct CompletionsArgs {
    /// The shell that completes commands and options
    shell: Shell,
}

#[derive(Args)]
pub(super) struct ManArgs {
    /// The folder for the pages: tilelens.1, and one for each command. It is made if it is missing
    folder: PathBuf,
}

pub(super) fn completions(args: &CompletionsArgs) -> anyhow::Result<Outcome> {
    // They are made in memory first: clap panics where it cannot write, as when `head` has read enough.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "tilelens", &mut script);
    io::Write::write_all(&mut io::stdout().lock(), &script)?;
    Ok(Outcome::Found)
}

pub(super) fn man(args: &ManArgs) -> anyhow::Result<Outcome> {
    let failed = || format!("cannot write pages to {}", args.folder.display());
    std::fs::create_dir_all(&args.folder).with_context(failed)?;
    clap_mangen::generate_to(Arguments::command(), &args.folder).with_context(failed)?;
    Ok(Outcome::Found)
}
