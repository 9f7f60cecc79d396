-- From this format on a log whose number is at least 2147483648 is the record of a table, that of its number without that.
-- The other logs are as they were.
INSERT INTO tilelens.format VALUES (2);
