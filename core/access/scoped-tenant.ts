/** A tenant store limited to the grants of a key. Code that gets this store cannot reach any other data. */

import { fail } from "../errors/fail.ts";
import type { Grants } from "../model/caller.ts";
import type { Memory } from "../model/memory.ts";
import type { BlobStore } from "../ports/blob-store.ts";
import type { ContainerStore } from "../ports/container-store.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { ProfileStore } from "../ports/profile-store.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { RemovalStore } from "../ports/removal-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { type Bounds, boundsOf } from "./bounds.ts";
import { documentGuard } from "./document-guard.ts";
import { scopedDocuments } from "./scoped-documents.ts";
import { scopedEvents } from "./scoped-events.ts";
import { scopedMemories } from "./scoped-memories.ts";
import { scopedVectors, scopedWords } from "./scoped-searches.ts";

export function scopedTenant(inner: TenantStore, grants: Grants): TenantStore {
	const bounds = boundsOf(grants);
	const documents = scopedDocuments(inner.documents, bounds);
	const memories = scopedMemories(inner.memories, inner.documents, bounds);
	const scoped = { documents, memories };
	return {
		...scoped,
		words: scopedWords(inner.words, scoped, bounds),
		vectors: (space) => scopedVectors(inner.vectors(space), scoped, bounds),
		blobs: scopedBlobs(inner.blobs, grants),
		containers: scopedContainers(inner.containers, bounds),
		profiles: scopedProfiles(inner.profiles, memories, bounds),
		records: noRecords,
		removals: scopedRemovals(inner.removals, inner.documents, bounds),
		events: scopedEvents(inner.events, memories, bounds),
	};
}

/** Reads need no check: the random name of a blob is known only from a document within the grants. */
function scopedBlobs(inner: BlobStore, grants: Grants): BlobStore {
	const [first] = grants;
	const demandAnyWritable = () => {
		if (grants.some(({ permission }) => permission === "write")) return;
		throw fail("CONTAINER_FORBIDDEN", `may only read the container ${first?.containerTag ?? ""}`);
	};
	return {
		put: async (key, bytes, bytesMax) => {
			demandAnyWritable();
			return inner.put(key, bytes, bytesMax);
		},
		get: inner.get,
		remove: async (key) => {
			demandAnyWritable();
			await inner.remove(key);
		},
	};
}

/** Errors may contain the tag of a container that the key may not use, because the request contained it. */
function scopedContainers(inner: ContainerStore, { canRead, demandReadable, demandWritable }: Bounds): ContainerStore {
	return {
		list: async () => (await inner.list()).filter(({ container }) => canRead([container.tag])),
		get: async (tag) => {
			demandReadable([tag]);
			return inner.get(tag);
		},
		change: async (tag, change, now) => {
			demandWritable([tag]);
			return inner.change(tag, change, now);
		},
		describe: async (tag, description) => {
			demandWritable([tag]);
			return inner.describe(tag, description);
		},
		remove: async (tag) => {
			demandWritable([tag]);
			return inner.remove(tag);
		},
	};
}

/** Profiles contain only memories that the scoped memory store returns. `sort` is allowed to a reading key, since it stores only what can be computed again. */
function scopedProfiles(inner: ProfileStore, { get }: MemoryStore, { canRead, demandReadable }: Bounds): ProfileStore {
	const ids = (memories: readonly Memory[]) => memories.map(({ id }) => id);
	return {
		recent: async (tag, part, limit, now, moment) => {
			demandReadable([tag]);
			return get(ids(await inner.recent(tag, part, limit, now, moment)));
		},
		inBucket: async (tag, sortings, bucket, limit, now) => {
			demandReadable([tag]);
			return get(ids(await inner.inBucket(tag, sortings, bucket, limit, now)));
		},
		unsorted: async (tag, sortings, limit) => (canRead([tag]) ? get(ids(await inner.unsorted(tag, sortings, limit))) : []),
		sort: async (sorting, sorted) => {
			const readable = new Set(ids(await get(sorted.map(({ memory }) => memory))));
			await inner.sort(
				sorting,
				sorted.filter(({ memory }) => readable.has(memory)),
			);
		},
	};
}

/** A removed document can be restored by a key that could have removed it. */
function scopedRemovals(inner: RemovalStore, documents: DocumentStore, bounds: Bounds): RemovalStore {
	const guard = documentGuard(documents, bounds);
	const list: RemovalStore["list"] = async (removal, now) =>
		(await inner.list(removal, now)).flatMap((removed) => {
			const containerTags = bounds.onlyReadable(removed.containerTags);
			return containerTags.length === 0 ? [] : [{ ...removed, containerTags }];
		});
	return {
		list,
		setAside: async (id, removal, expiresAt, now) => (await guard.isWritable(id)) && inner.setAside(id, removal, expiresAt, now),
		bringBack: async (removal, id, job, now) => {
			const removed = (await inner.list(removal, now)).find((each) => each.id === id);
			if (removed === undefined || !bounds.canRead(removed.containerTags)) return null;
			bounds.demandAllWritable(removed.containerTags);
			return inner.bringBack(removal, id, job, now);
		},
		expireAll: async () => {
			throw fail("ROLE_MISSING", "admin");
		},
	};
}

/** Settings, connections and webhooks belong to the whole organisation. */
const noRecords: RecordStore = {
	get: async () => null,
	list: async () => [],
	put: async () => {
		throw fail("ROLE_MISSING", "admin");
	},
	remove: async () => false,
};
