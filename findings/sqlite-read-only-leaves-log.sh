#!/usr/bin/env bash
# SQLite 3.50.4 (apsw 3.50.4.0): a reader leaves files beside a database with a write-ahead log.
#
# Expected: opening a database with `mode=ro`, reading and closing it changes nothing in its folder.
# Actual: the reader creates `-wal` and `-shm` beside a database that was a single file, and leaves both there, since only a writing
#   connection removes them. The next writing program does.
# Effect here: a ledger that every program has closed is one file, and `-wal` beside it means that a program has it open or has
#   crashed. A viewer or script that opens it read-only gives that impression. Our own reading commands therefore open it for
#   writing if they may, and otherwise read a copy.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check apsw==3.50.4.0

cat >look.py <<'PYTHON'
import os
import apsw

assert apsw.sqlite_lib_version() == "3.50.4", apsw.sqlite_lib_version()


def beside(when):
    names = sorted(name for name in os.listdir(".") if name.startswith("t.db"))
    print(f"{when}: {' '.join(names)}")
    return names


def use(flags, sql):
    connection = apsw.Connection("t.db", flags=flags)
    list(connection.execute(sql))
    connection.close()


writing = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
use(writing, "PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
assert beside("a writer has closed it") == ["t.db"]
use(apsw.SQLITE_OPEN_READONLY, "SELECT * FROM t")
assert beside("a reader has closed it") == ["t.db", "t.db-shm", "t.db-wal"]
use(writing, "SELECT * FROM t")
assert beside("another writer has closed it") == ["t.db"]
PYTHON
venv/bin/python look.py
