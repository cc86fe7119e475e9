/** How near two spellings are: letters wrong, parts of compounds, and what must never be taken for another. */

import { expect, test } from "bun:test";
import { nearSpelling } from "cairn";

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
])("%s for %s: %p", (sought, other, trust) => expect(nearSpelling(sought, other)).toBeCloseTo(trust, 9));

test("it is the same both ways", () => {
	for (const [a, b] of [
		["contrcat", "contract"],
		["mietvertrag", "vertrag"],
	] as const)
		expect(nearSpelling(a, b)).toBe(nearSpelling(b, a));
});
