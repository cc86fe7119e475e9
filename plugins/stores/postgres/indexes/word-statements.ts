/** The statements that add texts to a word index and remove them, and keep count of how many texts hold each term and each spelling. */

/** Adds the entries of a page, $3, and its spellings, $4. In the order of keys, so that neighbours are written together. */
export const addSql = `WITH page AS (SELECT e.id, e.terms::bigint[] AS terms, e.counted::bytea AS counted, e.grams::bigint[] AS grams, e.counted_grams::bytea AS counted_grams,
			e.spelled, e.word_length, e.gram_length
		FROM json_to_recordset($3::text::json) AS e (id TEXT, terms TEXT, counted TEXT, grams TEXT, counted_grams TEXT, spelled TEXT[], word_length INTEGER, gram_length INTEGER)),
	put AS (INSERT INTO word_entries (organisation, collection, id, terms, counted, grams, counted_grams, spelled, word_length, gram_length)
		SELECT $1, $2, id, terms, counted, grams, counted_grams, spelled, word_length, gram_length FROM page),
	counted AS (INSERT INTO word_terms AS t (organisation, collection, term, holders)
		SELECT $1, $2, term, count(*) FROM page, unnest(terms || grams) AS term GROUP BY term ORDER BY term
		ON CONFLICT (organisation, collection, term) DO UPDATE SET holders = t.holders + excluded.holders),
	spelled AS (INSERT INTO word_spellings AS s (organisation, collection, word, holders, grams)
		SELECT $1, $2, p.word, p.holders, p.grams::bigint[] FROM json_to_recordset($4::text::json) AS p (word TEXT, holders BIGINT, grams TEXT) ORDER BY p.word
		ON CONFLICT (organisation, collection, word) DO UPDATE SET holders = s.holders + excluded.holders)
	UPDATE index_collections AS c SET entries = c.entries + page.entries, words = c.words + page.words, grams = c.grams + page.grams
	FROM (SELECT count(*) AS entries, sum(word_length) AS words, sum(gram_length) AS grams FROM page) page
	WHERE c.organisation = $1 AND c.number = $2 RETURNING c.entries AS entries`;

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
