/** What is in a container, and how to take it out piece by piece. */

import type { Document } from "../model/document.ts";
import { inContainer } from "../model/scope.ts";
import { documentStatuses } from "../model/status.ts";
import type { TenantStore } from "../ports/storage.ts";

/** Taken in one go: enough to be quick, few enough that other writers get their turn. */
export const batch = 100;

/** The oldest documents, whatever their status, without their content. */
export async function someDocuments(tag: string, { documents }: TenantStore, limit = batch): Promise<readonly Document[]> {
	const page = { offset: 0, limit, sort: "createdAt", order: "asc" } as const;
	return (await documents.list(inContainer(tag), documentStatuses, page, false)).documents;
}

/**
 * Takes everything out of a container and removes it last, so that after a crash it is still there and the same request begins
 * again. Documents written just before the removal would be in a container that no list shows, so they are taken out too;
 * documents written later create the container anew and stay in it.
 */
export async function empty(tag: string, takeOut: () => Promise<void>, tenant: TenantStore): Promise<void> {
	do {
		await takeOut();
		await tenant.containers.remove(tag);
	} while ((await someDocuments(tag, tenant, 1)).length > 0 && (await tenant.containers.get(tag)) === null);
}
