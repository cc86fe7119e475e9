-- It may have to read all vectors.
SET LOCAL statement_timeout = 0;
-- The last part that the graph covers, and the part that none covers, not even one that is being made.
ALTER TABLE index_collections ADD graph_part BIGINT NOT NULL DEFAULT 0, ADD waiting_part BIGINT NOT NULL DEFAULT 1;
-- A graph covers the parts of its collection up to its own number. What is to come together is put into a later part, which has no graph and
-- is compared one by one, until a graph with it is complete.
ALTER TABLE vector_entries ADD part BIGINT NOT NULL DEFAULT 0;
-- Only of later parts: by a complete one PostgreSQL would look for ids among all vectors of a collection rather than by the primary key.
CREATE INDEX vector_entries_by_part ON vector_entries (organisation, collection, part) WHERE part > 0;
