/**
 * The lines of an export → a store, under the same ids, with vectors of its own embedder. What is there already stays as it is, so an
 * import that was killed is started again and does the rest.
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
import { type Peeking, peeking } from "./peeking.ts";

export interface Imported {
	readonly documents: number;
	readonly memories: number;
	/** Documents and memories that were there already. */
	readonly known: number;
	/** Documents whose customId or file belongs to another, with what is inside of them, and memories that rest on such documents alone. */
	readonly refused: readonly string[];
}

export interface Target {
	readonly parts: Parts;
	readonly organisation: OrganisationId;
}

/** Embedded and written in one go. */
const memoriesAtOnce = 100;
const edgesAtOnce = 500;

export async function importLines(lines: AsyncIterable<BodyLine>, target: Target): Promise<Imported> {
	const { parts, organisation } = target;
	const tenant = parts.storage.organisation(organisation);
	const reader = peeking(lines);
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
			const batch = await takeWhile(reader, "memory", memoriesAtOnce);
			const { saved, lost } = await importMemories(batch, target);
			counts.memories += saved;
			counts.known += batch.length - saved - lost.length;
			refused.push(...lost);
		} else if (line.type === "edge") {
			const edges = (await takeWhile(reader, "edge", edgesAtOnce)).map(({ type: _, ...edge }) => edge);
			await tenant.memories.save(parts.embedder.space, [], edges);
		} else throw fail("EXPORT_INVALID", `${line.type} without a document`);
	}
	return { ...counts, refused };
}

type LineOf<Type extends BodyLine["type"]> = Extract<BodyLine, { type: Type }>;

async function takeWhile<Type extends BodyLine["type"]>(reader: Peeking<BodyLine>, type: Type, most: number): Promise<readonly LineOf<Type>[]> {
	const taken: LineOf<Type>[] = [];
	for (let line = await reader.peek(); line?.type === type && taken.length < most; line = await reader.peek()) {
		taken.push(line as LineOf<Type>);
		await reader.take();
	}
	return taken;
}

/** One that was changed since stays as it is. Written in two steps, since the first makes it as old as it was. */
async function importContainer({ type: _, tag, createdAt, updatedAt, ...change }: ContainerLine, containers: ContainerStore): Promise<void> {
	const known = await containers.get(tag);
	const isOurs = known === null || (known.createdAt.getTime() === createdAt.getTime() && known.updatedAt <= updatedAt);
	if (!isOurs) return;
	await containers.change(tag, change, createdAt);
	await containers.change(tag, {}, updatedAt);
}

/** A forgotten memory is saved and then forgotten, so that a search of an earlier time finds it. */
async function importMemories(
	lines: readonly MemoryLine[],
	{ parts, organisation }: Target,
): Promise<{ readonly saved: number; readonly lost: readonly string[] }> {
	const { memories } = parts.storage.organisation(organisation);
	const { embedder, world } = parts;
	const known = new Map((await memories.get(lines.map(({ id }) => id))).map((memory) => [memory.id, memory]));
	const fresh = lines.filter(({ id }) => !known.has(id));
	const vectors = await embedTexts(fresh.map(toMemory).map(indexedTextOf), embedder, "document", createStep(world, new AbortController().signal));
	const embedded = fresh.flatMap((line, i) => {
		const vector = vectors[i];
		return vector === undefined ? [] : [{ memory: { ...toMemory(line), isForgotten: false }, vector }];
	});
	await memories.save(embedder.space, embedded, []);
	const there = new Map((await memories.get(lines.map(({ id }) => id))).map((memory) => [memory.id, memory]));
	for (const { id, isForgotten, forgetReason, updatedAt } of lines) {
		const now = there.get(id);
		if (isForgotten && now?.isForgotten === false && now.updatedAt.getTime() === updatedAt.getTime()) await memories.forget([id], forgetReason, updatedAt);
	}
	const lost = fresh.filter(({ id }) => !there.has(id)).map(({ id }) => id);
	return { saved: fresh.length - lost.length, lost };
}

function toMemory({ type: _, ...memory }: MemoryLine): Memory {
	return memory;
}
