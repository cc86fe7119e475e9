/** What is asked of each engine: the same texts with the same vectors, and the same questions. */

export interface Passage {
	readonly id: string;
	readonly text: string;
	/** Of length 1, made by Cairn's embedder. */
	readonly vector: Float32Array;
	/** One of a thousand. */
	readonly tag: string;
	/** One of twenty. */
	readonly category: string;
}

export interface Question {
	readonly text: string;
	readonly vector: Float32Array;
}

/** Null asks for all passages. */
export type Filter = { readonly tag: string } | { readonly category: string } | null;

/** @returns ids of the best ten. */
export type Ask = (question: Question, filter: Filter) => Promise<readonly string[]>;

export interface Peer extends AsyncDisposable {
	readonly name: string;
	readonly fill: (passages: readonly Passage[]) => Promise<void>;
	/** By words and vectors together. */
	readonly hybrid: Ask;
	/** By vectors alone. */
	readonly nearest: Ask;
}

export const best = 10;
/** So many of each kind are found before they are fused, as Cairn does. */
export const candidates = 40;

/** Reciprocal rank fusion, with the constant of Cormack, Clarke and Büttcher (SIGIR 2009). @returns the best ten. */
export function fused(...rankings: readonly (readonly string[])[]): readonly string[] {
	const scores = new Map<string, number>();
	for (const ranking of rankings) for (const [at, id] of ranking.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (60 + at + 1));
	return [...scores]
		.sort(([, a], [, b]) => b - a)
		.slice(0, best)
		.map(([id]) => id);
}

export function* batchesOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
	for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Words of a question, for engines that have no query syntax of their own; those of less than three letters say little. */
export function wordsOf(question: string): readonly string[] {
	return [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])];
}
