/** The `Step` of one run: it collects warnings, passes progress on, and writes what embedding services cost to the ledger. */

import type { Progress } from "../model/document.ts";
import type { Warning } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import type { EmbeddingSpent, Step } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import { chargeEmbedding } from "./ledger.ts";

export interface RecordedStep extends Step {
	readonly warnings: () => readonly Warning[];
}

type Records = Pick<RecordStore, "get" | "put">;

/** Progress is passed on this often at most; a person who watches a progress bar sees no more. */
const progressEveryMs = 250;

/** A step that charges nobody for its embeddings. */
export function createStep(world: World, signal: AbortSignal, showProgress: (progress: Progress) => void = () => undefined): RecordedStep {
	const warnings: Warning[] = [];
	let shownAt = Number.NEGATIVE_INFINITY;
	return {
		signal,
		log: world.log,
		warn: (code, message, place) => {
			if (warnings.length < limits.warningsMax) warnings.push(place === undefined ? { code, message } : { code, message, place });
		},
		progress: (progress) => {
			const now = world.elapsedMs();
			if (now - shownAt < progressEveryMs && progress.done < progress.total) return;
			shownAt = now;
			showProgress(progress);
		},
		warnings: () => warnings,
	};
}

/** A step whose embeddings are charged to the organisation that the records belong to. */
export function meteredStep(records: Records, world: World, signal: AbortSignal, showProgress?: (progress: Progress) => void): RecordedStep {
	return { ...createStep(world, signal, showProgress), spent: meter(records, world) };
}

/** Writes costs to the ledger, outside of the language model's budget. Nobody waits for the write: losing a price is better than losing a result. */
export function meter(records: Records, world: Pick<World, "now" | "log">): NonNullable<Step["spent"]> {
	return (spent: EmbeddingSpent) => {
		chargeEmbedding(spent, records, world.now()).catch((thrown: unknown) =>
			world.log("warn", "the cost of an embedding could not be stored", { embedder: spent.embedder, tokens: spent.tokens, reason: String(thrown) }),
		);
	};
}
