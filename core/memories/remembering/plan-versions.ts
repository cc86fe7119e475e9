/** Decides for each draft what becomes of it: a new memory with its edges, a newer version of a known one, or a further source of what is known. */

import { ageing } from "../../model/ageing.ts";
import type { Filter } from "../../model/filter.ts";
import { type MemoryId, newId } from "../../model/id.ts";
import { limits } from "../../model/limits.ts";
import type { Link, Memory, MemoryDraft, MemoryEdge } from "../../model/memory.ts";
import type { Vector } from "../../model/vector.ts";
import type { Embedder, Linking, MemoryLinker, Neighbour, Step } from "../../plugin/contract.ts";
import type { EmbeddedMemory } from "../../ports/memory-store.ts";
import type { TenantStore } from "../../ports/storage.ts";
import type { World } from "../../ports/world.ts";
import type { ExtractedMemory, Judged } from "../extract-with-model.ts";
import { neighboursOf, type Surroundings, surroundingsOf } from "../neighbours.ts";
import { saidLater } from "../said-on.ts";
import { asJudged } from "./judged.ts";

export interface PlanParts {
	readonly tenant: TenantStore;
	readonly embedder: Embedder;
	readonly memoryLinkers: readonly MemoryLinker[];
	readonly world: World;
	/** See `NeighbourParts`. What it holds is only asked for where a search has just found it, so it is current. */
	readonly lately?: Map<MemoryId, Memory>;
}

/** So many drafts have their neighbours looked up together; a book has thousands of drafts. */
const draftsAtOnce = 500;

/** A container that gets the memories, and which of its memories count as known. */
export interface Home {
	readonly tag: string;
	readonly filter: Filter | null;
}

export interface EmbeddedDraft extends ExtractedMemory {
	/** Absent when it did not come. */
	readonly vector: Vector | undefined;
	/** The day that its document names as its own. */
	readonly said: Date | null;
	readonly step: Step;
}

export interface Plan {
	readonly memories: EmbeddedMemory[];
	readonly edges: MemoryEdge[];
	/** Drafts that say what a memory already says. */
	readonly supported: { readonly known: MemoryId; readonly draft: MemoryDraft }[];
}

/** Decides draft by draft, so that a later sentence of a document can update an earlier one. */
export async function planVersions(home: Home, drafts: readonly EmbeddedDraft[], parts: PlanParts): Promise<Plan> {
	const plan: Plan = { memories: [], edges: [], supported: [] };
	let around: Surroundings = { hits: new Map(), memories: new Map() };
	for (const [i, { draft, extractor, vector, said, step, judged }] of drafts.entries()) {
		if (i % draftsAtOnce === 0)
			around = await surroundingsOf(
				drafts.slice(i, i + draftsAtOnce).flatMap((each) => each.vector ?? []),
				home,
				parts,
			);
		if (vector === undefined) continue;
		const replaced = new Set(plan.edges.filter(({ relation }) => relation === "updates").map(({ to }) => to));
		const nearest = neighboursOf(vector, draft.subject, around, plan.memories, replaced, parts);
		const linked = { ...(await link(draft, nearest, parts.memoryLinkers, step)), neighbours: nearest };
		const { links, duplicateOf, neighbours } = await asJudged(linked, judgedOf(judged, replaced), home.tag, parts.tenant);
		const planned = plan.memories.findIndex(({ memory }) => memory.id === duplicateOf);
		if (planned >= 0) addEvidence(plan, planned, draft);
		else if (duplicateOf !== null) plan.supported.push({ known: duplicateOf, draft });
		else {
			const newer = await saidLater(links, neighbours, said, parts.tenant.documents);
			const own = newer === null ? links : links.filter(({ relation }) => relation !== "updates");
			addMemory(plan, { draft, extractor, vector, said }, own, neighbours, home.tag, parts.world);
			if (newer !== null) putBehind(plan, newer);
		}
	}
	return plan;
}

/** Two sentences of a document may replace the same: the first has done so. */
function judgedOf(judged: Judged | undefined, replaced: ReadonlySet<MemoryId>): Judged | undefined {
	return judged === undefined ? undefined : { ...judged, replaces: new Set([...judged.replaces].filter((id) => !replaced.has(id))) };
}

/** Joins the answers of all linkers; where two link to one target, the first listed wins. */
async function link(draft: MemoryDraft, neighbours: readonly Neighbour[], linkers: readonly MemoryLinker[], step: Step): Promise<Linking> {
	const offered = new Set(neighbours.map(({ memory }) => memory.id));
	const links = new Map<MemoryId, Link>();
	for (const linker of linkers) {
		const answer = await linker.link(draft, neighbours, step);
		if (answer.duplicateOf !== null && offered.has(answer.duplicateOf)) return { links: [], duplicateOf: answer.duplicateOf };
		for (const found of answer.links) if (offered.has(found.target) && !links.has(found.target)) links.set(found.target, found);
	}
	return { links: withoutExcess([...links.values()]), duplicateOf: null };
}

/** Of what a memory merely extends the first: linkers say them in their order, and about one subject everything adds to everything. */
function withoutExcess(links: readonly Link[]): readonly Link[] {
	const extending = links.filter(({ relation }) => relation === "extends").slice(0, limits.extendsEdgesPerMemoryMax);
	return links.filter((one) => one.relation !== "extends" || extending.includes(one));
}

/** An older document states what was true before: the memory added last becomes the older version. */
function putBehind(plan: Plan, newer: MemoryId): void {
	const last = plan.memories.pop();
	if (last === undefined) return;
	plan.memories.push({ ...last, memory: { ...last.memory, isLatest: false } });
	plan.edges.push({ from: newer, to: last.memory.id, relation: "updates" });
}

function addEvidence(plan: Plan, index: number, draft: MemoryDraft): void {
	const planned = plan.memories[index];
	if (planned === undefined) return;
	plan.memories[index] = { ...planned, memory: { ...planned.memory, evidence: [...planned.memory.evidence, ...draft.evidence] } };
}

function addMemory(
	plan: Plan,
	{ draft, extractor, vector, said }: ExtractedMemory & { readonly vector: Vector; readonly said: Date | null },
	links: readonly Link[],
	neighbours: readonly Neighbour[],
	tag: string,
	world: World,
): void {
	const now = world.now();
	const update = links.find(({ relation }) => relation === "updates");
	const replaced = neighbours.find(({ memory }) => memory.id === update?.target)?.memory;
	const id = newId<MemoryId>(world.randomBytes, now);
	const memory: Memory = {
		...draft,
		id,
		containerTag: tag,
		version: (replaced?.version ?? 0) + 1,
		parent: replaced?.id ?? null,
		root: replaced === undefined ? null : (replaced.root ?? replaced.id),
		isLatest: true,
		isForgotten: false,
		forgetReason: null,
		metadata: {},
		extractor,
		...(said === null ? {} : { saidAt: said }),
		...ageing(draft, said, now),
		createdAt: now,
		updatedAt: now,
	};
	const earlier = plan.memories.findIndex(({ memory: planned }) => planned.id === replaced?.id);
	const planned = plan.memories[earlier];
	if (planned !== undefined) plan.memories[earlier] = { ...planned, memory: { ...planned.memory, isLatest: false } };
	plan.memories.push({ memory, vector });
	plan.edges.push(...links.map(({ relation, target }) => ({ from: id, to: target, relation })));
}
