/** The end of the training: the file of the model, measured as it will be used, and what is known about it beside it. */

import { mkdir } from "node:fs/promises";
import type { Calibration } from "cairn-memory";
import type { Features, TableShape } from "../../../plugins/embedders/static/features.ts";
import { encodeModel } from "../../../plugins/embedders/static/model.ts";
import type { PairSource } from "../contrast/draw.ts";
import { measureHeldBack } from "../contrast/held-back.ts";
import type { Table } from "../contrast/table.ts";
import type { DescribedSource } from "../data/manifest.ts";
import { createKernels } from "../kernels/kernels.ts";
import type { Settings } from "../settings.ts";
import type { Vocabulary } from "../vocabulary.ts";
import { quantise } from "./quantise.ts";

export interface ModelParts {
	readonly out: string;
	readonly table: Table;
	readonly vocabulary: Vocabulary;
	readonly shape: TableShape;
	readonly settings: Settings;
	readonly heldBack: readonly PairSource[];
	readonly featuresOf: (number: number) => Features;
	readonly sources: readonly DescribedSource[];
	/** Whether what evaluations hold was left out. */
	readonly filtered: boolean;
	readonly log: (line: string) => void;
}

/** What stands beside the file: all that a card is made of. */
export interface ModelRecord {
	readonly name: string;
	readonly sha256: string;
	readonly bytes: number;
	readonly settings: Settings;
	readonly calibration: Calibration;
	readonly heldBack: { readonly meanReciprocalRank: number; readonly sources: Readonly<Record<string, number>> };
	readonly filtered: boolean;
	readonly sources: readonly DescribedSource[];
}

/** Nine of ten strangers are below `unrelated`, one of four answers is above `related`: as for the other embedders. */
const strangersBelow = 0.9;
const answersBelow = 0.75;
/** How much an affinity adds to what the words say cannot be seen in pairs: this is presumed, and the plugin has its own that was measured. */
const weight = 0.6;

export async function writeModel({ out, table, vocabulary, shape, settings, heldBack, featuresOf, sources, filtered, log }: ModelParts): Promise<void> {
	const { scales, bytes } = quantise(table);
	const figures = measureHeldBack(rounded(table, scales, bytes), heldBack, featuresOf, createKernels);
	log(`held back: mean reciprocal rank ${figures.mean.toFixed(4)}`);
	for (const [name, found] of Object.entries(figures.sources)) log(`  ${name}: ${found.toFixed(3)}`);
	const calibration = { unrelated: quantile(figures.strangers, strangersBelow), related: quantile(figures.answers, answersBelow), weight };
	const { name, dimensions } = settings;
	const file = encodeModel({ name, ...shape, dimensions, calibration }, vocabulary.words, scales, bytes);
	await mkdir(out, { recursive: true });
	await Bun.write(`${out}/model.bin`, file);
	const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");
	log(`${out}/model.bin: ${file.length} bytes, sha256 ${sha256}`);
	const { mean, sources: found } = figures;
	const record: ModelRecord = {
		name,
		sha256,
		bytes: file.length,
		settings,
		calibration,
		heldBack: { meanReciprocalRank: mean, sources: found },
		filtered,
		sources,
	};
	await Bun.write(`${out}/model.json`, `${JSON.stringify(record, null, "\t")}\n`);
}

/** The table as the bytes have it, so that what is measured is what ships. */
function rounded(table: Table, scales: Float32Array, bytes: Int8Array): Table {
	const { columns } = table.rows;
	for (let at = 0; at < bytes.length; at++) table.rows.values[at] = (bytes[at] ?? 0) * (scales[Math.floor(at / columns)] ?? 0);
	return { ...table, logWeights: table.logWeights.fill(0) };
}

function quantile(sorted: Float64Array, share: number): number {
	return Math.round((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 1_000) / 1_000;
}
