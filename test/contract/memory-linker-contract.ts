/** What every memory linker promises. */

import { asId, type Linking, type Memory, type MemoryDraft, type MemoryId, type MemoryLinker, type Neighbour } from "cairn-memory";
import { type ContractTest, demand } from "./contract-test.ts";
import { quietStep } from "./quiet-host.ts";
import { chunkOf } from "./samples-text.ts";

const said = new Date("2026-05-13T12:00:00Z");
const known = [
	"Ana lives in Lisbon.",
	"Ana lives in Porto.",
	"Ana lives in Faro with two cats.",
	"Ana likes hiking.",
	"Ana is 31 years old.",
	"Tom works at the harbour office.",
	"The status is green.",
];
const fresh = [
	"Ana lives in Berlin now.",
	"Ana no longer likes hiking.",
	"Ana is 32 years old.",
	"Ana lives in Lisbon.",
	"Tom plays the violin.",
	"The status is red.",
];

/** @param start makes a fresh memory linker; it is called once for each contract test. */
export function memoryLinkerContract(start: () => Promise<MemoryLinker>): readonly ContractTest[] {
	const contractTest = (name: string, check: (linker: MemoryLinker) => Promise<void>): ContractTest => ({ name, check: async () => check(await start()) });
	const each = (name: string, check: (linking: Linking, neighbours: readonly Neighbour[], text: string) => void): ContractTest =>
		contractTest(name, async (linker) => {
			for (const text of fresh) check(await link(linker, text, neighboursOf(known)), neighboursOf(known), text);
		});
	return [
		contractTest("a memory linker has a name", async ({ name }) => demand(name.trim() !== "", "its name is blank")),
		contractTest("no neighbours, no links", async (linker) => {
			const { links, duplicateOf } = await link(linker, "Ana lives in Berlin now.", []);
			demand(links.length === 0 && duplicateOf === null, "it links to nobody");
		}),
		each("targets are among the neighbours", ({ links, duplicateOf }, neighbours, text) => {
			const ids = new Set(neighbours.map(({ memory }) => memory.id));
			for (const { target } of links) demand(ids.has(target), `"${text}" is linked to a stranger`);
			demand(duplicateOf === null || ids.has(duplicateOf), `"${text}" is a duplicate of a stranger`);
		}),
		each("one target is linked once", ({ links }, _, text) => {
			demand(new Set(links.map(({ target }) => target)).size === links.length, `"${text}" has two links to one memory`);
		}),
		each("at most one memory is updated", ({ links }, _, text) => {
			demand(links.filter(({ relation }) => relation === "updates").length <= 1, `"${text}" updates several memories`);
		}),
		each("a duplicate has no links", ({ links, duplicateOf }, _, text) => {
			demand(duplicateOf === null || links.length === 0, `"${text}" is a duplicate and linked`);
		}),
		contractTest("the same words are a duplicate", async (linker) => {
			const neighbours = neighboursOf(known, 1);
			const { duplicateOf } = await link(linker, known[0] ?? "", neighbours);
			demand(duplicateOf === neighbours[0]?.memory.id, "the same sentence is no duplicate");
		}),
		contractTest("same in, same out", async (linker) => {
			for (const text of fresh) {
				const [once, again] = [await link(linker, text, neighboursOf(known)), await link(linker, text, neighboursOf(known))];
				demand(JSON.stringify(once) === JSON.stringify(again), `"${text}" is linked in two ways`);
			}
		}),
	];
}

async function link(linker: MemoryLinker, text: string, neighbours: readonly Neighbour[]): Promise<Linking> {
	return linker.link(draftOf(text), neighbours, quietStep());
}

function draftOf(text: string): MemoryDraft {
	const chunk = chunkOf(text);
	return {
		text,
		isStatic: false,
		isInference: false,
		confidence: 0.8,
		subject: text.split(" ")[0]?.toLowerCase() ?? null,
		eventTime: null,
		forgetAfter: null,
		evidence: [{ document: chunk.document, chunk: chunk.id, span: [0, text.length] }],
	};
}

/** Nearer first, as core hands them over. */
function neighboursOf(texts: readonly string[], nearest = 0.9): readonly Neighbour[] {
	return texts.map((text, i) => ({ memory: memoryOf(text, i), affinity: Math.max(0, nearest - i * 0.05) }));
}

function memoryOf(text: string, i: number): Memory {
	return {
		...draftOf(text),
		id: asId<MemoryId>(`${i + 1}`.padStart(22, "m")),
		containerTag: "laws",
		version: 1,
		parent: null,
		root: null,
		isLatest: true,
		isForgotten: false,
		forgetReason: null,
		metadata: {},
		extractor: null,
		createdAt: said,
		updatedAt: said,
	};
}
