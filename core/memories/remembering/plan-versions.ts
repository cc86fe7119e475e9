/** Decides what each draft becomes: a new memory with its edges, a new version of a known memory, or further evidence for a known memory. */

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
import { yieldIfDue } from "../../runtime/yielder.ts";
import { findLaterMemory } from "../document-date.ts";
import type { ExtractedMemory, ModelJudgement } from "../extract-with-model.ts";
import { type NearestMemories, nearestMemoriesOf, neighboursOf } from "../neighbours.ts";
import type { RecentMemories } from "../recent-memories.ts";
import { applyJudgement } from "./apply-judgement.ts";

export interface PlanParts {
	readonly tenant: TenantStore;
	readonly embedder: Embedder;
	readonly memoryLinkers: readonly MemoryLinker[];
	readonly world: World;
	readonly recentMemories?: RecentMemories;
}

/** The neighbours of this many drafts are looked up together; a book has thousands of drafts. */
const draftsAtOnce = 500;

/** A container in which memories are saved, and a filter for the known memories with which they are compared. */
export interface Home {
	readonly tag: string;
	readonly filter: Filter | null;
}

export interface EmbeddedDraft extends ExtractedMemory {
	/** Undefined if the embedder did not return one. */
	readonly vector: Vector | undefined;
	/** The date that its document states for itself. */
	readonly said: Date | null;
	readonly step: Step;
}

export interface Plan {
	readonly memories: EmbeddedMemory[];
	readonly edges: MemoryEdge[];
	/** Drafts that state the same as a known memory. */
	readonly supported: { readonly known: MemoryId; readonly draft: MemoryDraft }[];
}

/** The drafts are decided one after another, so that a later sentence of a document can update an earlier one. */
export async function planVersions(home: Home, drafts: readonly EmbeddedDraft[], parts: PlanParts): Promise<Plan> {
	const plan: Plan = { memories: [], edges: [], supported: [] };
	let known: NearestMemories = { hits: new Map(), subjects: new Map(), memories: new Map() };
	const replaced = new Set<MemoryId>();
	let edgesSeen = 0;
	for (const [i, { draft, extractor, vector, said: saidAt, step, judgement }] of drafts.entries()) {
		if (i % draftsAtOnce === 0)
			known = await nearestMemoriesOf(
				drafts.slice(i, i + draftsAtOnce).flatMap((each) => (each.vector === undefined ? [] : [{ vector: each.vector, subject: each.draft.subject }])),
				home,
				parts,
			);
		if (vector === undefined) continue;
		const pause = yieldIfDue();
		if (pause !== null) await pause;
		for (const { relation, to } of plan.edges.slice(edgesSeen)) if (relation === "updates") replaced.add(to);
		edgesSeen = plan.edges.length;
		const nearest = await neighboursOf({ vector, subject: draft.subject }, known, plan.memories, replaced, parts);
		const linked = { ...(await link(draft, nearest, parts.memoryLinkers, step)), neighbours: nearest };
		const { links, duplicateOf, neighbours } = await applyJudgement(linked, withoutReplaced(judgement, replaced), home.tag, parts.tenant);
		const planned = plan.memories.findIndex(({ memory }) => memory.id === duplicateOf);
		if (planned >= 0) addEvidence(plan, planned, draft);
		else if (duplicateOf !== null) plan.supported.push({ known: duplicateOf, draft });
		else {
			const newer = await findLaterMemory(links, neighbours, saidAt, parts.tenant.documents);
			const ownLinks = newer === null ? links : links.filter(({ relation }) => relation !== "updates");
			addMemory(plan, { draft, extractor, vector, said: saidAt }, ownLinks, neighbours, home.tag, parts.world);
			if (newer !== null) makeOlderVersion(plan, newer);
		}
	}
	return plan;
}

/** The judgement without memories that an earlier sentence of the document has already replaced. */
function withoutReplaced(judged: ModelJudgement | undefined, replaced: ReadonlySet<MemoryId>): ModelJudgement | undefined {
	return judged === undefined ? undefined : { ...judged, replaces: new Set([...judged.replaces].filter((id) => !replaced.has(id))) };
}

/** Combines the links of all linkers. If two link to the same target, the linker that comes first in the config wins. */
async function link(draft: MemoryDraft, neighbours: readonly Neighbour[], linkers: readonly MemoryLinker[], step: Step): Promise<Linking> {
	const neighbourIds = new Set(neighbours.map(({ memory }) => memory.id));
	const links = new Map<MemoryId, Link>();
	for (const linker of linkers) {
		const linking = await linker.link(draft, neighbours, step);
		if (linking.duplicateOf !== null && neighbourIds.has(linking.duplicateOf)) return { links: [], duplicateOf: linking.duplicateOf };
		for (const foundLink of linking.links) if (neighbourIds.has(foundLink.target) && !links.has(foundLink.target)) links.set(foundLink.target, foundLink);
	}
	return { links: limitExtends([...links.values()]), duplicateOf: null };
}

/** Keeps only the first `extends` links, since memories about one subject would otherwise all extend each other. */
function limitExtends(links: readonly Link[]): readonly Link[] {
	const extending = links.filter(({ relation }) => relation === "extends").slice(0, limits.extendsEdgesPerMemoryMax);
	return links.filter((one) => one.relation !== "extends" || extending.includes(one));
}

/** Makes the memory that was added last an older version of `newer`, since it comes from an older document. */
function makeOlderVersion(plan: Plan, newer: MemoryId): void {
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
	{ draft, extractor, vector, said: saidAt }: ExtractedMemory & { readonly vector: Vector; readonly said: Date | null },
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
		...(saidAt === null ? {} : { saidAt }),
		...ageing(draft, saidAt, now),
		createdAt: now,
		updatedAt: now,
	};
	const earlier = plan.memories.findIndex(({ memory: planned }) => planned.id === replaced?.id);
	const planned = plan.memories[earlier];
	if (planned !== undefined) plan.memories[earlier] = { ...planned, memory: { ...planned.memory, isLatest: false } };
	plan.memories.push({ memory, vector });
	plan.edges.push(...links.map(({ relation, target }) => ({ from: id, to: target, relation })));
}
