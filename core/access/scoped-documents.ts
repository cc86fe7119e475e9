/** Documents within the grants of a key. It may read a document in at least one of its containers, and change a document only if it may write to all containers of that document. */

import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import type { DocumentId } from "../model/id.ts";
import { parentOf } from "../model/reserved-custom-ids.ts";
import { type Scope, wholeOrganisation } from "../model/scope.ts";
import type { DocumentStore, Facet, Tallies } from "../ports/document-store.ts";
import type { Bounds } from "./bounds.ts";
import { documentGuard } from "./document-guard.ts";

export function scopedDocuments(inner: DocumentStore, bounds: Bounds): DocumentStore {
	const guard = documentGuard(inner, bounds);
	/** The document with only the tags that the key may read, so that no other container is revealed; empty if there are none. */
	const redacted = (document: Document): readonly Document[] => {
		const containerTags = bounds.onlyReadable(document.containerTags);
		return containerTags.length === 0 ? [] : [{ ...document, containerTags }];
	};
	const readableOnly = (counts: ReadonlyMap<string, number>) => new Map([...counts].filter(([tag]) => bounds.canRead([tag])));
	const redactedOrNull = async (found: Promise<Document | null>): Promise<Document | null> => {
		const document = await found;
		return document === null ? null : (redacted(document)[0] ?? null);
	};
	const ifWritable = async (id: DocumentId, write: () => Promise<boolean>): Promise<boolean> => (await guard.isWritable(id)) && write();
	const ifReadable = async (id: DocumentId, read: () => Promise<readonly Chunk[]>): Promise<readonly Chunk[]> =>
		(await guard.readable([id])).has(id) ? read() : [];

	/** Reads on until the page is full: a caller takes a short page for the last one, so documents outside the grants must not shorten it. */
	const fullPage = async <Place>(
		after: Place | null,
		limit: number,
		read: (last: Place | null) => Promise<readonly Document[]>,
		placeOf: (document: Document) => Place,
	): Promise<readonly Document[]> => {
		const found: Document[] = [];
		for (let last = after; found.length < limit; ) {
			const page = await read(last);
			found.push(...page.flatMap(redacted));
			const lastDocument = page.at(-1);
			last = lastDocument === undefined ? null : placeOf(lastDocument);
			if (page.length < limit) break;
		}
		return found.slice(0, limit);
	};

	return {
		add: async (document, job) => {
			bounds.demandWritable(document.containerTags);
			// An attachment is in the containers of its parent, whatever its own tags say.
			const parent = parentOf(document.customId);
			if (parent !== null && !(await guard.isWritable(parent))) return false;
			return inner.add(document, job);
		},
		// Asked first, so that the time of an answer tells nothing of a text in another container, least of all its size.
		get: async (id) => ((await guard.readable([id])).has(id) ? redactedOrNull(inner.get(id)) : null),
		getMany: async (ids, includeContent) => {
			const readable = await guard.readable(ids);
			const found = await inner.getMany(
				ids.filter((id) => readable.has(id)),
				includeContent,
			);
			return found.flatMap(redacted);
		},
		byCustomId: async (customId, containerTags, limit) => {
			const readable = containerTags.length > 0 ? bounds.onlyReadable(containerTags) : bounds.narrow(wholeOrganisation).containerTags;
			return readable.length === 0 ? [] : (await inner.byCustomId(customId, readable, limit)).flatMap(redacted);
		},
		byPrefix: (prefix, after, limit) =>
			fullPage(
				after,
				limit,
				(last) => inner.byPrefix(prefix, last, limit),
				(document) => document,
			),
		byWriter: (key, after, limit) =>
			fullPage(
				after,
				limit,
				(last) => inner.byWriter(key, last, limit),
				({ id }) => id,
			),
		// Attachments are in the containers of their parent.
		descendants: async (document) => ((await guard.readable([document.id])).has(document.id) ? inner.descendants(document) : { statuses: new Map(), bytes: 0 }),
		tagsOf: async (ids) => {
			const tags = [...(await inner.tagsOf([...(await guard.readable(ids))]))].map(([id, all]) => [id, bounds.onlyReadable(all)] as const);
			return new Map(tags.filter(([, readable]) => readable.length > 0));
		},
		within: (ids, containerTags) => inner.within(ids, bounds.onlyReadable(containerTags)),
		list: async (scope, statuses, page, includeContent) => {
			const { documents, total } = await inner.list(bounds.narrow(scope), statuses, page, includeContent);
			return { documents: documents.flatMap(redacted), total };
		},
		tally: async <By extends Facet>(scope: Scope, by: readonly By[]) => {
			const counts = await inner.tally(bounds.narrow(scope), by);
			return Object.fromEntries(by.map((facet) => [facet, facet === "containerTag" ? readableOnly(counts[facet]) : counts[facet]])) as Tallies<By>;
		},
		change: async (id, change, now, job, revision) => {
			if (!(await guard.isWritable(id))) return null;
			bounds.demandWritable([...(change.containerTags ?? []), ...(change.mergesContainer === undefined ? [] : [change.mergesContainer.into])]);
			return inner.change(id, change, now, job, revision);
		},
		move: (id, revision, from, to, now) => ifWritable(id, () => inner.move(id, revision, from, to, now)),
		progress: async (id, revision, progress) => {
			if (await guard.isWritable(id)) await inner.progress(id, revision, progress);
		},
		describe: (id, revision, found) => ifWritable(id, () => inner.describe(id, revision, found)),
		fail: (id, revision, failure, status, now) => ifWritable(id, () => inner.fail(id, revision, failure, status, now)),
		setDreaming: (id, revision, dreaming, now, extractedBy) => ifWritable(id, () => inner.setDreaming(id, revision, dreaming, now, extractedBy)),
		extractedByOthers: async (extractedBy, limit) =>
			(await inner.extractedByOthers(extractedBy, limit)).filter(({ containerTags }) => bounds.canRead(containerTags)),
		stage: (id, revision, space, chunks) => ifWritable(id, () => inner.stage(id, revision, space, chunks)),
		publish: (id, revision, now) => ifWritable(id, () => inner.publish(id, revision, now)),
		chunks: async (ids) => {
			const chunks = await inner.chunks(ids);
			const readable = await guard.readable(chunks.map(({ document }) => document));
			return chunks.filter(({ document }) => readable.has(document));
		},
		text: async function* (id, revision) {
			if ((await guard.readable([id])).has(id)) yield* inner.text(id, revision);
		},
		chunksOf: (id) => ifReadable(id, () => inner.chunksOf(id)),
		chunksAt: async (places) => {
			const readable = await guard.readable([...places.keys()]);
			return inner.chunksAt(new Map([...places].filter(([id]) => readable.has(id))));
		},
		remove: async (id, now) => ((await guard.isWritable(id)) ? inner.remove(id, now) : null),
		dreaming: async (containerTag, limit) => (bounds.canRead([containerTag]) ? (await inner.dreaming(containerTag, limit)).flatMap(redacted) : []),
	};
}
