/** How much of what is truly nearest an engine finds. */

import { type Ask, best, type Filter, type Passage, type Question } from "./peer.ts";

const asked = 100;
/** Equally near passages may stand for each other, and some engines store vectors with fewer bits. */
const tolerance = 1e-3;

export type Recall = (ask: Ask) => Promise<number>;

/** Compares everything once. @returns what tells the share of the truly nearest ten that an engine finds. */
export function recallAmong(passages: readonly Passage[], questions: readonly Question[], filterOf: (at: number) => Filter): Recall {
	const byId = new Map(passages.map((passage) => [passage.id, passage]));
	const known = questions.slice(0, asked).map((question, at) => {
		const filter = filterOf(at);
		const scores = passages.filter((each) => matches(each, filter)).map(({ vector }) => cosine(vector, question.vector));
		const there = Math.min(best, scores.length);
		return { question, filter, there, least: (Float64Array.from(scores).sort().at(-there) ?? 0) - tolerance };
	});
	return async (ask) => {
		let hits = 0;
		for (const { question, filter, least } of known) {
			const found = new Set(await ask(question, filter));
			hits += [...found].filter((id) => cosine(byId.get(id)?.vector, question.vector) >= least).length;
		}
		return Math.min(1, hits / known.reduce((sum, { there }) => sum + there, 0));
	};
}

function matches({ tag, category }: Passage, filter: Filter): boolean {
	if (filter === null) return true;
	return "tag" in filter ? tag === filter.tag : category === filter.category;
}

function cosine(a: Float32Array | undefined, b: Float32Array): number {
	if (a === undefined) return -1;
	let sum = 0;
	for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
	return sum;
}
