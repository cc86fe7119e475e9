/**
 * Switches all searches at once to the next embedding space when it is complete, and follows a switch that another process
 * has made.
 */

import { createStep } from "../language/step.ts";
import { wholeOrganisation } from "../model/scope.ts";
import type { Embedder } from "../plugin/contract.ts";
import type { SpaceState } from "../ports/embedding-space-store.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { embedTexts } from "../runtime/embed-texts.ts";
import { checkEveryMs } from "./backfill-spaces.ts";
import type { Embedders } from "./embedders.ts";

export interface SwitchParts {
	readonly embedders: Embedders;
	readonly storage: Pick<Storage, "spaces" | "organisation">;
	readonly world: World;
}

/** The most organisations whose vectors are loaded before the switch; the others are loaded by their first search. */
const warmedMax = 50;
/**
 * While documents are added, a few texts may always lack their vector. After this many tries the switch is made although some
 * vectors are missing, and each further try allows more of them. They are backfilled soon after; until then word search finds the texts.
 */
const exactTries = 20;
const missingPerTry = 8;
const retryMs = 50;
/** Vectors removed between two pauses: this takes the writer about 10 ms. */
const droppedAtOnce = 1_000;

/** Runs until the signal is aborted. */
export async function switchSpaces({ embedders, storage, world }: SwitchParts, signal: AbortSignal): Promise<void> {
	const { spaces } = storage;
	let warmed: string | null = null;
	let tries = 0;
	while (!signal.aborted) {
		try {
			await world.sleep((await check()) ? retryMs : checkEveryMs, signal);
		} catch (thrown) {
			if (signal.aborted) return;
			world.log("warn", "the state of the embedding spaces could not be read", { reason: String(thrown) });
			await world.sleep(checkEveryMs * 4, signal);
		}
	}

	/** @returns whether to check again soon. */
	async function check(): Promise<boolean> {
		const state = await spaces.state();
		if (state.active !== null) embedders.activate(state.active);
		const next = state.next === null ? null : embedders.ofSpace(state.next);
		if (next === null || !state.isAtEnd) {
			tries = 0;
			return false;
		}
		if (warmed !== state.next) await warm(next);
		warmed = state.next;
		tries++;
		if (!(await spaces.switchTo(next.space.name, Math.max(0, tries - exactTries) * missingPerTry))) return true;
		embedders.activate(next.space.name);
		warmed = null;
		world.log("info", "searches now use the new vectors", { from: state.active, to: next.space.name, embedder: next.name });
		await dropOlder({ ...state, active: next.space.name, previous: state.active });
		return false;
	}

	/** The first query loads the model, and the first search in a space reads all its vectors. Both happen here, before a client waits for them. */
	async function warm(next: Embedder): Promise<void> {
		const [probe] = await embedTexts(["text"], next, "query", createStep(world, signal));
		if (probe === undefined) return;
		for (const id of await spaces.organisations(next.space.name, warmedMax)) {
			const index = storage.organisation(id).vectors(next.space);
			await index.nearestChunks(probe, wholeOrganisation, 1);
			await index.nearestMemories(probe, { scope: wholeOrganisation, includeForgotten: false, now: new Date(0) }, 1);
		}
	}

	/** Drops all spaces except these two. A switch back is only possible to the previous space. */
	async function dropOlder({ active, previous }: Pick<SpaceState, "active" | "previous">): Promise<void> {
		for (const name of await spaces.names()) {
			if (name === active || name === previous) continue;
			while (!signal.aborted && (await spaces.drop(name, droppedAtOnce)) > 0) await world.sleep(retryMs, signal);
		}
	}
}
