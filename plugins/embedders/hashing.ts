/**
 * Embeds by hashing words and the character sequences inside them; no model, no download. It knows spelling, not meaning:
 * "running" is near "runner", "car" is a stranger to "automobile". Feature hashing after Weinberger et al. (2009), character
 * sequences after fastText.
 */

import { definePlugin, type Embedder, indexWords, isStopWord, normalize, type Vector, type World } from "cairn-memory";
import { z } from "zod";
import { knownWords } from "./known-words.ts";
import { murmur3 } from "./murmur3.ts";

/**
 * Measured with `bench/embedding/embedding.ts`, nDCG@10 of these vectors alone on SelQA / SQuAD sentences: 60.8 / 53.7 at 256
 * dimensions, 62.1 / 56.2 at 384, 63.2 / 57.9 at 512. The speed is the same; tables and exact scans grow with the length.
 */
const dimensions = 384;
/** Character sequences of a word between its borders; of three, because shorter ones are in every word, and of four and five for endings. */
const gramLengths = [3, 4, 5];
/** How much all sequences of a word weigh together against the word itself. Measured as above: 57.5 at 0.3, 59.7 at 0.5, 62.1 at 1, 62.6 at 1.3. */
const gramShare = 1;
/**
 * Measured as above, 4,560 questions against 20,705 sentences: nine of ten strangers are below 0.1 and 99 of 100 below 0.2;
 * half of the sentences that answer their question are above 0.37 to 0.43, a tenth above 0.6 to 0.7. A cosine of 0.5 is
 * called related, so that the middle answer is shown as about 0.7 and one stranger in a hundred as 0.25. It sees the words that the word
 * index has weighed already, and their grams: what it adds is little, so it counts for a tenth, see docs/search.md.
 */
const calibration = { unrelated: 0.1, related: 0.5, weight: 0.1 };
/** Stop words say little about what a text is about. */
const stopWeight = 0.05;
/** Features of words met lately: 10 bytes a number, so 10 MB; nine of ten are found. */
const remembered = { wordsMax: 50_000, numbersMax: 1_000_000 };
/** The feature of a text without characters to hash: it has a unit vector too, near no text with words. */
const emptyFeature = "\u0000";
/** Words such as `was`, which the stemmer makes `wa`: what `isStopWord` cannot know of stems. */
const stoppedStems = new Set("was has this does very before because any only once during having being doing".split(" ").flatMap(indexWords));

/** Positions and values of a word's features, as two lists of one length because this is the inner loop. */
interface Features {
	readonly places: Uint16Array;
	readonly weights: Float64Array;
}

export default definePlugin({
	name: "embedder-hashing",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, { world }) => ({ embedder: [hashing(world)] }),
});

/**
 * Texts embedded without a pause: about 5 ms. Nothing here ever waits, and heartbeats, other documents and the watch over files
 * being read are on the same thread.
 */
const textsPerTurn = 32;

function hashing(world: World): Embedder {
	const featuresOf = knownWords(hashWord, ({ places }) => places.length, remembered);
	return {
		name: "hashing",
		space: { name: "hashing-1", dimensions, metric: "cosine", calibration },
		batchMax: 256,
		embed: async (texts, _purpose, step) => {
			const vectors: Vector[] = [];
			for (const text of texts) {
				step.signal.throwIfAborted();
				vectors.push(embed(text, featuresOf));
				if (vectors.length % textsPerTurn === 0) await world.sleep(1, step.signal);
			}
			return vectors;
		},
	};
}

function embed(text: string, featuresOf: (word: string) => Features): Vector {
	const counts = new Map<string, number>();
	for (const word of indexWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
	if (counts.size === 0) for (const sign of normalize(text).replace(/\s+/g, "")) counts.set(sign, (counts.get(sign) ?? 0) + 1);
	const vector = new Float64Array(dimensions);
	for (const [word, count] of counts) {
		const times = 1 + Math.log(count);
		const { places, weights } = featuresOf(word);
		for (let i = 0; i < places.length; i++) {
			const place = places[i] ?? 0;
			vector[place] = (vector[place] ?? 0) + (weights[i] ?? 0) * times;
		}
	}
	return unit(vector);
}

/** One bit of the hash is the sign, so that features that meet in one place cancel as often as they add. */
function hashWord(word: string): Features {
	const isStopped = isStopWord(word) || stoppedStems.has(word);
	const grams = isStopped ? [] : gramsOf(`<${word}>`);
	const hashes = [word, ...grams].map((part) => murmur3(part));
	const own = isStopped ? stopWeight : 1;
	const shared = gramShare / Math.sqrt(Math.max(1, grams.length));
	return {
		places: Uint16Array.from(hashes, (hash) => (hash >>> 1) % dimensions),
		weights: Float64Array.from(hashes, (hash, i) => (i === 0 ? own : shared) * ((hash & 1) === 0 ? 1 : -1)),
	};
}

function gramsOf(bordered: string): readonly string[] {
	const grams: string[] = [];
	for (const length of gramLengths) {
		for (let i = 0; i + length <= bordered.length; i++) grams.push(bordered.slice(i, i + length));
	}
	return grams;
}

function unit(vector: Float64Array): Vector {
	let norm = 0;
	for (const value of vector) norm += value * value;
	if (norm === 0) {
		const index = (murmur3(emptyFeature) >>> 1) % dimensions;
		return new Float32Array(dimensions).fill(1, index, index + 1);
	}
	const scale = 1 / Math.sqrt(norm);
	return Float32Array.from(vector, (value) => value * scale);
}
