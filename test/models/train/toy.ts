/** A world small enough to train on in a test: things that stand beside each other, and pairs that say which mean the same. */

import { mkdir } from "node:fs/promises";
import { createRandom } from "../../../models/train/random.ts";
import { defaultSettings, type Settings } from "../../../models/train/settings.ts";

/** Each line is a subject; its words stand together, the first and the second mean the same. */
const subjects = [
	["kettle", "teapot", "water", "steam", "kitchen", "cup"],
	["sloop", "cutter", "sail", "harbour", "mast", "tide"],
	["ledger", "accounts", "invoice", "debt", "audit", "coin"],
	["fiddle", "violin", "bow", "tune", "string", "dance"],
];

export const toySettings: Settings = {
	...defaultSettings,
	name: "toy",
	words: 24,
	buckets: 16,
	dimensions: 8,
	window: 3,
	thinAbove: 1,
	neighboursMin: 1,
	steps: 40,
	batch: 8,
	parts: 2,
	textWordsMax: 20,
	sources: { words: 2, sentences: 1 },
};

export async function writeToyData(folder: string): Promise<void> {
	const random = createRandom(11);
	const say = (count: number): string => {
		const words = subjects[random.below(subjects.length)] ?? [];
		return Array.from({ length: count }, () => words[random.below(words.length)]).join(" ");
	};
	const lines = (of: () => string): string => `${Array.from({ length: 120 }, of).join("\n")}\n`;
	await mkdir(`${folder}/pairs`, { recursive: true });
	await mkdir(`${folder}/raw`, { recursive: true });
	await Bun.write(
		`${folder}/raw/tales.txt`,
		lines(() => say(10)),
	);
	await Bun.write(
		`${folder}/pairs/words.tsv`,
		lines(() => subjects[random.below(subjects.length)]?.slice(0, 2).join("\t") ?? ""),
	);
	await Bun.write(
		`${folder}/pairs/sentences.tsv`,
		lines(() => {
			const [first = "", second = "", ...others] = subjects[random.below(subjects.length)] ?? [];
			return `which ${first} is it ${random.below(9)}\tit is the ${second} of the ${others[random.below(others.length)]} ${random.below(99)}`;
		}),
	);
}
