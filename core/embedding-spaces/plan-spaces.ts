/**
 * Decides which embedding space answers searches and which is backfilled, so that in the end the chosen embedder's space answers.
 * During the backfill the old space answers, if there is still an embedder for its queries. Without one the new space answers at
 * once with the vectors it has, and the word index finds the rest.
 */

import type { Embedder } from "../plugin/contract.ts";
import type { EmbeddingSpaceStore } from "../ports/embedding-space-store.ts";
import type { Log } from "../ports/world.ts";
import type { Embedders } from "./embedders.ts";

export interface PlanParts {
	readonly spaces: EmbeddingSpaceStore;
	readonly embedders: Embedders;
	readonly log: Log;
}

/** At start, and whenever another embedder is chosen. Safe to repeat: an existing plan continues. */
export async function planSpaces(wanted: Embedder, { spaces, embedders, log }: PlanParts): Promise<void> {
	const state = await spaces.state();
	const space = wanted.space.name;
	const active = state.active ?? (await firstActive(space, embedders, spaces));
	if (active === space) {
		embedders.adopt(space);
		if (state.active !== space || state.next !== null) await spaces.plan(space, null);
		return;
	}
	if (!embedders.adopt(active)) {
		log("warn", "no embedder is there for the vectors that searches used; until others are made, words find what they can", {
			vectors: active,
			embedder: wanted.name,
		});
		embedders.adopt(space);
		await spaces.plan(space, null);
		return;
	}
	if (state.active === active && state.next === space) return;
	log("info", "vectors are made for another embedder; searches use the old ones until all are there", { from: active, to: space });
	await spaces.plan(active, space);
}

/** For data older than this list of spaces: the chosen space if it has vectors, else one whose embedder is available. */
async function firstActive(wanted: string, embedders: Embedders, spaces: EmbeddingSpaceStore): Promise<string> {
	const names = await spaces.names();
	if (names.length === 0 || names.includes(wanted)) return wanted;
	return names.find((name) => embedders.ofSpace(name) !== null) ?? names[0] ?? wanted;
}
