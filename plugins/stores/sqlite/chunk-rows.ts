/**
 * A cache of chunks, and of which of them are published. A chunk never changes under its key, so it is read once. Two things may change:
 * which edition of a document is published, and whether a chunk still exists. After a commit the logs of changes say of which documents
 * they are read again. Without this cache, joining the tables for every hit took longer than finding the hits.
 */

import type { OrganisationId } from "cairn-memory";
import type { Connection } from "../sql/bun-connection.ts";
import { ChunkChangeLog } from "./chunk-changes.ts";

export interface ChunkRow {
	/** The key of the chunk, or of its vector. */
	readonly key: number;
	readonly id: string;
	readonly document: string;
	readonly edition: number;
	readonly position: number;
}

/** A chunk as it is read: with the published edition of its document, null for none. */
export interface FoundRow extends ChunkRow {
	readonly published: number | null;
}

/** Reads chunks by their own keys, or by those of their vectors. */
export interface ChunkSource {
	readonly read: (db: Connection, keys: readonly number[]) => readonly FoundRow[];
	/** The keys of those that still exist. A vector is deleted with its chunk, or with a space that nobody searches any more. */
	readonly existing: (db: Connection, keys: readonly number[]) => readonly number[];
}

type StatementRunner = Pick<Connection, "statement">;

/** A row in the cache, with the last state of the database in which it was there and published. */
interface Held {
	readonly row: ChunkRow;
	shownAt: number;
}

/** About 200 bytes per row. When the cache is full it is emptied, and rows that are still needed are read again. */
const rowsMax = 200_000;
/** For each row that is read, two are looked at: so no more than half of the rows are deleted ones, and looking takes a fraction of reading. */
const lookedAtPerRead = 2;

export class ChunkRows {
	readonly #organisation: OrganisationId;
	readonly #source: ChunkSource;
	readonly #changes: ChunkChangeLog;
	readonly #rows = new Map<number, Held>();
	/** The published edition by document; null for a document that does not exist or is not published. */
	readonly #editions = new Map<string, number | null>();
	/** Whether the chunk with a key still exists. */
	readonly #exists = new Map<number, boolean>();
	/** The state of the database for which `#editions` and `#exists` are valid. */
	#version = -1;

	constructor(organisation: OrganisationId, source: ChunkSource) {
		this.#organisation = organisation;
		this.#source = source;
		this.#changes = new ChunkChangeLog(organisation);
	}

	/** The chunks with these keys, in their order, including deleted ones. @param version the state of the database, taken before the call. */
	of(db: Connection, keys: readonly number[], version: number): readonly ChunkRow[] {
		this.#moveTo(db, version);
		const unknown = keys.filter((key) => !this.#rows.has(key));
		const isFull = this.#rows.size + unknown.length > rowsMax;
		if (isFull) this.#rows.clear();
		const read = unknown.length === 0 ? [] : this.#source.read(db, isFull ? keys : unknown);
		for (const row of read) {
			this.#rows.set(row.key, { row, shownAt: -1 });
			this.#editions.set(row.document, row.published);
			this.#exists.set(row.key, true);
		}
		const found = keys.flatMap((key) => this.#rows.get(key)?.row ?? []);
		this.#dropDeleted(db, read.length * lookedAtPerRead);
		return found;
	}

	/** Looks at the rows that were not looked at for the longest time. Nobody asks for deleted ones again, so the cache would keep them until it is full. */
	#dropDeleted(db: Connection, count: number): void {
		const oldest = this.#rows.keys().take(count).toArray();
		if (oldest.length === 0) return;
		const existing = new Set(this.#source.existing(db, oldest));
		for (const key of oldest) {
			const held = this.#rows.get(key);
			this.#rows.delete(key);
			if (held !== undefined && existing.has(key)) this.#rows.set(key, held);
		}
	}

	/** The chunks with these keys that are published and still exist, in their order. @param version as in `of`. */
	shown(db: Connection, keys: readonly number[], version: number): readonly ChunkRow[] {
		const shown: ChunkRow[] = [];
		for (const key of keys) {
			const held = this.#rows.get(key);
			if (held?.shownAt !== version) return this.#look(db, keys, version);
			shown.push(held.row);
		}
		return shown;
	}

	#look(db: Connection, keys: readonly number[], version: number): readonly ChunkRow[] {
		const shown = this.existing(db, this.published(db, this.of(db, keys, version), version), version);
		for (const { key } of shown) {
			const held = this.#rows.get(key);
			if (held !== undefined) held.shownAt = version;
		}
		return shown;
	}

	/** The rows that are published. @param version as in `of`. */
	published(db: StatementRunner, rows: readonly ChunkRow[], version: number): readonly ChunkRow[] {
		this.#moveTo(db, version);
		const unknown = new Set<string>();
		for (const { document } of rows) if (!this.#editions.has(document)) unknown.add(document);
		if (unknown.size > 0) this.#readEditions(db, [...unknown]);
		return rows.filter(({ document, edition }) => this.#editions.get(document) === edition);
	}

	/** The rows that still exist. @param version as in `of`. */
	existing(db: Connection, rows: readonly ChunkRow[], version: number): readonly ChunkRow[] {
		this.#moveTo(db, version);
		const unknown = rows.flatMap(({ key }) => (this.#exists.has(key) ? [] : [key]));
		if (unknown.length > 0) {
			const existing = new Set(this.#source.existing(db, unknown));
			for (const key of unknown) this.#exists.set(key, existing.has(key));
		}
		return rows.filter(({ key }) => this.#exists.get(key) === true);
	}

	#moveTo(db: StatementRunner, version: number): void {
		const isFull = this.#editions.size > rowsMax || this.#exists.size > rowsMax;
		if (version === this.#version && !isFull) return;
		const changes = this.#changes.next(db);
		this.#version = version;
		if (changes === null || isFull) this.#editions.clear();
		else for (const document of changes.documents) this.#editions.delete(document);
		if (changes === null || isFull || changes.hasDeleted) this.#exists.clear();
	}

	#readEditions({ statement }: StatementRunner, documents: readonly string[]): void {
		const sql = `SELECT d.id AS id, d.published_edition AS edition FROM json_each(?) k CROSS JOIN documents d ON d.organisation = ? AND d.id = k.value`;
		for (const document of documents) this.#editions.set(document, null);
		for (const { id, edition } of statement<{ id: string; edition: number | null }>(sql).all(JSON.stringify(documents), this.#organisation)) {
			this.#editions.set(id, edition);
		}
	}
}

const columns = "c.id AS id, c.document AS document, c.edition AS edition, c.position AS position, d.published_edition AS published";
const joinDocument = "LEFT JOIN documents d ON d.organisation = c.organisation AND d.id = c.document";

/** Chunks by their own keys. */
export function chunksByKey(organisation: OrganisationId): ChunkSource {
	const from = "FROM json_each(?) k CROSS JOIN chunks c ON c.key = k.value";
	const where = "WHERE c.organisation = ?";
	return {
		read: ({ statement }, keys) =>
			statement<FoundRow>(`SELECT c.key AS key, ${columns} ${from} ${joinDocument} ${where}`).all(JSON.stringify(keys), organisation),
		existing: ({ statement }, keys) => keysOf(statement(`SELECT c.key ${from} ${where}`).values(JSON.stringify(keys), organisation)),
	};
}

/** Chunks by the keys of their vectors in an embedding space. */
export function chunksByVector(organisation: OrganisationId, space: string): ChunkSource {
	const from = "FROM json_each(?) k CROSS JOIN chunk_vectors v ON v.key = k.value";
	const joinChunk = "CROSS JOIN chunks c ON c.organisation = v.organisation AND c.id = v.chunk";
	const where = "WHERE v.organisation = ? AND v.space = ?";
	return {
		read: ({ statement }, keys) =>
			statement<FoundRow>(`SELECT v.key AS key, ${columns} ${from} ${joinChunk} ${joinDocument} ${where}`).all(JSON.stringify(keys), organisation, space),
		existing: ({ statement }, keys) => keysOf(statement(`SELECT v.key ${from} ${where}`).values(JSON.stringify(keys), organisation, space)),
	};
}

function keysOf(rows: readonly (readonly unknown[])[]): readonly number[] {
	return rows.map(([key]) => Number(key));
}
