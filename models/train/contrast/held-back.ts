/** How well the pairs that were held back are found: each question among the answers of its source. */

import type { Features } from "../../../plugins/embedders/static/features.ts";
import { textAt } from "../data/corpus.ts";
import type { Kernels } from "../kernels/kernels.ts";
import { fillBags, poolBags } from "./bags.ts";
import type { PairSource } from "./draw.ts";
import { textHash } from "./split-pairs.ts";
import type { Table } from "./table.ts";

export interface HeldBackFigures {
	/** The mean over the sources of the mean reciprocal rank. */
	readonly mean: number;
	readonly sources: Readonly<Record<string, number>>;
	/** Cosines of questions and their answers, and of questions and strangers, each sorted. */
	readonly answers: Float64Array;
	readonly strangers: Float64Array;
}

const textWordsMax = 400;
/** A source with fewer pairs says more about chance than about the table. */
const pairsMin = 40;
/** One stranger in so many is looked at. */
const strangerShare = 37;

export function measureHeldBack(
	table: Table,
	heldBack: readonly PairSource[],
	featuresOf: (number: number) => Features,
	createMemory: (bytes: number) => Kernels,
): HeldBackFigures {
	const { columns } = table.rows;
	const most = Math.ceil(Math.max(...heldBack.map(({ pairs }) => pairs.length), 0) / 4) * 4;
	const entriesMax = most * textWordsMax * 3;
	const kernels = createMemory((most * most + most * columns * 2 + table.rows.values.length + entriesMax * 2) * 4 + 1_000_000);
	const copy = { ...table, rows: kernels.matrix(table.rows.rows, columns) };
	copy.rows.values.set(table.rows.values);
	const bags = kernels.sparse(most, entriesMax);
	const [questions, answers, cosines] = [kernels.matrix(most, columns), kernels.matrix(most, columns), kernels.matrix(most, most)];
	const lengths = new Float64Array(most);
	const found = heldBack.map(({ name, texts, pairs }): SourceFigures => {
		const [asked, wanted] = [0, 1].map((side) => Array.from(pairs, (pair) => textAt(texts, pair * 2 + side).subarray(0, textWordsMax)));
		for (const [units, own] of [
			[questions, asked ?? []],
			[answers, wanted ?? []],
		] as const) {
			fillBags(bags, [...own, ...new Array<Uint32Array>(most - own.length).fill(new Uint32Array())], featuresOf, copy);
			poolBags(units, lengths, bags, copy, kernels);
		}
		kernels.multiplyTransposed(cosines, questions, answers);
		return { name, ...ranksOf((wanted ?? []).map(textHash), (i, j) => cosines.values[i * most + j] ?? 0) };
	});
	return figuresOf(found);
}

interface SourceFigures {
	readonly name: string;
	/** For each pair 1 / the rank of its answer. */
	readonly ranks: readonly number[];
	readonly answers: readonly number[];
	readonly strangers: readonly number[];
}

/** An answer that is the same text as the wanted one stands beside it, not before it. */
function ranksOf(hashes: readonly number[], cosine: (i: number, j: number) => number): Omit<SourceFigures, "name"> {
	const ranks: number[] = [];
	const answers: number[] = [];
	const strangers: number[] = [];
	for (const i of hashes.keys()) {
		const wanted = cosine(i, i);
		let before = 0;
		for (const [j, hash] of hashes.entries()) {
			if (hash === hashes[i]) continue;
			if (cosine(i, j) >= wanted) before++;
			if ((i + j) % strangerShare === 0) strangers.push(cosine(i, j));
		}
		answers.push(wanted);
		ranks.push(1 / (before + 1));
	}
	return { ranks, answers, strangers };
}

function figuresOf(found: readonly SourceFigures[]): HeldBackFigures {
	const telling = found.filter(({ ranks }) => ranks.length >= pairsMin);
	const sources = Object.fromEntries(telling.map(({ name, ranks }) => [name, mean(ranks)]));
	const sorted = (of: (source: SourceFigures) => readonly number[]): Float64Array => Float64Array.from(found.flatMap(of)).sort();
	return { mean: mean(Object.values(sources)), sources, answers: sorted(({ answers }) => answers), strangers: sorted(({ strangers }) => strangers) };
}

function mean(values: readonly number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
