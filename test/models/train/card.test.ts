import { expect, test } from "bun:test";
import { type CardRun, writeCard } from "../../../models/train/export/card.ts";
import { toySettings } from "./toy.ts";

function run(seed: number, gain: number | null): CardRun {
	return {
		model: {
			name: "toy",
			sha256: "ab12",
			bytes: 1234,
			settings: { ...toySettings, seed },
			calibration: { unrelated: 0.1, related: 0.6, weight: 0.5 },
			heldBack: { meanReciprocalRank: 0.25 * seed, sources: { words: 0.125 * seed } },
			filtered: true,
			sources: [
				{ name: "words", repo: "someone/words", licence: "CC0", kind: "term/gloss", note: "half of it", pairs: 12_000, texts: 0, dropped: 7, weight: 2 },
			],
		},
		bench: gain === null ? null : { space: "toy-1", collections: [{ name: "mean", gain, recall: 55.55 }] },
	};
}

test("a card tells where the data are from and what each seed gave", () => {
	const card = writeCard([run(1, 51.23), run(2, 50.98)]);
	expect(card).toContain("| words | someone/words | CC0 | term/gloss; half of it | 12,000 | 0 | 7 | 2 |");
	expect(card).toContain("| mean | 51.2 / 55.5 | 51.0 / 55.5 |");
	expect(card).toContain("| words | 0.125 | 0.250 |");
	expect(card).toContain("| **mean** | 0.250 | 0.500 |");
	expect(card).toContain("`ab12`");
	expect(card).toContain("1,234 bytes");
});

test("a run that was not measured leaves no column", () => {
	expect(writeCard([run(1, 51.23), run(2, null)])).toContain("| mean | 51.2 / 55.5 |\n");
});
