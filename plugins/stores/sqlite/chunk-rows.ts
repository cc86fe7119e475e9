/**
 * What chunks are, and which of them a search of a whole organisation may see. A chunk never changes under the key it is
 * known by, so it is read once; which edition of a document is published, and that the chunk is still there, holds until
 * something is committed. Joining the tables for every hit took longer than finding them.
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

/** As it is read: with the edition that its document shows, null for none. */
export interface FoundRow extends ChunkRow {
	readonly published: number | null;
}

/** Where the rows are, and under which keys. */
export interface ChunkSource {
	readonly read: (db: Connection, keys: readonly number[]) => readonly FoundRow[];
	/** Those of the keys that are still there. */
	readonly held: (db: Connection, keys: readonly number[]) => readonly number[];
}

type Tables = Pick<Connection, "statement">;

/** About 200 bytes each. Past this all are forgotten, and those that are still asked for are read again. */
const rowsMax = 200_000;

export class ChunkRows {
	readonly #organisation: OrganisationId;
	readonly #source: ChunkSource;
	readonly #rows = new Map<number, ChunkRow>();
	/** By document; null for one that is gone or shows nothing. */
	readonly #editions = new Map<string, number | null>();
	readonly #isHeld = new Map<number, boolean>();
	/** The state of the database that the editions and the keys show. */
	#version = -1;

	constructor(organisation: OrganisationId, source: ChunkSource) {
		this.#organisation = organisation;
		this.#source = source;
	}

	/** Those of the keys that are, or were, chunks, in their order. @param version the state of the database, taken before. */
	of(db: Connection, keys: readonly number[], version: number): readonly ChunkRow[] {
		this.#moveTo(version);
		const unknown = keys.filter((key) => !this.#rows.has(key));
		const isFull = this.#rows.size + unknown.length > rowsMax;
		if (isFull) this.#rows.clear();
		for (const row of unknown.length === 0 ? [] : this.#source.read(db, isFull ? keys : unknown)) {
			this.#rows.set(row.key, row);
			this.#editions.set(row.document, row.published);
			this.#isHeld.set(row.key, true);
		}
		return keys.flatMap((key) => this.#rows.get(key) ?? []);
	}

	/** Those of the rows that are published. @param version as with `of` */
	published(db: Tables, rows: readonly ChunkRow[], version: number): readonly ChunkRow[] {
		this.#moveTo(version);
		const unknown = new Set<string>();
		for (const { document } of rows) if (!this.#editions.has(document)) unknown.add(document);
		if (unknown.size > 0) this.#readEditions(db, [...unknown]);
		return rows.filter(({ document, edition }) => this.#editions.get(document) === edition);
	}

	/** Those of the rows that are still there. @param version as with `of` */
	held(db: Connection, rows: readonly ChunkRow[], version: number): readonly ChunkRow[] {
		this.#moveTo(version);
		const unknown = rows.flatMap(({ key }) => (this.#isHeld.has(key) ? [] : [key]));
		if (unknown.length > 0) {
			const held = new Set(this.#source.held(db, unknown));
			for (const key of unknown) this.#isHeld.set(key, held.has(key));
		}
		return rows.filter(({ key }) => this.#isHeld.get(key) === true);
	}

	#moveTo(version: number): void {
		const isFull = this.#editions.size > rowsMax || this.#isHeld.size > rowsMax;
		if (version === this.#version && !isFull) return;
		this.#editions.clear();
		this.#isHeld.clear();
		this.#version = version;
	}

	#readEditions({ statement }: Tables, documents: readonly string[]): void {
		const sql = `SELECT d.id AS id, d.published_edition AS edition FROM json_each(?) k CROSS JOIN documents d ON d.organisation = ? AND d.id = k.value`;
		for (const document of documents) this.#editions.set(document, null);
		for (const { id, edition } of statement<{ id: string; edition: number | null }>(sql).all(JSON.stringify(documents), this.#organisation)) {
			this.#editions.set(id, edition);
		}
	}
}

const columns = "c.id AS id, c.document AS document, c.edition AS edition, c.position AS position, d.published_edition AS published";
const itsDocument = "LEFT JOIN documents d ON d.organisation = c.organisation AND d.id = c.document";

/** Chunks by their own keys. */
export function chunksByKey(organisation: OrganisationId): ChunkSource {
	const from = "FROM json_each(?) k CROSS JOIN chunks c ON c.key = k.value";
	const where = "WHERE c.organisation = ?";
	return {
		read: ({ statement }, keys) =>
			statement<FoundRow>(`SELECT c.key AS key, ${columns} ${from} ${itsDocument} ${where}`).all(JSON.stringify(keys), organisation),
		held: ({ statement }, keys) => keysOf(statement(`SELECT c.key ${from} ${where}`).values(JSON.stringify(keys), organisation)),
	};
}

/** Chunks by the keys of their vectors in an embedding space. */
export function chunksByVector(organisation: OrganisationId, space: string): ChunkSource {
	const from = "FROM json_each(?) k CROSS JOIN chunk_vectors v ON v.key = k.value";
	const itsChunk = "CROSS JOIN chunks c ON c.organisation = v.organisation AND c.id = v.chunk";
	const where = "WHERE v.organisation = ? AND v.space = ?";
	return {
		read: ({ statement }, keys) =>
			statement<FoundRow>(`SELECT v.key AS key, ${columns} ${from} ${itsChunk} ${itsDocument} ${where}`).all(JSON.stringify(keys), organisation, space),
		held: ({ statement }, keys) => keysOf(statement(`SELECT v.key ${from} ${where}`).values(JSON.stringify(keys), organisation, space)),
	};
}

function keysOf(rows: readonly (readonly unknown[])[]): readonly number[] {
	return rows.map(([key]) => Number(key));
}
