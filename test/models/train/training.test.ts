import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFeatureBook } from "../../../models/train/contrast/bags.ts";
import { runContrast } from "../../../models/train/contrast/run-contrast.ts";
import { splitPairs } from "../../../models/train/contrast/split-pairs.ts";
import { createTable } from "../../../models/train/contrast/table.ts";
import { loadCorpus } from "../../../models/train/data/corpus.ts";
import { createKernels } from "../../../models/train/kernels/kernels.ts";
import { overlapOfCorpus, overlapOfData } from "../../../models/train/overlap/find-overlap.ts";
import { withChanges } from "../../../models/train/settings.ts";
import { trainModel } from "../../../models/train/train-model.ts";
import { chooseVocabulary } from "../../../models/train/vocabulary.ts";
import { decodeModel } from "../../../plugins/embedders/static/model.ts";
import { createPool } from "../../../plugins/embedders/static/pool.ts";
import { toySettings, writeToyData } from "./toy.ts";

let folder = "";
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-training-"));
	await writeToyData(`${folder}/data`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function train(out: string, seed = 1, evaluations: readonly string[] = []): Promise<{ readonly file: Uint8Array; readonly lines: readonly string[] }> {
	const lines: string[] = [];
	const settings = { ...toySettings, seed };
	await trainModel({ data: `${folder}/data`, out: `${folder}/${out}`, evaluations, settings, log: (line) => lines.push(line) });
	return { file: await Bun.file(`${folder}/${out}/model.bin`).bytes(), lines };
}

describe("a training", () => {
	test("learns which words mean the same", async () => {
		const { file } = await train("learns");
		const { ofText: pool } = createPool(decodeModel(file, "toy"));
		const likeness = (a: string, b: string): number => pool(a).reduce((sum, value, i) => sum + value * (pool(b)[i] ?? 0), 0);
		expect(likeness("fiddle", "violin")).toBeGreaterThan(0.6);
		expect(likeness("sloop", "cutter")).toBeGreaterThan(0.6);
		expect(likeness("fiddle", "cutter")).toBeLessThan(likeness("fiddle", "violin") - 0.3);
		const card = await Bun.file(`${folder}/learns/model.json`).json();
		expect(card).toMatchObject({
			name: "toy",
			bytes: file.length,
			settings: { seed: 1 },
			sources: expect.arrayContaining([expect.objectContaining({ name: "tales", texts: 120, licence: "unknown" })]),
		});
	});

	test("with the same seed gives the same bytes, with another one others", async () => {
		const [first, second, other] = [await train("first"), await train("second"), await train("other", 2)];
		expect(Bun.hash(first.file)).toBe(Bun.hash(second.file));
		expect(Bun.hash(first.file)).not.toBe(Bun.hash(other.file));
	});

	test("does nothing twice, and only what depends on a change again", async () => {
		const first = await train("again");
		const second = await train("again");
		expect(second.lines).toEqual(["read: is done", "axes: is done", "pairs: is done", "file: is done"]);
		expect(Bun.hash(second.file)).toBe(Bun.hash(first.file));
		const lines: string[] = [];
		await trainModel({
			data: `${folder}/data`,
			out: `${folder}/again`,
			evaluations: [],
			settings: { ...toySettings, rate: 0.1 },
			log: (line) => lines.push(line),
		});
		expect(lines.filter((line) => line.endsWith("is done"))).toEqual(["read: is done", "axes: is done"]);
	});

	test("that was cut off goes on and ends as one that was not", async () => {
		await train("cut");
		const corpus = await loadCorpus(`${folder}/cut/checkpoints/corpus`);
		const { rowOf, words } = chooseVocabulary(corpus, toySettings.words);
		const shape = { words: words.length, buckets: toySettings.buckets };
		const run = async (path: string, stops: readonly number[]): Promise<string> => {
			let values = "";
			for (const until of stops) {
				// Each time from nothing, as a new process would.
				const kernels = createKernels(20_000_000);
				const table = createTable(kernels, shape.words + shape.buckets, toySettings.dimensions);
				for (let i = 0; i < table.rows.values.length; i++) table.rows.values[i] = Math.sin(i * i);
				const sources = splitPairs(corpus, toySettings).training;
				const featuresOf = createFeatureBook(corpus.words, rowOf, shape);
				await runContrast({ table, sources, featuresOf, kernels, settings: toySettings, path: `${folder}/${path}`, mark: "m", log: () => undefined, until });
				values = [...table.rows.values, ...table.logWeights, ...table.rowSquares].join();
			}
			return values;
		};
		expect(await run("pieces", [7, 8, 25])).toBe(await run("whole", [25]));
		expect(await run("shorter", [24])).not.toBe(await run("whole", [25]));
	});

	test("leaves out what an evaluation holds, and says how much", async () => {
		await Bun.write(
			`${folder}/evaluation/corpus.jsonl`,
			'{"_id":"1","title":"","text":"Fiddle, violin!"}\n{"_id":"2","text":"Sloop. Cutter"}\n{"_id":"3","text":"which sloop is it 0"}\n',
		);
		await train("without", 1, [`${folder}/evaluation`]);
		expect((await overlapOfData(`${folder}/data`, [`${folder}/evaluation`])).find(({ name }) => name === "sentences")).toMatchObject({ texts: 120, shared: 6 });
		const left = await overlapOfCorpus(`${folder}/without/checkpoints/corpus`, [`${folder}/evaluation`]);
		expect(left.map(({ shared }) => shared)).toEqual([0, 0, 0]);
		expect((await overlapOfCorpus(`${folder}/learns/checkpoints/corpus`, [`${folder}/evaluation`])).some(({ shared }) => shared > 0)).toBe(true);
		const read: { name: string; lines: number; dropped: number }[] = await Bun.file(`${folder}/without/checkpoints/read.json`).json();
		expect(read.find(({ name }) => name === "sentences")?.dropped).toBe(6);
		expect(read.find(({ name }) => name === "tales")?.dropped).toBe(0);
	});
});

test("settings are changed by name", () => {
	expect(withChanges(toySettings, ["steps=9", "sources.words=0.5"])).toMatchObject({ steps: 9, sources: { words: 0.5, sentences: 1 } });
	for (const wrong of ["pace=3", "steps", "steps=", "steps=many", "name=3", "sources=1"])
		expect(() => withChanges(toySettings, [wrong])).toThrow(wrong.split("=")[0] ?? "");
});
