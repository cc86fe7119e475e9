/**
 * The source from which indexes of plugins read their contents and changes. The change log combines three logs that exist anyway:
 * new vectors or texts by ascending key, texts that were removed or restored, and documents or memories whose scopes have changed.
 */

import { asId, type MemoryId, type OrganisationId } from "cairn-memory";
import {
	type Changed,
	type ChunkId,
	type ChunkPlace,
	type DocumentId,
	type IndexSource,
	type SourceChanges,
	type StoredSpace,
	type TextSource,
	type VectorSource,
	wholeOrganisation,
} from "cairn-memory/stores";
import type { TextKind as Kind } from "./embedding-spaces.ts";
import type { Program, SqlEngine } from "./executor.ts";
import { chunkScope, memoryScope, type ScopedRows } from "./scopes/scope-sql.ts";
import { soundVector } from "./vectors.ts";

/** What an index stores of a text (its vector or its words), and where that is in the tables. */
interface Contents<Content> {
	/** The table whose ascending keys show what is new. */
	readonly table: (kind: Kind) => string;
	/** Its column with the ids of the texts, and the condition for its rows. */
	readonly written: (kind: Kind) => { readonly id: string; readonly where: string; readonly params: readonly string[] };
	/** The middle of a SELECT that begins with a list `j` of ids: it selects the content of those that are in scope. */
	readonly found: (kind: Kind, from: string) => { readonly sql: string; readonly params: readonly string[]; readonly column: string };
	/** Null for a stored value that cannot be used. */
	readonly contentOf: (stored: unknown) => Content | null;
}

const kinds = {
	chunk: {
		id: "c.id",
		sized: `SELECT s.sequence AS sequence, (SELECT count(*) FROM (SELECT 1 FROM chunks c
			WHERE c.organisation = s.organisation AND c.document = s.document AND c.edition = d.published_edition LIMIT ?4) few) AS texts
			FROM (SELECT sequence, organisation, document FROM scope_changes WHERE organisation = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3) s
			LEFT JOIN documents d ON d.organisation = s.organisation AND d.id = s.document ORDER BY s.sequence`,
		columns: "c.id AS id, c.document AS document, c.position AS position, d.container_tags AS tags, 0 AS saved",
		changes: "scope_changes",
		changed: `SELECT s.sequence AS sequence, c.id AS id FROM (SELECT sequence, organisation, document FROM scope_changes
			WHERE organisation = ?1 AND sequence > ?2 AND sequence <= ?3 ORDER BY sequence) s
			LEFT JOIN documents d ON d.organisation = s.organisation AND d.id = s.document
			LEFT JOIN chunks c ON c.organisation = d.organisation AND c.document = d.id AND c.edition = d.published_edition ORDER BY s.sequence`,
	},
	memory: {
		id: "m.id",
		sized: "SELECT sequence, 1 AS texts FROM memory_moves WHERE organisation = ?1 AND sequence > ?2 ORDER BY sequence LIMIT ?3",
		columns: "m.id AS id, '' AS document, 0 AS position, json_array(m.container_tag) AS tags, m.key AS saved",
		changes: "memory_moves",
		changed: "SELECT sequence, memory AS id FROM memory_moves WHERE organisation = ?1 AND sequence > ?2 AND sequence <= ?3 ORDER BY sequence",
	},
} as const satisfies Record<Kind, unknown>;

type Reads = Pick<SqlEngine, "statement" | "read" | "snapshot">;

/** A position in each log: the key or the sequence number of the last change that was read. */
interface Position {
	readonly written: number;
	readonly texts: number;
	readonly scopes: number;
}

interface Row {
	readonly id: string;
	readonly document: string;
	readonly position: number;
	readonly tags: string;
	/** Ascending in the order in which memories were saved; 0 for chunks. */
	readonly saved: number;
	readonly content: unknown;
}

interface Logged {
	readonly sequence: number;
	readonly id: string | null;
}

/** Documents whose texts are counted at first. */
const firstSlice = 20;

/** Rows that are read before other work may run: about 3 ms with their vectors. */
const rowsPerTurn = 500;

const everyMemory = { scope: wholeOrganisation, includeForgotten: true, now: new Date(0) };

/** CROSS JOIN fixes the order in which SQLite joins: from the few ids to their vectors to the rows that these belong to. */
export function vectorSource(organisation: OrganisationId, space: StoredSpace, reads: Reads): VectorSource {
	const join = { chunk: "c.id = v.chunk AND c.organisation = v.organisation", memory: "m.id = v.memory AND m.organisation = v.organisation" } as const;
	return indexSource(organisation, reads, {
		table: (kind) => `${kind}_vectors`,
		written: (kind) => ({ id: kind, where: "organisation = ? AND space = ?", params: [organisation, space.name] }),
		found: (kind, from) => ({
			sql: `CROSS JOIN ${kind}_vectors v ON v.organisation = ? AND v.${kind} = j.value AND v.space = ? CROSS JOIN ${from} WHERE ${join[kind]}`,
			params: [organisation, space.name],
			column: "v.vector",
		}),
		contentOf: (stored) => {
			const vector = soundVector(stored as Uint8Array, space);
			return vector === null ? null : { vector };
		},
	});
}

export function textSource(organisation: OrganisationId, reads: Reads): TextSource {
	const tables = { chunk: "chunks", memory: "memories" } as const;
	return indexSource(organisation, reads, {
		table: (kind) => tables[kind],
		written: () => ({ id: "id", where: "organisation = ?", params: [organisation] }),
		found: (kind, from) => ({
			sql: `CROSS JOIN ${from} WHERE ${kinds[kind].id} = j.value`,
			params: [],
			column: kind === "chunk" ? "coalesce(c.indexed_text, c.text)" : "coalesce(m.indexed_text, m.text)",
		}),
		contentOf: (stored) => ({ text: String(stored) }),
	});
}

function indexSource<Content>(organisation: OrganisationId, { statement, read, snapshot }: Reads, contents: Contents<Content>): IndexSource<Content> {
	type Found = Changed<Content> & ChunkPlace & Pick<Row, "saved">;
	const whole = (kind: Kind) => (kind === "chunk" ? chunkScope(organisation, wholeOrganisation) : memoryScope(organisation, everyMemory));

	/** The texts with these ids that are in scope and have usable content. Those with known contents come first, and only the others are read. */
	function* rowsOf(kind: Kind, ids: readonly string[], { from, test }: ScopedRows, known: ReadonlyMap<string, Content>): Program<readonly Found[]> {
		const { sql, params, column } = contents.found(kind, from);
		const { true: given = [], false: wanted = [] } = Object.groupBy(ids, (id) => `${known.has(id)}`);
		const rows = statement<Row>(
			`SELECT ${kinds[kind].columns}, CASE WHEN j.key >= ? THEN ${column} END AS content FROM json_each(?) j ${sql} AND ${test.where}`,
		);
		const found = yield* rows.all(given.length, JSON.stringify([...given, ...wanted]), ...params, ...test.params);
		return found.flatMap(({ id, document, position, tags, saved, content: stored }) => {
			const content = known.get(id) ?? contents.contentOf(stored);
			const containerTags: readonly string[] = JSON.parse(tags);
			return content === null ? [] : [{ ...content, id, document: asId<DocumentId>(document), position, containerTags, saved }];
		});
	}

	async function inScope(kind: Kind, ids: readonly string[], scope: ScopedRows, known: ReadonlyMap<string, Content> = new Map()): Promise<Found[]> {
		const found: Found[] = [];
		for (let start = 0; start < ids.length; start += rowsPerTurn) {
			if (start > 0) await new Promise((resolve) => setImmediate(resolve));
			found.push(...(await read(rowsOf(kind, ids.slice(start, start + rowsPerTurn), scope, known))));
		}
		return found;
	}

	/** The ids of all texts in scope; null if there are more than `most`. */
	function* listed<Id extends ChunkId | MemoryId>(kind: Kind, { from, where, params }: ScopedRows, most: number): Program<readonly Id[] | null> {
		const rows = yield* statement<{ id: string }>(`SELECT ${kinds[kind].id} AS id FROM ${from} WHERE ${where} LIMIT ?`).all(...params, most + 1);
		return rows.length > most ? null : rows.map(({ id }) => asId<Id>(id));
	}

	/** The last key or sequence number that a table has given out. */
	function* newest(table: string): Program<number> {
		return (yield* statement<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = ?").get(table))?.seq ?? 0;
	}

	/** Whether the log still has everything after a position. A position beyond the newest belongs to another database. */
	function* isKept(table: string, after: number): Program<boolean> {
		const last = yield* newest(table);
		const oldest = (yield* statement<{ oldest: number | null }>(`SELECT min(sequence) AS oldest FROM ${table}`).get())?.oldest ?? last + 1;
		return after <= last && after + 1 >= oldest;
	}

	function* isOurs(kind: Kind, { written, texts, scopes }: Position): Program<boolean> {
		return written <= (yield* newest(contents.table(kind))) && (yield* isKept("text_changes", texts)) && (yield* isKept(kinds[kind].changes, scopes));
	}

	/** The position of a new index: it reads all contents, and only the changes from now on. */
	function* beginning(kind: Kind): Program<Position> {
		return { written: 0, texts: yield* newest("text_changes"), scopes: yield* newest(kinds[kind].changes) };
	}

	/**
	 * Where a page of changed scopes ends: between two documents, with about as many texts as a page of new ones. So both logs are read at one
	 * pace, and chunks that are written and then published are in one page, in which each is put once. Documents are counted in slices that
	 * grow, because the first ones may be enough.
	 */
	function* scopePage(kind: Kind, after: number, limit: number): Program<{ readonly end: number; readonly isLast: boolean }> {
		const countedMax = kind === "chunk" ? [limit] : [];
		let [end, taken, texts] = [after, 0, 0];
		for (let slice = firstSlice; ; slice *= 2) {
			const asked = Math.min(slice, limit - taken);
			const changed = yield* statement<{ sequence: number; texts: number }>(kinds[kind].sized).all(organisation, end, asked, ...countedMax);
			for (const each of changed) {
				texts += each.texts;
				if (texts > limit && taken > 0) return { end, isLast: false };
				taken++;
				end = each.sequence;
			}
			if (changed.length < asked || taken === limit) return { end, isLast: taken < limit };
		}
	}

	function* changes(kind: Kind, after: Position, limit: number): Program<SourceChanges<Content>> {
		const { id: column, where, params } = contents.written(kind);
		const written = yield* statement<Logged>(
			`SELECT key AS sequence, ${column} AS id FROM ${contents.table(kind)} WHERE ${where} AND key > ? ORDER BY key LIMIT ?`,
		).all(...params, after.written, limit);
		const texts = yield* statement<Logged>(
			"SELECT sequence, id FROM text_changes WHERE organisation = ? AND kind = ? AND sequence > ? ORDER BY sequence LIMIT ?",
		).all(organisation, kind, after.texts, limit);
		const page = yield* scopePage(kind, after.scopes, limit);
		const scopes = yield* statement<Logged>(kinds[kind].changed).all(organisation, after.scopes, page.end);
		const ids = new Set([...written, ...texts, ...scopes].flatMap(({ id }) => id ?? []));
		const put = yield* rowsOf(kind, [...ids], whole(kind), new Map());
		for (const { id } of put) ids.delete(id);
		const isRead = { texts: texts.length < limit, scopes: page.isLast };
		// If all changes of this organisation were read, those of others can be skipped too, so that the log may delete them.
		const reached = {
			written: lastOf(written, after.written),
			texts: isRead.texts ? yield* newest("text_changes") : lastOf(texts, after.texts),
			scopes: isRead.scopes ? yield* newest(kinds[kind].changes) : page.end,
		};
		return { put, gone: [...ids], position: textOf(reached), isAtEnd: written.length < limit && isRead.texts && isRead.scopes };
	}

	/**
	 * One statement, so that it is one way over a network. It asks for the greatest number and not whether there is any: planned for any numbers,
	 * PostgreSQL expects a third of the rows behind one, and would look for the first of them by reading the whole table.
	 */
	function* nothingSince(kind: Kind, { written, texts, scopes }: Position): Program<boolean> {
		const { where, params } = contents.written(kind);
		const ends = (table: string) => `(SELECT seq FROM sqlite_sequence WHERE name = '${table}')`;
		const isKept = (table: string) => `? <= coalesce(${ends(table)}, 0) AND ? + 1 >= coalesce((SELECT min(sequence) FROM ${table}), ${ends(table)} + 1, 1)`;
		const row = yield* statement<{ isSame: number }>(`SELECT ? <= coalesce(${ends(contents.table(kind))}, 0)
			AND (SELECT max(key) FROM ${contents.table(kind)} WHERE ${where} AND key > ?) IS NULL
			AND ${isKept("text_changes")} AND (SELECT max(sequence) FROM text_changes WHERE organisation = ? AND kind = ? AND sequence > ?) IS NULL
			AND ${isKept(kinds[kind].changes)} AND (SELECT max(sequence) FROM ${kinds[kind].changes} WHERE organisation = ? AND sequence > ?) IS NULL AS isSame`).get(
			...[written, ...params, written, texts, texts, organisation, kind, texts, scopes, scopes, organisation, scopes],
		);
		return row?.isSame === 1;
	}

	function* changesAfter(kind: Kind, position: string | null, limit: number): Program<SourceChanges<Content> | null> {
		const after = position === null ? yield* beginning(kind) : positionOf(position);
		return after === null || !(yield* isOurs(kind, after)) ? null : yield* changes(kind, after, limit);
	}

	return {
		chunksIn: async (ids, scope, known) => {
			const rows = await inScope("chunk", ids, chunkScope(organisation, scope), known);
			return rows.map((row) => ({ ...row, id: asId<ChunkId>(row.id) }));
		},
		memoriesIn: async (ids, memoryFilter, known) => {
			const rows = await inScope("memory", ids, memoryScope(organisation, memoryFilter), known);
			return rows.sort((a, b) => a.saved - b.saved).map((row) => ({ ...row, id: asId<MemoryId>(row.id) }));
		},
		listChunks: (scope, most) => read(listed<ChunkId>("chunk", chunkScope(organisation, scope), most)),
		listMemories: (memoryFilter, most) => read(listed<MemoryId>("memory", memoryScope(organisation, memoryFilter), most)),
		isUpToDate: async (kind, position) => {
			const after = positionOf(position);
			return after !== null && (await read(nothingSince(kind, after)));
		},
		changesSince: (kind, position, limit) => snapshot(changesAfter(kind, position, limit), organisation),
	};
}

function lastOf(rows: readonly Logged[], before: number): number {
	return rows.reduce((last, { sequence }) => Math.max(last, sequence), before);
}

function textOf({ written, texts, scopes }: Position): string {
	return `${written}.${texts}.${scopes}`;
}

function positionOf(text: string): Position | null {
	const [written = Number.NaN, texts = Number.NaN, scopes = Number.NaN] = text.split(".").map(Number);
	return [written, texts, scopes].every(Number.isSafeInteger) ? { written, texts, scopes } : null;
}
