/** One collection: a file with the vectors in a table of sqlite-vec, their ids and tags beside it, and how far it is. */

import type { Database } from "bun:sqlite";
import type { EntryFilter, VectorCollection, VectorEntry } from "cairn-memory";

/** More neighbours than this its index does not answer; they are compared one by one. */
const neighboursMax = 4_096;

const tables = (dimensions: number) => `
	CREATE TABLE IF NOT EXISTS entries (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
	CREATE TABLE IF NOT EXISTS tags (tag TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (tag, number)) WITHOUT ROWID;
	CREATE INDEX IF NOT EXISTS tags_of ON tags (number);
	CREATE TABLE IF NOT EXISTS noted (only INTEGER PRIMARY KEY, position TEXT NOT NULL);
	CREATE VIRTUAL TABLE IF NOT EXISTS vectors USING vec0(embedding float[${dimensions}] distance_metric=cosine);`;

export function sqliteVecCollection(db: Database, dimensions: number): VectorCollection {
	db.run("PRAGMA journal_mode = WAL");
	db.run(tables(dimensions));

	function remove(id: string): void {
		const entry = db.query<{ number: number }, [string]>("DELETE FROM entries WHERE id = ? RETURNING number").get(id);
		if (entry === null) return;
		db.query("DELETE FROM tags WHERE number = ?").run(entry.number);
		db.query("DELETE FROM vectors WHERE rowid = ?").run(entry.number);
	}

	function put({ id, vector, containerTags }: VectorEntry): void {
		remove(id);
		const number = Number(db.query("INSERT INTO entries (id) VALUES (?)").run(id).lastInsertRowid);
		db.query("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)").run(number, vector);
		for (const tag of new Set(containerTags)) db.query("INSERT INTO tags (tag, number) VALUES (?, ?)").run(tag, number);
	}

	// The entries and the position in one transaction: neither is ever ahead of the other.
	const apply = db.transaction((removed: readonly string[], entries: readonly VectorEntry[], position: string) => {
		for (const id of removed) remove(id);
		for (const entry of entries) put(entry);
		db.query("INSERT OR REPLACE INTO noted (only, position) VALUES (1, ?)").run(position);
	});

	return {
		position: async () => db.query<{ position: string }, []>("SELECT position FROM noted").get()?.position ?? null,
		apply: async (changes) => apply.immediate(changes.remove, changes.put, changes.position),
		nearest: async (query, limit, within) => {
			const { where, params } = condition(within);
			const nearest = "SELECT rowid AS number, distance FROM vectors WHERE embedding MATCH ? AND k = ?";
			const compared = "SELECT rowid AS number, vec_distance_cosine(embedding, ?) AS distance FROM vectors WHERE true";
			const sql = (found: string, end: string) =>
				`SELECT e.id AS id FROM (${found} ${where} ${end}) f JOIN entries e ON e.number = f.number ORDER BY f.distance`;
			const rows =
				limit <= neighboursMax
					? db.query<{ id: string }, (Float32Array | number | string)[]>(sql(nearest, "")).all(query, limit, ...params)
					: db.query<{ id: string }, (Float32Array | number | string)[]>(sql(compared, "ORDER BY distance LIMIT ?")).all(query, ...params, limit);
			return rows.map(({ id }) => id);
		},
	};
}

/** Which rows may be answered, by their tags. */
function condition({ containerTags, tagsMatch }: EntryFilter): { readonly where: string; readonly params: readonly (string | number)[] } {
	if (containerTags.length === 0) return { where: "", params: [] };
	const wanted = new Set(containerTags);
	const tagged = "SELECT number FROM tags WHERE tag IN (SELECT value FROM json_each(?)) GROUP BY number HAVING count(*) >= ?";
	return { where: `AND rowid IN (${tagged})`, params: [JSON.stringify([...wanted]), tagsMatch === "all" ? wanted.size : 1] };
}
