/** Memory linkers that break one promise each, and the contract tests that must notice. */

import { asId, type Linking, type MemoryId, type MemoryLinker, type Neighbour } from "cairn-memory";
import type { Mutant } from "../mutant.ts";

type Answer = (neighbours: readonly Neighbour[], calls: number) => Linking;

const stranger = asId<MemoryId>("z".repeat(22));

/** Linkers small enough to be wrong in one way only. */
export function memoryLinkerMutants(): readonly Mutant<MemoryLinker>[] {
	const mutant = (name: string, answer: Answer, contractTest: string): Mutant<MemoryLinker> => ({
		name,
		contractTests: [contractTest],
		start: async () => linker(name, answer),
	});
	return [
		{ name: "nameless", contractTests: ["a memory linker has a name"], start: async () => linker("", () => ({ links: [], duplicateOf: null })) },
		mutant("links to nobody", () => ({ links: [{ relation: "extends", target: stranger }], duplicateOf: null }), "no neighbours, no links"),
		mutant("knows a stranger", () => ({ links: [], duplicateOf: stranger }), "targets are among the neighbours"),
		mutant("links twice", ([first]) => links(first, first), "one target is linked once"),
		mutant("updates everyone", (all) => links(...all), "at most one memory is updated"),
		mutant("duplicates and links", ([first]) => ({ ...links(first), duplicateOf: first?.memory.id ?? null }), "a duplicate has no links"),
		mutant("never sees a twin", () => ({ links: [], duplicateOf: null }), "the same words are a duplicate"),
		mutant("takes turns", (all, calls) => links(all[calls % 2]), "same in, same out"),
	];
}

function linker(name: string, answer: Answer): MemoryLinker {
	let calls = 0;
	return { name, link: async (_, neighbours) => answer(neighbours, ++calls) };
}

function links(...neighbours: readonly (Neighbour | undefined)[]): Linking {
	return { links: neighbours.flatMap((one) => (one === undefined ? [] : [{ relation: "updates" as const, target: one.memory.id }])), duplicateOf: null };
}
