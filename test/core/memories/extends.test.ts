/** However much a linker joins, a memory extends no more than three others: the first that the linkers name. */

import { expect, test } from "bun:test";
import type { MemoryLinker } from "cairn-memory";
import { limits } from "../../../core/model/limits.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { drawing, openGround, us } from "./decided-memories.ts";

/** By name, so that its order is none of the store's. */
const named: readonly string[] = ["A", "B", "C", "D", "E", "F", "G", "H"];
const joining = (names: readonly string[], relation: "extends" | "derives"): MemoryLinker => ({
	name: `joining ${relation} ${names.join("")}`,
	link: async (draft, neighbours) => ({
		links: draft.text.startsWith("Last")
			? names.flatMap((name) => neighbours.filter(({ memory }) => memory.text.startsWith(name)).map(({ memory }) => ({ relation, target: memory.id })))
			: [],
		duplicateOf: null,
	}),
});

async function edgesOfLast(linkers: readonly MemoryLinker[]): Promise<readonly string[]> {
	const storage = ramStorage();
	const ground = openGround(storage, { memoryExtractors: drawing((line) => [{ text: line }]), memoryLinkers: linkers });
	try {
		await ground.say("note", [...named.map((name) => `${name} tells of the harbour`), "Last tells of the harbour"]);
		const memories = new Map((await ground.all()).map((memory) => [memory.id, memory]));
		const last = [...memories.values()].find(({ text }) => text.startsWith("Last"));
		const edges = await storage.organisation(us.organisation).memories.edges(last === undefined ? [] : [last.id]);
		return edges.map(({ relation, to }) => `${relation} ${memories.get(to)?.text.slice(0, 1)}`).toSorted();
	} finally {
		await ground.close();
	}
}

test("of one linker the first three", async () => {
	expect(limits.extendsEdgesPerMemoryMax).toBe(3);
	expect(await edgesOfLast([joining(named.toReversed(), "extends")])).toEqual(["extends F", "extends G", "extends H"]);
});

test("of several linkers together, and nothing but what extends is left out", async () => {
	const linkers = [joining(["B", "A"], "extends"), joining(["C", "D", "E"], "derives"), joining(["F", "G"], "extends")];
	expect(await edgesOfLast(linkers)).toEqual(["derives C", "derives D", "derives E", "extends A", "extends B", "extends F"]);
});
