-- Words are looked up in an index of our own, one for each organisation: see `words/`. It is made from the texts alone.
DROP TABLE chunk_word_counts;
DROP TABLE memory_word_counts;
DROP TABLE chunk_words;
DROP TABLE memory_words;

-- And, as every index, by key: what an organisation has stored since.
CREATE INDEX chunks_by_key ON chunks (organisation);
CREATE INDEX memories_by_key ON memories (organisation);

-- Texts that have gone, or have come back under the key they had. New ones are found by their key.
CREATE TABLE text_changes (
	sequence INTEGER PRIMARY KEY AUTOINCREMENT,
	organisation TEXT NOT NULL,
	kind TEXT NOT NULL,
	text INTEGER NOT NULL
);
CREATE UNIQUE INDEX text_changes_in_order ON text_changes (organisation, kind, sequence);
CREATE TRIGGER chunks_gone AFTER DELETE ON chunks BEGIN
	INSERT INTO text_changes (organisation, kind, text) VALUES (OLD.organisation, 'chunk', OLD.key);
END;
CREATE TRIGGER memories_gone AFTER DELETE ON memories BEGIN
	INSERT INTO text_changes (organisation, kind, text) VALUES (OLD.organisation, 'memory', OLD.key);
END;
