/** Which original files belong to a document that exists or can be restored. */

import type { OrganisationId } from "cairn-memory";
import type { Program, SqlContext } from "../executor.ts";

const ownerTables = ["documents", "removed_documents"] as const;

export function* hasOwner({ statement }: Pick<SqlContext, "statement">, organisation: OrganisationId, blob: string): Program<boolean> {
	for (const table of ownerTables)
		if ((yield* statement(`SELECT 1 FROM ${table} WHERE organisation = ? AND blob = ? LIMIT 1`).get(organisation, blob)) !== null) return true;
	return false;
}
