/**
 * What becomes of a document's memories when it changes its containers. In each container they were drawn, corrected and forgotten on their
 * own, so they belong to it: what the document leaves behind is removed, as if the document was, and crosses into no other container.
 */

import type { MemoryId } from "cairn-memory";
import type { DocumentKey } from "../documents/document-operations.ts";
import type { Program, SqlContext } from "../executor.ts";
import { memoryRemoval } from "./memory-removal.ts";

export interface Moving {
	readonly before: readonly string[];
	/** The containers in which the document is now. */
	readonly tags: readonly string[];
	/** Whether one of its containers is merged into the first of these. Then all of its memories are moved. */
	readonly mergesContainer: boolean;
	readonly now: Date;
}

export interface MemoryHomes {
	/** The memories of a document that was in one container move along. */
	readonly follow: (document: DocumentKey, moving: Moving) => Program<void>;
}

export function memoryHomes(connection: SqlContext): MemoryHomes {
	const { statement } = connection;
	const removal = memoryRemoval(connection);

	/** A memory moves to the first of the tags, unless its own is among them or another of its documents still has it. */
	function* move({ organisation, id }: DocumentKey, tags: readonly string[], now: Date): Program<void> {
		const [tag] = tags;
		if (tag === undefined) return;
		const sql = `UPDATE memories AS m SET container_tag = ?1, updated_at = ?2
			WHERE m.organisation = ?3 AND m.id IN (SELECT e.memory FROM memory_evidence e WHERE e.organisation = ?3 AND e.document = ?4)
			AND m.container_tag NOT IN (SELECT value FROM json_each(?5))
			AND NOT EXISTS (SELECT 1 FROM memory_evidence e JOIN document_tags t ON t.organisation = e.organisation AND t.document = e.document
				WHERE e.organisation = m.organisation AND e.memory = m.id AND t.tag = m.container_tag)`;
		yield* statement(sql).run(tag, now.getTime(), organisation, id, JSON.stringify(tags));
	}

	/** The memories of the document in containers in which it is not. */
	function* leftBehind({ organisation, id }: DocumentKey, tags: readonly string[]): Program<readonly MemoryId[]> {
		const sql = `SELECT m.id FROM (SELECT DISTINCT e.memory FROM memory_evidence e WHERE e.organisation = ?1 AND e.document = ?2) d
			CROSS JOIN memories m WHERE m.organisation = ?1 AND m.id = d.memory AND m.container_tag NOT IN (SELECT value FROM json_each(?3))`;
		return (yield* statement<{ id: MemoryId }>(sql).all(organisation, id, JSON.stringify(tags))).map((row) => row.id);
	}

	/** Has memories drawn from it as if it was new. One that failed or is still in progress is left as it is. */
	function drawAnew({ organisation, id }: DocumentKey): Program<unknown> {
		const sql = `UPDATE documents SET dreaming_status = 'dreaming' WHERE organisation = ? AND id = ?
			AND status = 'done' AND dreaming_status = 'done' AND task_type = 'memory'`;
		return statement(sql).run(organisation, id);
	}

	return {
		*follow(key, { before, tags, mergesContainer, now }) {
			if (mergesContainer) return yield* move(key, tags, now);
			const containers = new Set(before);
			if (containers.size === 1) yield* move(key, tags, now);
			yield* removal.takeBackSome(key, yield* leftBehind(key, tags), now);
			if (containers.size > 1 && containers.isDisjointFrom(new Set(tags))) yield* drawAnew(key);
		},
	};
}
