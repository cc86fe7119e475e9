/** Removed documents in RAM, with all that went with them. */

import { type Document, type DocumentId, type Evidence, isFinished, type Memory, type RemovalId, type RemovalStore } from "cairn-memory";
import { descendantsOf, isOrphan } from "./attachments.ts";
import { openContainers } from "./containers.ts";
import { noteDocument, noteMemory } from "./events.ts";
import { enqueue, withdraw } from "./jobs.ts";
import { dropSource, isEdge } from "./memories.ts";
import { leave } from "./moments.ts";
import type { JobRows, RemovedDocument, StoredMemory, Tables } from "./tables.ts";

export function ramRemovals(tables: Tables, jobs: JobRows): RemovalStore {
	const { documents, staged, published, removed } = tables;
	const take = (document: Document, removal: RemovalId, expiresAt: Date, now: Date): void => {
		const { id, organisation } = document;
		documents.delete(id);
		staged.delete(id);
		noteDocument(tables, "document.deleted", document, now);
		withdraw(jobs, { organisation, task: "ingest", subject: id });
		removed.push({ removal, removedAt: now, expiresAt, document, chunks: published.get(id) ?? null, ...takeMemories(tables, id, now) });
		published.delete(id);
	};
	return {
		setAside: async (id, removal, expiresAt, now) => {
			const document = documents.get(id);
			if (document === undefined) return false;
			sweep(tables, now);
			for (const each of [...descendantsOf(tables, document), document]) take(each, removal, expiresAt, now);
			return true;
		},
		list: async (removal, now) =>
			removed
				.filter((each) => each.removal === removal && each.expiresAt > now)
				.map(({ document: { id, customId, containerTags } }) => ({ id, customId, containerTags }))
				.reverse(),
		bringBack: async (removal, id, job, now) => {
			const kept = removed.find((each) => each.removal === removal && each.document.id === id && each.expiresAt > now);
			if (kept === undefined) return null;
			const { customId } = kept.document;
			if (isOrphan(tables, customId)) return null;
			if (customId !== null && [...documents.values()].some((other) => other.customId === customId)) return "taken";
			removed.splice(removed.indexOf(kept), 1);
			const document = cameBack(kept.document, now);
			documents.set(id, document);
			if (kept.chunks !== null) published.set(id, kept.chunks);
			openContainers(tables, document.containerTags, now);
			noteReturn(tables, document, now);
			giveMemories(tables, kept, now);
			enqueue(jobs, job);
			return document;
		},
		expireAll: async () => sweep(tables, new Date(8.64e15)),
	};
}

function cameBack(document: Document, now: Date): Document {
	if (isFinished(document.status)) return { ...document, progress: null, updatedAt: now };
	return { ...document, status: "queued", failure: null, progress: null, updatedAt: now };
}

function noteReturn(tables: Tables, document: Document, now: Date): void {
	const { status, dreamingStatus, failure } = document;
	noteDocument(tables, "document.queued", document, now);
	if (status === "done") noteDocument(tables, "document.done", document, now);
	if (status === "failed") noteDocument(tables, "document.failed", document, now, { code: failure?.code ?? null, stage: failure?.stage ?? null });
	if (dreamingStatus === "done" && status !== "failed") noteDocument(tables, "document.dreamed", document, now);
}

/** What dropping the source changes is told from how things were before. */
function takeMemories(tables: Tables, id: DocumentId, now: Date): Pick<RemovedDocument, "memories" | "edges" | "closing" | "changed"> {
	const before = [...tables.memories.values()];
	const edgesBefore = [...tables.edges];
	dropSource(tables, id, now);
	const changed = before.flatMap(({ memory }) => {
		const after = tables.memories.get(memory.id)?.memory;
		return after === undefined || after === memory ? [] : [{ before: memory, after }];
	});
	return {
		memories: before.filter(({ memory }) => !tables.memories.has(memory.id)),
		edges: edgesBefore.filter((edge) => !tables.edges.includes(edge)),
		closing: tables.edges.filter((edge) => !edgesBefore.includes(edge)),
		changed,
	};
}

/** Where something has changed since, the change stays. */
function giveMemories(tables: Tables, { memories: gone, edges: cut, closing, changed, removedAt }: RemovedDocument, now: Date): void {
	const { memories, edges, documents } = tables;
	for (const { memory, ...rest } of gone) {
		if (memories.has(memory.id)) continue;
		const evidence = memory.evidence.filter(({ document }) => documents.has(document));
		const back: StoredMemory = { ...rest, memory: { ...memory, evidence, updatedAt: now } };
		memories.set(memory.id, back);
		leave(tables, memory.id, "removed", removedAt, now);
		openContainers(tables, [memory.containerTag], now);
		noteMemory(tables, memory.version > 1 ? "memory.updated" : "memory.created", memory, now);
	}
	edges.splice(0, edges.length, ...edges.filter((edge) => !isEdge(closing, edge)));
	edges.push(...cut.filter((edge) => memories.has(edge.from) && memories.has(edge.to) && !isEdge(edges, edge)));
	for (const { before, after } of changed) {
		const stored = memories.get(before.id);
		if (stored === undefined) continue;
		const { memory } = stored;
		const evidence = [...memory.evidence, ...before.evidence.filter((one) => documents.has(one.document) && !isSupportedBy(memory, one))];
		const isLatest = memory.isLatest === after.isLatest ? before.isLatest : memory.isLatest;
		const parent = memory.parent === after.parent ? before.parent : memory.parent;
		const root = memory.root === after.root ? before.root : memory.root;
		memories.set(before.id, { ...stored, memory: { ...memory, evidence, isLatest, parent, root, updatedAt: now } });
	}
}

function isSupportedBy(memory: Memory, { document, chunk, span }: Evidence): boolean {
	return memory.evidence.some((other) => other.document === document && other.chunk === chunk && other.span[0] === span[0] && other.span[1] === span[1]);
}

/** What has expired goes for good when the next comes. */
function sweep({ removed, blobs, documents }: Tables, now: Date): void {
	for (const each of removed.filter(({ expiresAt }) => expiresAt <= now)) {
		removed.splice(removed.indexOf(each), 1);
		const { content } = each.document;
		if (content.kind !== "file") continue;
		const isUsed = [...documents.values(), ...removed.map(({ document }) => document)].some(
			(other) => other.content.kind === "file" && other.content.blob === content.blob,
		);
		if (!isUsed) blobs.delete(content.blob);
	}
}
