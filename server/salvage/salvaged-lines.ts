/** A damaged store → the lines of an export, as far as it can be read. What cannot is noted, and so is what is read anew from less. */

import { z } from "zod";
import type { Chunk } from "../../core/model/chunk.ts";
import type { Document } from "../../core/model/document.ts";
import { asId, type DocumentId, type MemoryId } from "../../core/model/id.ts";
import type { DamagedStore } from "../../core/plugin/contract/folder-tools.ts";
import type { BlobStore } from "../../core/ports/blob-store.ts";
import { type BodyLine, bodyLine } from "../export/lines.ts";
import { asLine, documentLine, documentLines, fileLines, type Lines, withoutSecrets } from "../export/read-store.ts";

export interface Loss {
	readonly kind: "settings" | "container" | "document" | "memory" | "edge";
	readonly id: string;
	/** What became of it. */
	readonly outcome: "lost" | "read anew from its original" | "made of its chunks";
}

export interface Source {
	readonly damaged: DamagedStore;
	/** The originals. */
	readonly blobs: Pick<BlobStore, "get">;
	readonly note: (loss: Loss) => void;
	readonly tell: (done: number, total: number) => void;
}

export async function* salvagedLines(source: Source): Lines {
	const { damaged, note, tell } = source;
	const { records, containers, memories } = damaged.records;
	const lose = (kind: Loss["kind"], id: string) => note({ kind, id, outcome: "lost" });
	const settings = await tried(() => records.list("settings", null, 1, new Date()));
	if (settings === null) lose("settings", "settings");
	for (const { value } of settings ?? []) yield { type: "settings", value: withoutSecrets(value) };
	const listed = await tried(() => containers.list());
	if (listed === null) lose("container", "names and descriptions");
	for (const { container } of listed ?? []) yield asLine({ type: "container", ...container });

	const [documentIds, memoryIds] = (["document", "memory"] as const).map((kind) => {
		const { known, isComplete } = damaged.ids(kind);
		if (!isComplete) lose(kind, "of which nothing is left, not even its name: there may be some");
		return [...known].toSorted();
	}) as [string[], string[]];
	const total = documentIds.length + memoryIds.length;
	let done = 0;
	for (const id of await outermostFirst(documentIds, source)) {
		yield* await linesOf(asId<DocumentId>(id), source);
		tell(++done, total);
	}
	for (const id of memoryIds) {
		const [memory] = (await tried(() => memories.get([asId<MemoryId>(id)]))) ?? [];
		const line = memory === undefined ? null : sound([asLine({ type: "memory", ...memory })]);
		if (line === null) lose("memory", id);
		else yield* line;
		tell(++done, total);
	}
	for (const id of memoryIds) {
		const edges = await tried(() => memories.edges([asId<MemoryId>(id)]));
		if (edges === null) lose("edge", `of memory ${id}`);
		for (const edge of edges ?? []) if (edge.from === id) yield { type: "edge", ...edge };
	}
}

/** By how deep they lie in others, so that a parent is there before what is inside of it. */
async function outermostFirst(ids: readonly string[], { damaged }: Source): Promise<readonly string[]> {
	const depths = new Map<string, number>();
	for (const id of ids) {
		const [document] = (await tried(() => damaged.records.documents.getMany([asId<DocumentId>(id)], false))) ?? [];
		depths.set(id, document?.content.kind === "file" ? (document.content.member?.depth ?? 0) : 0);
	}
	return ids.toSorted((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0));
}

async function linesOf(id: DocumentId, source: Source): Promise<readonly BodyLine[]> {
	const { damaged, blobs, note } = source;
	const { documents } = damaged.records;
	const whole = sound((await tried(() => Array.fromAsync(documentLines(id, { documents, blobs })))) ?? []);
	if (whole !== null && whole.length > 0) return whole;
	const [known] = (await tried(() => documents.getMany([id], false))) ?? [];
	const original = known === undefined ? null : await fromOriginal(known, source);
	const made = known === undefined || original !== null ? null : await fromChunks(known, source);
	note({ kind: "document", id, outcome: original !== null ? "read anew from its original" : made !== null ? "made of its chunks" : "lost" });
	return original ?? made ?? [];
}

async function fromOriginal(known: Document, { blobs }: Source): Promise<readonly BodyLine[] | null> {
	const { content, id } = known;
	if (content.kind !== "file") return null;
	const bytes = await tried(() => blobs.get(content.blob));
	return bytes === null ? null : sound([documentLine({ ...known, status: "queued" }), ...fileLines(id, bytes, content.blob)]);
}

/** Its chunks one by one: some of them may be on a damaged page. */
async function fromChunks(known: Document, { damaged }: Source): Promise<readonly BodyLine[] | null> {
	const { documents } = damaged.records;
	const texts: string[] = [];
	for (let position = 0, misses = 0; misses < 3; position++) {
		const [chunk]: readonly Chunk[] = (await tried(() => documents.chunksAt(new Map([[known.id, [position]]])))) ?? [];
		if (chunk === undefined) misses += 1;
		else texts.push(chunk.text);
	}
	if (texts.length === 0) return null;
	const content = { kind: "text", text: texts.join("\n\n"), mediaType: "text/markdown" } as const;
	return sound([documentLine({ ...known, content, findings: { ...known.findings, text: null }, status: "queued" })]);
}

/** A damaged page may also be read as something that nobody wrote. @returns null then */
function sound(lines: readonly BodyLine[]): readonly BodyLine[] | null {
	return lines.every((line) => z.safeEncode(bodyLine, line).success) ? lines : null;
}

async function tried<Value>(read: () => Promise<Value>): Promise<Value | null> {
	try {
		return await read();
	} catch {
		return null;
	}
}
