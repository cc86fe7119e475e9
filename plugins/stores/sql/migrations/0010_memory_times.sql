-- When a memory was away, and why: a search of an earlier time asks for it.
CREATE TABLE memory_absences (
	organisation TEXT NOT NULL,
	memory TEXT NOT NULL,
	kind TEXT NOT NULL,
	begins INTEGER NOT NULL,
	ends INTEGER,
	PRIMARY KEY (organisation, memory, kind, begins)
) WITHOUT ROWID;
INSERT INTO memory_absences (organisation, memory, kind, begins) SELECT organisation, id, 'forgotten', updated_at FROM memories WHERE is_forgotten = 1;

-- The day that the source names as its own, and when somebody should look whether it still is so.
ALTER TABLE memories ADD COLUMN said_at INTEGER;
ALTER TABLE memories ADD COLUMN review_after INTEGER;
CREATE INDEX memories_due ON memories (organisation, container_tag, review_after) WHERE review_after IS NOT NULL AND is_latest = 1 AND is_forgotten = 0;
CREATE INDEX memories_expiring ON memories (forget_after) WHERE forget_after IS NOT NULL AND is_latest = 1 AND is_forgotten = 0;

-- What was forgotten because its time had passed says so.
DROP TRIGGER memory_forgotten;
CREATE TRIGGER memory_forgotten AFTER UPDATE OF is_forgotten ON memories WHEN NEW.is_forgotten <> OLD.is_forgotten BEGIN
	INSERT INTO events (organisation, type, at, subject, container_tags, facts)
	VALUES (NEW.organisation, iif(NEW.is_forgotten, 'memory.forgotten', 'memory.restored'), NEW.updated_at, NEW.id, json_array(NEW.container_tag),
		json_patch(json_object('version', NEW.version, 'parent', NEW.parent),
			iif(NEW.is_forgotten AND NEW.forget_after <= NEW.updated_at, '{"expired":true}', '{}')));
END;
