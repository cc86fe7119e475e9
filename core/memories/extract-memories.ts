/** Extracts memories from a document's chunks: with the language model if there is one, and by rules for what it cannot read. */

import { mayAsk } from "../language/may-ask.ts";
import { openModelClient } from "../language/model-client.ts";
import type { ModelGateway } from "../language/model-gateway.ts";
import type { Chunk } from "../model/chunk.ts";
import type { Document } from "../model/document.ts";
import { limits } from "../model/limits.ts";
import type { Embedder, MemoryExtractor, MemoryInput, Step } from "../plugin/contract.ts";
import type { TenantStore } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { readMemoryOverrides } from "../settings/settings.ts";
import { referenceDateOf, withPublicationDate } from "./document-date.ts";
import { type ExtractedMemory, extractWithModel } from "./extract-with-model.ts";
import type { HomeContainers } from "./home-containers.ts";
import { knownMemoriesFinder } from "./known-memories.ts";

export interface MemoryExtractionParts {
	readonly tenant: TenantStore;
	readonly memoryExtractors: readonly MemoryExtractor[];
	readonly modelGateway: ModelGateway | null;
	readonly world: World;
	readonly embedder: Embedder;
	/** Called with true when it begins to wait for the language model, and with false when the wait is over. */
	readonly asking?: (is: boolean) => void;
}

export async function extractMemories(
	document: Document,
	chunks: readonly Chunk[],
	{ containerTags, entityContext }: HomeContainers,
	parts: MemoryExtractionParts,
	step: Step,
): Promise<readonly ExtractedMemory[]> {
	const { tenant, world, memoryExtractors } = parts;
	if (containerTags.length === 0) return [];
	const { isWanted, isExcluded, guidance } = await readMemoryOverrides(tenant.records, world.now());
	const { id, createdAt, findings, content } = document;
	const metadata = withPublicationDate(document);
	const name = content.kind === "file" && content.fileName !== null ? { fileName: content.fileName } : {};
	const documentFacts = { id, containerTags, metadata, createdAt, title: findings.title, ...name, referenceDate: referenceDateOf(document) };
	const input: MemoryInput = { document: documentFacts, entityContext, chunks, ...(guidance !== null && { guidance }) };
	const byRules = await extractByRules(input, memoryExtractors, step);
	const modelExtractor = memoryExtractors.find(({ asksModel }) => asksModel === true);
	const { modelGateway } = parts;
	const usesModel = modelGateway !== null && modelExtractor !== undefined && (await mayAsk("memories", modelGateway, tenant.records, world.now()));
	const extracted = usesModel ? await withModel(modelGateway, modelExtractor, document, input, byRules, parts, step) : byRules;
	const rulesExtracted = new Set(byRules);
	const isUsable = (each: ExtractedMemory) => {
		const { text, evidence } = each.draft;
		if (text.trim() === "" || text.length > limits.memoryCharactersMax || evidence.length === 0) return false;
		return rulesExtracted.has(each) ? isWanted(text) : !isExcluded(text);
	};
	return extracted.filter(isUsable).slice(0, limits.memoriesPerDocumentMax);
}

async function extractByRules(input: MemoryInput, extractors: readonly MemoryExtractor[], step: Step): Promise<readonly ExtractedMemory[]> {
	const extracted: ExtractedMemory[] = [];
	for (const { name, asksModel, extract } of extractors) {
		if (asksModel === true) continue;
		for (const draft of await extract(input, step)) extracted.push({ draft, extractor: name });
	}
	return extracted;
}

/** Extracts with the language model. The cost is charged to the document's first container. */
function withModel(
	gateway: ModelGateway,
	extractor: MemoryExtractor,
	document: Document,
	input: MemoryInput,
	byRules: readonly ExtractedMemory[],
	parts: MemoryExtractionParts,
	step: Step,
): Promise<readonly ExtractedMemory[]> {
	const { organisation, writtenBy } = document;
	const { tenant, world, asking: onWait = () => undefined } = parts;
	const { records } = tenant;
	const callsMax = gateway.policy.callsPerDocumentMax;
	const payer = { containerTag: input.document.containerTags[0] ?? null, key: writtenBy, use: "memories" } as const;
	const model = openModelClient({ gateway, records, organisation, payer, callsMax, world, onWait }, step);
	return extractWithModel(
		{ input, byRules, extractor, callsMax, knownNear: knownMemoriesFinder(document, input.document.containerTags, parts) },
		{ ...step, model },
	);
}
