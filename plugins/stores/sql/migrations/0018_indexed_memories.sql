-- What a memory is found by, where it is more than its text.
ALTER TABLE memories ADD COLUMN indexed_text TEXT;
