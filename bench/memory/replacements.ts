/**
 * Pairs of things that somebody tells on two days, in process and in seconds: which replace each other.
 * `bun bench/memory/replacements.ts FILE… [--show]`, each line as in `bench/memory/strangers/README.md`.
 * `bench/memory/own/replacements.jsonl` is by the one who wrote the rules (CC0 1.0): what it shows is fitted.
 */

import { parseArgs } from "node:util";
import { asId, type Chunk, type Memory, type MemoryDraft, type MemoryId } from "cairn-memory";
import type { ChunkId, DocumentId } from "cairn-memory/stores";
import statements from "../../plugins/memory-extractors/statements/index.ts";
import similarity from "../../plugins/memory-linkers/similarity/index.ts";
import { quietHost } from "../../test/contract/quiet-host.ts";
import { createStep } from "../../test/doubles/step.ts";

interface Told {
	readonly day: string;
	readonly text: string;
}

interface Pair {
	readonly speaker: string;
	readonly first: Told;
	readonly second: Told;
	readonly replaces: boolean;
}

const { values: given, positionals } = parseArgs({ options: { show: { type: "boolean", default: false } }, allowPositionals: true });
const { memoryExtractor: [extractor] = [] } = await statements().start({ prosePerChunkMax: 6, narrator: "User" }, quietHost());
const { memoryLinker: [linker] = [] } = await similarity().start({ extendsFrom: 0.5 }, quietHost());
if (extractor === undefined || linker === undefined) throw new Error("the plugins offer no extractor or no linker");
const step = createStep();

for (const path of positionals) {
	const pairs = (await Bun.file(path).text()).split("\n").filter((line) => line !== "");
	const judged = await Promise.all(pairs.map((line) => judge(JSON.parse(line) as Pair)));
	const share = (wanted: boolean) => {
		const some = judged.filter(({ pair }) => pair.replaces === wanted);
		return `${some.filter(({ isReplaced }) => isReplaced).length} of ${some.length}`;
	};
	console.log(`${path}: replacements seen ${share(true)}, others that were replaced ${share(false)}`);
	for (const { pair, isReplaced } of given.show ? judged : [])
		if (isReplaced !== pair.replaces) console.log(`- ${pair.replaces ? "missed" : "wrong"}: ${pair.first.text} → ${pair.second.text}`);
}

async function judge(pair: Pair): Promise<{ readonly pair: Pair; readonly isReplaced: boolean }> {
	const known = (await draftsOf(pair.first, pair.speaker)).map(memoryOf);
	for (const draft of await draftsOf(pair.second, pair.speaker)) {
		const linking = await linker?.link(
			draft,
			known.map((memory) => ({ memory, affinity: 0.5 })),
			step,
		);
		if (linking?.links.some(({ relation }) => relation === "updates")) return { pair, isReplaced: true };
	}
	return { pair, isReplaced: false };
}

async function draftsOf({ day, text }: Told, speaker: string): Promise<readonly MemoryDraft[]> {
	const id = asId<DocumentId>("d".repeat(22));
	const said = `${speaker}: ${text}`;
	const chunk: Chunk = { id: asId<ChunkId>("c".repeat(22)), document: id, revision: 1, position: 0, text: said, indexedText: said, place: {} };
	const metadata = { documentDate: `${day}T12:00:00.000Z` };
	const saidAt = new Date(metadata.documentDate);
	const document = { id, containerTags: ["pairs"], metadata, createdAt: saidAt, referenceDate: saidAt, title: null };
	return (await extractor?.extract({ document, chunks: [chunk], entityContext: null }, step)) ?? [];
}

function memoryOf(draft: MemoryDraft, i: number): Memory {
	const known = { containerTag: "pairs", version: 1, parent: null, root: null, isLatest: true, isForgotten: false, forgetReason: null, metadata: {} };
	const now = new Date(0);
	return { ...draft, ...known, extractor: null, id: asId<MemoryId>(`${i % 10}`.repeat(22)), createdAt: now, updatedAt: now };
}
