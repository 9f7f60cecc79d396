//! `tilelens ledger`: a venue's database made ready, ledgers copied between files and databases.

use std::{collections::BTreeSet, path::PathBuf};

use clap::{Args, Subcommand};

use super::{
    Outcome,
    table::{copied, print, print_json},
};
use crate::{
    ledger::{self, Code, Ledger, LedgerError, Opens, Role},
    words::{Say, say},
};

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

An address may stand wherever a ledger's file may. Leave the password out of it: PGPASSWORD and ~/.pgpass are
read, as PostgreSQL's own programs do.")]
enum LedgerCommand {
    /// Prepare a database: make its tables, and set what its roles may do
    Prepare(PrepareArgs),
    /// Copy a ledger, a file or a database, into a new one. Every event stays unchanged
    Copy(CopyArgs),
    /// Make new codes for the phones at the tables, for the desk and for screens. The old codes stop working
    Codes(CodesArgs),
}

#[derive(Args)]
struct PrepareArgs {
    /// The address of the database, with the role that owns it: postgres://user@host/name
    database: PathBuf,
    /// A role of the database that may read and add events, but never change or delete them
    #[arg(long, value_name = "ROLE")]
    writer: Vec<String>,
    /// A role of the database that may only read
    #[arg(long, value_name = "ROLE")]
    reader: Vec<String>,
}

#[derive(Args)]
struct CopyArgs {
    /// The ledger: a file, or the address of a database
    from: PathBuf,
    /// The copy: a new file, or an empty database
    to: PathBuf,
}

#[derive(Args)]
#[command(
    after_help = "Codes are kept as hashes, so that they are shown only once. `tilelens tournament sheets --codes` prints them on paper.
If a code was lost or seen by others, make a new one for that table alone: tilelens ledger codes hall.tlg --table 7"
)]
struct CodesArgs {
    /// The ledger that is given to `tilelens serve`
    ledger: PathBuf,
    /// Make a new code for this table alone. Repeat the option for several tables
    #[arg(long, value_name = "N")]
    table: Vec<u32>,
    /// Make a new code for the desk
    #[arg(long)]
    desk: bool,
    /// Make a new code for screens, which show and never decide
    #[arg(long)]
    screen: bool,
    /// The address of `tilelens serve --lan`, such as http://192.168.1.5:7777/. Whole addresses are printed
    /// then
    #[arg(long, value_name = "URL")]
    address: Option<String>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
}

/// The targets that have codes: the desk, screens, each table of the hall.
async fn all_that_opens(ledger: &Ledger) -> Result<Vec<Opens>, LedgerError> {
    let tables: BTreeSet<u32> = match ledger.tournament_ledger().await?.tournament() {
        Ok(tournament) => {
            let rounds = 1..=tournament.seated().map_or(0, |seated| seated.schedule.rounds().len());
            let most = rounds.filter_map(|round| Some(tournament.round(round).ok()?.len())).max();
            (1..=u32::try_from(most.unwrap_or(0)).unwrap_or(0)).collect()
        }
        Err(_) => ledger.tables().await?.into_iter().collect(),
    };
    Ok([Opens::Desk, Opens::Screen]
        .into_iter()
        .chain(tables.into_iter().map(Opens::Table))
        .collect())
}

/// New codes for all targets, as printed.
pub(super) async fn renewed(ledger: &Ledger) -> Result<Vec<(Opens, Code)>, LedgerError> {
    ledger.renew_codes(&all_that_opens(ledger).await?).await
}

/// The name of a code's target.
pub(super) fn called(opens: Opens) -> Say {
    match opens {
        Opens::Table(table) => say!("table {number}", number = table),
        Opens::Desk => say!("desk"),
        Opens::Screen => say!("screens"),
    }
}

/// The address that contains a code.
pub(super) fn address(root: &str, code: &Code) -> String {
    format!("{}/{}/", root.trim_end_matches('/'), code.plain())
}

/// Codes as lines, with whole addresses where the address of the server is known.
pub(super) fn listed(codes: &[(Opens, Code)], root: Option<&str>) -> String {
    codes
        .iter()
        .map(|(opens, code)| {
            let at = root.map_or_else(String::new, |root| format!("  {}", address(root, code)));
            format!("  {:9} {code}{at}\n", called(*opens).english())
        })
        .collect()
}

async fn codes(args: CodesArgs) -> anyhow::Result<Outcome> {
    let ledger = Ledger::open(&args.ledger).await?;
    let all = all_that_opens(&ledger).await?;
    let named = args.table.iter().map(|table| Opens::Table(*table));
    let named =
        named.chain(args.desk.then_some(Opens::Desk)).chain(args.screen.then_some(Opens::Screen));
    let mut of: Vec<Opens> = named.collect();
    if let Some(unknown) = of.iter().find(|opens| !all.contains(opens)) {
        anyhow::bail!("there is no {} in {}", called(*unknown).english(), ledger.path().display());
    }
    if of.is_empty() {
        of = all;
    }
    let made = ledger.renew_codes(&of).await?;
    ledger.close().await;
    if args.json {
        let lines: Vec<_> = made
            .iter()
            .map(|(opens, code)| {
                let address = args.address.as_deref().map(|root| address(root, code));
                serde_json::json!({ "opens": opens, "code": code.to_string(), "address": address })
            })
            .collect();
        print_json(&lines)?;
        return Ok(Outcome::Found);
    }
    print(&listed(&made, args.address.as_deref()))?;
    Ok(Outcome::Found)
}

pub(super) fn run(args: LedgerArgs) -> anyhow::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match args.command {
        LedgerCommand::Prepare(args) => runtime.block_on(prepare(args)),
        LedgerCommand::Codes(args) => runtime.block_on(codes(args)),
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
