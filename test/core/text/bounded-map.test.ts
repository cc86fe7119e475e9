/** The map behind caches: it stays full, and the oldest goes first. */

import { expect, test } from "bun:test";
import { BoundedMap } from "../../../core/text/bounded-map.ts";
import { seededRandom } from "../../contract/samples.ts";

test("it has what was set last, as much as it may", () => {
	const random = seededRandom(4);
	const map = new BoundedMap<string, number>(50);
	let expected: (readonly [string, number])[] = [];
	for (let i = 0; i < 5_000; i++) {
		const key = `key ${Math.floor(random() * 120)}`;
		expected = expected.filter(([other]) => other !== key);
		if (random() < 0.1) map.delete(key);
		else {
			map.set(key, i);
			expected = [...expected, [key, i] as const].slice(-50);
		}
		if (random() < 0.002) {
			map.clear();
			expected = [];
		}
		expect([...map]).toEqual(expected as [string, number][]);
	}
});

test("entries may weigh differently, and one that weighs too much does not stay", () => {
	const map = new BoundedMap<string, string>(10, ({ length }) => length);
	map.set("a", "tide").set("b", "moon").set("c", "shore");
	expect([...map.keys()]).toEqual(["b", "c"]);
	map.set("b", "ebb");
	expect([...map.keys()]).toEqual(["c", "b"]);
	map.set("d", "x".repeat(11));
	expect([...map.keys()]).toEqual([]);
	map.set("e", "x".repeat(10));
	expect([...map.keys()]).toEqual(["e"]);
});
