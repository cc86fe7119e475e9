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
import { batch, empty, someDocuments } from "./container-contents.ts";

export interface MergeGround {
	readonly organisation: OrganisationId;
	readonly tenant: TenantStore;
	readonly jobs: JobQueue;
	readonly world: World;
}

export async function mergeInto(target: string, source: string, ground: MergeGround, signal: AbortSignal): Promise<void> {
	const { tenant, world } = ground;
	await inherit(target, source, tenant, world);
	await empty(
		source,
		async () => {
			await moveDocuments(target, source, ground, signal);
			// Memories that moved with no document: clients wrote them, or other documents hold them in the source.
			while ((await tenant.memories.rehome(source, target, batch, world.now())) > 0) signal.throwIfAborted();
		},
		tenant,
	);
}

/** Keeps the descriptions and settings of the source: a new target gets all of them, an existing one those it lacks. */
async function inherit(target: string, source: string, { containers }: TenantStore, world: World): Promise<void> {
	const [from, to] = await Promise.all([containers.get(source), containers.get(target)]);
	if (from === null) return;
	const { name, description, entityContext, memoryFilesystemPaths } = from;
	if (to === null) {
		await containers.change(target, { name, description, entityContext, memoryFilesystemPaths, profileBuckets: from.profileBuckets }, world.now());
		return;
	}
	await containers.change(target, { entityContext: to.entityContext ?? entityContext, profileBuckets: unitedBuckets(to, from) }, world.now());
}

/** The target's own come first and win over one with the same name. */
function unitedBuckets(to: Container, from: Container): Container["profileBuckets"] {
	const known = new Set(to.profileBuckets.map(({ key }) => key));
	return [...to.profileBuckets, ...from.profileBuckets.filter(({ key }) => !known.has(key))].slice(0, limits.profileBucketsMax);
}

async function moveDocuments(target: string, source: string, ground: MergeGround, signal: AbortSignal): Promise<void> {
	const { tenant, jobs, organisation, world } = ground;
	for (;;) {
		signal.throwIfAborted();
		const documents = await someDocuments(source, tenant);
		if (documents.length === 0) return;
		await forgetDoubles(target, source, documents, tenant, world);
		await Promise.all(
			// The first tag is where the memories go.
			documents.map((document) => retag(document, [target, ...document.containerTags.filter((tag) => tag !== source && tag !== target)], tenant, world)),
		);
		// The job that would have extracted their memories looks into the source.
		if (documents.some(({ dreamingStatus }) => dreamingStatus === "dreaming")) await jobs.add(newJob("remember", target, organisation, world));
	}
}

/** A document whose customId the target knows already gets another, as the wire contract says: `invoice_merge`, and `invoice_merge2` if that is known as well. */
async function retag({ id, customId }: Document, containerTags: readonly string[], { documents }: TenantStore, world: World): Promise<void> {
	let change: DocumentChange = { containerTags };
	for (let attempt = 1; (await documents.change(id, change, world.now(), null)) === "taken"; attempt++) {
		const suffix = attempt === 1 ? "_merge" : `_merge${attempt}`;
		change = { containerTags, customId: (customId ?? "").slice(0, limits.customIdCharactersMax - suffix.length) + suffix };
	}
}

/** A document in both containers has its memories in both; after the merge each would be there twice. */
async function forgetDoubles(target: string, source: string, documents: readonly Document[], { memories }: TenantStore, world: World): Promise<void> {
	const shared = documents.filter(({ containerTags }) => containerTags.includes(target)).map(({ id }) => id);
	if (shared.length === 0) return;
	const current = (await memories.ofDocuments(shared)).filter(({ isLatest, isForgotten }) => isLatest && !isForgotten);
	const known = new Set(current.filter(({ containerTag }) => containerTag === target).map(({ text }) => text));
	const doubles = current.filter(({ containerTag, text }) => containerTag === source && known.has(text));
	await memories.forget(
		doubles.map(({ id }) => id),
		`the container ${target}, into which it was merged, remembers the same`,
		world.now(),
	);
}
