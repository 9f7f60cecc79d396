CREATE SCHEMA tilelens;

CREATE TABLE tilelens.format (
    number BIGINT PRIMARY KEY
);
INSERT INTO tilelens.format VALUES (1);

CREATE TABLE tilelens.events (
    -- 0 is the tournament's log, every other number a table's.
    log BIGINT NOT NULL,
    -- From 1, without gaps.
    seq BIGINT NOT NULL,
    -- RFC 3339, UTC.
    at TEXT NOT NULL,
    author TEXT NOT NULL,
    -- The writer's own name for it: what is sent twice is written once.
    id TEXT,
    -- The event as JSON.
    body TEXT NOT NULL,
    -- SHA-256 over the hash before it, the numbers and the texts.
    hash BYTEA NOT NULL,
    PRIMARY KEY (log, seq)
);

CREATE UNIQUE INDEX events_by_id ON tilelens.events (log, id) WHERE id IS NOT NULL;

-- The last event of each log: shows that nothing was cut off.
CREATE TABLE tilelens.heads (
    log BIGINT PRIMARY KEY,
    seq BIGINT NOT NULL,
    hash BYTEA NOT NULL
);

-- What lies beside the events: who may enter, what waits to be confirmed. None of it counts.
CREATE TABLE tilelens.notes (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL
);

-- With the owner's rights: whoever may add events may not touch the notes of the last ones.
CREATE FUNCTION tilelens.note_event () RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = tilelens AS $$
BEGIN
    INSERT INTO heads (log, seq, hash) VALUES (NEW.log, NEW.seq, NEW.hash)
    ON CONFLICT (log) DO UPDATE SET seq = excluded.seq, hash = excluded.hash;
    PERFORM pg_notify('tilelens', NEW.log::text);
    RETURN NULL;
END;
$$;

CREATE TRIGGER events_are_noted AFTER INSERT ON tilelens.events
FOR EACH ROW EXECUTE FUNCTION tilelens.note_event ();

CREATE FUNCTION tilelens.tell () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('tilelens', 'notes');
    RETURN NULL;
END;
$$;

CREATE TRIGGER notes_are_told AFTER INSERT OR UPDATE OR DELETE ON tilelens.notes
FOR EACH STATEMENT EXECUTE FUNCTION tilelens.tell ();

CREATE FUNCTION tilelens.refuse () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are append-only';
END;
$$;

CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON tilelens.events
FOR EACH STATEMENT EXECUTE FUNCTION tilelens.refuse ();
