/** What a memory store promises of edges: each is told once, from both its ends, and of a memory with thousands only the newest. */

import type { Memory, MemoryId } from "cairn-memory";
import type { MemoryEdge } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { edgeBetween, sampleSpace } from "../samples.ts";
import { type Ground, later, type OpenStorage, saveMemory, storageTest } from "./ground.ts";

export function memoryEdgeContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `memories: ${name}`, holds);
	return [
		contractTest("edges are told from both ends", edgesBothEnds),
		contractTest("an edge between two that are asked about is told once", edgesOnce),
		contractTest("of many edges the newest are told, some of each relation at either end", newestOfEach),
		contractTest("no edge is told of a memory that was made after the moment", notAfterMoment),
	];
}

async function save({ tenant, samples }: Ground, memories: readonly Memory[], edges: readonly MemoryEdge[]): Promise<void> {
	const embedded = memories.map((memory) => ({ memory, vector: samples.makeVector() }));
	demand(await tenant.memories.save(sampleSpace, embedded, edges), "memories without rivals were not saved");
}

function told(edges: readonly MemoryEdge[]): readonly string[] {
	return edges.map(({ from, to, relation }) => JSON.stringify({ from, to, relation })).sort();
}

async function edgesBothEnds(ground: Ground): Promise<void> {
	const [first, second, third] = [await saveMemory(ground), ground.samples.makeMemory(), ground.samples.makeMemory()];
	const [updates, extending] = [edgeBetween(second, "updates", first), edgeBetween(third, "extends", second)];
	await save(ground, [second, third], [updates, extending]);
	const edgesOf = async (...memories: readonly Memory[]) => told(await ground.tenant.memories.edges(memories.map(({ id }) => id)));
	const wanted = (...edges: readonly MemoryEdge[]) => told(edges);
	demandEqual(await edgesOf(first), wanted(updates), "the edges of the oldest");
	demandEqual(await edgesOf(third), wanted(extending), "the edges of the newest");
	demandEqual(await edgesOf(second), wanted(updates, extending), "the edges of the one between");
	demandEqual(await edgesOf(first, second, third), wanted(updates, extending), "the edges of all");
	demandEqual(await edgesOf(), [], "the edges of none");
}

async function edgesOnce(ground: Ground): Promise<void> {
	const [older, newer] = [await saveMemory(ground), ground.samples.makeMemory()];
	const edges = [edgeBetween(newer, "updates", older), edgeBetween(newer, "derives", older)];
	await save(ground, [newer], edges);
	const ids = [newer.id, older.id, newer.id];
	demandEqual(told(await ground.tenant.memories.edges(ids)), told(edges), "the edges of both ends");
	demandEqual(told(await ground.tenant.memories.newestEdges(ids, 5, null)), told(edges), "the newest edges of both ends");
}

/** A hub with two children of each relation, one older and one newer, and two parents. */
async function descendants(ground: Ground) {
	const { samples } = ground;
	const parents = [await saveMemory(ground), await saveMemory(ground)];
	const hub = samples.makeMemory({ createdAt: new Date("2026-02-01") });
	const child = (day: number) => samples.makeMemory({ createdAt: new Date(Date.UTC(2026, 2, day)) });
	const children = [child(1), child(2), child(3), child(4)];
	await save(
		ground,
		[hub, ...children],
		[...parents.map((parent) => edgeBetween(hub, "extends", parent)), ...children.map((each, i) => edgeBetween(each, i < 2 ? "extends" : "derives", hub))],
	);
	return { hub, children, parents };
}

async function newestOfEach(ground: Ground): Promise<void> {
	const { hub, children, parents } = await descendants(ground);
	const edges = await ground.tenant.memories.newestEdges([hub.id], 1, null);
	const arriving = edges.filter(({ to }) => to === hub.id).map(({ from }) => from);
	demandEqual([...arriving].sort(), [children[1]?.id, children[3]?.id].sort(), "the newest child of each relation");
	demandEqual(edges.filter(({ from }) => from === hub.id).length, 1, "how many parents of a relation are told");
	const all = await ground.tenant.memories.newestEdges([hub.id], 5, null);
	demandEqual(all.length, children.length + parents.length, "how many edges are told where there are fewer");
	demandEqual(await ground.tenant.memories.newestEdges([ground.samples.newId<MemoryId>()], 5, null), [], "the edges of what is not there");
	demandEqual(await ground.tenant.memories.newestEdges([], 5, null), [], "the newest edges of none");
}

async function notAfterMoment(ground: Ground): Promise<void> {
	const { hub, children, parents } = await descendants(ground);
	const until = async (moment: Date) =>
		(await ground.tenant.memories.newestEdges([hub.id], 5, moment)).filter(({ to }) => to === hub.id).map(({ from }) => from);
	demandEqual(
		[...(await until(new Date("2026-03-03")))].sort(),
		children
			.slice(0, 3)
			.map(({ id }) => id)
			.sort(),
		"the children that were there at a moment",
	);
	demandEqual(await until(new Date("2026-02-15")), [], "the children before the first");
	demandEqual((await ground.tenant.memories.newestEdges([hub.id], 5, later)).length, children.length + parents.length, "all edges, later");
}
