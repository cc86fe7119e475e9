-- Which vector space answers searches, and how far the one that is being made has come. One row.
CREATE TABLE space_state (
	only INTEGER PRIMARY KEY,
	active TEXT,
	previous TEXT,
	next TEXT,
	reached_chunk INTEGER NOT NULL DEFAULT 0,
	reached_memory INTEGER NOT NULL DEFAULT 0,
	written INTEGER NOT NULL DEFAULT 0,
	share REAL NOT NULL DEFAULT 0,
	is_at_end INTEGER NOT NULL DEFAULT 0
);
INSERT INTO space_state (only) VALUES (1);
