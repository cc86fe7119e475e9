/** The spellings of texts, freshly read and from a file: the same entries and grams, and near spellings found in both. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gramsOf, readWords } from "cairn-memory/words";
import { writeStored } from "../../../../../plugins/stores/sqlite/words/building/write-stored.ts";
import { FreshTexts } from "../../../../../plugins/stores/sqlite/words/fresh/fresh-texts.ts";
import { GramCounts } from "../../../../../plugins/stores/sqlite/words/scoring/gram-counts.ts";
import { comparedMax, nearSpellings } from "../../../../../plugins/stores/sqlite/words/scoring/near-spellings.ts";
import { gramsOfText, type TextSpellings } from "../../../../../plugins/stores/sqlite/words/scoring/text-spellings.ts";
import { unitedPostings } from "../../../../../plugins/stores/sqlite/words/scoring/united-postings.ts";
import { StoredTexts } from "../../../../../plugins/stores/sqlite/words/stored/stored-texts.ts";

const texts = ["", "the harbour and the harbours", "amber ".repeat(300), "ox 天气 договор", "the of and", "lighthouse keeper of the harbour"];
let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-spellings-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function fresh(): FreshTexts {
	const made = new FreshTexts();
	for (const [i, text] of texts.entries()) made.add(i + 1, text);
	return made;
}

function stored(): StoredTexts {
	const path = join(folder, "some.words");
	const written = writeStored(path, null, fresh());
	return new StoredTexts(Bun.mmap(path), written);
}

/** By spelling, how often a text has it. */
function entriesOf(spellings: TextSpellings, documentNumber: number): Record<string, number> {
	const found: Record<string, number> = {};
	for (let i = spellings.entryStarts[documentNumber] ?? 0; i < (spellings.entryStarts[documentNumber + 1] ?? 0); i++)
		found[spellings.spelling(spellings.entries[i] ?? 0)] = spellings.entryCounts[i] ?? 0;
	return found;
}

test("a text has its spellings with their counts, as many as fit, and its grams", () => {
	for (const { spellings } of [fresh(), stored()]) {
		expect(texts.map((_, documentNumber) => entriesOf(spellings, documentNumber))).toEqual([
			{},
			{ harbour: 1, harbours: 1 },
			{ amber: 255 },
			{ ox: 1, договор: 1 },
			{},
			{ lighthouse: 1, keeper: 1, harbour: 1 },
		]);
		for (const [documentNumber, text] of texts.entries()) {
			const grams = readWords(text).spelled.flatMap(gramsOf);
			expect(spellings.gramLengths[documentNumber]).toBe(grams.length);
			expect([...gramsOfText(spellings, documentNumber)].toSorted()).toEqual([...new Set(grams.map((gram) => spellings.gramNumber(gram)))].toSorted());
		}
		expect(spellings.gramHolders[spellings.gramNumber("_har")]).toBe(2);
		expect(spellings.gramNumber("zzzz")).toBe(-1);
		expect(spellings.gramOccurrences).toBe(texts.flatMap((text) => readWords(text).spelled.flatMap(gramsOf)).length);
	}
});

test("a file lists the spellings with each gram, and counts a query's grams as fresh texts do", () => {
	const words = ["harbour", "lighthouse", "amber", "договор", "nowhere"];
	const grams = [...new Set(words.flatMap(gramsOf))];
	const countsIn = (spellings: TextSpellings) => {
		const numbers = Int32Array.from(grams, (gram) => spellings.gramNumber(gram));
		const counting = new GramCounts();
		// Twice, since nothing of a search may be left for the next one.
		return [numbers, numbers.slice(0, 3)].map((wanted) => {
			counting.begin(spellings, wanted);
			const counts = texts.map((_, documentNumber) => {
				const counted = new Float64Array(wanted.length + 1);
				counting.count(documentNumber, counted);
				return [...counted];
			});
			counting.end(wanted);
			return counts;
		});
	};
	const [{ spellings: file }, { spellings: read }] = [stored(), fresh()];
	expect(countsIn(file)).toEqual(countsIn(read));
	expect(countsIn(file)[0]?.[1]?.some((count) => count === 2)).toBe(true);
	const { starts, spellings } = file.holding;
	const listed = Array.from(spellings.subarray(starts[file.gramNumber("_har")], starts[file.gramNumber("_har") + 1]), (number) => file.spelling(number));
	expect(listed).toEqual(["harbour", "harbours"]);
});

test("near spellings are those of all parts, the nearest first, and known again when the index grows", () => {
	const [file, more] = [stored(), new FreshTexts()];
	const part = { offset: 0, dead: null, deadGrams: null };
	const live = {
		parts: () => [
			{ ...part, segment: file },
			{ ...part, segment: more },
		],
	};
	expect(nearSpellings(live, "harbuor")).toEqual([{ spelled: "harbour", trust: 0.8 }]);
	more.add(1, "harbuors");
	expect(nearSpellings(live, "harbuor").map(({ spelled }) => spelled)).toEqual(["harbour", "harbuors"]);
	expect(nearSpellings(live, "qqqq")).toEqual([]);
});

test("a text that was made of words much alike hides none that is nearer, and is not remembered whole", () => {
	const made = new FreshTexts();
	const digits = (number: number) =>
		number
			.toString(26)
			.replace(/\d/g, (digit) => "qrstuvwxyz"[Number(digit)] ?? "")
			.padStart(5, "q");
	made.add(1, Array.from({ length: comparedMax + 100 }, (_, i) => `ligh${digits(i)}`).join(" "));
	made.add(2, "lighthouse");
	made.add(3, Array.from({ length: 100 }, (_, i) => `harbour${digits(i)}`).join(" "));
	const live = { parts: () => [{ offset: 0, dead: null, deadGrams: null, segment: made }] };
	expect(nearSpellings(live, "lighthuose")).toEqual([{ spelled: "lighthouse", trust: 0.8 }]);
	expect(nearSpellings(live, "harbour")).toHaveLength(8);
});

test("postings are united: each text once, with the greater count", () => {
	const postings = (...pairs: readonly (readonly [number, number])[]) => ({
		documentNumbers: Uint32Array.from(pairs, ([documentNumber]) => documentNumber),
		counts: Uint16Array.from(pairs, ([, count]) => count),
	});
	expect(unitedPostings([postings([1, 2], [4, 1]), postings([0, 1], [4, 3]), postings([9, 1])])).toEqual(postings([0, 1], [1, 2], [4, 3], [9, 1]));
	expect(unitedPostings([])).toEqual(postings());
});
