/** Reads what is in a container, and empties it in batches. */

import type { Document } from "../model/document.ts";
import { inContainer } from "../model/scope.ts";
import { documentStatuses } from "../model/status.ts";
import type { TenantStore } from "../ports/storage.ts";

/** How many documents or memories are moved together: enough to be fast, few enough to let other writers in between. */
export const batch = 100;

/** The oldest documents of a container, whatever their status, without their content. */
export async function oldestDocuments(tag: string, { documents }: TenantStore, limit = batch): Promise<readonly Document[]> {
	const page = { offset: 0, limit, sort: "createdAt", order: "asc" } as const;
	return (await documents.list(inContainer(tag), documentStatuses, page, false)).documents;
}

/**
 * Empties a container and removes it last, so that after a crash it still exists and the same request starts again. Documents written just
 * before the removal would be in a container that does not exist, so they are moved too; documents written later create the container
 * again and stay in it.
 */
export async function emptyAndRemove(tag: string, moveContents: () => Promise<void>, tenant: TenantStore): Promise<void> {
	do {
		await moveContents();
		await tenant.containers.remove(tag);
	} while ((await oldestDocuments(tag, tenant, 1)).length > 0 && (await tenant.containers.get(tag)) === null);
}
