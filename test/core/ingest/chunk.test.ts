/** The law of chunks and embedders: whatever is cut up, no chunk is longer than its embedder reads, by the embedder's own count. */

import { describe, expect, test } from "bun:test";
import type { Chunker, Embedder, Extraction, Plugin } from "cairn-memory";
import { chunk } from "../../../core/ingest/chunk.ts";
import type { ExtractedDocument } from "../../../core/ingest/stage-results.ts";
import { builtinPlugins } from "../../../server/boot/builtin-plugins.ts";
import { createWorld } from "../../../server/boot/world.ts";
import { quietHost } from "../../contract/quiet-host.ts";
import { extractions } from "../../contract/samples-text.ts";
import { createStep as createRecordedStep } from "../../doubles/extractor-host.ts";

const chunkers: readonly Chunker[] = (
	await Promise.all(
		(builtinPlugins as readonly (() => Plugin)[])
			.map((factory) => factory())
			.filter(({ name }) => name.startsWith("chunker-"))
			.map(async (plugin) => (await plugin.start({}, quietHost())).chunker ?? []),
	)
).flat();

/** A sign of Chinese is a token, and so are four letters of others: what tokenizers do, more or less. */
function tokensOf(text: string): number {
	const dense = text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
	return dense + Math.ceil((text.length - dense) / 4);
}

function embedderOf(tokensMax: number): Pick<Embedder, "name" | "fits"> & { readonly calls: () => number } {
	let calls = 0;
	const fits: NonNullable<Embedder["fits"]> = async (texts) => {
		calls++;
		return texts.map((text) => tokensOf(text) <= tokensMax);
	};
	return { name: "small", fits, calls: () => calls };
}

async function chunksOf(extraction: Extraction, embedder: Pick<Embedder, "name" | "fits">, chunker: Chunker, size: number | null = null) {
	const extracted = { document: { id: "d", revision: 1 }, extraction, mediaType: "text/plain" } as unknown as ExtractedDocument;
	const step = createRecordedStep();
	const anything: Chunker = { ...chunker, accepts: ["*/*"], recognizes: () => true };
	const { chunks } = await chunk(extracted, size, { chunkers: [anything], embedder, world: createWorld({ log: () => undefined }) }, step);
	return { chunks, warnings: step.warnings };
}

const chinese: Extraction = {
	...(Object.values(extractions)[0] as Extraction),
	text: "",
	blocks: [{ kind: "paragraph", text: "灯台守はすべての嵐を青い手帳に書いた。".repeat(200), headings: [], place: {} }],
};

describe.each(chunkers.map((chunker) => [chunker.name, chunker] as const))("chunks of %s", (_, chunker) => {
	test.each(Object.entries({ ...extractions, chinese }).filter(([, { blocks }]) => blocks.some(({ text }) => text.trim() !== "")))(
		"of %s are read to their end",
		async (_, extraction) => {
			for (const tokensMax of [512, 256, 128]) {
				const { chunks, warnings } = await chunksOf(extraction, embedderOf(tokensMax), chunker);
				expect(Math.max(...chunks.map(({ indexedText }) => tokensOf(indexedText)))).toBeLessThanOrEqual(tokensMax);
				expect(warnings).toEqual([]);
			}
		},
	);
});

test("where all fits nothing is cut anew, and without a count nothing is asked", async () => {
	const [chunker] = chunkers;
	const extraction = Object.values(extractions).find(({ blocks }) => blocks.length > 1);
	if (chunker === undefined || extraction === undefined) throw new Error("nothing to cut up");
	const roomy = embedderOf(100_000);
	const { chunks } = await chunksOf(extraction, roomy, chunker);
	expect(roomy.calls()).toBe(1);
	const texts = (found: typeof chunks) => found.map(({ text }) => text);
	expect(texts((await chunksOf(extraction, { name: "any" }, chunker)).chunks)).toEqual(texts(chunks));
	for (const { indexedText } of (await chunksOf(extraction, embedderOf(64), chunker, 300)).chunks) expect(indexedText.length).toBeLessThanOrEqual(300);
});

test("what no chunk is small enough for is told, and indexed all the same", async () => {
	const [chunker] = chunkers;
	if (chunker === undefined) throw new Error("nothing to cut up with");
	const { chunks, warnings } = await chunksOf(chinese, embedderOf(3), chunker);
	expect(chunks.length).toBeGreaterThan(0);
	expect(warnings.map(({ code }) => code)).toEqual(["CHUNKS_CUT"]);
});
