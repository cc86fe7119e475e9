/** All steps of the training with pairs, with a file to go on from every so many steps. */

import type { Features } from "../../../plugins/embedders/static/features.ts";
import type { Kernels } from "../kernels/kernels.ts";
import { type ContrastSettings, createStepper } from "./contrast.ts";
import type { PairSource } from "./draw.ts";
import { loadTable, saveTable, type Table } from "./table.ts";

export interface ContrastRun {
	readonly table: Table;
	readonly sources: readonly PairSource[];
	readonly featuresOf: (number: number) => Features;
	readonly kernels: Kernels;
	readonly settings: ContrastSettings;
	/** Where the files to go on from are. */
	readonly path: string;
	/** Tells this run from others with other settings. */
	readonly mark: string;
	readonly log: (line: string) => void;
	/** Ends a run early, after that many steps: for tests of going on. */
	readonly until?: number;
}

const stepsPerFile = 250;
const stepsPerLine = 50;

/** Leaves `table` trained. A run that was cut off goes on after its last file and ends with the same table. */
export async function runContrast({ table, sources, featuresOf, kernels, settings, path, mark, log, until = settings.steps }: ContrastRun): Promise<void> {
	const step = createStepper(table, sources, featuresOf, kernels, settings);
	const note = Bun.file(`${path}.at`);
	const first = (await note.exists()) ? stepAfter(await note.text(), mark) : 0;
	if (first > 0) await loadTable(table, path);
	let lost = 0;
	for (let at = first; at < until; at++) {
		lost += step(at);
		const done = at + 1;
		if (done % stepsPerLine === 0) {
			log(`step ${done}: loss ${(lost / stepsPerLine).toFixed(3)}`);
			lost = 0;
		}
		if (done % stepsPerFile !== 0 && done !== until) continue;
		await saveTable(table, path);
		await Bun.write(`${path}.at`, `${mark} ${done}`);
	}
}

function stepAfter(note: string, mark: string): number {
	const [of = "", done = "0"] = note.split(" ");
	return of === mark ? Number(done) : 0;
}
