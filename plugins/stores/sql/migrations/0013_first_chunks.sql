-- The beginnings of documents: a small one is in it whole, of a long one no more than of others.
-- Searches read them first, see words/text-tables.ts.
CREATE INDEX chunks_first_by_key ON chunks (organisation) WHERE position < 64;
