/**
 * What chunks are, and which of them a search of a whole organisation may see. A chunk never changes under the key it is
 * known by, so it is read once; which edition of a document is published holds until something is committed. Joining both
 * tables for every hit took longer than finding them.
 */

import type { OrganisationId } from "cairn-memory";
import type { Connection } from "../sql/bun-connection.ts";

export interface ChunkRow {
	/** Its own, or that of its vector. */
	readonly key: number;
	readonly id: string;
	readonly document: string;
	readonly edition: number;
	readonly position: number;
}

type Tables = Pick<Connection, "statement">;

/** About 150 bytes each. Past this all are forgotten, and those that are still asked for are read again. */
const rowsMax = 200_000;

export class ChunkRows {
	readonly #organisation: OrganisationId;
	readonly #read: (db: Connection, keys: readonly number[]) => readonly ChunkRow[];
	readonly #rows = new Map<number, ChunkRow>();
	/** By document; null for one that is gone or shows nothing. */
	readonly #editions = new Map<string, number | null>();
	/** The state of the database that the editions show. */
	#version = -1;

	constructor(organisation: OrganisationId, read: (db: Connection, keys: readonly number[]) => readonly ChunkRow[]) {
		this.#organisation = organisation;
		this.#read = read;
	}

	/** Those of the keys that are chunks, in their order. Whether one is still there is for the caller to find out. */
	of(db: Connection, keys: readonly number[]): readonly ChunkRow[] {
		const unknown = keys.filter((key) => !this.#rows.has(key));
		if (this.#rows.size + unknown.length > rowsMax) return this.#readAnew(db, keys);
		if (unknown.length > 0) for (const row of this.#read(db, unknown)) this.#rows.set(row.key, row);
		const rows: ChunkRow[] = [];
		for (const key of keys) {
			const row = this.#rows.get(key);
			if (row !== undefined) rows.push(row);
		}
		return rows;
	}

	/** Those of the rows that are published. @param version the state of the database, taken before. */
	published(db: Tables, rows: readonly ChunkRow[], version: number): readonly ChunkRow[] {
		if (version !== this.#version) this.#editions.clear();
		this.#version = version;
		const unknown = new Set<string>();
		for (const { document } of rows) if (!this.#editions.has(document)) unknown.add(document);
		if (unknown.size > 0) this.#readEditions(db, [...unknown]);
		return rows.filter(({ document, edition }) => this.#editions.get(document) === edition);
	}

	#readAnew(db: Connection, keys: readonly number[]): readonly ChunkRow[] {
		this.#rows.clear();
		const read = new Map(this.#read(db, keys).map((row) => [row.key, row]));
		for (const [key, row] of read) if (this.#rows.size < rowsMax) this.#rows.set(key, row);
		return keys.flatMap((key) => read.get(key) ?? []);
	}

	#readEditions({ statement }: Tables, documents: readonly string[]): void {
		const sql = `SELECT d.id AS id, d.published_edition AS edition FROM json_each(?) k CROSS JOIN documents d ON d.organisation = ? AND d.id = k.value`;
		for (const document of documents) this.#editions.set(document, null);
		for (const { id, edition } of statement<{ id: string; edition: number | null }>(sql).all(JSON.stringify(documents), this.#organisation)) {
			this.#editions.set(id, edition);
		}
	}
}

/** By their own keys. */
export function chunksByKey({ statement }: Tables, organisation: OrganisationId, keys: readonly number[]): readonly ChunkRow[] {
	const sql = `SELECT c.key AS key, c.id AS id, c.document AS document, c.edition AS edition, c.position AS position
		FROM json_each(?) k CROSS JOIN chunks c ON c.key = k.value WHERE c.organisation = ?`;
	return statement<ChunkRow>(sql).all(JSON.stringify(keys), organisation);
}
