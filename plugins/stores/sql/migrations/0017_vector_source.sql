-- Vector indexes of plugins are told by their ids which texts have gone or have come back. Null in rows from before.
ALTER TABLE text_changes ADD COLUMN id TEXT;
DROP TRIGGER chunks_gone;
CREATE TRIGGER chunks_gone AFTER DELETE ON chunks BEGIN
	INSERT INTO text_changes (organisation, kind, text, id) VALUES (OLD.organisation, 'chunk', OLD.key, OLD.id);
END;
DROP TRIGGER memories_gone;
CREATE TRIGGER memories_gone AFTER DELETE ON memories BEGIN
	INSERT INTO text_changes (organisation, kind, text, id) VALUES (OLD.organisation, 'memory', OLD.key, OLD.id);
END;
-- Memories that are in another container than before.
CREATE TABLE memory_moves (
	sequence INTEGER PRIMARY KEY AUTOINCREMENT,
	organisation TEXT NOT NULL,
	memory TEXT NOT NULL
);
CREATE UNIQUE INDEX memory_moves_in_order ON memory_moves (organisation, sequence);
CREATE TRIGGER memory_moved AFTER UPDATE OF container_tag ON memories WHEN NEW.container_tag <> OLD.container_tag BEGIN
	INSERT INTO memory_moves (organisation, memory) VALUES (NEW.organisation, NEW.id);
END;
