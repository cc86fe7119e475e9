-- The log also has memories that searches no longer see: forgotten, replaced, in another container, expiring at another time, or gone. Who
-- remembers what the tables say of memories looks at these again, and at no others.
DROP TRIGGER memory_returned;
CREATE TRIGGER memory_returned AFTER UPDATE OF container_tag, is_latest, is_forgotten, forget_after ON memories
WHEN NEW.is_latest <> OLD.is_latest OR NEW.is_forgotten <> OLD.is_forgotten OR NEW.container_tag <> OLD.container_tag
	OR NEW.forget_after IS NOT OLD.forget_after BEGIN
	INSERT INTO memory_returns (organisation, memory) VALUES (NEW.organisation, NEW.id);
END;
CREATE TRIGGER memory_left AFTER DELETE ON memories BEGIN
	INSERT INTO memory_returns (organisation, memory) VALUES (OLD.organisation, OLD.id);
END;
