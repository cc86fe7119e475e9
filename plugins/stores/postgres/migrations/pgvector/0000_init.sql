-- Vectors, with pgvector. A tag begins with the number of its collection. A large collection has a graph of its own, an index of the rows
-- with its number, which is made when it is large enough.
CREATE TABLE vector_entries (
	organisation TEXT COLLATE "C" NOT NULL,
	collection BIGINT NOT NULL,
	id TEXT COLLATE "C" NOT NULL,
	tags TEXT[] NOT NULL,
	vector halfvec NOT NULL,
	PRIMARY KEY (organisation, collection, id)
);
CREATE INDEX vector_entries_by_tag ON vector_entries USING gin (tags);
