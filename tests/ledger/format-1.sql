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
INSERT INTO "events" VALUES(1,1,'2026-11-21T11:43:07.022Z','Ann',NULL,'{"kind":"opened","rules":"mmm","players":[{"name":"Ann"},{"name":"Bo"},{"name":"Cy"},{"name":"Di"}],"initial":"2000"}',X'BB00C62D3526D672B5D46EAF63B594788D10813BDA3E3762E1027CEC721CD52C');
INSERT INTO "events" VALUES(1,2,'2026-11-21T11:43:07.048Z','Ann',NULL,'{"kind":"draw","place":{"number":1,"round":"E","dealer":0}}',X'DC3931C1E09C76564528B0C3E3F0B9BB3B6B08A50C4524491DA50363DAC364EA');
INSERT INTO "events" VALUES(1,3,'2026-11-21T11:43:07.068Z','Bo',NULL,'{"kind":"undone","event":2}',X'62DAD547E2D8C7162BEC45A66BB7D8539D69A4E39474101316740F3B93C7FD4D');
INSERT INTO "events" VALUES(1,4,'2026-11-21T11:43:07.088Z','Ann',NULL,'{"kind":"deal","place":{"number":1,"round":"E","dealer":0},"winners":[{"player":2,"win":"self_draw","hand":"123m567p34s678s22p +5s","scored":{"seats":["E","S","W","N"],"round":"E","faan":"2","points":10,"score":"40","items":[["fully_concealed","1"],["chow_hand","1"]],"payments":["-40/3","-40/3","40","-40/3"]}}],"payments":["-40/3","-40/3","40","-40/3"]}',X'0946484B5A6C9C9F6FC621CD378EA6A35F4781211A8AD62ECA2CB749AAB2F28D');
CREATE TABLE heads (
    table_number INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO "heads" VALUES(1,4,X'0946484B5A6C9C9F6FC621CD378EA6A35F4781211A8AD62ECA2CB749AAB2F28D');
CREATE UNIQUE INDEX events_by_id ON events (table_number, id) WHERE id IS NOT NULL;
CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;
CREATE TRIGGER events_are_kept BEFORE DELETE ON events
BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;
PRAGMA user_version = 1;
