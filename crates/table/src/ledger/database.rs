//! The database: PostgreSQL, where several machines keep one venue.
//!
//! Tables and rules are kept in the schema `tilelens`. Writers may add events and read them; the database itself refuses to
//! change or delete any, notes the last of each log, and says of each that it was written (`NOTIFY tilelens`).

use std::{
    future::Future,
    io,
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
    str::FromStr as _,
    time::Duration,
};

use sqlx::{
    Connection as _, PgConnection,
    postgres::{PgConnectOptions, PgDatabaseError, PgListener, PgPoolOptions},
};

use super::{
    LedgerError,
    mirror::MirrorFile,
    rows::Row,
    store::{Access, For},
};
use crate::words::{Say, say};

/// The migrations from an empty database to the current format. A published one never changes.
const STEPS: &[&str] =
    &[include_str!("schema/database/1.sql"), include_str!("schema/database/2.sql")];
/// The format from which on a database holds records of tables.
const WITH_RECORDS: i64 = 2;
/// The longest wait for an answer of the database.
const PATIENCE: Duration = Duration::from_secs(5);
/// The settings of every session, each as the database prints it. A writer waits for another for less than [`PATIENCE`], so
/// that the database itself reports the reason; a machine that stops answering in the middle of a transaction loses its
/// session, which would otherwise keep everybody else from writing.
const SETTINGS: [(&str, &str); 3] = [
    ("search_path", "tilelens"),
    ("lock_timeout", "4s"),
    ("idle_in_transaction_session_timeout", "5s"),
];
/// The settings by which the database notices a machine that the network does not reach any more. Sessions on a socket of
/// the database's own machine have none of them.
const NETWORK_SETTINGS: [(&str, &str); 4] = [
    ("tcp_user_timeout", "10s"),
    ("tcp_keepalives_idle", "10s"),
    ("tcp_keepalives_interval", "5s"),
    ("tcp_keepalives_count", "3"),
];
/// The advisory lock that every writer holds, whichever table it writes to: an entry may concern all of them.
const WRITERS: i64 = 0x544C_4547;
/// The channel on which changes are announced.
const CHANNEL: &str = "tilelens";

/// Where a database is reached.
#[derive(Clone, Debug)]
pub(super) struct DatabaseAddress {
    options: PgConnectOptions,
    /// The address without the password, for messages.
    pub name: PathBuf,
}

/// The address of a database; `None`: the place is a file.
pub(super) fn address(place: &Path) -> Option<Result<DatabaseAddress, LedgerError>> {
    let text = place.to_str()?;
    let (scheme, rest) = text.split_once("://")?;
    if !matches!(scheme, "postgres" | "postgresql") {
        return None;
    }
    let (place, query) =
        rest.split_once('?').map_or((rest, None), |(place, query)| (place, Some(query)));
    let shown = match place.split_once('@') {
        Some((who, at)) => format!("{}@{at}", who.split(':').next().unwrap_or_default()),
        None => place.to_owned(),
    };
    let host =
        query.into_iter().flat_map(|query| query.split('&')).find(|part| part.starts_with("host="));
    let host = host.map_or_else(String::new, |host| format!("?{host}"));
    let name = PathBuf::from(format!("{scheme}://{shown}{host}"));
    Some(match PgConnectOptions::from_str(text) {
        Ok(options) => {
            let options = options
                .application_name("tilelens")
                .options(SETTINGS.into_iter().chain(NETWORK_SETTINGS));
            Ok(DatabaseAddress { options, name })
        }
        Err(error) => Err(LedgerError::Open { path: name, cause: error.to_string() }),
    })
}

/// The settings of a session are not in force: something between this program and the database dropped them.
#[derive(Debug, thiserror::Error)]
#[error("the settings of the session were dropped")]
struct SettingsDropped;

impl DatabaseAddress {
    /// Connects, and asks whether the settings of the session are in force.
    async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        const ARE_IN_FORCE: &str = "SELECT bool_and(current_setting(name) = value) \
                                    FROM unnest($1::text[], $2::text[]) AS setting(name, value)";
        let mut connection = PgConnection::connect_with(&self.options).await?;
        let (names, values): (Vec<_>, Vec<_>) = SETTINGS.into_iter().unzip();
        let asked = sqlx::query_scalar(ARE_IN_FORCE).bind(names).bind(values);
        if !asked.fetch_one(&mut connection).await? {
            return Err(sqlx::Error::Configuration(SettingsDropped.into()));
        }
        Ok(connection)
    }
}

/// Fails an operation that exceeds the time limit: a cut network reports no error by itself.
pub(super) async fn in_time<T>(
    work: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(done) => done,
        Err(_) => {
            let why = format!("no answer for {} seconds", PATIENCE.as_secs());
            Err(sqlx::Error::Io(io::Error::new(io::ErrorKind::TimedOut, why)))
        }
    }
}

/// A database that was reached.
#[derive(Debug)]
pub(super) struct Database {
    pub address: DatabaseAddress,
    /// The connection; `None` while the database cannot be reached.
    connection: Option<PgConnection>,
}

impl Database {
    /// Reaches a database. To create a ledger makes its tables where there are none.
    pub async fn open(address: DatabaseAddress, access: Access) -> Result<Self, LedgerError> {
        let mut connection = connect(&address).await?;
        ready(&address, &mut connection, access).await?;
        Ok(Self { address, connection: Some(connection) })
    }

    /// A database that has not been reached yet.
    pub const fn unreached(address: DatabaseAddress) -> Self {
        Self { address, connection: None }
    }

    /// Goes on over that connection.
    pub fn reached(&mut self, connection: PgConnection) {
        self.connection = Some(connection);
    }

    /// Begins a transaction, over a new connection where the one before has been lost.
    pub async fn begin(&mut self, what_for: For) -> Result<Transaction<'_>, sqlx::Error> {
        let mut alive = self.connection.take();
        if let Some(connection) = &mut alive
            && in_time(connection.ping()).await.is_err()
        {
            alive = None;
        }
        let mut connection = match alive {
            Some(connection) => connection,
            None => in_time(self.address.connect()).await?,
        };
        let begin = match what_for {
            For::Reading => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            For::Writing => "BEGIN",
        };
        in_time(sqlx::raw_sql(begin).execute(&mut connection)).await?;
        if what_for == For::Writing {
            let lock = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(WRITERS);
            in_time(lock.execute(&mut connection)).await?;
        }
        Ok(Transaction { connection, home: &mut self.connection, beside: None })
    }

    /// Closes the connection.
    pub async fn close(self) {
        if let Some(connection) = self.connection {
            let _ = in_time(connection.close()).await;
        }
    }
}

/// Reaches a database.
pub(super) async fn connect(address: &DatabaseAddress) -> Result<PgConnection, LedgerError> {
    let connected = in_time(address.connect()).await;
    connected.map_err(|error| LedgerError::of(&address.name, error))
}

/// Looks whether it is a ledger that this program knows; to create one makes its tables where there are none.
pub(super) async fn ready(
    address: &DatabaseAddress,
    connection: &mut PgConnection,
    access: Access,
) -> Result<(), LedgerError> {
    let name = address.name.clone();
    let failed = |error| LedgerError::of(&name, error);
    let found = format_of(connection).await.map_err(failed)?;
    if found > STEPS.len() as i64 {
        return Err(LedgerError::Newer { path: name, found });
    }
    if access == Access::Create && found < STEPS.len() as i64 {
        migrate(connection).await.map_err(failed)?;
    } else if found == 0 {
        return Err(LedgerError::Absent(name));
    }
    if access == Access::Write && !may_write(connection).await.map_err(failed)? {
        let cause = "this role may only read".to_owned();
        return Err(LedgerError::NotAllowed { path: name, cause });
    }
    Ok(())
}

/// A transaction. One that is not committed takes its connection along: at its end the database rolls back and lets the
/// next writer in, at once, where a roll-back that waits for the connection's next use would keep all others waiting.
pub(super) struct Transaction<'a> {
    connection: PgConnection,
    home: &'a mut Option<PgConnection>,
    /// The file that receives the written events after the commit.
    beside: Option<MirrorFile<'a>>,
}

impl<'a> Transaction<'a> {
    /// Writes the events of this transaction into that file too.
    pub fn beside(self, beside: MirrorFile<'a>) -> Self {
        Self { beside: Some(beside), ..self }
    }

    /// Remembers a written row for the file beside the database.
    pub fn has_written(&mut self, log: u32, row: &Row<'_>) {
        if let Some(beside) = &mut self.beside {
            beside.written.push((log, row.to_owned()));
        }
    }

    pub async fn commit(mut self) -> Result<(), sqlx::Error> {
        in_time(sqlx::raw_sql("COMMIT").execute(&mut self.connection)).await?;
        *self.home = Some(self.connection);
        if let Some(beside) = self.beside {
            beside.take_over().await;
        }
        Ok(())
    }
}

impl Deref for Transaction<'_> {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for Transaction<'_> {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}

/// Listens for each event that is written, whoever writes it.
pub(super) async fn listener(address: &DatabaseAddress) -> Result<PgListener, sqlx::Error> {
    let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(PATIENCE);
    let pool = pool.connect_lazy_with(address.options.clone());
    let mut listener = in_time(PgListener::connect_with(&pool)).await?;
    in_time(listener.listen(CHANNEL)).await?;
    Ok(listener)
}

/// The format number of the schema; 0 where it does not exist.
async fn format_of(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    let there = "SELECT to_regclass('tilelens.format') IS NOT NULL";
    let is_there: bool = in_time(sqlx::query_scalar(there).fetch_one(&mut *connection)).await?;
    if !is_there {
        return Ok(0);
    }
    in_time(sqlx::query_scalar("SELECT max(number) FROM tilelens.format").fetch_one(connection))
        .await
}

/// Refuses to write a record into a database that was prepared for programs that would take it for a table.
pub(super) async fn takes_records(
    name: &Path,
    connection: &mut PgConnection,
) -> Result<(), LedgerError> {
    let found = format_of(connection).await.map_err(|error| LedgerError::of(name, error))?;
    if found >= WITH_RECORDS {
        return Ok(());
    }
    let cause = "it was prepared by an older Tilelens, which knows no records of tables".to_owned();
    Err(LedgerError::NotAllowed { path: name.to_owned(), cause })
}

/// Whether the connected role may add events.
async fn may_write(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let may = "SELECT has_table_privilege('tilelens.events', 'INSERT')";
    in_time(sqlx::query_scalar(may).fetch_one(connection)).await
}

/// Takes the steps that the database has not taken yet, all or none.
async fn migrate(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let mut begun = in_time(connection.begin()).await?;
    let lock = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(WRITERS);
    in_time(lock.execute(&mut *begun)).await?;
    // Another program may have migrated it first.
    let taken = format_of(&mut begun).await?;
    for step in STEPS.iter().skip(usize::try_from(taken).unwrap_or(0)) {
        in_time(sqlx::raw_sql(*step).execute(&mut *begun)).await?;
    }
    in_time(begun.commit()).await
}

/// The rights of a database role on the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A role that reads and adds events, but never changes or deletes one.
    Writer,
    /// A role that only reads.
    Reader,
}

/// Makes a database ready for a venue (its tables and the grants of its roles), and returns its display name.
///
/// # Errors
/// Where it cannot be reached, or whoever asks may not do that.
pub async fn prepare(place: &Path, roles: &[(Role, String)]) -> Result<PathBuf, LedgerError> {
    let address = address(place).unwrap_or_else(|| {
        let cause =
            "it is no database: give an address such as postgres://user@host/venue".to_owned();
        Err(LedgerError::Open { path: place.to_owned(), cause })
    })?;
    let mut database = Database::open(address, Access::Create).await?;
    let name = database.address.name.clone();
    let failed = |error| LedgerError::of(&name, error);
    let mut begun = database.begin(For::Writing).await.map_err(failed)?;
    for (role, who) in roles {
        let quoted: String = sqlx::query_scalar("SELECT quote_ident($1)")
            .bind(who)
            .fetch_one(&mut *begun)
            .await
            .map_err(failed)?;
        let grants = match role {
            Role::Writer => include_str!("schema/database/writer.sql"),
            Role::Reader => include_str!("schema/database/reader.sql"),
        };
        let grants = sqlx::AssertSqlSafe(grants.replace("ROLE", &quoted));
        in_time(sqlx::raw_sql(grants).execute(&mut *begun)).await.map_err(failed)?;
    }
    begun.commit().await.map_err(failed)?;
    database.close().await;
    Ok(name)
}

/// Why a database cannot be reached, for people: neither it nor the system words its errors for an organiser.
fn why_unreachable(error: &sqlx::Error) -> Say {
    let sqlx::Error::Io(lost) = error else {
        return match error {
            sqlx::Error::Tls(_) => say!("no encrypted connection can be made to it"),
            sqlx::Error::Protocol(_) => say!("what answers there is not PostgreSQL"),
            sqlx::Error::Database(said) => match said.code().as_deref() {
                Some("57P01" | "57P02" | "57P03") => say!("it is being stopped or started"),
                Some("53300") => say!("it has too many connections already"),
                _ => say!("the connection was lost"),
            },
            _ => say!("it does not answer"),
        };
    };
    match lost.kind() {
        io::ErrorKind::TimedOut => say!("it does not answer"),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound => {
            say!("no database runs there")
        }
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::NotConnected => say!("the connection was lost"),
        _ => say!("there is no way to that machine"),
    }
}

/// The meaning of a database error for the person who has to act; `None`: no more than the error's own text.
/// Codes: <https://www.postgresql.org/docs/15/errcodes-appendix.html>.
pub(super) fn meaning(name: &Path, error: &sqlx::Error) -> Option<LedgerError> {
    let (path, cause) = (name.to_owned(), error.to_string());
    let sqlx::Error::Database(said) = error else {
        if let sqlx::Error::Configuration(why) = error
            && why.is::<SettingsDropped>()
        {
            return Some(LedgerError::Pooled { path, cause: why.to_string() });
        }
        let lost = matches!(
            error,
            sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::PoolClosed
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::Protocol(_)
        );
        let cause = why_unreachable(error).english();
        return lost.then_some(LedgerError::Unreachable { path, cause });
    };
    let code = said.try_downcast_ref::<PgDatabaseError>()?.code();
    Some(match code {
        // A statement that was prepared in another program's session, or in none that is left.
        "42P05" | "26000" => LedgerError::Pooled { path, cause },
        "08P01" if cause.contains("startup parameter") => LedgerError::Pooled { path, cause },
        "53100" | "53200" => LedgerError::Full { path, cause },
        "40001" | "40P01" | "55P03" => LedgerError::Busy(path),
        "42501" | "25006" => LedgerError::NotAllowed { path, cause },
        "42P01" | "3F000" => LedgerError::Absent(path),
        "XX001" | "XX002" => LedgerError::Damaged { path, cause },
        // The session was ended while this machine did not go on with its transaction.
        "25P03" => LedgerError::Unreachable { path, cause },
        _ if ["57P", "08", "53"].iter().any(|class| code.starts_with(class)) => {
            LedgerError::Unreachable { path, cause: why_unreachable(error).english() }
        }
        _ => LedgerError::Other { path, cause },
    })
}
