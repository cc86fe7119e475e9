/** Measures how well each way of searching answers the questions of a collection, and how long a question takes. */

import type { Collection } from "./collection.ts";
import type { Laboratory } from "./laboratory.ts";
import { depth, meanQuality, type Quality, qualityOf } from "./metrics.ts";
import { ask, type SearchMethod } from "./search-question.ts";

export interface Measurement extends Quality {
	readonly msPerQuestion: number;
}

export async function measure(
	laboratory: Laboratory,
	collection: Collection,
	methods: readonly SearchMethod[],
	signal: AbortSignal,
	recallDepth: number = depth,
): Promise<ReadonlyMap<SearchMethod, Measurement>> {
	const store = await laboratory.fill(collection, signal);
	const results = new Map<SearchMethod, Measurement>();
	for (const method of methods) {
		const qualities: Quality[] = [];
		const startedAt = performance.now();
		for (const question of collection.questions) {
			const answers = await ask(question, method, store, laboratory.parts, signal, Math.max(depth, recallDepth));
			const ids = answers.map(({ id }) => id);
			qualities.push(qualityOf(ids, collection.relevant.get(question.id) ?? new Map(), recallDepth));
		}
		results.set(method, { ...meanQuality(qualities), msPerQuestion: (performance.now() - startedAt) / Math.max(1, collection.questions.length) });
	}
	return results;
}
