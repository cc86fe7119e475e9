/** The container service of the server: list, read, change, remove and merge containers. */

import { authorize } from "../access/authorize.ts";
import { fail } from "../errors/fail.ts";
import type { KeyBearer } from "../model/caller.ts";
import { type Container, hasSameTags } from "../model/container.ts";
import { newId } from "../model/id.ts";
import type { Parts } from "../parts.ts";
import type { ContainerChange, CountedContainer } from "../ports/container-store.ts";
import type { AuditEventType, LogEvent } from "../ports/event-log.ts";
import { newJob } from "../runtime/new-job.ts";
import type { Notifier } from "../runtime/notifier.ts";
import { isFinished, type Merge, mergeStore } from "./merge.ts";
import { type RemovedContainer, removeContainer } from "./remove-container.ts";

export interface ListedContainer extends CountedContainer {
	/** The unfinished merge that it is part of; null if there is none. */
	readonly merge: Merge | null;
}

export interface ContainerService {
	/** Oldest first. */
	readonly list: (caller: KeyBearer) => Promise<readonly ListedContainer[]>;
	/** Throws `CONTAINER_MISSING`. */
	readonly get: (caller: KeyBearer, tag: string) => Promise<Container>;
	/** Creates it if it is missing. */
	readonly change: (caller: KeyBearer, tag: string, change: ContainerChange) => Promise<Container>;
	/** Throws `CONTAINER_MISSING`, and `CONTAINER_MERGING` while it is part of a merge. For admins. */
	readonly remove: (caller: KeyBearer, tag: string) => Promise<RemovedContainer>;
	/** Starts to move the contents of these containers into the target, which may be one of them. Throws `CONTAINER_MISSING`. For admins. */
	readonly merge: (caller: KeyBearer, tags: readonly string[], target: string) => Promise<Merge>;
	/** Throws `MERGE_MISSING`. */
	readonly mergeStatus: (caller: KeyBearer, id: string) => Promise<Merge>;
}

export function createContainerService({ storage, world }: Pick<Parts, "storage" | "world">, notifier: Pick<Notifier, "notify">): ContainerService {
	const open = (caller: KeyBearer) => {
		const tenant = authorize(storage, caller);
		const recordEvent = (type: AuditEventType, tag: string, facts: LogEvent["facts"]) =>
			tenant.events.append({ type, at: world.now(), subject: tag, containerTags: [tag], facts: { by: caller.id, ...facts } });
		return { tenant, note: recordEvent, merges: mergeStore(tenant.records, world) };
	};
	const get: ContainerService["get"] = async (caller, tag) => {
		const container = await open(caller).tenant.containers.get(tag);
		if (container === null) throw fail("CONTAINER_MISSING");
		return container;
	};

	return {
		get,
		list: async (caller) => {
			const { tenant, merges } = open(caller);
			const [containers, active] = await Promise.all([tenant.containers.list(), merges.active()]);
			return containers.map((counted) => ({ ...counted, merge: active.find((merge) => takesPart(merge, counted.container.tag)) ?? null }));
		},
		change: async (caller, tag, change) => {
			const { tenant, note: recordEvent } = open(caller);
			const changed = await tenant.containers.change(tag, change, world.now());
			await recordEvent("container.changed", tag, { changed: Object.keys(change) });
			return changed;
		},
		remove: async (caller, tag) => {
			await get(caller, tag);
			const { tenant, note: recordEvent, merges } = open(caller);
			if ((await merges.active()).some((merge) => takesPart(merge, tag))) throw fail("CONTAINER_MERGING", tag);
			const removed = await removeContainer(tag, tenant, world);
			await recordEvent("container.deleted", tag, { documents: removed.documents, memories: removed.memories });
			return removed;
		},
		merge: async (caller, tags, target) => {
			for (const tag of tags) await get(caller, tag);
			const { merges } = open(caller);
			const sources = tags.filter((tag) => tag !== target);
			// A client that got no response repeats its request, so an equal unfinished merge is reused.
			const existingMerge = (await merges.active()).find(({ sourceTags, targetTag }) => targetTag === target && hasSameTags(sourceTags, sources));
			const merge = existingMerge ?? (await merges.put(newMerge(newId(world.randomBytes), sources, target, caller, world.now())));
			await storage.jobs.add(newJob("merge", merge.id, caller.organisation, world));
			notifier.notify();
			return merge;
		},
		mergeStatus: async (caller, id) => {
			const merge = await open(caller).merges.get(id);
			if (merge === null) throw fail("MERGE_MISSING");
			return merge;
		},
	};
}

function newMerge(id: string, sourceTags: readonly string[], targetTag: string, { id: by }: KeyBearer, now: Date): Merge {
	const at = now.toISOString();
	return { id, sourceTags, targetTag, status: "queued", documents: 0, memories: 0, error: null, by, createdAt: at, updatedAt: at };
}

function takesPart(merge: Merge, tag: string): boolean {
	return !isFinished(merge) && (merge.targetTag === tag || merge.sourceTags.includes(tag));
}
