/** Removes documents, and everything derived from them, permanently. */

import { fail } from "../errors/fail.ts";
import type { DocumentId } from "../model/id.ts";
import type { Scope } from "../model/scope.ts";
import { documentStatuses } from "../model/status.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";

export async function remove(id: DocumentId, tenant: TenantStore, world: World): Promise<void> {
	const orphans = await tenant.documents.remove(id, world.now());
	if (orphans === null) throw fail("DOCUMENT_MISSING");
	for (const blob of orphans) await tenant.blobs.remove(blob);
}

/** How many documents are removed together: enough to be fast, few enough to let other writers in between. */
const batch = 100;

/** Removes all documents in scope, whatever their status. Documents added in the meantime may stay. @returns how many were removed. */
export async function removeAll(scope: Scope, tenant: TenantStore, world: World): Promise<number> {
	let count = 0;
	for (;;) {
		const { documents } = await tenant.documents.list(scope, documentStatuses, { offset: 0, limit: batch, sort: "createdAt", order: "asc" }, false);
		if (documents.length === 0) return count;
		// Another request may have removed the same documents; these are not counted.
		const outcomes = await Promise.all(documents.map(({ id }) => remove(id, tenant, world).then(() => true, isMissing)));
		count += outcomes.filter(Boolean).length;
	}
}

function isMissing(thrown: unknown): false {
	if (thrown instanceof Error && "code" in thrown && thrown.code === "DOCUMENT_MISSING") return false;
	throw thrown;
}
