-- Memories that searches may see again: restored, current once more, in another container, or back after an undo, when their vectors
-- are there already. Who remembers what a container holds looks at these, and at vectors with newer keys.
CREATE TABLE memory_returns (
	sequence INTEGER PRIMARY KEY AUTOINCREMENT,
	organisation TEXT NOT NULL,
	memory TEXT NOT NULL
);
CREATE UNIQUE INDEX memory_returns_in_order ON memory_returns (organisation, sequence);
CREATE TRIGGER memory_returned AFTER UPDATE OF container_tag, is_latest, is_forgotten, forget_after ON memories
WHEN NEW.is_latest = 1 AND NEW.is_forgotten = 0 AND (OLD.is_latest = 0 OR OLD.is_forgotten = 1
	OR NEW.container_tag <> OLD.container_tag OR NEW.forget_after IS NOT OLD.forget_after) BEGIN
	INSERT INTO memory_returns (organisation, memory) VALUES (NEW.organisation, NEW.id);
END;
CREATE TRIGGER memory_back AFTER INSERT ON memories
WHEN EXISTS (SELECT 1 FROM memory_vectors v WHERE v.organisation = NEW.organisation AND v.memory = NEW.id) BEGIN
	INSERT INTO memory_returns (organisation, memory) VALUES (NEW.organisation, NEW.id);
END;
