/** Memories drawn from a document's chunks: by rules, or by a language model where there is one, with the rules for what it cannot read. */

import { openModelDoor } from "../language/door.ts";
import type { ModelGate } from "../language/gate.ts";
import { mayAsk } from "../language/may-ask.ts";
import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import { limits } from "../model/limits.ts";
import type { MemoryExtractor, Reading, Step } from "../plugin/contract.ts";
import type { OrganisationRooms } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { steeringOf } from "../settings/steering.ts";
import { type Drawn, drawWithModel } from "./draw-with-model.ts";
import { homesOf } from "./homes.ts";
import { dated } from "./said-on.ts";

export interface DrawParts {
	readonly rooms: OrganisationRooms;
	readonly memoryExtractors: readonly MemoryExtractor[];
	readonly modelGate: ModelGate | null;
	readonly world: World;
	/** Told when it begins to wait for the language model, and when it does not wait any more. */
	readonly asking?: (is: boolean) => void;
}

export async function draw(document: Document, chunks: readonly Chunk[], parts: DrawParts, step: Step): Promise<readonly Drawn[]> {
	const { rooms, world, memoryExtractors } = parts;
	const { containerTags, entityContext } = await homesOf(document, rooms);
	if (containerTags.length === 0) return [];
	const { isWanted, isExcluded, guidance } = await steeringOf(rooms.records, world.now());
	const { id, createdAt, findings } = document;
	const about = { document: { id, containerTags, metadata: dated(document), createdAt, title: findings.title }, entityContext };
	const reading: Reading = { ...about, chunks, ...(guidance !== null && { guidance }) };
	const byRules = await drawByRules(reading, memoryExtractors, step);
	const asking = memoryExtractors.find(({ asksModel }) => asksModel === true);
	const { modelGate } = parts;
	const isAsked = modelGate !== null && asking !== undefined && (await mayAsk("memories", modelGate, rooms.records, world.now()));
	const drawn = isAsked ? await withModel(modelGate, asking, document, reading, byRules, parts, step) : byRules;
	const ruled = new Set(byRules);
	const isUsable = (each: Drawn) => {
		const { text, evidence } = each.draft;
		if (text.trim() === "" || text.length > limits.memoryCharactersMax || evidence.length === 0) return false;
		return ruled.has(each) ? isWanted(text) : !isExcluded(text);
	};
	return drawn.filter(isUsable).slice(0, limits.memoriesPerDocumentMax);
}

async function drawByRules(reading: Reading, extractors: readonly MemoryExtractor[], step: Step): Promise<readonly Drawn[]> {
	const drawn: Drawn[] = [];
	for (const { name, asksModel, extract } of extractors) {
		if (asksModel === true) continue;
		for (const draft of await extract(reading, step)) drawn.push({ draft, extractor: name });
	}
	return drawn;
}

/** Whose document it is, he pays: the first container of several. */
function withModel(
	gate: ModelGate,
	extractor: MemoryExtractor,
	{ organisation, writtenBy }: Document,
	reading: Reading,
	byRules: readonly Drawn[],
	{ rooms: { records }, world, asking: onWait = () => undefined }: DrawParts,
	step: Step,
): Promise<readonly Drawn[]> {
	const callsMax = gate.terms.callsPerDocumentMax;
	const payer = { containerTag: reading.document.containerTags[0] ?? null, key: writtenBy, use: "memories" } as const;
	const model = openModelDoor({ gate, records, organisation, payer, callsMax, world, onWait }, step);
	return drawWithModel({ reading, byRules, extractor, callsMax }, { ...step, model });
}
