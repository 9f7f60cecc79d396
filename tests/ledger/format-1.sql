-- A ledger as format 1 was published. Never change this file.
PRAGMA application_id = 1414284615;
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
INSERT INTO "events" VALUES(1,1,'2026-11-21T12:01:20.148Z','Ann',NULL,'{"opened":{"rules":"mmm","players":[{"name":"Ann"},{"name":"Bo"},{"name":"Cy"},{"name":"Di"}],"initial":"2000"}}',X'BB038E98C4C9CE29D6853E57E8A1471A382C728C7EFD5363E32302A6F1EFA8DC');
INSERT INTO "events" VALUES(1,2,'2026-11-21T12:01:20.194Z','Ann',NULL,'{"draw":{"place":{"number":1,"round":"E","dealer":0}}}',X'95B7FD8CE63A2BE0E1C14067AA90C3621ADACA37A8A609680870573EF72E4A09');
INSERT INTO "events" VALUES(1,3,'2026-11-21T12:01:20.242Z','Bo',NULL,'{"undone":{"event":2}}',X'BB77A6C383F2A77E86654FA88D8EDD65BD53A9FD78581EB0803EA1866CE0DFAF');
INSERT INTO "events" VALUES(1,4,'2026-11-21T12:01:20.288Z','Ann',NULL,'{"deal":{"place":{"number":1,"round":"E","dealer":0},"winners":[{"player":2,"win":"self_draw","hand":"123m567p34s678s22p +5s","scored":{"seats":["E","S","W","N"],"round":"E","faan":"2","points":10,"score":"40","items":[["fully_concealed","1"],["chow_hand","1"]],"payments":["-40/3","-40/3","40","-40/3"]}}]}}',X'E1207A4B33B308E8EF103B16BC768A79150D12AB0BA601243FC26678C7893BF5');
CREATE TABLE heads (
    table_number INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "heads" VALUES(1,4,X'E1207A4B33B308E8EF103B16BC768A79150D12AB0BA601243FC26678C7893BF5');
CREATE UNIQUE INDEX events_by_id ON events (table_number, id) WHERE id IS NOT NULL;
CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;
CREATE TRIGGER events_are_kept BEFORE DELETE ON events
BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;
PRAGMA user_version = 1;
