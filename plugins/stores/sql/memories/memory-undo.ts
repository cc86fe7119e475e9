/**
 * Removes a document's memories so that they can be restored: it returns every deleted row and every changed link. Vectors and
 * metadata of the removed memories stay where they are, under the same key.
 */

import type { DocumentKey } from "../documents/document-operations.ts";
import type { Program, SqlContext } from "../executor.ts";
import { memories, type memoryEdges, memoryEvidence } from "../schema.ts";
import { columnList, inserter } from "../table-rows.ts";
import { memoryRemoval } from "./memory-removal.ts";
import { edgesAround, edgeWriter } from "./memory-rows.ts";
import { isFinal } from "./undo-end.ts";

type MemoryColumns = typeof memories.$inferSelect;
type EvidenceColumns = typeof memoryEvidence.$inferSelect;
/** The creation time of an edge is that of the memory it begins at. */
type EdgeColumns = Omit<typeof memoryEdges.$inferSelect, "createdAt">;

/** The columns of a memory that depend on the other versions. */
type Links = Pick<MemoryColumns, "id" | "parent" | "root" | "isLatest">;

/** What was removed. It is stored as JSON. */
export interface TakenBack {
	readonly memories: readonly MemoryColumns[];
	/** All evidence in the document, also of memories that stay, and all evidence of the removed memories. */
	readonly evidence: readonly EvidenceColumns[];
	readonly edges: readonly EdgeColumns[];
	/** Edges that were added to close the gaps. */
	readonly closing: readonly EdgeColumns[];
	/** How the memories around the gaps were linked before, and how they are linked since. */
	readonly relinked: readonly { readonly before: Links; readonly after: Links }[];
	/** When they were removed, as epoch milliseconds; absent in data of earlier versions. */
	readonly at?: number;
}

export interface MemoryUndo {
	readonly takeBack: (document: DocumentKey, now: Date) => Program<TakenBack>;
	/** Restores the memories. What has been changed since stays changed. */
	readonly giveBack: (organisation: string, taken: TakenBack, now: Date) => Program<void>;
	/** Lets the maintenance end once more what was forgotten and ended while the document was away: it brings back what a client wrote of it. */
	readonly endAgain: (document: DocumentKey, taken: TakenBack, now: Date) => Program<void>;
	/** Deletes for good what `takeBack` has left. */
	readonly erase: (organisation: string, taken: TakenBack) => Program<void>;
}

export function memoryUndo(connection: SqlContext): MemoryUndo {
	const { statement } = connection;
	const removal = memoryRemoval(connection);
	const insertMemory = inserter(connection, memories);
	const insertEvidence = inserter(connection, memoryEvidence);
	const writeEdge = edgeWriter(connection);

	function rowsOf(organisation: string, ids: string): Program<readonly MemoryColumns[]> {
		const sql = `SELECT ${columnList(memories, "m")} FROM json_each(?2) j CROSS JOIN memories m WHERE m.organisation = ?1 AND m.id = j.value`;
		return statement<MemoryColumns>(sql).all(organisation, ids);
	}

	function evidenceOf({ organisation, id }: DocumentKey, ids: string): Program<readonly EvidenceColumns[]> {
		const columns = columnList(memoryEvidence, "e");
		const sql = `SELECT ${columns} FROM memory_evidence e INDEXED BY memory_evidence_by_document WHERE e.organisation = ?1 AND e.document = ?2
			UNION SELECT ${columns} FROM memory_evidence e WHERE e.organisation = ?1 AND e.memory IN (SELECT value FROM json_each(?3)) ORDER BY 2, 3`;
		return statement<EvidenceColumns>(sql).all(organisation, id, ids);
	}

	function edgesOf(organisation: string, ids: string): Program<readonly EdgeColumns[]> {
		return statement<EdgeColumns>(edgesAround).all(organisation, ids);
	}

	/** The memories whose links may change when the others are removed, as a JSON array of ids. */
	function* linkedWith(organisation: string, ids: string, edges: readonly EdgeColumns[]): Program<string> {
		const sql = `SELECT m.id FROM memories m WHERE m.organisation = ?1 AND m.parent IN (SELECT value FROM json_each(?2))
			UNION ALL SELECT m.id FROM memories m WHERE m.organisation = ?1 AND m.root IN (SELECT value FROM json_each(?2))`;
		const versions = yield* statement<{ id: string }>(sql).all(organisation, ids);
		return JSON.stringify([...new Set([...versions.map(({ id }) => id), ...edges.flatMap(({ source, target }) => [source, target])])]);
	}

	function* linksOf(organisation: string, ids: string): Program<ReadonlyMap<string, Links>> {
		const sql = `SELECT m.id AS id, m.parent AS parent, m.root AS root, m.is_latest AS isLatest FROM json_each(?2) j
			CROSS JOIN memories m WHERE m.organisation = ?1 AND m.id = j.value`;
		return new Map((yield* statement<Links>(sql).all(organisation, ids)).map((links) => [links.id, links]));
	}

	function* takeBack(document: DocumentKey, now: Date): Program<TakenBack> {
		const { organisation } = document;
		if (!(yield* removal.isSource(document))) return { memories: [], evidence: [], edges: [], closing: [], relinked: [], at: now.getTime() };
		const ids = JSON.stringify(yield* removal.goingWith(document));
		const going = yield* rowsOf(organisation, ids);
		const evidence = yield* evidenceOf(document, ids);
		const edges = yield* edgesOf(organisation, ids);
		const linked = yield* linkedWith(organisation, ids, edges);
		const known = new Set((yield* edgesOf(organisation, linked)).map(nameOf));
		const before = yield* linksOf(organisation, linked);
		yield* removal.takeBack(document, now, "keeping its traces");
		const closing = (yield* edgesOf(organisation, linked)).filter((edge) => !known.has(nameOf(edge)));
		const relinked = [...(yield* linksOf(organisation, linked)).values()].flatMap((after) => {
			const earlier = before.get(after.id);
			return earlier === undefined || isSame(earlier, after) ? [] : [{ before: earlier, after }];
		});
		return { memories: going, evidence, edges, closing, relinked, at: now.getTime() };
	}

	function* memoryExists(organisation: string, memory: string): Program<boolean> {
		return (yield* statement("SELECT 1 FROM memories WHERE organisation = ? AND id = ?").get(organisation, memory)) !== null;
	}

	function* documentExists(organisation: string, document: string): Program<boolean> {
		return (yield* statement("SELECT 1 FROM documents WHERE organisation = ? AND id = ?").get(organisation, document)) !== null;
	}

	/** Gives the evidence a new ordinal if other evidence has taken its own in the meantime. */
	function* addEvidence(row: EvidenceColumns): Program<void> {
		const sql = `SELECT CASE WHEN EXISTS (SELECT 1 FROM memory_evidence WHERE organisation = ?1 AND memory = ?2 AND ordinal = ?3)
			THEN (SELECT max(ordinal) + 1 FROM memory_evidence WHERE organisation = ?1 AND memory = ?2) ELSE ?3 END AS ordinal`;
		const { ordinal } = (yield* statement<{ ordinal: number }>(sql).get(row.organisation, row.memory, row.ordinal)) ?? row;
		yield* insertEvidence({ ...row, ordinal });
	}

	function* relink(organisation: string, { before, after }: TakenBack["relinked"][number], now: Date): Program<void> {
		const sql = `UPDATE memories SET parent = CASE WHEN parent IS NOT DISTINCT FROM ?1 THEN ?2 ELSE parent END,
			root = CASE WHEN root IS NOT DISTINCT FROM ?3 THEN ?4 ELSE root END, is_latest = CASE WHEN is_latest = ?5 THEN ?6 ELSE is_latest END, updated_at = ?7 WHERE organisation = ?8 AND id = ?9`;
		const links = [after.parent, before.parent, after.root, before.root, after.isLatest, before.isLatest];
		yield* statement(sql).run(...links, now.getTime(), organisation, before.id);
	}

	/**
	 * Restores a memory under its old key, so that it has its vectors again. The word index needs an entry in `text_changes`, because an old
	 * key does not look new to it.
	 */
	function* restoreMemory(row: MemoryColumns, now: Date, goneAt: number | null): Program<void> {
		yield* insertMemory({ ...row, sorting: null, updatedAt: now.getTime() });
		yield* statement("INSERT INTO text_changes (organisation, kind, text, id) VALUES (?, 'memory', ?, ?)").run(row.organisation, row.key, row.id);
		if (goneAt === null) return;
		const sql = `INSERT INTO memory_absences (organisation, memory, kind, begins, ends) VALUES (?, ?, 'removed', ?, ?)
			ON CONFLICT (organisation, memory, kind, begins) DO UPDATE SET ends = excluded.ends`;
		yield* statement(sql).run(row.organisation, row.id, goneAt, now.getTime());
	}

	function* giveBack(organisation: string, taken: TakenBack, now: Date): Program<void> {
		for (const row of taken.memories) if (!(yield* memoryExists(organisation, row.id))) yield* restoreMemory(row, now, taken.at ?? null);
		for (const row of taken.evidence)
			if ((yield* memoryExists(organisation, row.memory)) && (yield* documentExists(organisation, row.document))) yield* addEvidence(row);
		for (const { source, target, relation } of taken.closing)
			yield* statement("DELETE FROM memory_edges WHERE organisation = ? AND source = ? AND target = ? AND relation = ?").run(
				organisation,
				source,
				target,
				relation,
			);
		for (const { source, target, relation } of taken.edges) {
			if (!(yield* memoryExists(organisation, source)) || !(yield* memoryExists(organisation, target))) continue;
			yield* writeEdge(organisation, { source, target, relation });
		}
		for (const links of taken.relinked) yield* relink(organisation, links, now);
	}

	function* endAgain({ organisation, id }: DocumentKey, taken: TakenBack, now: Date): Program<void> {
		const touched = new Set([...taken.memories.map((row) => row.id), ...taken.evidence.map(({ memory }) => memory)]);
		const versions = "json_each(?2) j CROSS JOIN memories x ON x.organisation = ?1 AND x.id = j.value CROSS JOIN memories f ON f.organisation = ?1";
		const isEnded = `f.is_forgotten = 1 AND ${isFinal("f.id")}`;
		const sql = `SELECT f.id FROM ${versions} AND f.id = coalesce(x.root, x.id) WHERE ${isEnded}
			UNION SELECT f.id FROM ${versions} AND f.root = coalesce(x.root, x.id) WHERE ${isEnded}`;
		const ended = yield* statement<{ id: string }>(sql).all(organisation, JSON.stringify([...touched]));
		if (ended.length === 0) return;
		const batch = JSON.stringify({ ids: ended.map((memory) => memory.id), at: now.getTime() });
		const put = `INSERT INTO records (organisation, kind, id, value, version, expires_at) VALUES (?, 'removal', ?, ?, 1, ?)
			ON CONFLICT (organisation, kind, id) DO UPDATE SET value = excluded.value, version = records.version + 1, expires_at = excluded.expires_at`;
		yield* statement(put).run(organisation, id, batch, now.getTime());
	}

	function* erase(organisation: string, taken: TakenBack): Program<void> {
		for (const memory of taken.memories) yield* removal.eraseTraces(organisation, memory);
	}

	return { takeBack, giveBack, endAgain, erase };
}

function nameOf({ source, target, relation }: EdgeColumns): string {
	return `${source} ${target} ${relation}`;
}

function isSame(a: Links, b: Links): boolean {
	return a.parent === b.parent && a.root === b.root && a.isLatest === b.isLatest;
}
