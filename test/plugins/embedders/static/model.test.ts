import { describe, expect, test } from "bun:test";
import { ServiceError } from "cairn-memory";
import fc from "fast-check";
import { spelledFeatures } from "../../../../plugins/embedders/static/features.ts";
import { decodeModel } from "../../../../plugins/embedders/static/model.ts";
import { createPool } from "../../../../plugins/embedders/static/pool.ts";
import { toyCalibration, toyModel, toyShape, toyVocabulary } from "./toy-model.ts";

function faultOf(file: Uint8Array): string {
	try {
		decodeModel(file, "toy.bin");
		return "none";
	} catch (error) {
		return error instanceof ServiceError ? `${error.code}: ${error.message}` : `not ours: ${error}`;
	}
}

describe("the file of a model", () => {
	test("is read as it was written", () => {
		const model = decodeModel(toyModel(), "toy.bin");
		expect(model.space).toEqual({ name: expect.stringMatching(/^toy-[0-9a-f]{8}$/), dimensions: 4, metric: "cosine", calibration: toyCalibration });
		expect([...toyVocabulary, "har", "the\nport", "", "ports"].map(model.rowOf)).toEqual([0, 1, 2, 3, undefined, undefined, undefined, undefined]);
		expect([...model.bytes.slice(0, 8)]).toEqual([127, 0, 0, 0, 120, 40, 0, 0]);
		expect(model.scales[3]).toBeCloseTo(0.0001, 8);
	});

	test("with one other byte is another space", () => {
		const file = toyModel();
		expect(decodeModel(file, "a").space.name).toBe(decodeModel(toyModel(), "b").space.name);
	});

	test("is refused when it is not one, is of another version, or any byte of it changed", () => {
		const file = toyModel();
		expect(faultOf(new Uint8Array())).toContain("MODEL_FILE_BROKEN: the model toy.bin cannot be used: it is not a model file");
		expect(faultOf(new TextEncoder().encode("PK\u0003\u0004 and much else besides"))).toContain("it is not a model file");
		expect(faultOf(file.with(8, 9) as Uint8Array)).toContain("it has version 9; this server reads version 1");
		fc.assert(
			fc.property(fc.integer({ min: 0, max: file.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) =>
				faultOf(file.with(at, (file[at] ?? 0) ^ change) as Uint8Array).startsWith("MODEL_FILE_BROKEN"),
			),
			{ seed: 3, numRuns: 300 },
		);
		for (const length of [0, 10, 19, 21, 60, file.length - 1]) expect(faultOf(file.slice(0, length))).toStartWith("MODEL_FILE_BROKEN");
	});
});

describe("the pool", () => {
	const { ofText: pool } = createPool(decodeModel(toyModel(), "toy.bin"));

	test("is the sum of rows as heavy as their scale and the logarithm of their count", () => {
		const [x = 0, y = 0, z = 0, w = 0] = pool("Harbour, harbour! Zinc");
		expect(x / z).toBeCloseTo(1 + Math.log(2), 5);
		expect([y, w]).toEqual([0, 0]);
		expect(Math.hypot(x, y, z, w)).toBeCloseTo(1, 6);
	});

	test("hardly hears a light word", () => expect(pool("the zinc")[2] ?? 0).toBeGreaterThan(0.99));

	test("gives every text a vector of unit length, the empty one too", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary", maxLength: 40 }), (text) => Math.abs(Math.hypot(...pool(text)) - 1) < 1e-5),
			{ seed: 5, numRuns: 300 },
		);
		for (const text of ["", " ", "\u0000", "🚢", "…"]) expect(Math.hypot(...pool(text))).toBeCloseTo(1, 5);
	});

	test("rows that cancel out give the first axis", () => {
		const model = decodeModel(toyModel(), "toy.bin");
		expect([...createPool({ ...model, scales: new Float32Array(12) }).ofText("zinc")]).toEqual([1, 0, 0, 0]);
	});
});

describe("an unknown word", () => {
	test("has rows of its own spelling behind those of the vocabulary, with unit length together if they are strangers", () => {
		for (const word of ["gasket", "x", "2031", "灯台", "маяк"]) {
			const { rows, weights } = spelledFeatures(word, toyShape);
			expect(rows.every((row) => row >= toyShape.words && row < toyShape.words + toyShape.buckets)).toBe(true);
			expect(weights.reduce((sum, weight) => sum + weight * weight, 0)).toBeCloseTo(1, 6);
			expect(spelledFeatures(word, toyShape)).toEqual({ rows, weights });
		}
	});

	test("shares rows with a word spelled alike", () => {
		const shape = { words: 0, buckets: 1_000_000 };
		const [gasket, gaskets, zinc] = ["gasket", "gasketed", "zinc"].map((word) => new Set(spelledFeatures(word, shape).rows));
		expect(gasket?.intersection(gaskets ?? new Set()).size).toBeGreaterThan(5);
		expect(gasket?.intersection(zinc ?? new Set()).size).toBe(0);
	});
});
