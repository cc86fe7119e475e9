import { expect, test } from "bun:test";
import { cosine, cosines, type Vector } from "../../../core/model/vector.ts";

const dimensions = 33;

function vector(seed: number): Vector {
	return Float32Array.from({ length: dimensions }, (_, i) => Math.sin(seed * 12.9898 + i * 78.233) * 43.5);
}

test("cosines with many are the cosines with each, to the last bit", () => {
	const query = vector(0);
	for (const count of [0, 1, 2, 3, 8]) {
		const others = [...Array.from({ length: count }, (_, i) => vector(i + 1)), new Float32Array(dimensions), query];
		expect([...cosines(query, others)]).toEqual(others.map((other) => cosine(query, other)));
	}
});

test("a cosine is 1 for one direction, -1 for the opposite and 0 for no direction", () => {
	const opposite = vector(1).map((value) => -2 * value);
	const none = new Float32Array(dimensions);
	const [same, turned, undirected] = cosines(vector(1), [vector(1), opposite, none]);
	expect(same).toBeCloseTo(1, 12);
	expect(turned).toBeCloseTo(-1, 12);
	expect(undirected).toBe(0);
});
