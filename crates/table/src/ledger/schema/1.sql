CREATE TABLE events (
    table_number INTEGER NOT NULL,
    -- From 1, without gaps.
    seq INTEGER NOT NULL,
    -- RFC 3339, UTC.
    at TEXT NOT NULL,
    author TEXT NOT NULL,
    -- The writer's own name for it: what is sent twice is written once.
    id TEXT,
    -- The event as JSON.
    body TEXT NOT NULL,
    -- SHA-256 over the hash before it, the numbers and the texts.
    hash BLOB NOT NULL,
    PRIMARY KEY (table_number, seq)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX events_by_id ON events (table_number, id) WHERE id IS NOT NULL;

-- The last event of each table: shows that nothing was cut off.
CREATE TABLE heads (
    table_number INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;

CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;

CREATE TRIGGER events_are_kept BEFORE DELETE ON events
BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;
