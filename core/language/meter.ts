/** Records the cost of embedding services in the ledger, separately from the language model and its budget. */

import type { Progress } from "../model/document.ts";
import type { EmbeddingSpent, Step } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import { createStep, type RecordedStep } from "../runtime/step.ts";
import { chargeEmbedding } from "./ledger.ts";

type Records = Pick<RecordStore, "get" | "put">;

/** A step whose embedding costs are recorded in these records. */
export function meteredStep(records: Records, world: World, signal: AbortSignal, showProgress?: (progress: Progress) => void): RecordedStep {
	return { ...createStep(world, signal, showProgress), spent: meter(records, world) };
}

/** The caller does not wait for the write. If it fails, the cost is missing from the ledger, but the request still succeeds. */
export function meter(records: Records, world: Pick<World, "now" | "log">): NonNullable<Step["spent"]> {
	return (spent: EmbeddingSpent) => {
		chargeEmbedding(spent, records, world.now()).catch((thrown: unknown) =>
			world.log("warn", "the cost of an embedder could not be recorded", { embedder: spent.embedder, tokens: spent.tokens, reason: String(thrown) }),
		);
	};
}
