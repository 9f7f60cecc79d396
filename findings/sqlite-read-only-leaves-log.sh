#!/usr/bin/env bash
# SQLite 3.50.4 (apsw 3.50.4.0): what a reader leaves beside a database with a write-ahead log.
#
# One would guess: whoever opens a database with `mode=ro`, reads and closes it changes nothing in its folder.
# What happens: the reader makes `-wal` and `-shm` beside a database that was one file, and leaves both there, as only a connection
#   that may write removes them. The next program that may write does.
# Why it matters to us: a ledger that every program has closed is one file, and `-wal` beside it says that somebody has it open or
#   has crashed. A viewer or a script that looks at it read-only makes it seem so. Our own commands that only show something therefore
#   open it for writing where they may, and read a copy where they may not.
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
