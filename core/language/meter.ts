/** Writes what embedding services cost to the ledger, beside the costs of the language model and outside its budget. */

import type { Progress } from "../model/document.ts";
import type { EmbeddingSpent, Step } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { World } from "../ports/world.ts";
import { createStep, type RecordedStep } from "../runtime/step.ts";
import { chargeEmbedding } from "./ledger.ts";

type Records = Pick<RecordStore, "get" | "put">;

/** A step of whom these records are: its embeddings are paid for there. */
export function meteredStep(records: Records, world: World, signal: AbortSignal, showProgress?: (progress: Progress) => void): RecordedStep {
	return { ...createStep(world, signal, showProgress), spent: meter(records, world) };
}

/** The answer does not wait for the ledger: losing a price is better than losing an answer. */
export function meter(records: Records, world: Pick<World, "now" | "log">): NonNullable<Step["spent"]> {
	return (spent: EmbeddingSpent) => {
		chargeEmbedding(spent, records, world.now()).catch((thrown: unknown) =>
			world.log("warn", "what an embedder cost could not be written down", { embedder: spent.embedder, tokens: spent.tokens, reason: String(thrown) }),
		);
	};
}
