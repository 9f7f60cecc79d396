-- What lies beside the events: who may enter, what waits to be confirmed. None of it counts.
CREATE TABLE notes (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
