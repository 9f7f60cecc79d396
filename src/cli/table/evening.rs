//! A session that stays open: a prompt that shows the table and reads short entries.

use std::{
    io::{self, BufRead, IsTerminal, Write as _},
    sync::Arc,
};

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, CommandFactory as _, Parser};

use super::{
    At, OpenTable, Outcome, TableCommand, dispatch, print, print_table,
    short::{HELP, Known, Short, read},
};
use crate::{cli::said, words::in_each_language};

#[derive(Args)]
#[command(after_help = "At the prompt:\n".to_owned() + HELP + "
Entries may come from a file, a line each: tilelens table evening evening.tlg < sheet.txt
The first line that cannot be entered ends it, with its number.")]
pub(super) struct EveningArgs {
    #[command(flatten)]
    at: At,
    /// The name of the person who makes the entry
    #[arg(long)]
    author: Option<String>,
}

/// A command typed at the prompt.
#[derive(Parser)]
#[command(no_binary_name = true, name = "")]
struct PromptLine {
    #[command(subcommand)]
    command: TableCommand,
}

pub(super) async fn evening(args: EveningArgs) -> anyhow::Result<Outcome> {
    let OpenTable { ledger, number, .. } = OpenTable::open(&args.at).await?;
    let at = At { table: Some(number), open: Some(Arc::clone(&ledger)), ..args.at };
    let talks = io::stdin().is_terminal();
    if talks {
        print_table(&ledger.table(number).await?, false)?;
    }
    for number in 1_u64.. {
        if talks {
            print("> ")?;
            io::stdout().flush()?;
        }
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            break;
        }
        match enter(&at, args.author.as_deref(), &line).await {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) if talks => eprintln!("{}", said(&error)),
            Err(error) => bail!("line {number}, `{}`: {}", line.trim(), said(&error)),
        }
    }
    ledger.close().await;
    Ok(Outcome::Found)
}

/// Enters a line; returns whether the evening goes on.
async fn enter(at: &At, author: Option<&str>, line: &str) -> anyhow::Result<bool> {
    let open_table = OpenTable::open(at).await?;
    let rules = open_table.rules().await?;
    let known = Known {
        names: open_table.state.players.iter().map(|player| &*player.name).collect(),
        causes: rules.session().draw.abortive.keys().map(String::as_str).collect(),
        limits: rules.limit_names().flat_map(in_each_language).collect(),
        scores_all: rules.scores_losers(),
        plays_on: rules.plays_on(),
        commands: PromptLine::command()
            .get_subcommands()
            .map(|it| it.get_name().to_owned())
            .collect(),
    };
    let words = match read(line, &known).map_err(|error| anyhow!(error))? {
        Short::Nothing => return Ok(true),
        Short::Quit => return Ok(false),
        Short::Help => {
            print(HELP)?;
            return Ok(true);
        }
        Short::Command(words) => words,
    };
    let (command, rest) = words.split_first().context("nothing was typed")?;
    let file = at.file.to_str().context("the ledger's name is no text")?;
    let table = at.table.map(|table| format!("--table={table}"));
    let looks = ["show", "log", "verify", "backup", "export"].contains(&command.as_str());
    let author = author.filter(|_| !looks).map(|author| format!("--author={author}"));
    let words = [command.as_str(), file].into_iter().chain(table.as_deref());
    let words = words.chain(author.as_deref()).chain(rest.iter().map(String::as_str));
    let mut command = PromptLine::try_parse_from(words).map_err(brief)?.command;
    if matches!(command, TableCommand::Evening(_)) {
        bail!("the evening is open already");
    }
    // A command that names another file is about that one.
    if let Some(of) = command.at_mut().filter(|of| of.file == at.file) {
        of.open.clone_from(&at.open);
    }
    Box::pin(dispatch(command)).await?;
    Ok(true)
}

/// The error without the pages of help.
fn brief(error: clap::Error) -> anyhow::Error {
    let text = error.to_string();
    let lines = text.lines().take_while(|line| !line.trim().is_empty());
    let said: Vec<&str> = lines.map(|line| line.trim().trim_start_matches("error: ")).collect();
    anyhow!("{}; type help for what can be entered", said.join(" "))
}
