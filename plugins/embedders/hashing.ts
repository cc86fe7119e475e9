/**
 * Embeds by hashing words and their character n-grams. It needs no model and no download. It compares spelling, not meaning:
 * "running" is near "runner", but "car" is unrelated to "automobile". Feature hashing after Weinberger et al. (2009), character
 * n-grams after fastText.
 */

import { definePlugin, type Embedder, type Vector, type World } from "cairn-memory";
import { indexWords, isStopWord, normalize } from "cairn-memory/words";
import { gramsOf } from "./grams.ts";
import { murmur3 } from "./murmur3.ts";
import { createWordCache } from "./word-cache.ts";

/**
 * Measured with `bench/embedding/embedding.ts`: nDCG@10 of these vectors alone on SelQA / SQuAD sentences is 60.8 / 53.7 at 256
 * dimensions, 62.1 / 56.2 at 384, and 63.2 / 57.9 at 512. The speed is the same, but tables and exact scans grow with the dimensions.
 */
const dimensions = 384;
/**
 * The weight of all n-grams of a word together; the word itself weighs 1. Measured as above on SelQA: 57.5 at 0.3, 59.7 at 0.5, 62.1 at 1,
 * 62.6 at 1.3.
 */
const gramShare = 1;
/**
 * Measured as above, with 4,560 questions against 20,705 sentences: the cosine of nine in ten unrelated pairs is below 0.1, and of
 * 99 in 100 below 0.2. Of the sentences that answer their question half are above 0.37 to 0.43, and a tenth above 0.6 to 0.7. With 0.5
 * as the cosine of related texts, the median answer gets a relevance of about 0.7, and one unrelated pair in a hundred 0.25. The weight
 * is small, because this embedder sees the same words and n-grams as the word index, see docs/search.md.
 */
const calibration = { unrelated: 0.1, related: 0.5, weight: 0.1 };
/** Stop words say little about what a text is about. */
const stopWeight = 0.05;
/** A word of seven characters has 20 numbers of 10 bytes, so the cache has 40,000 words. Nine in ten look-ups are hits. */
const numberBytes = 10;
const cacheBytesMax = 22_000_000;
/** The feature of a text without any character to hash, so that it has a unit vector too, far from any text with words. */
const emptyFeature = "\u0000";
/** Stems of stop words that `isStopWord` does not recognise, such as `wa` for `was`. */
const stopWordStems = new Set("was has this does very before because any only once during having being doing".split(" ").flatMap(indexWords));

/** Positions and values of a word's features in the vector. They are two lists of the same length, for speed. */
interface Features {
	readonly positions: Uint16Array;
	readonly weights: Float64Array;
}

export default definePlugin({
	name: "embedder-hashing",
	contract: 1,
	start: (_options, { world }) => ({ embedder: [hashing(world)] }),
});

/**
 * How many texts are embedded before other work may run: about 5 ms. Heartbeats, other documents and the timeouts of extractions
 * run on the same thread.
 */
const textsPerTurn = 32;

function hashing(world: World): Embedder {
	const featuresOf = createWordCache(hashWord, ({ positions }) => positions.length * numberBytes, cacheBytesMax);
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
	if (counts.size === 0) for (const character of normalize(text).replace(/\s+/g, "")) counts.set(character, (counts.get(character) ?? 0) + 1);
	const vector = new Float64Array(dimensions);
	for (const [word, count] of counts) {
		const countWeight = 1 + Math.log(count);
		const { positions, weights } = featuresOf(word);
		for (let i = 0; i < positions.length; i++) {
			const position = positions[i] ?? 0;
			vector[position] = (vector[position] ?? 0) + (weights[i] ?? 0) * countWeight;
		}
	}
	return unit(vector);
}

/** One bit of the hash is the sign, so that features that collide in a position cancel each other as often as they add up. */
function hashWord(word: string): Features {
	const isStop = isStopWord(word) || stopWordStems.has(word);
	const grams = isStop ? [] : gramsOf(word);
	const hashes = [word, ...grams].map((part) => murmur3(part));
	const wordWeight = isStop ? stopWeight : 1;
	const gramWeight = gramShare / Math.sqrt(Math.max(1, grams.length));
	return {
		positions: Uint16Array.from(hashes, (hash) => (hash >>> 1) % dimensions),
		weights: Float64Array.from(hashes, (hash, i) => (i === 0 ? wordWeight : gramWeight) * ((hash & 1) === 0 ? 1 : -1)),
	};
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
