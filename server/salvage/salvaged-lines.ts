/** Reads an organisation of a damaged store as the lines of an export, as far as it is readable. Everything that is lost or only partly recovered is reported. */

import { z } from "zod";
import type { Chunk } from "../../core/model/chunk.ts";
import type { Document } from "../../core/model/document.ts";
import { asId, type DocumentId, type MemoryId } from "../../core/model/id.ts";
import type { DamagedOrganisation } from "../../core/plugin/contract/folder-tools.ts";
import type { BlobStore } from "../../core/ports/blob-store.ts";
import { type BodyLine, bodyLine } from "../export/lines.ts";
import { asLine, documentLine, documentLines, type ExportLines, fileLines, withoutSecrets } from "../export/read-store.ts";

export interface Loss {
	readonly kind: "organisation" | "settings" | "container" | "document" | "memory" | "edge";
	readonly id: string;
	readonly outcome:
		| "lost"
		| "broken off"
		| "named as its id"
		| "processed again from its original file"
		| "rebuilt from its chunks"
		| "changed"
		| "not compared with their checksums";
}

export interface SalvageSource {
	readonly damaged: DamagedOrganisation;
	/** The original files. */
	readonly blobs: Pick<BlobStore, "get">;
	readonly onLoss: (loss: Loss) => void;
	/** Called after each document and memory. */
	readonly onDone: () => void;
}

export async function* salvagedLines(source: SalvageSource): ExportLines {
	const { damaged, onLoss, onDone } = source;
	const { records, containers, memories } = damaged.records;
	const reportLost = (kind: Loss["kind"], id: string) => onLoss({ kind, id, outcome: "lost" });
	const settings = await orNull(async () => {
		const [stored] = await records.list("settings", null, 1, new Date());
		return ifValid(stored === undefined ? [] : [{ type: "settings", value: withoutSecrets(stored.value) }]);
	});
	if (settings === null) reportLost("settings", `of organisation ${damaged.id}`);
	yield* settings ?? [];
	const containerList = await orNull(() => containers.list());
	if (containerList === null) reportLost("container", `names and descriptions of organisation ${damaged.id}`);
	for (const { container } of containerList ?? []) {
		const line = ifValid([asLine({ type: "container", ...container })]);
		if (line === null) reportLost("container", container.tag);
		else yield* line;
	}

	const [documentIds, memoryIds] = (["document", "memory"] as const).map((kind) => [...damaged.ids(kind)].toSorted()) as [string[], string[]];
	const unknown = { document: 0, memory: 0 };
	/** Of what was read without an error. */
	const compare = (kind: keyof typeof unknown, id: string) => {
		const isChanged = damaged.isChanged(kind, id);
		if (isChanged === null) unknown[kind] += 1;
		if (isChanged === true) onLoss({ kind, id, outcome: "changed" });
	};
	for (const id of await sortByDepth(documentIds, source)) {
		const complete = await completeDocument(asId<DocumentId>(id), source);
		if (complete !== null) compare("document", id);
		yield* complete ?? (await salvageDocument(asId<DocumentId>(id), source));
		onDone();
	}
	for (const id of memoryIds) {
		const [memory] = (await orNull(() => memories.get([asId<MemoryId>(id)]))) ?? [];
		const line = memory === undefined ? null : ifValid([asLine({ type: "memory", ...memory })]);
		if (line === null) reportLost("memory", id);
		else {
			compare("memory", id);
			yield* line;
		}
		onDone();
	}
	for (const id of memoryIds) {
		const edges = await orNull(() => memories.edges([asId<MemoryId>(id)]));
		if (edges === null) reportLost("edge", `of memory ${id}`);
		for (const edge of edges ?? []) if (edge.from === id) yield { type: "edge", ...edge };
	}
	for (const kind of ["document", "memory"] as const)
		if (unknown[kind] > 0) onLoss({ kind, id: `(${unknown[kind]} of organisation ${damaged.id})`, outcome: "not compared with their checksums" });
}

/** Sorts documents by how deeply they are nested as attachments, so that a parent comes before its attachments. */
async function sortByDepth(ids: readonly string[], { damaged }: SalvageSource): Promise<readonly string[]> {
	const depths = new Map<string, number>();
	for (const id of ids) {
		const [document] = (await orNull(() => damaged.records.documents.getMany([asId<DocumentId>(id)], false))) ?? [];
		depths.set(id, document?.content.kind === "file" ? (document.content.member?.depth ?? 0) : 0);
	}
	return ids.toSorted((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0));
}

/** Null if some of it cannot be read. */
async function completeDocument(id: DocumentId, { damaged, blobs }: SalvageSource): Promise<readonly BodyLine[] | null> {
	const { documents } = damaged.records;
	const lines = ifValid((await orNull(() => Array.fromAsync(documentLines(id, { documents, blobs })))) ?? []);
	return lines === null || lines.length === 0 ? null : lines;
}

/** What can be had of a document that is not complete. */
async function salvageDocument(id: DocumentId, source: SalvageSource): Promise<readonly BodyLine[]> {
	const { damaged, onLoss } = source;
	const { documents } = damaged.records;
	const [document] = (await orNull(() => documents.getMany([id], false))) ?? [];
	const original = document === undefined ? null : await fromOriginal(document, source);
	const rebuilt = document === undefined || original !== null ? null : await fromChunks(document, source);
	onLoss({
		kind: "document",
		id,
		outcome: original !== null ? "processed again from its original file" : rebuilt !== null ? "rebuilt from its chunks" : "lost",
	});
	return original ?? rebuilt ?? [];
}

async function fromOriginal(document: Document, { blobs }: SalvageSource): Promise<readonly BodyLine[] | null> {
	const { content, id } = document;
	if (content.kind !== "file") return null;
	const bytes = await orNull(() => blobs.get(content.blob));
	return bytes === null ? null : ifValid([documentLine({ ...document, status: "queued" }), ...fileLines(id, bytes)]);
}

/** Rebuilds the text from the chunks. They are read one by one, since some may be in a damaged part of the database. After three missing chunks the text is considered to end. */
async function fromChunks(document: Document, { damaged }: SalvageSource): Promise<readonly BodyLine[] | null> {
	const { documents } = damaged.records;
	const texts: string[] = [];
	for (let position = 0, missingChunks = 0; missingChunks < 3; position++) {
		const [chunk]: readonly Chunk[] = (await orNull(() => documents.chunksAt(new Map([[document.id, [position]]])))) ?? [];
		if (chunk === undefined) missingChunks += 1;
		else texts.push(chunk.text);
	}
	if (texts.length === 0) return null;
	const content = { kind: "text", text: texts.join("\n\n"), mediaType: "text/markdown" } as const;
	return ifValid([documentLine({ ...document, content, findings: { ...document.findings, text: null }, status: "queued" })]);
}

/** @returns the lines, or null if one does not match its schema: a damaged database may return wrong data instead of an error */
function ifValid(lines: readonly BodyLine[]): readonly BodyLine[] | null {
	return lines.every((line) => z.safeEncode(bodyLine, line).success) ? lines : null;
}

async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
	try {
		return await read();
	} catch {
		return null;
	}
}
