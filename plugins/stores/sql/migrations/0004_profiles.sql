-- Which buckets of its container's profile a memory belongs into, and under which sorting that was decided.
ALTER TABLE memories ADD COLUMN sorting TEXT;
CREATE TABLE memory_buckets (
	organisation TEXT NOT NULL,
	container_tag TEXT NOT NULL,
	bucket TEXT NOT NULL,
	created_at INTEGER NOT NULL,
	memory TEXT NOT NULL,
	PRIMARY KEY (organisation, container_tag, bucket, created_at, memory)
) WITHOUT ROWID;
CREATE INDEX memory_buckets_by_memory ON memory_buckets (organisation, memory);
CREATE TRIGGER memory_buckets_moved AFTER UPDATE OF container_tag ON memories WHEN NEW.container_tag <> OLD.container_tag BEGIN
	UPDATE memory_buckets SET container_tag = NEW.container_tag WHERE organisation = NEW.organisation AND memory = NEW.id;
END;
CREATE TRIGGER memory_buckets_gone AFTER DELETE ON memories BEGIN
	DELETE FROM memory_buckets WHERE organisation = OLD.organisation AND memory = OLD.id;
END;

-- A profile is read from its end: the newest that are static, or not, or inferred; and what still has to be sorted.
CREATE INDEX memories_in_profile ON memories (organisation, container_tag, is_static, created_at) WHERE is_latest = 1 AND is_forgotten = 0;
CREATE INDEX memories_inferred ON memories (organisation, container_tag, created_at) WHERE is_inference = 1 AND is_latest = 1 AND is_forgotten = 0;
CREATE INDEX memories_by_sorting ON memories (organisation, container_tag, sorting) WHERE is_latest = 1 AND is_forgotten = 0;
