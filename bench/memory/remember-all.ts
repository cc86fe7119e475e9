/** Puts labelled documents through the real pipeline, one sequence to a container, and hands back what is remembered. */

import { asId, type Caller, type Chunker, type DocumentId, type Memory, type MemoryEdge, type OrganisationId, wholeOrganisation } from "cairn-memory";
import { authorize } from "../../core/access/authorize.ts";
import { createNotifier } from "../../core/runtime/notifier.ts";
import { createService, runWorker } from "../../core/service.ts";
import hashing from "../../plugins/embedders/hashing.ts";
import sentences from "../../plugins/memory-extractors/sentences/index.ts";
import similarity from "../../plugins/memory-linkers/similarity/index.ts";
import { partOf } from "../../test/contract/start.ts";
import { createTestParts } from "../../test/doubles/parts.ts";
import { createTestWorld, settle } from "../../test/doubles/world.ts";
import { type LabelledDocument, type PlacedLine, placeLines } from "./labelled-set.ts";

export interface Remembered {
	readonly documents: readonly { readonly id: DocumentId; readonly sequence: string; readonly lines: readonly PlacedLine[] }[];
	readonly memories: readonly Memory[];
	readonly edges: readonly MemoryEdge[];
}

const caller: Caller = { organisation: asId<OrganisationId>("1111111111111111111111"), role: "admin", grants: null };
const pageLimit = 10_000;

/** A document is one chunk, so that a span is a place in the document. */
const whole: Chunker = {
	name: "whole",
	accepts: ["*/*"],
	chunk: async ({ text }) => [{ text, indexedText: text, place: {} }],
};

export async function rememberAll(labelled: readonly LabelledDocument[]): Promise<Remembered> {
	const parts = createTestParts(createTestWorld(), {
		chunkers: [whole],
		embedder: await partOf(hashing(), "embedder"),
		memoryExtractors: [await partOf(sentences(), "memoryExtractor")],
		memoryLinkers: [await partOf(similarity(), "memoryLinker")],
	});
	const notifier = createNotifier();
	const service = createService(parts, notifier);
	const stopping = new AbortController();
	const working = runWorker(parts, "bench", 1, notifier, stopping.signal);
	const documents: Remembered["documents"][number][] = [];
	for (const { sequence, date, ...rest } of labelled) {
		const { text, lines } = placeLines({ sequence, date, ...rest });
		const { id } = await service.add(caller, {
			content: { kind: "text", text, mediaType: "text/plain" },
			customId: null,
			containerTags: [sequence],
			metadata: { documentDate: `${date}T12:00:00.000Z` },
			filepath: null,
			taskType: "memory",
			dreaming: "instant",
		});
		await finished(async () => (await service.get(caller, id)).status);
		documents.push({ id, sequence, lines });
	}
	const { memories } = authorize(parts.storage, caller);
	const listed = await memories.list(wholeOrganisation, false, { offset: 0, limit: pageLimit, sort: "createdAt", order: "asc" } as Parameters<
		typeof memories.list
	>[2]);
	const edges = await memories.edges(listed.memories.map(({ id }) => id));
	stopping.abort();
	notifier.notify();
	await working;
	return { documents, memories: listed.memories, edges };
}

async function finished(status: () => Promise<string>): Promise<void> {
	for (;;) {
		const now = await status();
		if (now === "failed") throw new Error("a document failed");
		if (now === "done") return;
		await settle(1);
	}
}
