/** Documents within the grants of a key: it reads those in one of its containers, and changes those in no other containers than its own. */

import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { DocumentId } from "../model/id.ts";
import { parentOf } from "../model/reserved-custom-ids.ts";
import { wholeOrganisation } from "../model/scope.ts";
import type { DocumentStore } from "../ports/document-store.ts";
import type { Bounds } from "./bounds.ts";
import { documentGuard } from "./document-guard.ts";

export function scopedDocuments(inner: DocumentStore, bounds: Bounds): DocumentStore {
	const guard = documentGuard(inner, bounds);
	/** With only those of its tags that the key may read, so that no other container is named. */
	const shown = (document: Document): readonly Document[] => {
		const containerTags = bounds.seen(document.containerTags);
		return containerTags.length === 0 ? [] : [{ ...document, containerTags }];
	};
	const one = async (found: Promise<Document | null>): Promise<Document | null> => {
		const document = await found;
		return document === null ? null : (shown(document)[0] ?? null);
	};
	const ifOpen = async (id: DocumentId, write: () => Promise<boolean>): Promise<boolean> => (await guard.opens(id)) && write();
	const ifSeen = async (id: DocumentId, read: () => Promise<readonly Chunk[]>): Promise<readonly Chunk[]> => ((await guard.seen([id])).has(id) ? read() : []);

	/** A caller takes a short page for the last one, so documents outside the grants must not shorten it. */
	const filled = async <Place>(
		after: Place | null,
		limit: number,
		read: (last: Place | null) => Promise<readonly Document[]>,
		placeOf: (document: Document) => Place,
	): Promise<readonly Document[]> => {
		const found: Document[] = [];
		for (let last = after; found.length < limit; ) {
			const page = await read(last);
			found.push(...page.flatMap(shown));
			const end = page.at(-1);
			last = end === undefined ? null : placeOf(end);
			if (page.length < limit) break;
		}
		return found.slice(0, limit);
	};

	return {
		add: async (document, job) => {
			bounds.demandWritable(document.containerTags);
			// What is inside of another document lies where that one does, whatever its own tags say.
			const parent = parentOf(document.customId);
			if (parent !== null && !(await guard.opens(parent))) return false;
			return inner.add(document, job);
		},
		get: (id) => one(inner.get(id)),
		getMany: async (ids, includeContent) => (await inner.getMany(ids, includeContent)).flatMap(shown),
		byCustomId: async (customId, containerTags, limit) => {
			const readable = containerTags.length > 0 ? bounds.seen(containerTags) : bounds.narrow(wholeOrganisation).containerTags;
			return readable.length === 0 ? [] : (await inner.byCustomId(customId, readable, limit)).flatMap(shown);
		},
		byPrefix: (prefix, after, limit) =>
			filled(
				after,
				limit,
				(last) => inner.byPrefix(prefix, last, limit),
				(document) => document,
			),
		byWriter: (key, after, limit) =>
			filled(
				after,
				limit,
				(last) => inner.byWriter(key, last, limit),
				({ id }) => id,
			),
		// Attachments are in the containers of their parent.
		descendants: async (document) => ((await guard.seen([document.id])).has(document.id) ? inner.descendants(document) : { statuses: new Map(), bytes: 0 }),
		tagsOf: async (ids) => {
			const tags = [...(await inner.tagsOf(ids))].map(([id, all]) => [id, bounds.seen(all)] as const);
			return new Map(tags.filter(([, seen]) => seen.length > 0));
		},
		list: async (scope, statuses, page, includeContent) => {
			const { documents, total } = await inner.list(bounds.narrow(scope), statuses, page, includeContent);
			return { documents: documents.flatMap(shown), total };
		},
		tally: async (scope, by) => {
			const counts = await inner.tally(bounds.narrow(scope), by);
			return by === "containerTag" ? new Map([...counts].filter(([tag]) => bounds.sees([tag]))) : counts;
		},
		change: async (id, change, now, job) => {
			if (!(await guard.opens(id))) return null;
			bounds.demandWritable(change.containerTags ?? []);
			return inner.change(id, change, now, job);
		},
		move: (id, revision, from, to, now) => ifOpen(id, () => inner.move(id, revision, from, to, now)),
		progress: async (id, revision, progress) => {
			if (await guard.opens(id)) await inner.progress(id, revision, progress);
		},
		describe: (id, revision, found) => ifOpen(id, () => inner.describe(id, revision, found)),
		fail: (id, revision, failure, status, now) => ifOpen(id, () => inner.fail(id, revision, failure, status, now)),
		setDreaming: (id, revision, dreaming, now, extractedBy) => ifOpen(id, () => inner.setDreaming(id, revision, dreaming, now, extractedBy)),
		extractedByOthers: async (extractedBy, limit) =>
			(await inner.extractedByOthers(extractedBy, limit)).filter(({ containerTags }) => bounds.sees(containerTags)),
		stage: (id, revision, space, chunks) => ifOpen(id, () => inner.stage(id, revision, space, chunks)),
		publish: (id, revision, now) => ifOpen(id, () => inner.publish(id, revision, now)),
		chunks: async (ids) => {
			const chunks = await inner.chunks(ids);
			const seen = await guard.seen(chunks.map(({ document }) => document));
			return chunks.filter(({ document }) => seen.has(document));
		},
		text: async function* (id, revision) {
			if ((await guard.seen([id])).has(id)) yield* inner.text(id, revision);
		},
		chunksOf: (id) => ifSeen(id, () => inner.chunksOf(id)),
		chunksAt: async (places) => {
			const seen = await guard.seen([...places.keys()]);
			return inner.chunksAt(new Map([...places].filter(([id]) => seen.has(id))));
		},
		remove: async (id, now) => ((await guard.opens(id)) ? inner.remove(id, now) : null),
		dreaming: async (containerTag, limit) => (bounds.sees([containerTag]) ? (await inner.dreaming(containerTag, limit)).flatMap(shown) : []),
	};
}
