#!/usr/bin/env bash
# sqlx 0.9.0 with SQLite (its feature sqlite-bundled): a transaction that ran into a full database.
#
# Expected: `rollback` ends a transaction, whatever happened in it; the connection serves the next transaction once there is
#   room again.
# Actual: SQLite itself rolls the whole transaction back when the database is full. sqlx then sends ROLLBACK, which fails with
#   "cannot rollback - no transaction is active", and goes on counting the transaction as open. `BEGIN IMMEDIATE` through
#   `begin_with` is refused from then on ("attempted to call begin_with at non-zero transaction depth"), and `begin` sets a
#   savepoint outside any transaction. Plain statements still work, so a connection pool's ping finds nothing wrong.
# Effect here: a server that keeps one connection writes nothing more after a disk was full once, though there is room again.
#   The program closes a connection whose transaction did not end in order (crates/table/src/ledger).
#
# Exits non-zero once the connection can be used again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir src
cat > Cargo.toml <<'TOML'
[package]
name = "seen"
version = "0.0.0"
edition = "2021"
[dependencies]
sqlx = { version = "=0.9.0", default-features = false, features = ["sqlite-bundled", "runtime-tokio"] }
tokio = { version = "1", features = ["macros", "rt"] }
TOML
cat > src/main.rs <<'RUST'
use sqlx::{Connection, SqliteConnection};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), sqlx::Error> {
    let mut connection = SqliteConnection::connect("sqlite::memory:").await?;
    sqlx::query("CREATE TABLE t (x BLOB)").execute(&mut connection).await?;
    // A limit of pages stands in for a full disk: both are SQLITE_FULL.
    sqlx::query("PRAGMA max_page_count = 8").execute(&mut connection).await?;
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let refused = sqlx::query("INSERT INTO t VALUES (zeroblob(1000000))").execute(&mut *transaction).await;
    println!("full:      {}", refused.expect_err("no room"));
    let rolled_back = transaction.rollback().await;
    println!("rollback:  {rolled_back:?}");
    sqlx::query("PRAGMA max_page_count = 100000").execute(&mut connection).await?;
    println!("ping:      {:?}", connection.ping().await);
    let again = connection.begin_with("BEGIN IMMEDIATE").await.map(drop);
    println!("immediate: {again:?}");
    std::process::exit(i32::from(rolled_back.is_ok() || again.is_ok()));
}
RUST
cargo run --quiet
