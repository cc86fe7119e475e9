/**
 * Computes the vectors that texts lack in the next embedding space, and in the active one: a text may have been staged just before
 * a switch, or while the embedder of the old space was missing. It can be stopped at any time: stored vectors stay, and missing
 * ones are found again.
 */

import { asServiceError } from "../errors/fail.ts";
import { createStep, meter } from "../language/step.ts";
import type { OrganisationId } from "../model/id.ts";
import type { Vector } from "../model/vector.ts";
import type { Embedder, EmbeddingSpent, Step } from "../plugin/contract.ts";
import type { Lacking, LackingText, TextPlace } from "../ports/embedding-space-store.ts";
import type { JobQueue } from "../ports/job-queue.ts";
import type { Storage } from "../ports/storage.ts";
import type { World } from "../ports/world.ts";
import { retryDelayMs } from "../runtime/backoff.ts";
import { embedTexts } from "../runtime/embed-texts.ts";
import type { KeyedMutex } from "../runtime/keyed-mutex.ts";
import { createNotifier, notifiedWithin } from "../runtime/notifier.ts";
import type { Embedders } from "./embedders.ts";

export interface BackfillParts {
	readonly embedders: Embedders;
	readonly storage: Pick<Storage, "spaces" | "organisation" | "onWritten"> & { readonly jobs: Pick<JobQueue, "depth"> };
	readonly world: World;
	/** Lets one program at a time compute vectors, so that no text is paid for twice. */
	readonly oneAtATime: KeyedMutex;
}

const start: TextPlace = { chunk: 0, memory: 0 };
/** How often it checks for a switch and for new texts. */
export const checkEveryMs = 250;
/** If the storage reports its writes, this longer interval is enough: it only makes up for a report that was lost. */
const checkAtLeastEveryMs = 5_000;
/** The most texts of one round: few enough to show progress, and to let documents be processed between two rounds. */
const textsMax = 256;
/** A text that every working embedder accepts. */
const probeText = "text";
/** The pause after each round, as a multiple of the round's duration: documents have priority. */
const pauseFactor = { quiet: 0.2, busy: 2 } as const;
const pauseMsMax = 5_000;

/** Runs until the signal is aborted. */
export async function backfillSpaces({ embedders, storage, world, oneAtATime }: BackfillParts, signal: AbortSignal): Promise<void> {
	const { spaces, jobs } = storage;
	let space: string | null = null;
	let place = start;
	let written = 0;
	let failures = 0;
	const changed = createNotifier();
	const stopListening = storage.onWritten?.(changed.notify);
	while (!signal.aborted) {
		try {
			const state = await spaces.state();
			if (state.active !== null) embedders.activate(state.active);
			const target = state.next ?? state.active;
			const embedder = target === null ? null : embedders.ofSpace(target);
			if (embedder !== null && target !== space) {
				// Another process has switched: continue with the new state.
				place = state.next === null ? start : state.reached;
				written = state.next === null ? 0 : state.written;
				space = target;
			}
			const tookMs = embedder === null ? null : await runRound(embedder, state.next !== null);
			failures = 0;
			if (tookMs === null) await untilWritten();
			else await world.sleep(Math.min(pauseMsMax, tookMs * pauseFactor[(await jobs.depth()).leased > 0 ? "busy" : "quiet"]), signal);
		} catch (thrown) {
			if (signal.aborted) break;
			failures++;
			const reason = asServiceError(thrown);
			const pauseMs = reason.retryAfterMs ?? retryDelayMs(failures, world.random());
			world.log("warn", "vectors could not be computed; it is tried again", { space, reason: reason.message, cause: causeOf(reason), pauseMs });
			await world.sleep(pauseMs, signal);
		}
	}

	stopListening?.();

	async function untilWritten(): Promise<void> {
		await world.sleep(checkEveryMs, signal);
		if (stopListening !== undefined) await notifiedWithin(changed, checkAtLeastEveryMs, world, signal);
	}

	/** @returns how long it took; null when there was nothing to do. */
	async function runRound(embedder: Embedder, isNext: boolean): Promise<number | null> {
		const began = world.elapsedMs();
		const lacking = await lackingTexts(embedder);
		const [first] = lacking.texts;
		// Another program may have computed them meanwhile, so they are asked for again.
		const isAtEnd =
			first === undefined
				? await runWith(embedder, isNext, lacking)
				: await oneAtATime("vectors", async () => runWith(embedder, isNext, await lackingTexts(embedder)), first.organisation);
		return isAtEnd ? null : world.elapsedMs() - began;
	}

	function lackingTexts(embedder: Embedder): Promise<Lacking> {
		return spaces.lacking(embedder.space.name, place, Math.min(textsMax, embedder.batchMax));
	}

	/** @returns whether there is nothing more to do. */
	async function runWith(embedder: Embedder, isNext: boolean, { texts, reached, share, isAtEnd }: Lacking): Promise<boolean> {
		if (texts.length > 0) {
			const step = { ...createStep(world, signal), spent: (spent: EmbeddingSpent) => chargeOrganisations(spent, texts, storage, world) };
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
		return isAtEnd && (texts.length === 0 || !moved);
	}
}

/** Null for a text that the embedder refuses; the other texts still get their vectors. */
async function vectorsOf(texts: readonly LackingText[], embedder: Embedder, step: Step): Promise<readonly (Vector | null)[]> {
	const { signal, log } = step;
	const embed = (batch: readonly string[]) => embedTexts(batch, embedder, "document", step);
	try {
		return await embed(texts.map(({ text }) => text));
	} catch (thrown) {
		if (signal.aborted || asServiceError(thrown).mayPass) throw thrown;
		// An embedder that refuses every text is broken: a space without vectors must never become active.
		await embed([probeText]);
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
			log("error", "the embedder refuses a text; only word search finds it", { kind, id, reason: reason.message });
			return null;
		}
	}
}

/** Charges each organisation for its own texts, in proportion to their length. */
function chargeOrganisations(spent: EmbeddingSpent, texts: readonly LackingText[], storage: Pick<Storage, "organisation">, world: World): void {
	const lengths = new Map<OrganisationId, number>();
	for (const { organisation, text } of texts) lengths.set(organisation, (lengths.get(organisation) ?? 0) + text.length);
	const totalLength = Math.max(
		1,
		[...lengths.values()].reduce((sum, length) => sum + length, 0),
	);
	for (const [organisation, length] of lengths) {
		const fraction = length / totalLength;
		meter(storage.organisation(organisation).records, world)({ ...spent, tokens: Math.round(spent.tokens * fraction), cost: spent.cost * fraction });
	}
}

function causeOf({ cause }: Error): string | undefined {
	return cause instanceof Error ? cause.message : undefined;
}
