/** The same texts give the same memories and edges in every store, though ids are chance: of equally near memories the one that was saved first comes first. */

import { expect, test } from "bun:test";
import type { MemoryLinker } from "cairn-memory";
import similarity from "../../../plugins/memory-linkers/similarity/index.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { partOf } from "../../contract/start.ts";
import { createTestWorld } from "../../doubles/world.ts";
import { drawing, openGround, us } from "./decided-memories.ts";

/** Every order of some letters. */
const orders = (letters: string): readonly string[] =>
	letters.length < 2 ? [letters] : [...letters].flatMap((first, i) => orders(letters.slice(0, i) + letters.slice(i + 1)).map((rest) => first + rest));

/** The embedder of tests counts letters, so that all of these are equally near to each other. */
const texts = orders("tolem").map((word) => `Ana likes ${word}`);
/** More than are considered. */
const before = texts.slice(0, 50);
const later = texts.slice(50, 53);

/** Joins each to the nearest ones, as far as they are handed over. */
const joining: MemoryLinker = {
	name: "joining",
	link: async (_draft, neighbours) => ({ links: neighbours.slice(0, 2).map(({ memory }) => ({ relation: "extends", target: memory.id })), duplicateOf: null }),
};

/** Draws the texts in a fresh store. @returns the memories in the order of their texts, and the edges as texts */
async function drawn(linker: MemoryLinker) {
	const storage = ramStorage();
	// All at the same moment, so that nothing but chance is in the order of the ids.
	const world = { ...createTestWorld(), randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) };
	const ground = openGround(storage, { world, memoryExtractors: drawing((line) => [{ text: line, subject: "ana" }]), memoryLinkers: [linker] });
	try {
		await ground.say("before", before);
		await ground.say("later", later);
		const memories = await ground.all();
		const textOf = new Map(memories.map(({ id, text }) => [id, text]));
		const edges = await storage.organisation(us.organisation).memories.edges(memories.map(({ id }) => id));
		return {
			memories: memories.map(({ text, version, isLatest }) => `${text}, version ${version}, ${isLatest}`).toSorted(),
			edges: edges.map(({ from, relation, to }) => `${textOf.get(from)} ${relation} ${textOf.get(to)}`).toSorted(),
		};
	} finally {
		await ground.close();
	}
}

for (const [name, start] of [
	["a linker that joins the nearest", async () => joining],
	["the built-in linker", () => partOf(similarity(), "memoryLinker")],
] as const) {
	test(`${name} draws the same in two stores`, async () => {
		const [one, other] = [await drawn(await start()), await drawn(await start())];
		expect(one.edges.length).toBeGreaterThan(later.length);
		expect(other).toEqual(one);
	});
}
