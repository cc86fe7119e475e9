/**
 * Imports the lines of an export into a store, with the same ids, and with vectors of the store's embedder. What the store already
 * contains is not changed, so an import that was killed can be repeated and imports the rest.
 */

import { fail } from "../../core/errors/fail.ts";
import { createStep } from "../../core/language/step.ts";
import type { OrganisationId } from "../../core/model/id.ts";
import { indexedTextOf, type Memory } from "../../core/model/memory.ts";
import type { Parts } from "../../core/parts.ts";
import type { ContainerStore } from "../../core/ports/container-store.ts";
import { embedTexts } from "../../core/runtime/embed-texts.ts";
import { changeSettings } from "../../core/settings/settings.ts";
import { importDocument } from "./import-document.ts";
import type { BodyLine, ContainerLine, MemoryLine } from "./lines.ts";
import { type Peekable, peekable } from "./peekable.ts";

export interface ImportResult {
	readonly documents: number;
	readonly memories: number;
	/** The number of documents and memories that the store contained already. */
	readonly known: number;
	/** Ids of documents whose customId or file belongs to another document, of their attachments, and of memories that have evidence only in those. */
	readonly refused: readonly string[];
}

export interface ImportTarget {
	readonly parts: Parts;
	readonly organisation: OrganisationId;
}

/** Memories that are embedded and written together. */
const memoriesPerBatch = 100;
const edgesPerBatch = 500;

export async function importLines(lines: AsyncIterable<BodyLine>, target: ImportTarget): Promise<ImportResult> {
	const { parts, organisation } = target;
	const tenant = parts.storage.organisation(organisation);
	const reader = peekable(lines);
	const counts = { documents: 0, memories: 0, known: 0 };
	const refused: string[] = [];
	for (let line = await reader.peek(); line !== null; line = await reader.peek()) {
		if (line.type === "settings") {
			await reader.take();
			if ((await tenant.records.list("settings", null, 1, parts.world.now())).length === 0)
				await changeSettings(line.value as object, tenant.records, parts.world);
		} else if (line.type === "container") {
			await reader.take();
			await importContainer(line, tenant.containers);
		} else if (line.type === "document") {
			const outcome = await importDocument(line, reader, target);
			if (outcome === "refused") refused.push(line.id);
			else counts[outcome === "imported" ? "documents" : "known"] += 1;
		} else if (line.type === "memory") {
			const batch = await takeWhile(reader, "memory", memoriesPerBatch);
			const { saved, lost: rejected } = await importMemories(batch, target);
			counts.memories += saved;
			counts.known += batch.length - saved - rejected.length;
			refused.push(...rejected);
		} else if (line.type === "edge") {
			const edges = (await takeWhile(reader, "edge", edgesPerBatch)).map(({ type: _, ...edge }) => edge);
			await tenant.memories.save(parts.embedder.space, [], edges);
		} else throw fail("EXPORT_INVALID", `${line.type} without a document`);
	}
	return { ...counts, refused };
}

type LineOf<Type extends BodyLine["type"]> = Extract<BodyLine, { type: Type }>;

async function takeWhile<Type extends BodyLine["type"]>(reader: Peekable<BodyLine>, type: Type, max: number): Promise<readonly LineOf<Type>[]> {
	const taken: LineOf<Type>[] = [];
	for (let line = await reader.peek(); line?.type === type && taken.length < max; line = await reader.peek()) {
		taken.push(line as LineOf<Type>);
		await reader.take();
	}
	return taken;
}

/** A container that was changed after the export is left alone. The first call sets the creation time, the second one the time of the last change. */
async function importContainer({ type: _, tag, createdAt, updatedAt, ...change }: ContainerLine, containers: ContainerStore): Promise<void> {
	const existing = await containers.get(tag);
	const isUnchangedSince = existing === null || (existing.createdAt.getTime() === createdAt.getTime() && existing.updatedAt <= updatedAt);
	if (!isUnchangedSince) return;
	await containers.change(tag, change, createdAt);
	await containers.change(tag, {}, updatedAt);
}

/** Forgotten memories are saved first and forgotten afterwards, so that searches of an earlier time find them. */
async function importMemories(
	lines: readonly MemoryLine[],
	{ parts, organisation }: ImportTarget,
): Promise<{ readonly saved: number; readonly lost: readonly string[] }> {
	const { memories } = parts.storage.organisation(organisation);
	const { embedder, world } = parts;
	const existing = new Map((await memories.get(lines.map(({ id }) => id))).map((memory) => [memory.id, memory]));
	const missing = lines.filter(({ id }) => !existing.has(id));
	const vectors = await embedTexts(missing.map(toMemory).map(indexedTextOf), embedder, "document", createStep(world, new AbortController().signal));
	const embedded = missing.flatMap((line, i) => {
		const vector = vectors[i];
		return vector === undefined ? [] : [{ memory: { ...toMemory(line), isForgotten: false }, vector }];
	});
	await memories.save(embedder.space, embedded, []);
	const afterSave = new Map((await memories.get(lines.map(({ id }) => id))).map((memory) => [memory.id, memory]));
	for (const { id, isForgotten, forgetReason, updatedAt } of lines) {
		const stored = afterSave.get(id);
		if (isForgotten && stored?.isForgotten === false && stored.updatedAt.getTime() === updatedAt.getTime())
			await memories.forget([id], forgetReason, updatedAt);
	}
	const rejected = missing.filter(({ id }) => !afterSave.has(id)).map(({ id }) => id);
	return { saved: missing.length - rejected.length, lost: rejected };
}

function toMemory({ type: _, ...memory }: MemoryLine): Memory {
	return memory;
}
