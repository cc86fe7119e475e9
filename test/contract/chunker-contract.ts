/** What every chunker promises, whatever it is given. */

import type { Block, ChunkDraft, Chunker, Extraction } from "cairn-memory";
import { type ContractTest, demand } from "./contract-test.ts";
import { quietStep } from "./quiet-host.ts";
import { emptyExtraction, extractions, longLineExtraction, plainExtraction } from "./samples-text.ts";

/** Limits that are tried: what is usual, what is tight, and what hardly holds a sentence. */
const limitsTried = [2_000, 500, 120];
const usual = 2_000;
/** A million characters took a tenth of a second when this was written; a chunker that looks back at all before it takes minutes. */
const longLineMsMax = 10_000;
/** Longer words, and scripts without spaces, may be cut. */
const wordCharactersMax = 20;

/** @param start makes a fresh chunker; it is called once for each contract test. */
export function chunkerContract(start: () => Promise<Chunker>): readonly ContractTest[] {
	const contractTest = (name: string, check: (chunker: Chunker) => Promise<void>): ContractTest => ({ name, check: async () => check(await start()) });
	const each = (name: string, check: (drafts: readonly ChunkDraft[], extraction: Extraction, limit: number, sample: string) => void): ContractTest =>
		contractTest(name, async (chunker) => {
			for (const [sample, extraction] of Object.entries(extractions)) {
				for (const limit of limitsTried) check(await chunk(chunker, extraction, limit), extraction, limit, `${sample} at ${limit}`);
			}
		});

	return [
		contractTest("a chunker has a name and says what it accepts", async ({ name, accepts }) => {
			demand(name.trim() !== "", "its name is blank");
			demand(accepts.length > 0, `${name} accepts nothing`);
		}),
		contractTest("nothing in, nothing out", async (chunker) => {
			const drafts = await chunk(chunker, emptyExtraction, usual);
			demand(drafts.length === 0, `${drafts.length} chunks were made of nothing`);
		}),
		each("no chunk is blank", (drafts, _, __, sample) => {
			demand(!drafts.some(({ text, indexedText }) => text.trim() === "" || indexedText.trim() === ""), `${sample} has a blank chunk`);
		}),
		each("no chunk is over the limit", (drafts, _, limit, sample) => {
			for (const { text, indexedText } of drafts) {
				demand(indexedText.length <= limit, `${sample} has a chunk of ${indexedText.length} indexed characters`);
				demand(text.length <= limit, `${sample} has a chunk of ${text.length} characters`);
			}
		}),
		each("no character is cut in two", (drafts, { text: whole }, _, sample) => {
			demand(!drafts.some(({ text }) => breaksPair(text, whole)), `${sample} has a chunk that begins or ends inside a character`);
		}),
		each("chunks are in order", (drafts, _, __, sample) => checkOrder(drafts, sample)),
		each("no text of a block is lost", (drafts, { blocks }, _, sample) => checkNothingLost(drafts, blocks, sample)),
		each("spans lie inside the text", (drafts, { text }, _, sample) => {
			for (const { place } of drafts) {
				if (place.span === undefined) continue;
				const [begin, end] = place.span;
				demand(begin >= 0 && begin < end && end <= text.length, `${sample} has a span from ${begin} to ${end} in ${text.length} characters`);
			}
		}),
		contractTest("what is known of a place is not lost", async (chunker) => {
			const drafts = await chunk(chunker, plainExtraction, usual);
			demand(
				drafts.every(({ place }) => place.span !== undefined),
				"a chunk of blocks with spans has no span",
			);
		}),
		contractTest("same in, same out", async (chunker) => {
			for (const [sample, extraction] of Object.entries(extractions)) {
				const [once, again] = [await chunk(chunker, extraction, usual), await chunk(chunker, extraction, usual)];
				demand(JSON.stringify(once) === JSON.stringify(again), `${sample} was cut in two ways`);
			}
		}),
		contractTest("a megabyte in one line takes bounded processor time", async (chunker) => {
			const extraction = longLineExtraction();
			const began = process.cpuUsage();
			const drafts = await chunk(chunker, extraction, usual);
			const { user, system } = process.cpuUsage(began);
			const tookMs = (user + system) / 1_000;
			demand(tookMs <= longLineMsMax, `it took ${Math.round(tookMs)} ms`);
			demand(drafts.length * usual >= extraction.text.trim().length * 0.9, "most of the line is missing");
		}),
	];
}

async function chunk(chunker: Chunker, extraction: Extraction, charactersMax: number): Promise<readonly ChunkDraft[]> {
	return chunker.chunk(extraction, { charactersMax }, quietStep());
}

/** Half a pair at an end, unless the source has the half alone. */
function breaksPair(text: string, whole: string): boolean {
	const first = text.codePointAt(0) ?? 0;
	const last = text.charCodeAt(text.length - 1);
	const isHalf = (first >= 0xdc00 && first <= 0xdfff) || (last >= 0xd800 && last <= 0xdbff);
	return isHalf && whole.isWellFormed();
}

function checkOrder(drafts: readonly ChunkDraft[], sample: string): void {
	let begin = 0;
	let seconds = 0;
	let row = 0;
	for (const { place } of drafts) {
		demand((place.span?.[0] ?? begin) >= begin, `${sample} goes back in the text`);
		demand((place.seconds?.[0] ?? seconds) >= seconds, `${sample} goes back in time`);
		demand((place.row ?? row) >= row, `${sample} goes back in the table`);
		begin = place.span?.[0] ?? begin;
		seconds = place.seconds?.[0] ?? seconds;
		row = place.row ?? row;
	}
}

/** Every word is somewhere, and as often as in the source; of words that may be cut, every character is. */
function checkNothingLost(drafts: readonly ChunkDraft[], blocks: readonly Block[], sample: string): void {
	const all = drafts.map(({ text }) => text).join("\n");
	const kept = count(all);
	const wanted = count(blocks.map(({ text }) => text).join("\n"));
	for (const [word, times] of wanted.words) {
		demand((kept.words.get(word) ?? 0) >= times, `${sample} lost "${word}": ${kept.words.get(word) ?? 0} of ${times}`);
	}
	for (const [character, times] of wanted.characters) {
		demand((kept.characters.get(character) ?? 0) >= times, `${sample} lost the character ${JSON.stringify(character)}`);
	}
}

interface Counts {
	readonly words: ReadonlyMap<string, number>;
	readonly characters: ReadonlyMap<string, number>;
}

function count(text: string): Counts {
	const words = new Map<string, number>();
	const characters = new Map<string, number>();
	for (const [word] of text.matchAll(/[\p{Script=Latin}\p{N}]+/gu)) if (word.length <= wordCharactersMax) words.set(word, (words.get(word) ?? 0) + 1);
	for (const character of text) if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(character)) characters.set(character, (characters.get(character) ?? 0) + 1);
	return { words, characters };
}
