/**
 * Removes memories together with the document they came from, and repairs their chains of versions: a memory that a removed one had
 * replaced becomes the latest again, and the versions before and after a gap are linked.
 */

import type { MemoryId } from "cairn-memory";
import type { DocumentKey } from "../documents/document-operations.ts";
import type { Program, SqlContext } from "../executor.ts";
import { edgeWriter } from "./memory-rows.ts";

export interface MemoryRemoval {
	/** Whether any memory was extracted from the document. */
	readonly isSource: (document: DocumentKey) => Program<boolean>;
	/** The ids of the memories that are removed with a document: those with evidence in it alone, and those inferred from them. */
	readonly goingWith: (document: DocumentKey) => Program<readonly string[]>;
	/** Removes the memories that go with a document. Memories with another source lose the evidence in this one. */
	readonly takeBack: (document: DocumentKey, now: Date, manner?: "keeping its traces") => Program<void>;
	/** The same for these memories only. A memory inferred from them stays if it has evidence in the document itself. */
	readonly takeBackSome: (document: DocumentKey, memories: readonly MemoryId[], now: Date) => Program<void>;
	/** Deletes memories for good, whatever supports them. @returns how many there were. */
	readonly eraseAll: (organisation: string, memories: readonly MemoryId[], now: Date) => Program<number>;
	/** Deletes vectors, metadata and absences, which are invisible without the memory. */
	readonly eraseTraces: (organisation: string, memory: Pick<Removed, "id">) => Program<void>;
}

interface Removed {
	readonly id: string;
	readonly parent: string | null;
	readonly isLatest: number;
	readonly isForgotten: number;
	readonly forgetAfter: number | null;
}

export function memoryRemoval(connection: SqlContext): MemoryRemoval {
	const { statement } = connection;
	const writeEdge = edgeWriter(connection);

	/** @param among the ids of the memories to consider, as a JSON array; null for all of the document. */
	function* goingWith({ organisation, id }: DocumentKey, among: string | null = null): Program<readonly string[]> {
		const sql = `WITH RECURSIVE going (id) AS (
				SELECT m.id FROM memories m
				WHERE m.organisation = ?1 AND m.id IN (SELECT e.memory FROM memory_evidence e WHERE e.organisation = ?1 AND e.document = ?2)
				AND NOT EXISTS (SELECT 1 FROM memory_evidence o WHERE o.organisation = ?1 AND o.memory = m.id AND o.document <> ?2)
				AND (CAST(?3 AS TEXT) IS NULL OR m.id IN (SELECT value FROM json_each(?3)))
				UNION SELECT d.id FROM going g CROSS JOIN memory_edges e CROSS JOIN memories d ON d.organisation = e.organisation AND d.id = e.source
				WHERE e.organisation = ?1 AND e.target = g.id AND e.relation = 'derives' AND d.is_inference = 1
				AND (CAST(?3 AS TEXT) IS NULL OR d.id IN (SELECT value FROM json_each(?3)) OR NOT EXISTS (SELECT 1 FROM memory_evidence o WHERE o.organisation = ?1 AND o.memory = d.id AND o.document = ?2))
			) SELECT id FROM going`;
		return (yield* statement<{ id: string }>(sql).all(organisation, id, among)).map((row) => row.id);
	}

	function* isSource({ organisation, id }: DocumentKey): Program<boolean> {
		return (yield* statement("SELECT 1 FROM memory_evidence WHERE organisation = ? AND document = ? LIMIT 1").get(organisation, id)) !== null;
	}

	function* takeBack({ organisation, id }: DocumentKey, now: Date, manner: "keeping its traces" | null = null): Program<void> {
		if (!(yield* isSource({ organisation, id }))) return;
		const going = yield* goingWith({ organisation, id });
		const listed = JSON.stringify(going);
		yield* statement(
			`UPDATE memories SET updated_at = ?3 WHERE organisation = ?1 AND id IN
				(SELECT e.memory FROM memory_evidence e WHERE e.organisation = ?1 AND e.document = ?2 UNION SELECT value FROM json_each(?4))`,
		).run(organisation, id, now.getTime(), listed);
		// Without the index SQLite would scan all evidence of the organisation.
		yield* statement("DELETE FROM memory_evidence INDEXED BY memory_evidence_by_document WHERE organisation = ? AND document = ?").run(organisation, id);
		yield* remove(organisation, going, now, manner);
	}

	function* takeBackSome({ organisation, id }: DocumentKey, memories: readonly MemoryId[], now: Date): Program<void> {
		if (memories.length === 0) return;
		const listed = JSON.stringify(memories);
		const going = yield* goingWith({ organisation, id }, listed);
		const sql = "UPDATE memories SET updated_at = ? WHERE organisation = ? AND id IN (SELECT value FROM json_each(?))";
		for (const ids of [listed, JSON.stringify(going)]) yield* statement(sql).run(now.getTime(), organisation, ids);
		const own = "DELETE FROM memory_evidence WHERE organisation = ? AND memory IN (SELECT value FROM json_each(?)) AND document = ?";
		yield* statement(own).run(organisation, listed, id);
		yield* remove(organisation, going, now, null);
	}

	function* eraseAll(organisation: string, memories: readonly MemoryId[], now: Date): Program<number> {
		// The trigger that records the deletion sees only the row, so the row must have the time of the deletion.
		const sql = "UPDATE memories SET updated_at = ? WHERE organisation = ? AND id IN (SELECT value FROM json_each(?))";
		const { changes } = yield* statement(sql).run(now.getTime(), organisation, JSON.stringify(memories));
		yield* remove(organisation, memories, now, null);
		return changes;
	}

	function* remove(organisation: string, going: readonly string[], now: Date, manner: "keeping its traces" | null): Program<void> {
		const every = "DELETE FROM memory_evidence WHERE organisation = ? AND memory IN (SELECT value FROM json_each(?))";
		yield* statement(every).run(organisation, JSON.stringify(going));
		for (const name of going) {
			// Each is read on its own, because the removal of the one before may have made it the latest.
			const sql =
				"SELECT id, parent, is_latest AS isLatest, is_forgotten AS isForgotten, forget_after AS forgetAfter FROM memories WHERE organisation = ? AND id = ?";
			const memory = yield* statement<Removed>(sql).get(organisation, name);
			if (memory === null) continue;
			yield* closeGap(organisation, memory, now);
			if (manner === null) yield* eraseTraces(organisation, memory);
			for (const end of ["source", "target"]) yield* statement(`DELETE FROM memory_edges WHERE organisation = ? AND ${end} = ?`).run(organisation, memory.id);
			yield* statement("DELETE FROM memories WHERE organisation = ? AND id = ?").run(organisation, memory.id);
		}
	}

	function* eraseTraces(organisation: string, { id }: Pick<Removed, "id">): Program<void> {
		for (const table of ["memory_vectors", "memory_metadata", "memory_absences"] as const)
			yield* statement(`DELETE FROM ${table} WHERE organisation = ? AND memory = ?`).run(organisation, id);
	}

	/** Links the versions before and after a memory that is removed. */
	function* closeGap(organisation: string, { id, parent, isLatest, isForgotten, forgetAfter }: Removed, now: Date): Program<void> {
		const isCurrent = isLatest === 1 && isForgotten === 0 && (forgetAfter === null || forgetAfter > now.getTime());
		const older = yield* ends("SELECT target AS end FROM memory_edges WHERE organisation = ? AND source = ? AND relation = 'updates'", organisation, id);
		const newer = yield* ends("SELECT source AS end FROM memory_edges WHERE organisation = ? AND target = ? AND relation = 'updates'", organisation, id);
		for (const target of older) {
			for (const source of newer) yield* writeEdge(organisation, { source, target, relation: "updates" });
			// If the removed memory was forgotten or expired, the one that it had replaced stays replaced.
			if (isCurrent) yield* makeLatestAgain(organisation, target, id, now);
		}
		yield* statement("UPDATE memories SET parent = ? WHERE organisation = ? AND parent = ?").run(parent, organisation, id);
		yield* moveRoot(organisation, id);
	}

	function* makeLatestAgain(organisation: string, target: string, except: string, now: Date): Program<void> {
		const sql = `UPDATE memories SET is_latest = 1, updated_at = ?1 WHERE organisation = ?2 AND id = ?3 AND NOT EXISTS
			(SELECT 1 FROM memory_edges e WHERE e.organisation = ?2 AND e.target = ?3 AND e.relation = 'updates' AND e.source <> ?4)`;
		yield* statement(sql).run(now.getTime(), organisation, target, except);
	}

	/** Makes the oldest remaining version the root of the chain. */
	function* moveRoot(organisation: string, id: string): Program<void> {
		const first = yield* statement<{ id: string }>("SELECT id FROM memories WHERE organisation = ? AND root = ? ORDER BY version LIMIT 1").get(
			organisation,
			id,
		);
		if (first === null) return;
		yield* statement("UPDATE memories SET root = nullif(?1, id) WHERE organisation = ?2 AND root = ?3").run(first.id, organisation, id);
	}

	function* ends(sql: string, organisation: string, id: string): Program<readonly string[]> {
		return (yield* statement<{ end: string }>(sql).all(organisation, id)).map(({ end }) => end);
	}

	return { isSource, goingWith, takeBack, takeBackSome, eraseAll, eraseTraces };
}
