/** The whole training, phase by phase: read, neighbours, axes, pairs, and the file. */

import { mkdir, rm } from "node:fs/promises";
import { createFeatureBook } from "./contrast/bags.ts";
import { contrastNumbers } from "./contrast/contrast.ts";
import { runContrast } from "./contrast/run-contrast.ts";
import { splitPairs } from "./contrast/split-pairs.ts";
import { createTable, loadTable } from "./contrast/table.ts";
import { loadCorpus } from "./data/corpus.ts";
import { describeSources, readManifest } from "./data/manifest.ts";
import { dataFiles, readAll } from "./data/read-all.ts";
import { writeModel } from "./export/write-model.ts";
import { axesSampled, type Factor, randomizedFactor } from "./factor/randomized-factor.ts";
import { fillTable } from "./initial-table.ts";
import { createKernels } from "./kernels/kernels.ts";
import { thinned } from "./neighbours.ts";
import { runPhases } from "./phases.ts";
import { positiveInformation, toKernels } from "./ppmi.ts";
import { createRandom } from "./random.ts";
import type { Settings } from "./settings.ts";
import { chooseVocabulary } from "./vocabulary.ts";

export interface TrainingRun {
	readonly data: string;
	readonly out: string;
	/** Collections nothing of which may be in the training. */
	readonly evaluations: readonly string[];
	readonly settings: Settings;
	readonly log: (line: string) => void;
}

/** Besides what is counted: alignment, and the little there is else. */
const slackBytes = 4_000_000;

export async function trainModel(run: TrainingRun): Promise<void> {
	const checkpoints = `${run.out}/checkpoints`;
	const { seed, words, window, thinAbove, neighboursMin, smoothing, dimensions } = run.settings;
	const files = await Promise.all((await dataFiles(run.data)).map(async ({ name, kind, path }) => [name, kind, Bun.file(path).size]));
	const mark = { ...run.settings };
	await runPhases(
		checkpoints,
		[
			{ name: "read", from: [files, run.evaluations], run: () => read(run, checkpoints) },
			{ name: "axes", from: { seed, words, window, thinAbove, neighboursMin, smoothing, dimensions }, run: () => findAxes(run, checkpoints) },
			{ name: "pairs", from: mark, run: () => trainWithPairs(run, checkpoints) },
			{ name: "file", from: mark, run: () => write(run, checkpoints) },
		],
		run.log,
	);
}

async function read({ data, evaluations, log }: TrainingRun, checkpoints: string): Promise<void> {
	await rm(`${checkpoints}/corpus`, { recursive: true, force: true });
	await mkdir(checkpoints, { recursive: true });
	await Bun.write(`${checkpoints}/read.json`, JSON.stringify(await readAll(data, evaluations, `${checkpoints}/corpus`, log)));
}

async function findAxes({ settings, log }: TrainingRun, checkpoints: string): Promise<void> {
	const corpus = await loadCorpus(`${checkpoints}/corpus`);
	const vocabulary = chooseVocabulary(corpus, settings.words);
	const rows = vocabulary.words.length;
	const stream = thinned(corpus, vocabulary, settings, createRandom(settings.seed, 1));
	log(`${rows} words, ${stream.length} places`);
	const packed = positiveInformation(stream, rows, settings);
	log(`${packed.values.length} pairs of neighbours`);
	const kernels = createKernels(packed.values.length * 8 + rows * axesSampled(settings.dimensions, rows) * 8 + slackBytes);
	const { values, vectors } = randomizedFactor(toKernels(packed, kernels), settings.dimensions, kernels, createRandom(settings.seed, 2));
	await Bun.write(`${checkpoints}/axes.values`, Float64Array.from(values));
	await Bun.write(`${checkpoints}/axes.vectors`, vectors);
}

async function loadAxes(checkpoints: string): Promise<Factor> {
	return {
		values: [...new Float64Array(await Bun.file(`${checkpoints}/axes.values`).arrayBuffer())],
		vectors: new Float32Array(await Bun.file(`${checkpoints}/axes.vectors`).arrayBuffer()),
	};
}

async function trainWithPairs({ settings, log }: TrainingRun, checkpoints: string): Promise<void> {
	const corpus = await loadCorpus(`${checkpoints}/corpus`);
	const vocabulary = chooseVocabulary(corpus, settings.words);
	const shape = { words: vocabulary.words.length, buckets: settings.buckets };
	const rows = shape.words + shape.buckets;
	const kernels = createKernels((contrastNumbers(settings, rows) + rows * settings.dimensions) * 4 + slackBytes);
	const table = createTable(kernels, rows, settings.dimensions);
	fillTable(table, await loadAxes(checkpoints), vocabulary, settings, createRandom(settings.seed, 3));
	await runContrast({
		table,
		sources: splitPairs(corpus, settings).training,
		featuresOf: createFeatureBook(corpus.words, vocabulary.rowOf, shape),
		kernels,
		settings,
		path: `${checkpoints}/table`,
		mark: new Bun.CryptoHasher("sha256").update(JSON.stringify(settings)).digest("hex"),
		log,
	});
}

async function write({ data, out, evaluations, settings, log }: TrainingRun, checkpoints: string): Promise<void> {
	const corpus = await loadCorpus(`${checkpoints}/corpus`);
	const vocabulary = chooseVocabulary(corpus, settings.words);
	const shape = { words: vocabulary.words.length, buckets: settings.buckets };
	const rows = shape.words + shape.buckets;
	const table = createTable(createKernels(rows * settings.dimensions * 4 + slackBytes), rows, settings.dimensions);
	await loadTable(table, `${checkpoints}/table`);
	const featuresOf = createFeatureBook(corpus.words, vocabulary.rowOf, shape);
	const sources = describeSources(await Bun.file(`${checkpoints}/read.json`).json(), await readManifest(data), settings);
	await writeModel({
		out,
		table,
		vocabulary,
		shape,
		settings,
		heldBack: splitPairs(corpus, settings).heldBack,
		featuresOf,
		sources,
		filtered: evaluations.length > 0,
		log,
	});
}
