-- The key that handed in a document's content.
ALTER TABLE documents ADD COLUMN written_by TEXT;
