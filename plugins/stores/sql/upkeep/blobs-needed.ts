/** Which blobs documents point to. */

import { isId, type OrganisationId } from "cairn-memory";
import type { Executor } from "../executor.ts";

/** A document's own as long as the document is there or may come back; what is named after a document, as long as it is not finished. */
export function blobsNeeded({ statement }: Executor, organisation: OrganisationId, keys: readonly string[]): ReadonlySet<string> {
	const isOwn = (key: string) =>
		ownerTables.some((table) => statement(`SELECT 1 FROM ${table} WHERE organisation = ? AND blob = ? LIMIT 1`).get(organisation, key));
	return new Set(keys.filter((key) => isOwn(key) || isOfUnfinished(key)));

	function isOfUnfinished(key: string): boolean {
		const named = key.split(/[._-]/).filter(isId);
		const sql = "SELECT 1 FROM documents WHERE organisation = ? AND id IN (SELECT value FROM json_each(?)) AND status <> 'done' AND status <> 'failed'";
		return statement(sql).get(organisation, JSON.stringify(named)) !== null;
	}
}

const ownerTables = ["documents", "removed_documents"] as const;
