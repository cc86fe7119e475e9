-- A memory extends three others at most: those that are current come first, then the newest. How near they were is written
-- nowhere. An edge is as old as the memory it begins at, so that the newest of thousands are found without a look at all.
CREATE TABLE memory_edges_kept (
	organisation TEXT NOT NULL,
	source TEXT NOT NULL,
	target TEXT NOT NULL,
	relation TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	PRIMARY KEY (organisation, source, target, relation)
) WITHOUT ROWID;
INSERT INTO memory_edges_kept (organisation, source, target, relation, created_at)
	SELECT e.organisation, e.source, e.target, e.relation, s.created_at FROM (
		SELECT e.organisation, e.source, e.target, e.relation, row_number() OVER (
			PARTITION BY e.organisation, e.source, e.relation ORDER BY t.is_latest AND NOT t.is_forgotten DESC, t.created_at DESC, t.key DESC) AS place
		FROM memory_edges e CROSS JOIN memories t ON t.organisation = e.organisation AND t.id = e.target) e
	CROSS JOIN memories s ON s.organisation = e.organisation AND s.id = e.source
	WHERE e.relation <> 'extends' OR e.place <= 3;
DROP TABLE memory_edges;
ALTER TABLE memory_edges_kept RENAME TO memory_edges;
CREATE INDEX memory_edges_by_target ON memory_edges (organisation, target, relation, created_at);

-- The words a memory rests on, as a fingerprint; NULL where nobody has noted them.
ALTER TABLE memory_evidence ADD COLUMN words TEXT;

-- From a document that has failed no memories come any more, and nobody is told that it has been remembered.
DROP TRIGGER document_dreamed;
UPDATE documents SET dreaming_status = 'done' WHERE status = 'failed' AND dreaming_status <> 'done';
CREATE TRIGGER document_dreamed AFTER UPDATE OF dreaming_status ON documents
WHEN NEW.dreaming_status <> OLD.dreaming_status AND NEW.dreaming_status = 'done' AND NEW.status <> 'failed' BEGIN
	INSERT INTO events (organisation, type, at, subject, container_tags, facts)
	VALUES (NEW.organisation, 'document.dreamed', NEW.updated_at, NEW.id, NEW.container_tags, json_object('customId', NEW.custom_id, 'revision', NEW.revision));
END;
UPDATE documents SET type = iif(content ->> 'claimedMediaType' LIKE 'audio/%', 'audio', 'video')
	WHERE status = 'failed' AND type = 'text' AND (content ->> 'claimedMediaType' LIKE 'audio/%' OR content ->> 'claimedMediaType' LIKE 'video/%');
