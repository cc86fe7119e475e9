/** Embedders that break one promise each, and the contract tests that must notice. */

import type { Calibration, Embedder, Vector } from "cairn-memory";
import type { Mutant } from "../mutant.ts";

type Change = (vectors: readonly Vector[], texts: readonly string[]) => readonly Vector[];

/** @param sound an embedder that passes all contract tests; each mutant spoils its answer. */
export function embedderMutants(sound: Embedder): readonly Mutant<Embedder>[] {
	const spoiled = (name: string, change: Change, contractTest: string): Mutant<Embedder> => ({
		name,
		contractTests: [contractTest],
		start: async () => spoil(sound, change),
	});
	const calibrated = (name: string, calibration: Partial<Calibration> | undefined): Mutant<Embedder> => ({
		name,
		contractTests: ["an embedder has a calibration that scores can be computed with"],
		// As a plugin in JavaScript would have it.
		start: async () => ({ ...sound, space: { ...sound.space, calibration: calibration as Calibration } }),
	});
	let starts = 0;
	return [
		{ name: "takes no texts", contractTests: ["an embedder has a name, a named space and a batch size"], start: async () => ({ ...sound, batchMax: 0 }) },
		calibrated("backwards calibration", { unrelated: 0.9, related: 0.1, weight: 1 }),
		calibrated("a calibration without a weight", { unrelated: 0.1, related: 0.9 }),
		calibrated("a calibration that was computed of nothing", { unrelated: 0.1, related: Number.NaN, weight: 1 }),
		calibrated("a weight without end", { unrelated: 0.1, related: 0.9, weight: Number.POSITIVE_INFINITY }),
		calibrated("no calibration", undefined),
		spoiled("answers one for none", (vectors) => (vectors.length === 0 ? [new Float32Array(sound.space.dimensions).fill(1)] : vectors), "no texts, no vectors"),
		spoiled("one dimension short", (vectors) => vectors.map((vector) => vector.slice(1)), "one sound vector for each text"),
		spoiled("any length", (vectors) => vectors.map((vector) => vector.map((value) => value * 3)), "vectors have unit length"),
		spoiled("leans on its neighbours", leaning, "alone or in a batch, a text has the same vector"),
		spoiled(
			"sorts by text",
			(vectors, texts) => [...vectors.keys()].sort((a, b) => ((texts[a] ?? "") < (texts[b] ?? "") ? -1 : 1)).map((i) => vectors[i] ?? new Float32Array()),
			"vectors are in the order of the texts",
		),
		{
			name: "another hash at each start",
			contractTests: ["same text, same vector, from one start to the next"],
			start: async () => {
				const turn = ++starts;
				return spoil(sound, (vectors) => vectors.map((vector) => vector.map((_, i) => vector[(i + turn) % vector.length] ?? 0)));
			},
		},
		spoiled("stops at a hundred", (vectors) => vectors.slice(0, 100), "a full batch is taken"),
		spoiled(
			"zeros for the empty text",
			(vectors, texts) => vectors.map((vector, i) => (texts[i] === "" ? vector.map(() => 0) : vector)),
			"odd texts have sound vectors",
		),
		spoiled(
			"sees nothing but length",
			(vectors, texts) => vectors.map((vector, i) => vector.map((_, at) => (at === (texts[i]?.length ?? 0) % vector.length ? 1 : 0))),
			"a paraphrase is nearer than a stranger",
		),
		{
			name: "vectors of words as long as they come",
			contractTests: ["the vector of a word is sound, of unit length and not without weight"],
			start: async () => ({ ...sound, wordVector: () => ({ vector: new Float32Array(sound.space.dimensions).fill(1), weight: 1 }) }),
		},
		{
			name: "says that it cuts what it reads",
			contractTests: ["what fits is told for each text, and what does not fit is cut"],
			start: async () => ({ ...sound, fits: async (texts) => texts.map(({ length }) => length < 1_000) }),
		},
	];
}

function spoil(sound: Embedder, change: Change): Embedder {
	return { ...sound, embed: async (texts, purpose, step) => change(await sound.embed(texts, purpose, step), texts) };
}

/** Each vector takes a little of the first. */
function leaning(vectors: readonly Vector[]): readonly Vector[] {
	return vectors.map((vector) => {
		const mixed = vector.map((value, i) => value + 0.1 * (vectors[0]?.[i] ?? 0));
		const length = Math.hypot(...mixed);
		return mixed.map((value) => value / length);
	});
}
