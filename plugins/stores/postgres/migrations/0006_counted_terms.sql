-- How often a text has each term, with four bytes of the term's number before each count: a search finds a count by these bytes without
-- comparing all numbers of the text. A byte at the end is behind whatever may be found.
ALTER TABLE word_entries ADD counted BYTEA;
ALTER TABLE word_entries ALTER counted SET STORAGE MAIN, ALTER counts DROP NOT NULL;
UPDATE word_entries SET counted = (
	SELECT coalesce(string_agg(substring(int8send(terms[place]) FROM 5) || substring(counts FROM place FOR 1), '' ORDER BY place), '') || '\x00'
	FROM generate_series(1, length(counts)) AS place
);
