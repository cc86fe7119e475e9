/**
 * Decides which embedding space is searched and which is backfilled, so that in the end the space of the chosen embedder is searched.
 * During the backfill the old space is searched, if there is still an embedder for its queries. Without one the new space is
 * searched at once with the vectors it has, and the word index finds the rest.
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

/** Called at start, and whenever another embedder is chosen. Safe to repeat: an existing plan continues. */
export async function planSpaces(chosen: Embedder, { spaces, embedders, log }: PlanParts): Promise<void> {
	const state = await spaces.state();
	const space = chosen.space.name;
	const active = state.active ?? (await firstActive(space, embedders, spaces));
	if (active === space) {
		embedders.activate(space);
		if (state.active !== space || state.next !== null) await spaces.plan(space, null);
		return;
	}
	if (!embedders.activate(active)) {
		log("warn", "the embedder of the stored vectors is missing; until new vectors are computed, only word search finds the older texts", {
			vectors: active,
			embedder: chosen.name,
		});
		embedders.activate(space);
		await spaces.plan(space, null);
		return;
	}
	if (state.active === active && state.next === space) return;
	log("info", "vectors are computed for another embedder; searches use the old ones until all are ready", { from: active, to: space });
	await spaces.plan(active, space);
}

/** The active space of data that was stored before spaces were recorded: the chosen one if it has vectors, otherwise one whose embedder is available. */
async function firstActive(chosenSpace: string, embedders: Embedders, spaces: EmbeddingSpaceStore): Promise<string> {
	const names = await spaces.names();
	if (names.length === 0 || names.includes(chosenSpace)) return chosenSpace;
	return names.find((name) => embedders.ofSpace(name) !== null) ?? names[0] ?? chosenSpace;
}
