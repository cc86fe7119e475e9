import { describe, expect, test } from "bun:test";
import { fillBags, poolBags, slopesOfSums, turnBags } from "../../../models/train/contrast/bags.ts";
import { drawPairs, dropShared } from "../../../models/train/contrast/draw.ts";
import { createInfoNce } from "../../../models/train/contrast/info-nce.ts";
import { createTable, stepTable } from "../../../models/train/contrast/table.ts";
import { createKernels } from "../../../models/train/kernels/kernels.ts";
import { createRandom } from "../../../models/train/random.ts";
import { spelledFeatures, wordFeatures } from "../../../plugins/embedders/static/features.ts";

const batch = 4;
const dimensions = 8;
const texts = [[0, 1, 1], [2], [3, 0], [4, 5, 6], [1, 6], [2, 3], [0, 7, 7, 7], [5]];
const featuresOf = (number: number) => (number < 6 ? wordFeatures(number) : spelledFeatures(`word${number}`, { words: 6, buckets: 3 }));

function ground() {
	const kernels = createKernels(1_000_000);
	const table = createTable(kernels, 9, dimensions);
	const random = createRandom(8);
	for (let i = 0; i < table.rows.values.length; i++) table.rows.values[i] = random.normal();
	for (let i = 0; i < 9; i++) table.logWeights[i] = random.normal() / 2;
	const loss = createInfoNce(kernels, batch, dimensions, 0.5);
	const bags = kernels.sparse(batch * 2, 200);
	const lengths = new Float64Array(batch * 2);
	const forwards = (same = (_i: number, _j: number) => false): number => {
		fillBags(bags, texts, featuresOf, table);
		poolBags(loss.units, lengths, bags, table, kernels);
		return loss.loss(same);
	};
	return { kernels, table, loss, bags, lengths, forwards };
}

/** The slopes of the rows and of the logarithms of their weights, by the way the training goes. */
function slopesOf(same?: (i: number, j: number) => boolean) {
	const { kernels, table, loss, bags, lengths, forwards } = ground();
	forwards(same);
	slopesOfSums(loss.slopes, loss.units, lengths);
	const turned = kernels.sparse(9, 200);
	const touched = turnBags(bags, batch * 2, turned, new Int32Array(9).fill(-1));
	const slopes = kernels.matrix(9, dimensions);
	kernels.multiplySparse(slopes, turned, loss.slopes, touched.length);
	return { table, touched, slopes };
}

describe("InfoNCE", () => {
	test.each([
		["all strangers", undefined],
		["some that are the same", (i: number, j: number) => (i + j) % 3 === 0],
	])("its slopes are those that small moves show, with %s", (_name, same) => {
		const { touched, slopes } = slopesOf(same);
		const { table, forwards } = ground();
		const move = 1e-2;
		for (const [place, row] of touched.entries()) {
			for (let k = 0; k < dimensions; k++) {
				const at = row * dimensions + k;
				const before = table.rows.values[at] ?? 0;
				table.rows.values[at] = before + move;
				const above = forwards(same);
				table.rows.values[at] = before - move;
				const under = forwards(same);
				table.rows.values[at] = before;
				expect(slopes.values[place * dimensions + k] ?? 0).toBeCloseTo((above - under) / (2 * move), 3);
			}
		}
		expect(touched.length).toBe(9);
	});

	test("the weight of a row is moved along its slope", () => {
		const { table, touched, slopes } = slopesOf();
		const before = table.logWeights.slice();
		const { table: other, forwards } = ground();
		const rate = 0.01;
		const expected = Array.from(touched, (row) => {
			other.logWeights[row] = (before[row] ?? 0) + 1e-2;
			const above = forwards();
			other.logWeights[row] = (before[row] ?? 0) - 1e-2;
			const under = forwards();
			other.logWeights[row] = before[row] ?? 0;
			return (above - under) / 2e-2;
		});
		stepTable(table, touched, slopes, rate, rate);
		for (const [i, row] of touched.entries()) {
			const moved = (table.logWeights[row] ?? 0) - (before[row] ?? 0);
			// The first step of Adagrad is as long as the rate, whatever the slope; its direction is what is learned.
			if (Math.abs(expected[i] ?? 0) > 1e-3) expect(Math.sign(moved)).toBe(-Math.sign(expected[i] ?? 0));
			expect(Math.abs(moved)).toBeLessThanOrEqual(rate * 1.001);
		}
	});

	test("a pair alone with copies of itself has nothing to lose", () => {
		const { forwards } = ground();
		expect(forwards(() => true)).toBeCloseTo(0, 6);
		expect(forwards()).toBeGreaterThan(0.5);
	});
});

describe("pairs of a step", () => {
	const list = { numbers: Uint32Array.from([1, 2, 3, 3, 4, 5]), starts: Uint32Array.from([0, 2, 3, 4, 6]) };
	const sources = [
		{ name: "a", weight: 1, texts: list, pairs: Uint32Array.of(0) },
		{ name: "b", weight: 0, texts: list, pairs: Uint32Array.of(1) },
	];

	test("come from sources by weight, cut to length", () => {
		const drawn = drawPairs(sources, 6, 3, 1, createRandom(1));
		expect(drawn.map(({ question, answer }) => [Array.from(question), Array.from(answer)])).toEqual(new Array(6).fill([[1], [3]]));
	});

	test("lose words they share on one side only, and never the last one", () => {
		const random = createRandom(2);
		for (let times = 0; times < 50; times++) {
			const { question, answer } = dropShared({ question: [1, 2, 2, 3], answer: [2, 3, 4] }, 0.5, random);
			for (const word of [2, 3]) expect(Array.from(question).includes(word) || Array.from(answer).includes(word)).toBe(true);
			expect(Array.from(question)).toContain(1);
			expect(Array.from(answer)).toContain(4);
		}
		const whole = dropShared({ question: [7], answer: [7] }, 1, random);
		expect([Array.from(whole.question), Array.from(whole.answer)]).toEqual([[7], [7]]);
		expect(dropShared({ question: [1, 2], answer: [2] }, 0, random)).toEqual({ question: [1, 2], answer: [2] });
	});
});
