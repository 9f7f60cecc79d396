//! Databases that stand still, and what stands between them and this program.

#![cfg(all(feature = "ledger", target_os = "linux"))]

use std::{
    io::{Read as _, Write as _},
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use sqlx::{Connection as _, PgConnection};
use tilelens::ledger::{Ledger, LedgerError};

use crate::support::{
    kept::{DRAW, append, evening},
    postgres::Server,
};

/// Far longer than anything here takes: only a fault reaches it.
const LONG: Duration = Duration::from_secs(60);

/// A program that is ended with the test, stopped or not.
struct Running(Child);

impl Running {
    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.0.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn tilelens(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilelens"));
    command.args(arguments);
    command
}

fn said(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

/// A user saw: "one laptop lost its network in the middle of an entry, and for more than a minute nobody in the hall could
/// enter anything."
#[tokio::test]
async fn a_machine_that_stops_in_the_middle_of_an_entry_keeps_nobody_from_writing() {
    let Some(server) = Server::of_this_program() else { return };
    let (address, _) = server.database();
    evening(&address, 0).await.close().await;
    let text = address.to_str().unwrap();
    let mut holding = PgConnection::connect(text).await.unwrap();
    let hold = "BEGIN; LOCK TABLE tilelens.events IN EXCLUSIVE MODE";
    sqlx::raw_sql(hold).execute(&mut holding).await.unwrap();
    let mut stalled = Running(
        tilelens(&["table", "draw", text, "--meant"]).stderr(Stdio::piped()).spawn().unwrap(),
    );
    // It has the lock of the writers, and waits in the middle of its entry.
    let began = Instant::now();
    let waits = "SELECT count(*) FROM pg_locks \
                 WHERE NOT granted AND relation = 'tilelens.events'::regclass";
    while sqlx::query_scalar::<_, i64>(waits).fetch_one(&mut holding).await.unwrap() == 0 {
        assert!(began.elapsed() < LONG, "it never writes");
    }
    stalled.signal("STOP");
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
    let other = Ledger::open(&address).await.unwrap();
    let began = Instant::now();
    while let Err(error) = append(&other, 1, DRAW).await {
        assert!(matches!(error, LedgerError::Busy(_)), "{error}");
        assert!(began.elapsed() < Duration::from_secs(15), "it stands still");
    }
    stalled.signal("CONT");
    assert!(!stalled.0.wait().unwrap().success());
    let mut message = String::new();
    stalled.0.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert!(message.contains("cannot be reached"), "{message}");
    assert_eq!(other.state(1).await.unwrap().history.len(), 1, "the other machine's alone");
}

/// pgbouncer before a server, with these settings; `None` where it is not installed, which is said.
fn pooler(server: &Server, folder: &Path, settings: &str) -> Option<Running> {
    let file = folder.join("pgbouncer.ini");
    let text = format!(
        "[databases]\n* = host={} user=venue\n[pgbouncer]\nlisten_addr =\nlisten_port = 6432\n\
         unix_socket_dir = {}\nauth_type = any\nlogfile = {}\n{settings}\n",
        server.folder().display(),
        folder.display(),
        folder.join("log").display(),
    );
    std::fs::write(&file, text).unwrap();
    let program = Path::new("/usr/sbin/pgbouncer");
    if !program.exists() {
        // CI looks for this word.
        let why =
            "skipped: there is no pgbouncer (scripts/install-packages.sh --for-tests installs it)";
        let _ = writeln!(std::io::stderr(), "{why}");
        return None;
    }
    let mut command = server.unprivileged(program);
    let running = Running(command.arg("-q").arg(&file).stderr(Stdio::null()).spawn().unwrap());
    let began = Instant::now();
    while !folder.join(".s.PGSQL.6432").exists() {
        assert!(began.elapsed() < LONG, "it never listens");
        std::thread::sleep(Duration::from_millis(20));
    }
    Some(running)
}

/// A user saw: "behind pgbouncer `ledger prepare` says that all is ready, and `ledger copy` that there is no ledger."
#[tokio::test]
async fn a_pooler_is_named_wherever_it_drops_what_a_session_needs() {
    let Some(server) = Server::of_this_program() else { return };
    let (direct, name) = server.database();
    let dropping = "ignore_startup_parameters = extra_float_digits,options";
    for settings in
        [String::new(), dropping.to_owned(), format!("{dropping}\npool_mode = transaction")]
    {
        let folder = server.folder_of_its_own();
        let Some(_pooler) = pooler(server, folder.path(), &settings) else { return };
        let address =
            format!("postgres://venue@localhost:6432/{name}?host={}", folder.path().display());
        for arguments in [
            vec!["ledger", "prepare", &address],
            vec!["table", "new", &address, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"],
        ] {
            let out = tilelens(&arguments).output().unwrap();
            assert!(!out.status.success(), "{settings}: {arguments:?}");
            for word in ["pgbouncer", "PostgreSQL itself"] {
                assert!(said(&out).contains(word), "{settings}: {}", said(&out));
            }
        }
        // Nothing was made behind its back.
        assert!(matches!(Ledger::open(&direct).await, Err(LedgerError::Absent(_))), "{settings}");
    }
    assert!(tilelens(&["ledger", "prepare", direct.to_str().unwrap()]).status().unwrap().success());
}
