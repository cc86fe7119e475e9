/** The statements that add texts to a word index and remove them, and keep count of how many texts hold each term and each spelling. */

/**
 * Adds the entries of a page, $3, its spellings, $4, and to its terms, $5, how many of its texts hold each, $6. In the order of keys, so that
 * neighbours are written together. What is there already is updated without `ON CONFLICT`,
 * which would lock and log each row before: nobody else writes to a collection whose position was moved in the transaction. The lists after
 * `NOT IN` are hashed, because a few rows are expected in them.
 */
export const addSql = `WITH page AS (SELECT e.id, e.terms::bigint[] AS terms, e.counted::bytea AS counted, e.grams::bigint[] AS grams, e.counted_grams::bytea AS counted_grams,
			e.spelled, e.word_length, e.gram_length
		FROM json_to_recordset($3::text::json) AS e (id TEXT, terms TEXT, counted TEXT, grams TEXT, counted_grams TEXT, spelled TEXT[], word_length INTEGER, gram_length INTEGER)),
	put AS (INSERT INTO word_entries (organisation, collection, id, terms, counted, grams, counted_grams, spelled, word_length, gram_length)
		SELECT $1, $2, id, terms, counted, grams, counted_grams, spelled, word_length, gram_length FROM page RETURNING word_length, gram_length),
	held AS MATERIALIZED (SELECT h.term, h.holders FROM unnest($5::text::bigint[], $6::text::bigint[]) AS h (term, holders) ORDER BY h.term),
	more AS (UPDATE word_terms t SET holders = t.holders + h.holders FROM held h
		WHERE t.organisation = $1 AND t.collection = $2 AND t.term = h.term RETURNING t.term),
	counted AS (INSERT INTO word_terms (organisation, collection, term, holders)
		SELECT $1, $2, h.term, h.holders FROM held h WHERE h.term NOT IN (SELECT term FROM more)),
	written AS MATERIALIZED (SELECT p.word, p.holders, p.grams FROM json_to_recordset($4::text::json) AS p (word TEXT COLLATE "C", holders BIGINT, grams TEXT) ORDER BY p.word),
	oftener AS (UPDATE word_spellings s SET holders = s.holders + w.holders FROM written w
		WHERE s.organisation = $1 AND s.collection = $2 AND s.word = w.word RETURNING s.word),
	spelled AS (INSERT INTO word_spellings (organisation, collection, word, holders, grams)
		SELECT $1, $2, w.word, w.holders, w.grams::bigint[] FROM written w WHERE w.word NOT IN (SELECT word FROM oftener))
	UPDATE index_collections AS c SET entries = c.entries + put.entries, words = c.words + put.words, grams = c.grams + put.grams
	FROM (SELECT count(*) AS entries, sum(word_length) AS words, sum(gram_length) AS grams FROM put) put
	WHERE c.organisation = $1 AND c.number = $2 RETURNING c.entries AS entries`;

/**
 * Takes what was put into the index of terms from the list in which PostgreSQL gathers it. Term by term for a whole page, which takes a
 * fraction of the time and of the log; searches read this list from its beginning to its end, so it is emptied with each page.
 */
export const gatherSql = "SELECT gin_clean_pending_list('word_entries_by_term')";

/** Removes the entries with the ids in $3. A count that comes to nothing is removed too. */
export const removeSql = `WITH gone AS (DELETE FROM word_entries WHERE organisation = $1 AND collection = $2
		AND id = ANY (ARRAY(SELECT json_array_elements_text($3::text::json))) RETURNING terms, grams, spelled, word_length, gram_length),
	terms AS (SELECT term, count(*) AS count FROM gone, unnest(terms || grams) AS term GROUP BY term),
	fewer AS (UPDATE word_terms t SET holders = t.holders - f.count FROM terms f
		WHERE t.organisation = $1 AND t.collection = $2 AND t.term = f.term AND t.holders > f.count),
	none AS (DELETE FROM word_terms t USING terms f WHERE t.organisation = $1 AND t.collection = $2 AND t.term = f.term AND t.holders <= f.count),
	words AS (SELECT word, count(*) AS count FROM gone, unnest(spelled) AS word GROUP BY word),
	rarer AS (UPDATE word_spellings s SET holders = s.holders - f.count FROM words f
		WHERE s.organisation = $1 AND s.collection = $2 AND s.word = f.word AND s.holders > f.count),
	unspelled AS (DELETE FROM word_spellings s USING words f WHERE s.organisation = $1 AND s.collection = $2 AND s.word = f.word AND s.holders <= f.count)
	UPDATE index_collections AS c SET entries = c.entries - lost.entries, words = c.words - lost.words, grams = c.grams - lost.grams
	FROM (SELECT count(*) AS entries, sum(word_length) AS words, sum(gram_length) AS grams FROM gone) lost
	WHERE c.organisation = $1 AND c.number = $2 AND lost.entries > 0`;
