/** How near two spellings are: letters wrong, parts of compounds, and what must never be taken for another. */

import { expect, test } from "bun:test";
import { nearSpelling } from "cairn-memory/words";
import fc from "fast-check";

test.each([
	["contract", "contract", 1],
	["contrcat", "contract", 0.8],
	["contrat", "contract", 0.8],
	["conttract", "contract", 0.8],
	["kontrakt", "contract", 0.6],
	["harbr", "harbour", 0],
	["harbuor", "harbour", 0.8],
	["2026", "2027", 0],
	["b2026", "b2027", 0],
	["cat", "car", 0],
	["rain", "ruin", 0.8],
	["rain", "ruins", 0],
	["dampfschiff", "donaudampfschiff", (0.7 * 11) / 16],
	["mietvertrag", "vertrag", (0.7 * 7) / 11],
	["yard", "shipyard", 0],
])("%s for %s: %p", (wanted, other, trust) => expect(nearSpelling(wanted, other)).toBeCloseTo(trust, 9));

test("it is the same both ways", () => {
	for (const [a, b] of [
		["contrcat", "contract"],
		["mietvertrag", "vertrag"],
	] as const)
		expect(nearSpelling(a, b)).toBe(nearSpelling(b, a));
});

/** Every place compared with every other, as the book has it. */
function lettersWrong(a: string, b: string): number {
	const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
	const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
	for (let i = 1; i <= a.length; i++) {
		rows.push([i]);
		for (let j = 1; j <= b.length; j++) {
			const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
			const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
			rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY));
		}
	}
	return at(a.length, b.length);
}

test("few letters are wrong exactly where few are", () => {
	const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 4, maxLength: 12 });
	fc.assert(
		fc.property(word, word, (a, b) => {
			const [short = "", long = ""] = [a, b].toSorted((left, right) => left.length - right.length);
			const wrong = lettersWrong(a, b);
			const expected = [1, 0.8, short.length >= 8 ? 0.6 : 0][wrong] ?? 0;
			const isPart = expected === 0 && short.length >= 5 && long.includes(short);
			expect(nearSpelling(a, b)).toBeCloseTo(isPart ? (0.7 * short.length) / long.length : expected, 9);
		}),
		{ seed: 7, numRuns: 500 },
	);
});
