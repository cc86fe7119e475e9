/**
 * Memories drawn at random, each beside its source, for people who have not seen the rules to judge:
 * `bun bench/memory/sheet.ts FOLDER [--draw 200] [--seed 7]`. FOLDER holds `inputs.jsonl` as `everyday.ts` takes it, each line with the
 * `kind` of text it is in `group`; of each group as many are drawn. Prints JSON Lines: the memory, and its source with what it cites in
 * double brackets.
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { asId, type Chunk, type Memory, type OrganisationId } from "cairn-memory";
import type { Caller, DocumentId } from "cairn-memory/stores";
import { wholeOrganisation } from "../../core/model/scope.ts";
import { createNotifier } from "../../core/runtime/notifier.ts";
import { createService, runWorker } from "../../core/service.ts";
import { openLaboratory } from "../../server/evaluation/laboratory.ts";

interface Input {
	readonly id: string;
	readonly group: string;
	readonly content: string;
	readonly metadata?: Readonly<Record<string, string>>;
}

interface Drawn {
	readonly group: string;
	readonly input: string;
	readonly day: string | null;
	readonly memory: string;
	readonly isStatic: boolean;
	readonly source: string;
}

/** What stands before and after what is cited. */
const aroundCharacters = 500;
const caller: Caller = { organisation: asId<OrganisationId>("1111111111111111111111"), role: "admin", grants: null };

const { values: given, positionals } = parseArgs({
	options: { draw: { type: "string", default: "200" }, seed: { type: "string", default: "7" } },
	allowPositionals: true,
});
const [folder = ""] = positionals;
const inputs = (await Bun.file(join(folder, "inputs.jsonl")).text())
	.split("\n")
	.filter((line) => line !== "")
	.map((line) => JSON.parse(line) as Input);

await using laboratory = await openLaboratory({});
const { parts } = laboratory;
const notifier = createNotifier();
const service = createService(parts, notifier);
const stopping = new AbortController();
const working = runWorker(parts, "bench", 1, notifier, stopping.signal);
try {
	const drawn = (await Promise.all(inputs.map(remembered))).flat();
	const groups = [...Map.groupBy(drawn, ({ group }) => group).values()];
	const random = generator(Number(given.seed));
	const perGroup = Math.ceil(Number(given.draw) / groups.length);
	const sheet = groups.flatMap((group) => shuffled(group, random).slice(0, perGroup));
	for (const [at, each] of shuffled(sheet, random).entries()) console.log(JSON.stringify({ number: at + 1, ...each }));
	console.error(groups.map((group) => `${group[0]?.group}: ${group.length} memories`).join(", "));
} finally {
	stopping.abort();
	notifier.notify();
	await working;
}

async function remembered({ id, group, content, metadata = {} }: Input): Promise<readonly Drawn[]> {
	const added = await service.add(caller, {
		content: { kind: "text", text: content, mediaType: "text/markdown" },
		customId: null,
		containerTags: [id],
		metadata,
		filepath: null,
		taskType: "memory",
		dreaming: "instant",
	});
	await settled(added.id);
	const tenant = parts.storage.organisation(caller.organisation);
	const chunks = await tenant.documents.chunksOf(added.id);
	const { memories } = await tenant.memories.list({ ...wholeOrganisation, containerTags: [id] }, false, {
		offset: 0,
		limit: 10_000,
		sort: "createdAt",
		order: "asc",
	} as Parameters<typeof tenant.memories.list>[2]);
	const whole = chunks.map(({ text }) => text).join("\n");
	return memories.map((memory) => ({
		group,
		input: id,
		day: metadata["documentDate"] ?? null,
		memory: memory.text,
		isStatic: memory.isStatic,
		source: beside(memory, chunks, whole),
	}));
}

async function settled(id: DocumentId): Promise<void> {
	for (;;) {
		const { status, failure } = await service.get(caller, id);
		if (status === "failed") throw new Error(failure?.message);
		if (status === "done") return;
		await Bun.sleep(20);
	}
}

function beside(memory: Memory, chunks: readonly Chunk[], whole: string): string {
	return memory.evidence
		.map(({ chunk, span: [begin, end] }) => {
			const text = chunks.find(({ id }) => id === chunk)?.text ?? "";
			const cited = text.slice(begin, end);
			const at = whole.indexOf(text) + begin;
			return `${whole.slice(Math.max(0, at - aroundCharacters), at)}[[${cited}]]${whole.slice(at + cited.length, at + cited.length + aroundCharacters)}`;
		})
		.join("\n…\n");
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
	return items
		.map((item) => ({ item, at: random() }))
		.toSorted((a, b) => a.at - b.at)
		.map(({ item }) => item);
}

/** Mulberry32: the same draw for the same seed. */
function generator(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
