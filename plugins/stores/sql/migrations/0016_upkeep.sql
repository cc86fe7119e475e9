-- What upkeep has to remember. One row: when it was last tried whether writes get through, and whether what was deleted before
-- deleted content was overwritten has been overwritten as well. A new database never held any.
CREATE TABLE upkeep (
	only INTEGER PRIMARY KEY,
	pinged_at INTEGER NOT NULL DEFAULT 0,
	is_scrubbed INTEGER NOT NULL DEFAULT 0
);
INSERT INTO upkeep (only, is_scrubbed) SELECT 1, NOT EXISTS (SELECT 1 FROM organisations);
