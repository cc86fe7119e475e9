/** Measures how well a laboratory finds what a collection asks, in several ways, with the time a question takes. */

import { ask, type Way } from "./ask.ts";
import type { Collection } from "./collection.ts";
import type { Laboratory } from "./laboratory.ts";
import { depth, meanQuality, type Quality, qualityOf } from "./metrics.ts";

export interface Measured extends Quality {
	readonly msPerQuestion: number;
}

export async function measure(
	laboratory: Laboratory,
	collection: Collection,
	ways: readonly Way[],
	signal: AbortSignal,
	recallDepth: number = depth,
): Promise<ReadonlyMap<Way, Measured>> {
	const filled = await laboratory.fill(collection, signal);
	const measured = new Map<Way, Measured>();
	for (const way of ways) {
		const qualities: Quality[] = [];
		const began = performance.now();
		for (const question of collection.questions) {
			const answers = await ask(question, way, filled, laboratory.parts, signal, Math.max(depth, recallDepth));
			const ids = answers.map(({ id }) => id);
			qualities.push(qualityOf(ids, collection.relevant.get(question.id) ?? new Map(), recallDepth));
		}
		measured.set(way, { ...meanQuality(qualities), msPerQuestion: (performance.now() - began) / Math.max(1, collection.questions.length) });
	}
	return measured;
}
