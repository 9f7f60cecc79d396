//! A database server of a test program's own: on a socket in a folder of its own, gone with the program.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use tempfile::TempDir;

/// A server; it ends when this program does, as its guard then reads the end of its input.
pub struct Server {
    folder: PathBuf,
    programs: PathBuf,
    /// Whether what it says is written has been synced: slower, and of no use where only programs are killed.
    syncs: bool,
    /// The network namespace that it runs in, and its address there.
    network: Option<(&'static str, &'static str)>,
    running: Mutex<Option<(Child, ChildStdin)>>,
}

/// Where the programs of PostgreSQL lie, in Debian or in the path.
fn programs() -> Option<PathBuf> {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = debian.map(|version| version.path().join("bin"));
    let path = std::env::var_os("PATH")?;
    let mut all: Vec<PathBuf> = debian.chain(std::env::split_paths(&path)).collect();
    all.retain(|folder| {
        ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).exists())
    });
    all.into_iter().next()
}

/// A command as a user who is not root: the server refuses to run as root.
fn unprivileged(program: &Path) -> Command {
    if rustix::process::getuid().is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// Gives a folder to the server's own user.
fn belongs_to_server(folder: &Path) {
    if rustix::process::getuid().is_root() {
        let chown = Command::new("chown").arg("nobody:nogroup").arg(folder).status();
        assert!(chown.unwrap().success());
    }
}

impl Server {
    /// The server of this test program; `None` where there is no PostgreSQL, which is said.
    pub fn of_this_program() -> Option<&'static Self> {
        static SERVER: OnceLock<Option<Server>> = OnceLock::new();
        SERVER.get_or_init(Self::new).as_ref()
    }

    /// A server of a test's own, to be killed and started again.
    pub fn new() -> Option<Self> {
        Self::made(&std::env::temp_dir(), None, false)
    }

    /// One that syncs, as an organiser's does.
    pub fn that_syncs() -> Option<Self> {
        Self::made(&std::env::temp_dir(), None, true)
    }

    /// One whose files lie in a folder below that one.
    pub fn new_at(folder: &Path) -> Option<Self> {
        Self::made(folder, None, true)
    }

    /// One that runs in a network namespace, and answers at that address there.
    pub fn in_network(namespace: &'static str, address: &'static str) -> Option<Self> {
        Self::made(&std::env::temp_dir(), Some((namespace, address)), true)
    }

    fn made(
        below: &Path,
        network: Option<(&'static str, &'static str)>,
        syncs: bool,
    ) -> Option<Self> {
        let Some(programs) = programs() else {
            // CI looks for this word.
            let why = "skipped: there is no PostgreSQL (scripts/install-packages.sh --for-tests installs it)";
            let _ = writeln!(std::io::stderr(), "{why}");
            return None;
        };
        let folder = TempDir::with_prefix_in("tilelens-pg-", below).unwrap().keep();
        belongs_to_server(&folder);
        let data = folder.join("data");
        let mut initdb = unprivileged(&programs.join("initdb"));
        initdb.arg("-D").arg(&data).args(["-U", "venue", "--auth=trust", "--no-sync"]);
        initdb.args(["-E", "UTF8", "--locale=C"]).env("TZ", "UTC").current_dir("/");
        let made = initdb.output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        if network.is_some() {
            let rules = data.join("pg_hba.conf");
            let before = fs::read_to_string(&rules).unwrap();
            fs::write(rules, format!("{before}\nhost all all samenet trust\n")).unwrap();
        }
        let server = Self { folder, programs, syncs, network, running: Mutex::default() };
        server.start();
        Some(server)
    }

    /// Starts it, again where it was killed.
    pub fn start(&self) {
        // The guard ends the server once nobody holds its input any more, and takes its folder away.
        const GUARD: &str = r#""$0" -D "$1/data" -k "$1" -h "$2" $3 -c max_connections=300 >"$1/log" 2>&1 &
            pid=$!; cat >/dev/null; kill -INT $pid 2>/dev/null; wait $pid; [ -e "$1/again" ] || rm -rf "$1""#;
        let begun = Instant::now();
        let guard = || {
            let (mut guard, at) = match self.network {
                Some((namespace, address)) => {
                    let inner = unprivileged(Path::new("/bin/sh"));
                    let mut guard = Command::new("ip");
                    guard
                        .args(["netns", "exec", namespace])
                        .arg(inner.get_program())
                        .args(inner.get_args());
                    (guard, address)
                }
                None => (unprivileged(Path::new("/bin/sh")), ""),
            };
            guard
                .args(["-c", GUARD])
                .arg(self.programs.join("postgres"))
                .arg(&self.folder)
                .arg(at)
                .arg(if self.syncs { "" } else { "-F" });
            let mut guard = guard.stdin(Stdio::piped()).current_dir("/").spawn().unwrap();
            let input = guard.stdin.take().unwrap();
            (guard, input)
        };
        let mut running = guard();
        while !self.psql("postgres", "SELECT 1").status.success() {
            let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
            assert!(begun.elapsed() < Duration::from_secs(60), "{log}");
            std::thread::sleep(Duration::from_millis(50));
            // It refuses to start while something of the one that was killed is left.
            if log.contains("still in use") {
                drop(running.1);
                let _ = running.0.wait();
                running = guard();
            }
        }
        *self.running.lock().unwrap() = Some(running);
        let _ = fs::remove_file(self.folder.join("again"));
    }

    /// Kills it as a power cut would, all its processes.
    pub fn kill(&self) {
        fs::write(self.folder.join("again"), "").unwrap();
        let pid = fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap();
        let pid = pid.lines().next().unwrap().to_owned();
        // Stopped first: it would start others in the place of those that are killed.
        for [program, signal, of] in
            [["kill", "-STOP", ""], ["pkill", "-KILL", "-P"], ["kill", "-KILL", ""]]
        {
            let arguments = [signal, of, &pid].into_iter().filter(|argument| !argument.is_empty());
            assert!(Command::new(program).args(arguments).status().is_ok());
        }
        if let Some((mut guard, input)) = self.running.lock().unwrap().take() {
            drop(input);
            let _ = guard.wait();
        }
    }

    /// Runs SQL by PostgreSQL's own program, as the owner.
    pub fn psql(&self, database: &str, sql: &str) -> std::process::Output {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.arg("-h").arg(&self.folder).args(["-U", "venue", "-d", database, "-qAtc", sql]);
        psql.output().unwrap()
    }

    /// The folder of its socket.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A command as the server's own user.
    pub fn unprivileged(&self, program: &Path) -> Command {
        unprivileged(program)
    }

    /// A folder that the server's own user may write in.
    pub fn folder_of_its_own(&self) -> TempDir {
        let folder = TempDir::with_prefix("tilelens-pool-").unwrap();
        belongs_to_server(folder.path());
        folder
    }

    /// The address of a new, empty database, and its name.
    pub fn database(&self) -> (PathBuf, String) {
        static NEXT: AtomicU32 = AtomicU32::new(1);
        let name = format!("venue{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let made = self.psql("postgres", &format!("CREATE DATABASE {name}"));
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        (self.address("venue", &name), name)
    }

    /// The address of a database for a role.
    pub fn address(&self, role: &str, database: &str) -> PathBuf {
        format!("postgres://{role}@localhost/{database}?host={}", self.folder.display()).into()
    }
}

/// Where a ledger can be kept: a file, and a database where there is a server.
pub struct Place {
    pub path: PathBuf,
    _folder: Option<TempDir>,
}

/// One of each kind, with nothing in it.
pub fn places() -> Vec<Place> {
    let folder = tempfile::tempdir().unwrap();
    let file = Place { path: folder.path().join("venue.tlg"), _folder: Some(folder) };
    let database = Server::of_this_program();
    let database = database.map(|server| Place { path: server.database().0, _folder: None });
    std::iter::once(file).chain(database).collect()
}
