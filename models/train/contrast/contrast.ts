/** The training with pairs: draws a step's pairs, makes vectors of them, and moves the rows that made them. */

import type { Features } from "../../../plugins/embedders/static/features.ts";
import type { Kernels } from "../kernels/kernels.ts";
import { createRandom } from "../random.ts";
import type { Settings } from "../settings.ts";
import { fillBags, poolBags, slopesOfSums, turnBags } from "./bags.ts";
import { drawPairs, dropShared, type PairSource } from "./draw.ts";
import { createInfoNce } from "./info-nce.ts";
import { textHash } from "./split-pairs.ts";
import { stepTable, type Table } from "./table.ts";

export type ContrastSettings = Pick<
	Settings,
	"seed" | "steps" | "batch" | "parts" | "temperature" | "rate" | "weightRate" | "sharedDropped" | "textWordsMax" | "dimensions"
>;

/** Features of a text on average; a text of nothing but long unknown words has more, a step of them does not. */
const featuresPerText = 600;

/** What a run needs of the kernels' memory, in numbers. */
export function contrastNumbers({ batch, dimensions }: Pick<Settings, "batch" | "dimensions">, rows: number): number {
	const entries = batch * 2 * featuresPerText;
	return batch * batch * 2 + batch * dimensions * 5 + entries * 4 + Math.min(rows, entries) * dimensions;
}

/** One step with a number; the same number, seed and table give the same step. Answers the loss. */
export function createStepper(
	table: Table,
	sources: readonly PairSource[],
	featuresOf: (number: number) => Features,
	kernels: Kernels,
	settings: ContrastSettings,
): (step: number) => number {
	const { batch, dimensions, temperature, steps } = settings;
	const texts = batch * 2;
	const loss = createInfoNce(kernels, batch, dimensions, temperature);
	const bags = kernels.sparse(texts, texts * featuresPerText);
	const touchedMax = Math.min(table.rows.rows, texts * featuresPerText);
	const turned = kernels.sparse(touchedMax, texts * featuresPerText);
	const slopes = kernels.matrix(touchedMax, dimensions);
	const lengths = new Float64Array(texts);
	const placeOf = new Int32Array(table.rows.rows).fill(-1);
	return (step) => {
		const random = createRandom(settings.seed, 0x57e9, step);
		const drawn = drawPairs(sources, batch, settings.parts, settings.textWordsMax, random);
		const pairs = drawn.map((pair) => dropShared(pair, settings.sharedDropped, random));
		const hashes = drawn.map(({ question, answer }) => ({ question: textHash(question), answer: textHash(answer) }));
		fillBags(bags, [...pairs.map(({ question }) => question), ...pairs.map(({ answer }) => answer)], featuresOf, table);
		poolBags(loss.units, lengths, bags, table, kernels);
		const lost = loss.loss((i, j) => areSame(hashes[i], hashes[j]));
		slopesOfSums(loss.slopes, loss.units, lengths);
		const touched = turnBags(bags, texts, turned, placeOf);
		kernels.multiplySparse(slopes, turned, loss.slopes, touched.length);
		const left = 1 - step / steps;
		stepTable(table, touched, slopes, settings.rate * left, settings.weightRate * left);
		return lost;
	};
}

interface PairHashes {
	readonly question: number;
	readonly answer: number;
}

function areSame(a: PairHashes | undefined, b: PairHashes | undefined): boolean {
	return a?.question === b?.question || a?.answer === b?.answer || a?.question === b?.answer || a?.answer === b?.question;
}
