/** Core's parts over the RAM storage, with small plugins that compute something real and can be told to fail. */

import { createHash } from "node:crypto";
import { type Embedder, type Extractor, fail, type MemoryDraft, type MemoryExtractor, type MemoryLinker, type World } from "cairn-memory";
import type { Storage } from "cairn-memory/stores";
import { createEmbedders } from "../../core/embedding-spaces/embedders.ts";
import type { Parts } from "../../core/parts.ts";
import { ramStorage } from "../../plugins/stores/ram/storage.ts";
import { createVault } from "../../server/auth/vault.ts";
import { createWebhookSigner } from "../../server/auth/webhook-signer.ts";

/** Letters counted: enough for texts that share letters to be near, and exact to reckon with. */
export const lettersEmbedder: Embedder = {
	name: "letters",
	space: { name: "letters-1", dimensions: 27, metric: "cosine", calibration: { unrelated: 0.6, related: 1, weight: 1 } },
	batchMax: 4,
	embed: async (texts) =>
		texts.map((text) => {
			const vector = new Float32Array(27);
			for (const letter of text.toLowerCase()) {
				const place = letter.charCodeAt(0) - 97;
				if (place >= 0 && place < 26) vector[place] = (vector[place] ?? 0) + 1;
			}
			vector[26] = 0.01;
			const norm = Math.hypot(...vector);
			return vector.map((value) => value / norm);
		}),
};

export const linesExtractor: Extractor = {
	name: "lines",
	accepts: ["text/*"],
	extract: async (source) => {
		const text = source.text ?? new TextDecoder().decode(await source.bytes());
		if (text.includes("UNREADABLE")) throw fail("FILE_BROKEN", "it says so");
		const blocks = text.split("\n").map((line) => ({ kind: "paragraph" as const, text: line, headings: [], place: {} }));
		return { blocks, text, title: null, description: null, language: null, type: "text" };
	},
};

/** Every sentence that says "is" is a memory. */
const isExtractor: MemoryExtractor = {
	name: "is",
	extract: async ({ document, chunks }) =>
		chunks
			.filter(({ text }) => text.includes(" is "))
			.map(
				({ id, text }): MemoryDraft => ({
					text,
					isStatic: false,
					isInference: false,
					confidence: 1,
					subject: text.split(" is ")[0] ?? null,
					eventTime: null,
					forgetAfter: null,
					evidence: [{ document: document.id, chunk: id, span: [0, text.length] }],
				}),
			),
};

/** The same subject with other words is an update, the same words a duplicate. */
const isLinker: MemoryLinker = {
	name: "is",
	link: async (draft, neighbours) => {
		const same = neighbours.find(({ memory }) => memory.subject === draft.subject);
		if (same === undefined) return { links: [], duplicateOf: null };
		if (same.memory.text === draft.text) return { links: [], duplicateOf: same.memory.id };
		return { links: [{ relation: "updates", target: same.memory.id }], duplicateOf: null };
	},
};

const vault = createVault(new Uint8Array(32));

export function createTestParts(world: World, overrides: Partial<Parts> = {}): Parts & { readonly storage: Storage } {
	return {
		storage: ramStorage(),
		feedIndexes: async () => {},
		indexLag: () => ({}),
		extractors: [linesExtractor],
		addressReaders: [],
		chunkers: [
			{
				name: "blocks",
				accepts: ["*/*"],
				chunk: async ({ blocks }) => blocks.filter(({ text }) => text !== "").map(({ text }, row) => ({ text, indexedText: text, place: { row: row + 1 } })),
			},
		],
		embedder: lettersEmbedder,
		embedders: createEmbedders([overrides.embedder ?? lettersEmbedder], overrides.embedder ?? lettersEmbedder),
		memoryExtractors: [isExtractor],
		memoryLinkers: [isLinker],
		reranker: { name: "length", candidatesMax: 50, score: async (_query, candidates) => candidates.map((text) => 1 / (1 + text.length)) },
		queryRewriters: [{ name: "expand", rewrite: async (query) => (query.includes("API") ? [query.replace("API", "application programming interface")] : []) }],
		digest: (text) => createHash("sha256").update(text).digest("hex"),
		mediaTypes: { ofBytes: async () => "text/plain", ofText: () => "text/plain", nameOf: () => null },
		fetch: async (address) => {
			throw fail("ADDRESS_BLOCKED", address, "tests have no network");
		},
		demandReachable: async () => undefined,
		connectors: [],
		modelGateway: null,
		vault,
		webhookSigner: createWebhookSigner(vault),
		world,
		...overrides,
	};
}
