/**
 * Makes the vectors that texts lack in the next embedding space, and in the active one: a text may have been staged just before
 * a switch, or while the embedder of the old space was missing. Safe to stop at any point: written vectors stay, and missing
 * ones are found again.
 */

import { asServiceError } from "../errors/fail.ts";
import { createStep, meter } from "../language/step.ts";
import type { OrganisationId } from "../model/id.ts";
import type { Vector } from "../model/vector.ts";
import type { Embedder, EmbeddingSpent, Step } from "../plugin/contract.ts";
import type { LackingText, TextPlace } from "../ports/embedding-space-store.ts";
import type { JobQueue } from "../ports/job-queue.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { retryDelayMs } from "../runtime/backoff.ts";
import { embedTexts } from "../runtime/embed-texts.ts";
import { createNotifier, notifiedWithin } from "../runtime/notifier.ts";
import type { Embedders } from "./embedders.ts";

export interface BackfillParts {
	readonly embedders: Embedders;
	readonly storage: Pick<Storage, "spaces" | "organisation" | "onWritten"> & { readonly jobs: Pick<JobQueue, "depth"> };
	readonly world: World;
}

const beginning: TextPlace = { chunk: 0, memory: 0 };
/** How soon a switch is noticed and new texts are found. */
export const lookEveryMs = 250;
/** Where the storage reports its writes, this only repairs what went wrong elsewhere. */
const lookAtLeastEveryMs = 5_000;
/** The texts of one round: few enough to show progress, and to let documents be processed between two rounds. */
const textsMax = 256;
/** What every embedder takes. */
const harmless = "text";
/** The pause after each round, as a multiple of the time it took: documents have priority. */
const restShare = { quiet: 0.2, busy: 2 } as const;
const restMsMax = 5_000;

/** Runs until the signal is aborted. */
export async function backfillSpaces({ embedders, storage, world }: BackfillParts, signal: AbortSignal): Promise<void> {
	const { spaces, jobs } = storage;
	let space: string | null = null;
	let place = beginning;
	let written = 0;
	let failures = 0;
	const changed = createNotifier();
	const stopListening = storage.onWritten?.(changed.notify);
	while (!signal.aborted) {
		try {
			const state = await spaces.state();
			if (state.active !== null) embedders.adopt(state.active);
			const wanted = state.next ?? state.active;
			const embedder = wanted === null ? null : embedders.ofSpace(wanted);
			if (embedder !== null && wanted !== space) {
				// Another process has switched: continue with the new state.
				place = state.next === null ? beginning : state.reached;
				written = state.next === null ? 0 : state.written;
				space = wanted;
			}
			const spentMs = embedder === null ? null : await round(embedder, state.next !== null);
			failures = 0;
			if (spentMs === null) await untilWritten();
			else await world.sleep(Math.min(restMsMax, spentMs * restShare[(await jobs.depth()).leased > 0 ? "busy" : "quiet"]), signal);
		} catch (thrown) {
			if (signal.aborted) break;
			failures++;
			const reason = asServiceError(thrown);
			const pauseMs = reason.retryAfterMs ?? retryDelayMs(failures, world.random());
			world.log("warn", "vectors could not be made; it is tried again", { space, reason: reason.message, cause: causeOf(reason), pauseMs });
			await world.sleep(pauseMs, signal);
		}
	}

	stopListening?.();

	async function untilWritten(): Promise<void> {
		await world.sleep(lookEveryMs, signal);
		if (stopListening !== undefined) await notifiedWithin(changed, lookAtLeastEveryMs, world, signal);
	}

	/** @returns how long it took; null when there was nothing to do. */
	async function round(embedder: Embedder, isNext: boolean): Promise<number | null> {
		const began = world.elapsedMs();
		const { texts, reached, share, isAtEnd } = await spaces.lacking(embedder.space.name, place, Math.min(textsMax, embedder.batchMax));
		if (texts.length > 0) {
			const step = { ...createStep(world, signal), spent: (spent: EmbeddingSpent) => shareOut(spent, texts, storage, world) };
			const vectors = await vectorsOf(texts, embedder, step);
			const made = texts.flatMap(({ kind, organisation, id }, i) => {
				const vector = vectors[i];
				return vector == null ? [] : [{ kind, organisation, id, vector }];
			});
			await spaces.backfill(embedder.space, made);
			written += made.length;
		}
		const moved = reached.chunk !== place.chunk || reached.memory !== place.memory;
		place = reached;
		if (isNext) await spaces.advance(embedder.space.name, { reached, written, share, isAtEnd });
		return isAtEnd && (texts.length === 0 || !moved) ? null : world.elapsedMs() - began;
	}
}

/** Null for a text without a vector: one that the embedder refuses does not hold up the others. */
async function vectorsOf(texts: readonly LackingText[], embedder: Embedder, step: Step): Promise<readonly (Vector | null)[]> {
	const { signal, log } = step;
	const embed = (wanted: readonly string[]) => embedTexts(wanted, embedder, "document", step);
	try {
		return await embed(texts.map(({ text }) => text));
	} catch (thrown) {
		if (signal.aborted || asServiceError(thrown).mayPass) throw thrown;
		// An embedder that refuses every text is broken: a space without vectors must never become active.
		await embed([harmless]);
		const vectors: (Vector | null)[] = [];
		for (const text of texts) vectors.push(await vectorOf(text));
		return vectors;
	}

	async function vectorOf({ kind, id, text }: LackingText): Promise<Vector | null> {
		try {
			return (await embed([text]))[0] ?? null;
		} catch (thrown) {
			const reason = asServiceError(thrown);
			if (signal.aborted || reason.mayPass) throw thrown;
			log("error", "a text has no vector, and is found by its words only", { kind, id, reason: reason.message });
			return null;
		}
	}
}

/** Each organisation pays for its own texts, by their length. */
function shareOut(spent: EmbeddingSpent, texts: readonly LackingText[], storage: Pick<Storage, "organisation">, world: World): void {
	const lengths = new Map<OrganisationId, number>();
	for (const { organisation, text } of texts) lengths.set(organisation, (lengths.get(organisation) ?? 0) + text.length);
	const whole = Math.max(
		1,
		[...lengths.values()].reduce((sum, length) => sum + length, 0),
	);
	for (const [organisation, length] of lengths) {
		const part = length / whole;
		meter(storage.organisation(organisation).records, world)({ ...spent, tokens: Math.round(spent.tokens * part), cost: spent.cost * part });
	}
}

function causeOf({ cause }: Error): string | undefined {
	return cause instanceof Error ? cause.message : undefined;
}
