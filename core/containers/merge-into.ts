/** Moves everything in one container into another, then removes the empty one. After a crash it continues where it was. */

import type { Container } from "../model/container.ts";
import type { Document } from "../model/document.ts";
import type { OrganisationId } from "../model/id.ts";
import { limits } from "../model/limits.ts";
import type { DocumentChange } from "../ports/document-store.ts";
import type { JobQueue } from "../ports/job-queue.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { newJob } from "../runtime/new-job.ts";
import { batch, emptyAndRemove, oldestDocuments } from "./container-contents.ts";

export interface MergeContext {
	readonly organisation: OrganisationId;
	readonly tenant: TenantStore;
	readonly jobs: JobQueue;
	readonly world: World;
}

export async function mergeInto(target: string, source: string, context: MergeContext, signal: AbortSignal): Promise<void> {
	const { tenant, world } = context;
	await inherit(target, source, tenant, world);
	await emptyAndRemove(
		source,
		async () => {
			await moveDocuments(target, source, context, signal);
			// Then the memories that did not move with a document: clients wrote them, or they have other documents as sources.
			while ((await tenant.memories.rehome(source, target, batch, world.now())) > 0) signal.throwIfAborted();
		},
		tenant,
	);
}

/** Keeps the descriptions and settings of the source: a new target gets all of them, an existing one those it lacks. */
async function inherit(target: string, source: string, { containers }: TenantStore, world: World): Promise<void> {
	const [from, to] = await Promise.all([containers.get(source), containers.get(target)]);
	if (from === null) return;
	const { name, emoji, description, entityContext, memoryFilesystemPaths } = from;
	if (to === null) {
		await containers.change(target, { name, emoji, description, entityContext, memoryFilesystemPaths, profileBuckets: from.profileBuckets }, world.now());
		return;
	}
	await containers.change(target, { entityContext: to.entityContext ?? entityContext, profileBuckets: joinBuckets(to, from) }, world.now());
}

/** The target's buckets come first and have priority over buckets of the source with the same key. */
function joinBuckets(to: Container, from: Container): Container["profileBuckets"] {
	const targetKeys = new Set(to.profileBuckets.map(({ key }) => key));
	return [...to.profileBuckets, ...from.profileBuckets.filter(({ key }) => !targetKeys.has(key))].slice(0, limits.profileBucketsMax);
}

async function moveDocuments(target: string, source: string, context: MergeContext, signal: AbortSignal): Promise<void> {
	const { tenant, jobs, organisation, world } = context;
	for (;;) {
		signal.throwIfAborted();
		const documents = await oldestDocuments(source, tenant);
		if (documents.length === 0) return;
		await forgetDuplicates(target, source, documents, tenant, world);
		await Promise.all(documents.map((document) => retag(document, { from: source, into: target }, tenant, world)));
		// The waiting job that would have extracted their memories is for the source.
		if (documents.some(({ dreamingStatus }) => dreamingStatus === "dreaming")) await jobs.add(newJob("remember", target, organisation, world));
	}
}

/** Moves a document. If its customId is taken in the target, it gets another one, as in the Supermemory API: `invoice_merge`, then `invoice_merge2`. */
async function retag(
	{ id, customId }: Document,
	mergesContainer: NonNullable<DocumentChange["mergesContainer"]>,
	{ documents }: TenantStore,
	world: World,
): Promise<void> {
	let change: DocumentChange = { mergesContainer };
	for (let attempt = 1; (await documents.change(id, change, world.now(), null)) === "taken"; attempt++) {
		const suffix = attempt === 1 ? "_merge" : `_merge${attempt}`;
		change = { ...change, customId: (customId ?? "").slice(0, limits.customIdCharactersMax - suffix.length) + suffix };
	}
}

/** Forgets memories of documents that are in both containers: they have their memories in both, and would have each twice after the merge. */
async function forgetDuplicates(target: string, source: string, documents: readonly Document[], { memories }: TenantStore, world: World): Promise<void> {
	const shared = documents.filter(({ containerTags }) => containerTags.includes(target)).map(({ id }) => id);
	if (shared.length === 0) return;
	const current = (await memories.ofDocuments(shared)).filter(({ isLatest, isForgotten }) => isLatest && !isForgotten);
	const knownTexts = new Set(current.filter(({ containerTag }) => containerTag === target).map(({ text }) => text));
	const duplicates = current.filter(({ containerTag, text }) => containerTag === source && knownTexts.has(text));
	await memories.forget(
		duplicates.map(({ id }) => id),
		`the container ${target}, into which it was merged, remembers the same`,
		world.now(),
	);
}
