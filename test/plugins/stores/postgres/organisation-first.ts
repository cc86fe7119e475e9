/** Holds tables and statements to the organisation, so that tables can be distributed by it. */

import type { PostgresConnection, Query } from "../../../../plugins/stores/postgres/connection.ts";

/** A connection that notes every statement. */
export function noting(connection: PostgresConnection, seen: Set<string>): PostgresConnection {
	const noted =
		(query: Query): Query =>
		(sql, params) => {
			seen.add(sql.replaceAll(/\s+/g, " ").trim());
			return query(sql, params);
		};
	return {
		...connection,
		query: noted(connection.query),
		once: (sql) => noted((asked) => connection.once(asked))(sql, []),
		transaction: (mode, run) => connection.transaction(mode, (inside) => run({ ...inside, query: noted(inside.query) })),
	};
}

/** Tables of the whole installation: who feeds the indexes, the list of organisations itself, the state of the vector spaces, and the migrations. */
export const tablesOfAll = ["index_feeders", "migrations", "organisations", "space_state", "vector_migrations"];

/** The tables whose primary key does not begin with the organisation. */
export async function keyedOtherwise({ query }: PostgresConnection): Promise<readonly string[]> {
	const sql = `SELECT c.relname AS name FROM pg_class c
		LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
		LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
		WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attname IS DISTINCT FROM 'organisation' ORDER BY 1`;
	return (await query(sql, [])).rows.map((row) => (row as { readonly name: string }).name);
}

/** Statements of the whole installation, each with the reason: upkeep and the queue ask of all organisations at once, and a call is known by its key. */
export const statementsOfAll: Readonly<Record<string, RegExp>> = {
	"who calls is known by the hash of a key": /FROM api_keys k WHERE k\.hash = \$1$/,
	"a worker claims the jobs of all": /^SELECT .* FROM jobs (AS j )?WHERE lease IS (NOT )?NULL .*FOR UPDATE SKIP LOCKED$/,
	"a worker asks whether a job is claimed alone, and what it has in hand":
		/FROM jobs WHERE (task IN \('ingest', 'remember'\) AND crashes > 0|lease IS NOT NULL AND worker = \$1 AND task IN)/,
	"whose turn it is in the queue": /^SELECT min\(first\) AS organisation FROM \(SELECT \(SELECT j\.organisation FROM jobs AS j WHERE /,
	"the list of organisations": /FROM organisations o LEFT JOIN organisation_usage u ON u\.organisation = o\.id ORDER BY/,
	"the queue is counted": /FROM jobs$|FROM jobs WHERE lease IS (NOT )?NULL$/,
	"the leases that a start ends": /FROM jobs WHERE lease IS NOT NULL AND \(worker = \$1 OR leased_until <= \$2\)$/,
	"the waits that a start ends": /^UPDATE jobs SET not_before = \$1 WHERE not_before > \$2 AND task NOT IN/,
	"upkeep of rate limits": /^DELETE FROM rate_buckets WHERE at </,
	"what a start puts back": /^SELECT d\.organisation, 'ingest' AS task/,
	"the documents that a start finds waiting for memories, and that are to have none":
		/^UPDATE documents SET dreaming_status = 'done' WHERE dreaming_status = 'dreaming' AND/,
	"upkeep of the logs": /^DELETE FROM (text_changes|scope_changes|memory_moves|memory_returns|events) WHERE sequence IN/,
	"upkeep of events":
		/FROM \(SELECT sequence FROM events WHERE sequence > \$1 ORDER BY sequence LIMIT \$2\)|^SELECT (max\(sequence\) AS last|1) FROM events( WHERE sequence >|$)/,
	"what a log still has": /^SELECT min\(sequence\) AS oldest FROM/,
	"upkeep of records": /^DELETE FROM records WHERE rowid IN/,
	"upkeep of removed documents": /^SELECT organisation, removal, document, blob, memories FROM removed_documents WHERE expires_at/,
	"upkeep of forgotten memories": /^SELECT r\.organisation, r\.id, r\.value FROM records r WHERE r\.kind = 'removal' AND r\.expires_at <= \$1/,
	"upkeep of discarded chunks": /^SELECT organisation, document, edition FROM discarded_editions LIMIT 1$/,
	"upkeep of memories that expire": /(FROM|UPDATE) memories (SET .* )?WHERE (forget_after <=|key IN)/,
	"texts that lack a vector of the next space": /^SELECT (t\.key AS key|count\(\*\) AS count|max\(key\) AS key)/,
	"who feeds an index": /^(INSERT INTO|UPDATE|DELETE FROM|SELECT feeder FROM) index_feeders /,
	"the collections of all, and one by its name": /^(SELECT name|DELETE) FROM index_collections WHERE kind = \$1( AND name = \$2 RETURNING .*)?$/,
	"the graphs of all collections": /^SELECT graph AS name FROM index_collections WHERE graph IS NOT NULL$/,
	"graphs in the catalogue": /FROM pg_class (WHERE|c JOIN pg_index) /,
	"which organisations have vectors": /^SELECT organisation, space FROM \w+_vectors WHERE \(organisation, space\) >/,
};

/** The statements that name no organisation and are not listed. */
export function namingNone(seen: ReadonlySet<string>): readonly string[] {
	const ofAll = Object.values(statementsOfAll);
	const touchesRows = (sql: string) => /\b(FROM|INTO|UPDATE|JOIN) (?!sqlite_sequence|space_state|organisations|migrations|json_each|pg_)\w+/.test(sql);
	const names = (sql: string) => /\borganisation\b( = [$']|,| IN )|\borganisation = \w+\.organisation/.test(sql);
	return [...seen]
		.filter((sql) => touchesRows(sql) && !names(sql.replace(/^SELECT (?:[^(]|\([^)]*\))*? FROM /, "FROM ")) && !ofAll.some((known) => known.test(sql)))
		.toSorted();
}
