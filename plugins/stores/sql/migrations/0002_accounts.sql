-- What a key may do. Those made before may do everything.
ALTER TABLE api_keys ADD COLUMN role TEXT NOT NULL DEFAULT 'admin';
ALTER TABLE api_keys ADD COLUMN reach TEXT;
ALTER TABLE api_keys ADD COLUMN endpoints TEXT;
ALTER TABLE api_keys ADD COLUMN rate_limit TEXT;
ALTER TABLE api_keys ADD COLUMN is_enabled INTEGER NOT NULL DEFAULT 1;
ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;

CREATE TABLE containers (
	organisation TEXT NOT NULL,
	tag TEXT NOT NULL,
	name TEXT,
	description TEXT,
	entity_context TEXT,
	memory_filesystem_paths TEXT,
	profile_buckets TEXT NOT NULL DEFAULT '[]',
	created_at INTEGER NOT NULL,
	updated_at INTEGER NOT NULL,
	PRIMARY KEY (organisation, tag)
) WITHOUT ROWID;
INSERT INTO containers (organisation, tag, created_at, updated_at)
	SELECT organisation, tag, min(at), max(at) FROM (
		SELECT t.organisation, t.tag, d.created_at AS at FROM document_tags t JOIN documents d ON d.organisation = t.organisation AND d.id = t.document
		UNION ALL
		SELECT organisation, container_tag, created_at FROM memories
	) GROUP BY organisation, tag;

CREATE TABLE records (
	organisation TEXT NOT NULL,
	kind TEXT NOT NULL,
	id TEXT NOT NULL,
	value TEXT NOT NULL,
	version INTEGER NOT NULL,
	expires_at INTEGER,
	PRIMARY KEY (organisation, kind, id)
);
CREATE INDEX records_by_expiry ON records (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE events (
	sequence INTEGER PRIMARY KEY AUTOINCREMENT,
	organisation TEXT NOT NULL,
	type TEXT NOT NULL,
	at INTEGER NOT NULL,
	subject TEXT NOT NULL,
	container_tags TEXT NOT NULL,
	facts TEXT NOT NULL
);
CREATE UNIQUE INDEX events_in_order ON events (organisation, sequence);
