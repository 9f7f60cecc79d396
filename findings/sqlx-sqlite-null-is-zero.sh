#!/usr/bin/env bash
# sqlx 0.9.0: NULL read as a type that is no `Option`, from SQLite (its feature sqlite-bundled) and from PostgreSQL 16.2
# (the package pgserver 0.1.4).
#
# Expected: an error that says so, from either database; it exists as `UnexpectedNullError`.
# Actual: PostgreSQL gives it ("unexpected null; try decoding as an `Option`"). SQLite gives a value: 0, 0.0, false, "" or no
#   bytes. The type of the column is not checked either, which for other values is an error: NULL in a column of texts is 0 as i64. A
#   NaN, which SQLite keeps as NULL, comes back as 0.0.
# Effect here: ledgers are in either database and read by the same code. A column without NOT NULL, the side of a left join that
#   has no row, or `max(number)` of an empty table, asked without `Option`, is a mistake that tests with a file do not show; in
#   SQLite an absent number looks like the first one.
#
# Exits non-zero once SQLite gives an error, or PostgreSQL none.
set -euo pipefail
folder=$(mktemp -d)
as=()
if [ "$(id -u)" = 0 ]; then
  as=(setpriv --reuid=nobody --regid=nogroup --clear-groups --)
fi
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; wait || true; rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --no-deps --root-user-action=ignore --target pip pgserver==0.1.4
mkdir data src
chmod 755 "$folder"
[ ${#as[@]} = 0 ] || chown nobody:nogroup data
bin=$folder/pip/pgserver/pginstall/bin
"${as[@]}" "$bin/initdb" -D "$folder/data/pg" -U seen --auth=trust --no-sync >/dev/null
"${as[@]}" "$bin/postgres" -D "$folder/data/pg" -k "$folder/data" -h '' >/dev/null 2>&1 &
server=$!
cat > Cargo.toml <<'TOML'
[package]
name = "seen"
version = "0.0.0"
edition = "2021"
[dependencies]
sqlx = { version = "=0.9.0", default-features = false, features = ["postgres", "runtime-tokio", "sqlite-bundled"] }
tokio = { version = "1", features = ["macros", "rt", "time"] }
[profile.dev]
debug = 0
TOML
cat > src/main.rs <<'RUST'
use std::time::Duration;

use sqlx::{Connection, PgConnection, SqliteConnection};

async fn postgres(address: &str) -> PgConnection {
    for _ in 0..100 {
        match PgConnection::connect(address).await {
            Ok(connection) => return connection,
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    panic!("no server");
}

/// What a column is read as, as text.
macro_rules! read {
    ($connection:expr, $type:ty, $sql:expr) => {
        match sqlx::query_scalar::<_, $type>($sql).fetch_one(&mut $connection).await {
            Ok(value) => format!("{value:?}"),
            Err(error) => error.to_string(),
        }
    };
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), sqlx::Error> {
    let address = std::env::args().nth(1).expect("an address");
    let (mut file, mut server) = (SqliteConnection::connect("sqlite::memory:").await?, postgres(&address).await);
    let table = "CREATE TABLE t (number BIGINT, worth DOUBLE PRECISION, name TEXT)";
    sqlx::query(table).execute(&mut file).await?;
    sqlx::query(table).execute(&mut server).await?;
    let none = "SELECT max(number) FROM t";
    let mut seen = vec![(none, read!(file, i64, none), read!(server, i64, none))];
    let row = "INSERT INTO t (number) VALUES (NULL)";
    sqlx::query(row).execute(&mut file).await?;
    sqlx::query(row).execute(&mut server).await?;
    seen.push(("number as i64", read!(file, i64, "SELECT number FROM t"), read!(server, i64, "SELECT number FROM t")));
    seen.push(("worth as f64", read!(file, f64, "SELECT worth FROM t"), read!(server, f64, "SELECT worth FROM t")));
    seen.push(("name as String", read!(file, String, "SELECT name FROM t"), read!(server, String, "SELECT name FROM t")));
    for (what, from_file, from_server) in &seen {
        println!("{what}: SQLite {from_file}; PostgreSQL {from_server}");
    }
    let other = read!(file, i64, "SELECT name FROM t");
    sqlx::query("UPDATE t SET name = 'x'").execute(&mut file).await?;
    let text = read!(file, i64, "SELECT name FROM t");
    println!("name as i64, SQLite: of NULL {other}; of a text {text}");
    let nan: f64 = sqlx::query_scalar("SELECT ?").bind(f64::NAN).fetch_one(&mut file).await?;
    println!("NaN through SQLite: {nan:?}");

    let from_file: Vec<&str> = seen.iter().map(|(_, from_file, _)| from_file.as_str()).collect();
    let refused = seen.iter().all(|(_, _, from_server)| from_server.contains("unexpected null"));
    let as_seen = from_file == ["0", "0", "0.0", "\"\""] && refused && other == "0" && text.contains("mismatched") && nan == 0.0;
    std::process::exit(i32::from(!as_seen));
}
RUST
nice -n 10 cargo run --quiet -- "postgres:///postgres?host=$folder/data&user=seen"
