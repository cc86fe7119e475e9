/**
 * Switches searches to the next embedding space when it is complete, for all of them at one moment, and follows a switch that
 * another process made.
 */

import { createStep } from "../language/step.ts";
import { wholeOrganisation } from "../model/scope.ts";
import type { Embedder } from "../plugin/contract.ts";
import type { SpaceState } from "../ports/embedding-space-store.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { embedTexts } from "../runtime/embed-texts.ts";
import { lookEveryMs } from "./backfill-spaces.ts";
import type { Embedders } from "./embedders.ts";

export interface SwitchParts {
	readonly embedders: Embedders;
	readonly storage: Pick<Storage, "spaces" | "organisation">;
	readonly world: World;
}

/** Partitions opened before the first search needs them; the others open with their first search. */
const warmedMax = 50;
/**
 * While documents keep coming there may always be some that are not filled yet. After so many tries in vain the switch is
 * made with a few, more each time; those are filled a moment later, and meanwhile found by their words.
 */
const exactTries = 20;
const moreEachTry = 8;
const tryAgainMs = 50;
/** Removed between two pauses: about 10 ms of the writer. */
const droppedAtOnce = 1_000;

/** Runs until the signal is aborted. */
export async function switchSpaces({ embedders, storage, world }: SwitchParts, signal: AbortSignal): Promise<void> {
	const { spaces } = storage;
	let warmed: string | null = null;
	let tries = 0;
	while (!signal.aborted) {
		try {
			await world.sleep((await look()) ? tryAgainMs : lookEveryMs, signal);
		} catch (thrown) {
			if (signal.aborted) return;
			world.log("warn", "the state of the vectors could not be read", { reason: String(thrown) });
			await world.sleep(lookEveryMs * 4, signal);
		}
	}

	/** @returns whether to look again soon. */
	async function look(): Promise<boolean> {
		const state = await spaces.state();
		if (state.active !== null) embedders.adopt(state.active);
		const next = state.next === null ? null : embedders.ofSpace(state.next);
		if (next === null || !state.isAtEnd) {
			tries = 0;
			return false;
		}
		if (warmed !== state.next) await warm(next);
		warmed = state.next;
		tries++;
		if (!(await spaces.switchTo(next.space.name, Math.max(0, tries - exactTries) * moreEachTry))) return true;
		embedders.adopt(next.space.name);
		warmed = null;
		world.log("info", "searches use the new vectors", { from: state.active, to: next.space.name, embedder: next.name });
		await dropOlder({ ...state, active: next.space.name, previous: state.active });
		return false;
	}

	/** The first question loads a model, and the first search in a space reads all its vectors. Both are done before a client waits for them. */
	async function warm(next: Embedder): Promise<void> {
		const [probe] = await embedTexts(["text"], next, "query", createStep(world, signal));
		if (probe === undefined) return;
		for (const id of await spaces.organisations(next.space.name, warmedMax)) {
			const index = storage.organisation(id).vectors(next.space);
			await index.nearestChunks(probe, wholeOrganisation, 1);
			await index.nearestMemories(probe, { scope: wholeOrganisation, includeForgotten: false, now: new Date(0) }, 1);
		}
	}

	/** Keeps these two and drops the others: after two switches nothing returns to the first space. */
	async function dropOlder({ active, previous }: Pick<SpaceState, "active" | "previous">): Promise<void> {
		for (const name of await spaces.names()) {
			if (name === active || name === previous) continue;
			while (!signal.aborted && (await spaces.drop(name, droppedAtOnce)) > 0) await world.sleep(tryAgainMs, signal);
		}
	}
}
