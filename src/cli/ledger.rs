//! `tilelens ledger`: a venue's database made ready, ledgers copied between files and databases.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{
    Outcome,
    table::{copied, print},
};
use crate::ledger::{self, Role};

#[derive(Args)]
pub(super) struct LedgerArgs {
    #[command(subcommand)]
    command: LedgerCommand,
}

#[derive(Subcommand)]
#[command(after_help = "Several machines with one database, from the beginning (docs/venue.md):
  tilelens ledger prepare postgres://owner@hall.local/venue --writer tables --reader screens
  tilelens tournament new postgres://tables@hall.local/venue --name 'Open'
  tilelens ledger copy postgres://tables@hall.local/venue night.tlg

An address is given wherever a ledger's file may be. Passwords are best left out of it: PostgreSQL's own
PGPASSWORD and ~/.pgpass are read.")]
enum LedgerCommand {
    /// Make a database ready: its tables, and what its roles may do
    Prepare(PrepareArgs),
    /// Copy a ledger, a file or a database, into a new one; every event stays as it is
    Copy(CopyArgs),
}

#[derive(Args)]
struct PrepareArgs {
    /// The database, as a role that owns it: postgres://user@host/name
    database: PathBuf,
    /// A role of the database that may read and add events, never change or delete one
    #[arg(long, value_name = "ROLE")]
    writer: Vec<String>,
    /// A role of the database that may only read
    #[arg(long, value_name = "ROLE")]
    reader: Vec<String>,
}

#[derive(Args)]
struct CopyArgs {
    /// A ledger: a file, or a database's address
    from: PathBuf,
    /// Where to: a file or a database in which there is nothing yet
    to: PathBuf,
}

pub(super) fn run(args: LedgerArgs) -> anyhow::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match args.command {
        LedgerCommand::Prepare(args) => runtime.block_on(prepare(args)),
        LedgerCommand::Copy(args) => {
            let found = runtime.block_on(ledger::copy(&args.from, &args.to))?;
            copied(&found, &args.to)
        }
    }
}

async fn prepare(args: PrepareArgs) -> anyhow::Result<Outcome> {
    let roles = |role, names: Vec<String>| names.into_iter().map(move |name| (role, name));
    let roles: Vec<(Role, String)> =
        roles(Role::Writer, args.writer).chain(roles(Role::Reader, args.reader)).collect();
    let name = ledger::prepare(&args.database, &roles).await?;
    let mut text = format!("{} is ready for a ledger\n", name.display());
    for (role, who) in &roles {
        text += &match role {
            Role::Writer => format!("{who} may read it and add events\n"),
            Role::Reader => format!("{who} may read it\n"),
        };
    }
    print(&text)?;
    Ok(Outcome::Found)
}
