/** Removes a container with its memories: documents in no other container are removed, the others leave it. */

import type { Document } from "../model/document.ts";
import type { Memory } from "../model/memory.ts";
import { parentOf } from "../model/reserved-custom-ids.ts";
import { inContainer } from "../model/scope.ts";
import type { Page } from "../ports/document-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { batch, emptyAndRemove, oldestDocuments } from "./container-contents.ts";

export interface RemovedContainer {
	/** Documents that were in no other container. */
	readonly documents: number;
	/** The current ones. */
	readonly memories: number;
}

const reason = "its container was deleted";

/** Safe to repeat after a crash at any point: nothing is counted twice, and the container is removed last. */
export async function removeContainer(tag: string, tenant: TenantStore, world: World): Promise<RemovedContainer> {
	const removed = { documents: 0, memories: 0 };
	await emptyAndRemove(
		tag,
		async () => {
			removed.memories += await forgetAll(tag, tenant, world);
			removed.documents += await removeDocuments(tag, tenant, world);
			await eraseMemories(tag, tenant, world);
		},
		tenant,
	);
	return removed;
}

/** Every version, so that none comes back when the document of a newer one goes. @returns how many were current. */
async function forgetAll(tag: string, { memories }: TenantStore, world: World): Promise<number> {
	let forgotten = 0;
	let page: Page = { offset: 0, limit: batch, sort: "createdAt", order: "asc" };
	for (;;) {
		const listed = (await memories.list(inContainer(tag), false, page)).memories;
		const known = listed.filter(({ isForgotten }) => !isForgotten);
		await memories.forget(
			known.map(({ id }) => id),
			reason,
			world.now(),
		);
		forgotten += known.filter(({ isLatest }) => isLatest).length;
		const last = listed.at(-1);
		if (last === undefined || listed.length < batch) return forgotten;
		page = { ...page, after: placeOf(last) };
	}
}

function placeOf({ id, createdAt }: Memory): NonNullable<Page["after"]> {
	return { at: createdAt, id };
}

/** Deletes those that went with no document. */
async function eraseMemories(tag: string, { memories }: TenantStore, world: World): Promise<void> {
	for (;;) {
		const page = await memories.list(inContainer(tag), false, { offset: 0, limit: batch, sort: "createdAt", order: "asc" });
		if (page.memories.length === 0) return;
		await memories.erase(
			page.memories.map(({ id }) => id),
			world.now(),
		);
	}
}

/** @returns how many were removed, with their attachments. */
async function removeDocuments(tag: string, tenant: TenantStore, world: World): Promise<number> {
	let removed = 0;
	for (;;) {
		const documents = await oldestDocuments(tag, tenant);
		if (documents.length === 0) return removed;
		const outer = documents.filter(({ customId }) => parentOf(customId) === null);
		for (const count of await Promise.all(outer.map(takeOut))) removed += count;
		// Attachments were removed with their documents and are counted once.
		for (const inner of documents) if (!outer.includes(inner)) removed += await takeOut(inner);
	}

	/** @returns how many were removed: none when another request was faster. */
	async function takeOut(document: Document): Promise<number> {
		const { id, containerTags } = document;
		const others = containerTags.filter((other) => other !== tag);
		if (others.length > 0) {
			await tenant.documents.change(id, { containerTags: others }, world.now(), null);
			return 0;
		}
		const { statuses } = await tenant.documents.descendants(document);
		const orphans = await tenant.documents.remove(id, world.now());
		for (const blob of orphans ?? []) await tenant.blobs.remove(blob);
		return orphans === null ? 0 : [...statuses.values()].reduce((sum, count) => sum + count, 1);
	}
}
