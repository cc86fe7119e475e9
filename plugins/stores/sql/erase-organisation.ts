/** Erases the rows of an organisation that is being removed, a few at a time. It goes on after a crash: what is left is still there. */

import type { OrganisationId } from "cairn-memory";
import { type Program, repeatable, type SqlContext, type SqlEngine } from "./executor.ts";

/**
 * All tables with data of an organisation, and the column by which their rows are deleted in batches. Jobs come first, so that no
 * worker begins another. Deleted documents, chunks and memories are written to the logs by triggers, so the logs come last.
 */
export const tablesOfAnOrganisation = {
	jobs: "id",
	api_keys: "id",
	records: "id",
	documents: "id",
	document_texts: "document",
	document_tags: "document",
	document_metadata: "document",
	removed_documents: "document",
	discarded_editions: "document",
	chunk_vectors: "key",
	chunks: "key",
	memory_vectors: "key",
	memory_evidence: "memory",
	memory_edges: "source",
	memory_buckets: "memory",
	memory_metadata: "memory",
	memory_absences: "memory",
	memories: "key",
	containers: "tag",
	text_changes: "sequence",
	scope_changes: "sequence",
	memory_moves: "sequence",
	memory_returns: "sequence",
	events: "sequence",
} as const;

type Table = keyof typeof tablesOfAnOrganisation;

/** Rows that are deleted in one write; with what triggers do about them a few milliseconds. */
const batch = 200;

export function organisationErasure({ statement }: SqlContext) {
	return {
		organisationsToErase: repeatable(function* (): Program<readonly OrganisationId[]> {
			return (yield* statement<{ id: OrganisationId }>("SELECT id FROM organisations WHERE removed_at IS NOT NULL").all()).map(({ id }) => id);
		}),

		/** @returns how many rows were deleted; 0 at the end. */
		eraseRows: repeatable(function* ({ organisation, table }: { organisation: OrganisationId; table: Table }): Program<number> {
			const column = tablesOfAnOrganisation[table];
			const sql = `DELETE FROM ${table} WHERE organisation = ?1 AND ${column} IN (SELECT ${column} FROM ${table} WHERE organisation = ?1 LIMIT ${batch})`;
			return (yield* statement(sql).run(organisation)).changes;
		}),
	};
}

/** Erases what organisations that are being removed still have. @returns whether any rows were deleted. */
export async function eraseRemovedOrganisations({ write }: Pick<SqlEngine, "write">, signal: AbortSignal): Promise<boolean> {
	let erased = 0;
	for (const organisation of await write("organisationsToErase", null)) {
		for (const table of Object.keys(tablesOfAnOrganisation) as Table[]) {
			for (let rows = 1; rows > 0 && !signal.aborted; erased += rows) rows = await write("eraseRows", { organisation, table });
		}
	}
	return erased > 0;
}

/** Whether a table has rows of the organisation. */
export function* hasRows(organisation: OrganisationId, { statement }: Pick<SqlContext, "statement">): Program<boolean> {
	for (const table of Object.keys(tablesOfAnOrganisation))
		if ((yield* statement(`SELECT 1 FROM ${table} WHERE organisation = ? LIMIT 1`).get(organisation)) !== null) return true;
	return false;
}
