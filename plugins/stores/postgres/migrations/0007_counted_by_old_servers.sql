-- A server of the version before 0006 that still runs beside a new one feeds texts with `counts` alone. They get `counted` as they are put.
CREATE FUNCTION count_terms(terms BIGINT[], counts BYTEA) RETURNS BYTEA LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(string_agg(substring(int8send(terms[place]) FROM 5) || substring(counts FROM place FOR 1), '' ORDER BY place), '') || '\x00'::bytea
	FROM generate_series(1, length(counts)) AS place
$$;
CREATE FUNCTION fill_counted() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
	NEW.counted := count_terms(NEW.terms, NEW.counts);
	RETURN NEW;
END
$$;
CREATE TRIGGER word_entries_counted BEFORE INSERT ON word_entries FOR EACH ROW WHEN (NEW.counted IS NULL) EXECUTE FUNCTION fill_counted();
UPDATE word_entries SET counted = count_terms(terms, counts) WHERE counted IS NULL;
