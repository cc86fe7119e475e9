/** Documents and their chunks in RAM. */

import {
	type Document,
	type DocumentChange,
	type DocumentId,
	type DocumentStore,
	type EmbeddedChunk,
	type Facet,
	fail,
	parentOf,
	readableText,
} from "cairn-memory";
import { besideParent, countDescendants, descendantsOf } from "./attachments.ts";
import { openContainers } from "./containers.ts";
import { noteDocument } from "./events.ts";
import { documentInScope } from "./in-scope.ts";
import { enqueue, withdraw } from "./jobs.ts";
import { dropSource, followTags } from "./memories.ts";
import { onPage } from "./on-page.ts";
import { type JobRows, publishedChunks, type StoredChunk, type Tables } from "./tables.ts";

export function ramDocuments(tables: Tables, jobs: JobRows): DocumentStore {
	const { documents, staged, published, extractedBy } = tables;
	const update = (id: DocumentId, revision: number, patch: (document: Document) => Partial<Document>): boolean => {
		const document = documents.get(id);
		if (document?.revision !== revision) return false;
		const updated = { ...document, ...patch(document) };
		documents.set(id, updated);
		noteProgress(tables, document, updated);
		return true;
	};
	const removeOne = (document: Document, now: Date): readonly string[] => {
		for (const table of [documents, staged, published]) table.delete(document.id);
		noteDocument(tables, "document.deleted", document, now);
		withdraw(jobs, { organisation: document.organisation, task: "ingest", subject: document.id });
		dropSource(tables, document.id, now);
		return orphanedBlobs(tables, document);
	};
	const chunksOf = (id: DocumentId) => (published.get(id) ?? []).map(({ chunk }) => chunk);
	return {
		add: async (handedIn, job) => {
			if (isTaken(tables, handedIn.customId, handedIn.id)) return false;
			const document = besideParent(tables, handedIn);
			if (document === null) return false;
			documents.set(document.id, document);
			openContainers(tables, document.containerTags, document.createdAt);
			noteDocument(tables, "document.queued", document, document.updatedAt);
			enqueue(jobs, job);
			return true;
		},
		get: async (id) => documents.get(id) ?? null,
		getMany: async (ids) => ids.flatMap((id) => documents.get(id) ?? []),
		text: async function* (id, revision) {
			const document = documents.get(id);
			if (document?.revision !== revision) throw fail("DOCUMENT_SUPERSEDED", id);
			yield readableText(document) ?? "";
		},
		byCustomId: async (customId) => [...documents.values()].find((document) => document.customId === customId) ?? null,
		byPrefix: async (prefix, after, limit) =>
			[...documents.values()]
				.flatMap((document) => (document.customId === null ? [] : [{ document, name: document.customId }]))
				.filter(({ name }) => name.startsWith(prefix) && (after === null || name > after))
				.sort((a, b) => (a.name < b.name ? -1 : 1))
				.slice(0, limit)
				.map(({ document }) => withoutContent(document)),
		byWriter: async (key, after, limit) =>
			[...documents.values()]
				.filter(({ id, writtenBy }) => writtenBy === key && (after === null || id > after))
				.sort((a, b) => (a.id < b.id ? -1 : 1))
				.slice(0, limit)
				.map(withoutContent),
		descendants: async (document) => countDescendants(tables, document),
		tagsOf: async (ids) => new Map(ids.flatMap((id) => documents.get(id) ?? []).map(({ id, containerTags }) => [id, containerTags])),
		list: async (scope, statuses, page, includeContent) => {
			const listed = [...documents.values()].filter((document) => statuses.includes(document.status) && documentInScope(document, scope));
			const shown = onPage(listed, page);
			return { documents: includeContent ? shown : shown.map(withoutContent), total: listed.length };
		},
		tally: async (scope, by) => {
			const counts = new Map<string, number>();
			for (const document of documents.values()) {
				if (!documentInScope(document, scope)) continue;
				for (const value of facetOf(document, by)) counts.set(value, (counts.get(value) ?? 0) + 1);
			}
			return counts;
		},
		change: async (id, asked, now, job) => {
			const document = documents.get(id);
			if (document === undefined) return null;
			// What is inside of another is where that is, whatever a reading knew when it began.
			const parent = asked.containerTags === undefined ? undefined : documents.get(parentOf(document.customId) ?? id);
			const change = parent === undefined || parent === document ? asked : { ...asked, containerTags: parent.containerTags };
			if (isTaken(tables, change.customId ?? null, id)) return "taken";
			const changed = changedDocument(document, change, now);
			documents.set(id, changed);
			noteProgress(tables, document, changed);
			const { containerTags } = change;
			const descendants = containerTags === undefined ? [] : descendantsOf(tables, document).map((member) => ({ ...member, containerTags, updatedAt: now }));
			for (const member of descendants) documents.set(member.id, member);
			openContainers(tables, changed.containerTags, now);
			if (containerTags !== undefined) for (const moved of [changed, ...descendants]) followTags(tables, moved, now);
			if (job !== null) enqueue(jobs, job);
			return changed;
		},
		move: async (id, revision, from, to, now) => {
			const document = documents.get(id);
			if (document === undefined || !from.includes(document.status)) return false;
			return update(id, revision, ({ failure }) => ({ status: to, progress: null, failure: to === "done" ? null : failure, updatedAt: now }));
		},
		progress: async (id, revision, progress) => void update(id, revision, () => ({ progress })),
		describe: async (id, revision, found) => update(id, revision, ({ findings }) => ({ findings: { ...findings, ...found } })),
		fail: async (id, revision, failure, status, now) =>
			update(id, revision, () => ({ failure, status, progress: null, updatedAt: now, ...(status === "failed" ? { dreamingStatus: "done" } : {}) })),
		setDreaming: async (id, revision, dreamingStatus, now, by) => {
			const isThere = update(id, revision, () => ({ dreamingStatus, updatedAt: now }));
			if (isThere && by !== undefined) extractedBy.set(id, by);
			return isThere;
		},
		extractedByOthers: async (by, limit) =>
			[...documents.values()]
				.filter(({ taskType, status, dreamingStatus }) => taskType === "memory" && status === "done" && dreamingStatus === "done")
				.filter(({ id }) => extractedBy.get(id) !== by)
				.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
				.slice(0, limit),
		stage: async (id, revision, space, chunks) => {
			if (documents.get(id)?.revision !== revision) return false;
			const before = staged.get(id);
			const startsOver = before?.revision !== revision || chunks.some(({ chunk }) => chunk.position === 0);
			const kept = startsOver ? [] : before.chunks;
			staged.set(id, { revision, chunks: [...kept, ...chunks.map((embedded) => storedChunk(embedded, space.name))] });
			return true;
		},
		publish: async (id, revision, now) => {
			const isKept = update(id, revision, () => ({ publishedRevision: revision, updatedAt: now }));
			if (!isKept) return false;
			const fresh = staged.get(id);
			if (fresh?.revision === revision)
				published.set(
					id,
					fresh.chunks.toSorted((a, b) => a.chunk.position - b.chunk.position),
				);
			staged.delete(id);
			return true;
		},
		chunks: async (ids) => {
			const known = new Map([...publishedChunks(tables)].map(({ chunk }) => [chunk.id, chunk]));
			return ids.flatMap((id) => known.get(id) ?? []);
		},
		chunksOf: async (id) => chunksOf(id),
		chunksAt: async (places) => [...places].flatMap(([id, positions]) => chunksOf(id).filter(({ position }) => positions.includes(position))),
		remove: async (id, now) => {
			const document = documents.get(id);
			if (document === undefined) return null;
			return [...descendantsOf(tables, document), document].flatMap((each) => removeOne(each, now));
		},
		dreaming: async (containerTag, limit) =>
			[...documents.values()]
				.filter(({ revision, publishedRevision, dreamingStatus }) => publishedRevision === revision && dreamingStatus === "dreaming")
				.filter(({ containerTags }) => containerTags.includes(containerTag))
				.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
				.slice(0, limit),
	};
}

/** Notes a new revision, and that a document is done with one. */
function noteProgress(tables: Tables, before: Document, after: Document): void {
	const { revision, status, dreamingStatus, failure, updatedAt } = after;
	if (revision !== before.revision) noteDocument(tables, "document.queued", after, updatedAt);
	if (status !== before.status && status === "done") noteDocument(tables, "document.done", after, updatedAt);
	if (status !== before.status && status === "failed") {
		noteDocument(tables, "document.failed", after, updatedAt, { code: failure?.code ?? null, stage: failure?.stage ?? null });
	}
	if (dreamingStatus !== before.dreamingStatus && dreamingStatus === "done" && status !== "failed") noteDocument(tables, "document.dreamed", after, updatedAt);
}

function isTaken({ documents }: Tables, customId: string | null, by: DocumentId): boolean {
	return customId !== null && [...documents.values()].some((other) => other.customId === customId && other.id !== by);
}

function changedDocument(document: Document, change: DocumentChange, now: Date): Document {
	const changed = { ...document, ...change, updatedAt: now };
	if (change.content === undefined) return changed;
	return { ...changed, revision: document.revision + 1, status: "queued", dreamingStatus: "dreaming", failure: null, progress: null };
}

function storedChunk({ chunk, vector }: EmbeddedChunk, space: string): StoredChunk {
	return { chunk, vector: vector.slice(), space };
}

/** What a list of many documents need not carry. */
function withoutContent(document: Document): Document {
	const { content, findings } = document;
	return { ...document, content: content.kind === "text" ? { ...content, text: "" } : content, findings: { ...findings, text: null } };
}

function facetOf({ containerTags, metadata, findings, ...document }: Document, by: Facet): readonly string[] {
	if (by === "containerTag") return containerTags;
	if (by === "type") return [findings.type];
	if (by !== "source") return [document[by]];
	return typeof metadata["source"] === "string" ? [metadata["source"]] : [];
}

/** Two documents may hold the same bytes. */
function orphanedBlobs({ documents, removed }: Tables, { content }: Document): readonly string[] {
	if (content.kind !== "file") return [];
	const isUsed = [...documents.values(), ...removed.map(({ document }) => document)].some(
		(other) => other.content.kind === "file" && other.content.blob === content.blob,
	);
	return isUsed ? [] : [content.blob];
}
