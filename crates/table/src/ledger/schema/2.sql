-- One file holds the tables of a tournament and the tournament itself: log 0 is the tournament's,
-- every other number a table's.
ALTER TABLE events RENAME COLUMN table_number TO log;
ALTER TABLE heads RENAME COLUMN table_number TO log;
