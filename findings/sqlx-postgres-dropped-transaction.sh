#!/usr/bin/env bash
# sqlx 0.9.0 with PostgreSQL 16.2 (the package pgserver 0.1.4).
#
# Expected: dropping a transaction, for instance by returning an error early, rolls it back at once and releases its locks.
# Actual: the rollback is only queued, and sent at the next use of that connection. An open, idle connection keeps the transaction and
# all its locks.
# Effect here: a server that refuses an entry and then waits for the next one keeps all other machines from writing meanwhile. The
# program therefore closes the connection of an uncommitted transaction (crates/table/src/ledger/database.rs).
#
# Exits non-zero once the lock is released without using the connection.
set -euo pipefail
folder=$(mktemp -d)
as=()
if [ "$(id -u)" = 0 ]; then
  as=(setpriv --reuid=nobody --regid=nogroup --clear-groups --)
fi
trap 'kill "$server" 2>/dev/null || true; wait || true; rm -rf "$folder"' EXIT
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
sqlx = { version = "=0.9.0", default-features = false, features = ["postgres", "runtime-tokio"] }
tokio = { version = "1", features = ["macros", "rt", "time"] }
TOML
cat > src/main.rs <<'RUST'
use std::time::Duration;

use sqlx::{Connection, PgConnection};

async fn connect(address: &str) -> PgConnection {
    for _ in 0..100 {
        match PgConnection::connect(address).await {
            Ok(connection) => return connection,
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    panic!("no server");
}

async fn is_free(other: &mut PgConnection) -> bool {
    sqlx::query_scalar("SELECT pg_try_advisory_xact_lock(7)").fetch_one(other).await.expect("an answer")
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let address = std::env::args().nth(1).expect("an address");
    let (mut one, mut other) = (connect(&address).await, connect(&address).await);
    let mut transaction = one.begin().await.expect("a transaction");
    sqlx::query("SELECT pg_advisory_xact_lock(7)").execute(&mut *transaction).await.expect("a lock");
    drop(transaction);
    tokio::time::sleep(Duration::from_secs(3)).await;
    let after_drop = is_free(&mut other).await;
    one.ping().await.expect("an answer");
    let after_use = is_free(&mut other).await;
    println!("three seconds after the drop the lock is free: {after_drop}; once the connection was used: {after_use}");
    std::process::exit(i32::from(after_drop || !after_use));
}
RUST
cargo run --quiet -- "postgres://seen@localhost/postgres?host=$folder/data"
