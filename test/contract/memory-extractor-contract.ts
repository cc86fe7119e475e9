/** What every memory extractor promises. */

import type { Chunk, MemoryDraft, MemoryExtractor } from "cairn-memory";
import { indexWords, isStopWord } from "cairn-memory/words";
import { type ContractTest, demand } from "./contract-test.ts";
import { quietStep } from "./quiet-host.ts";
import { chunkOf, documentId, factfulTexts, factlessTexts, headedExtraction, oddTexts } from "./samples-text.ts";

/** From this share of common words on, two memories of one answer are one too many. */
const overlapMax = 0.9;
const createdAt = new Date("2026-05-13T12:00:00Z");
const repeatedTexts = ["Ana: I live in Lisbon with my two cats.", "Ana: As I said, I live in Lisbon with my two cats. I live in Lisbon with my two cats!"];

/** What the contract tests are tried on. */
export interface MemorySample {
	/** Texts that hold a fact, each with a word that a memory of it has to have. */
	readonly facts: readonly (readonly [text: string, word: string])[];
	/** Texts that hold nothing for it; those of the kit, where it is left out. */
	readonly factless?: readonly string[];
}

/**
 * @param start makes a fresh memory extractor; it is called once for each contract test.
 * @param sample of its own for one that looks for something special, such as addresses of e-mail: the sample of the kit holds
 * homes, jobs, allergies and dates, of which it says nothing.
 */
export function memoryExtractorContract(start: () => Promise<MemoryExtractor>, sample?: MemorySample): readonly ContractTest[] {
	const { facts, factless = factlessTexts } = sample ?? { facts: factfulTexts };
	const repeated = sample === undefined ? repeatedTexts : facts.flatMap(([text]) => [text, text]);
	const contractTest = (name: string, check: (extractor: MemoryExtractor) => Promise<void>): ContractTest => ({
		name,
		check: async () => check(await start()),
	});
	const all = [...facts.map(([text]) => text), ...repeated, ...oddTexts, ...headedExtraction.blocks.map(({ text }) => text)];
	return [
		contractTest("a memory extractor has a name", async ({ name }) => demand(name.trim() !== "", "its name is blank")),
		contractTest("no chunks, no memories", async (extractor) => demand((await extract(extractor, [])).length === 0, "it remembers nothing at all")),
		contractTest("nothing out of chunks without facts", async (extractor) => {
			for (const text of factless) {
				const [draft] = await extract(extractor, [text]);
				demand(draft === undefined, `"${draft?.text}" was made of ${JSON.stringify(text.slice(0, 60))}`);
			}
		}),
		contractTest("a plain fact is found", async (extractor) => {
			demand(facts.length > 0, "its sample holds no fact");
			for (const [text, word] of facts) {
				const drafts = await extract(extractor, [text]);
				demand(
					drafts.some((draft) => draft.text.includes(word)),
					`nothing about ${word} in ${JSON.stringify(drafts.map((draft) => draft.text))}`,
				);
			}
		}),
		contractTest("every memory cites chunks that exist, and spans with text in them", async (extractor) => {
			const chunks = all.map(chunkOf);
			for (const draft of await extract(extractor, all)) checkEvidence(draft, chunks);
		}),
		contractTest("no memory is blank", async (extractor) => {
			demand(!(await extract(extractor, all)).some(({ text, indexedText = text }) => text.trim() === "" || indexedText.trim() === ""), "a memory is blank");
		}),
		contractTest("a confidence is from 0 to 1", async (extractor) => {
			for (const { confidence, text } of await extract(extractor, all)) demand(confidence >= 0 && confidence <= 1, `"${text}" has confidence ${confidence}`);
		}),
		contractTest("no near-copies within one answer", async (extractor) => checkCopies(await extract(extractor, repeated))),
		contractTest("same in, same out", async (extractor) => {
			const [once, again] = [await extract(extractor, all), await extract(extractor, all)];
			demand(JSON.stringify(once) === JSON.stringify(again), "the same chunks gave other memories");
		}),
	];
}

async function extract(extractor: MemoryExtractor, texts: readonly string[]): Promise<readonly MemoryDraft[]> {
	const document = { id: documentId, containerTags: ["laws"], metadata: {}, createdAt, referenceDate: createdAt, title: null };
	return extractor.extract({ document, chunks: texts.map(chunkOf), entityContext: null }, quietStep());
}

function checkEvidence({ text, evidence }: MemoryDraft, chunks: readonly Chunk[]): void {
	demand(evidence.length > 0, `"${text}" has no evidence`);
	for (const { chunk: id, document, span } of evidence) {
		const chunk = chunks.find((one) => one.id === id);
		demand(chunk !== undefined && document === documentId, `"${text}" cites a chunk that does not exist`);
		const [begin, end] = span;
		demand(begin >= 0 && begin < end && end <= chunk.text.length, `"${text}" cites ${begin} to ${end} of ${chunk.text.length} characters`);
		demand(chunk.text.slice(begin, end).trim() !== "", `"${text}" cites nothing but space`);
	}
}

function checkCopies(drafts: readonly MemoryDraft[]): void {
	const sets = drafts.map(({ text }) => new Set(indexWords(text).filter((word) => !isStopWord(word))));
	for (const [i, a] of sets.entries()) {
		for (const [j, b] of sets.slice(0, i).entries()) {
			const shared = [...a].filter((word) => b.has(word)).length;
			demand(shared < overlapMax * (a.size + b.size - shared), `"${drafts[i]?.text}" says what "${drafts[j]?.text}" says`);
		}
	}
}
