/**
 * The vector of a text. Each paragraph gets a unit vector, the sum of its words' rows weighted by the logarithm of the word's count.
 * The text is the sum of its paragraphs weighted by the logarithm of their length, so that a short title counts beside a long abstract.
 */

import type { Vector, WordVector } from "cairn-memory";
import { giveWay, indexWords, normalize } from "cairn-memory/words";
import { createWordCache } from "../word-cache.ts";
import { type Features, spelledFeatures, wordFeatures } from "./features.ts";
import type { Model } from "./model.ts";

/** Of the cache of spelled words: some 15,000. */
const featureBytes = 16;
const featureBytesMax = 11_000_000;

/** Of the cache of word vectors: 11,900. A smaller cache overflows within a single search of a large store. */
const vectorBytesMax = 16_400_000;

/** The weight of a word that occurs `count` times, or of a paragraph of `count` words. */
export function countWeight(count: number): number {
	return 1 + Math.log(count);
}

/** What separates paragraphs. */
const blankLines = /\n[^\S\n]*\n/;
/** Paragraphs without a letter or digit, such as a line of dashes, are ignored. */
const wordCharacter = /[\p{L}\p{N}]/u;

export interface Pool {
	/** A unit vector. */
	readonly ofText: (text: string) => Vector;
	/** A unit vector and the word's weight in a text. */
	readonly ofWord: (word: string) => WordVector;
}

/** The pool caches what it computes for words. */
export function createPool(model: Model): Pool {
	const spelledFeaturesOf = createWordCache(
		(word) => spelledFeatures(word, model.shape),
		({ rows }) => rows.length * featureBytes,
		featureBytesMax,
	);
	const featuresOf = (word: string): Features => {
		const row = model.rowOf(word);
		return row === undefined ? spelledFeaturesOf(word) : wordFeatures(row);
	};
	const ofWords = (words: readonly string[]): Vector => {
		const counts = new Map<string, number>();
		for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
		const sum = new Float64Array(model.space.dimensions);
		for (const [word, count] of counts) {
			giveWay();
			const { rows, weights } = featuresOf(word);
			for (const [i, row] of rows.entries()) addRow(sum, model, row, (weights[i] ?? 0) * countWeight(count));
		}
		return unit(sum);
	};
	const ofWord = createWordCache(
		(word) => {
			const sum = new Float64Array(model.space.dimensions);
			const { rows, weights } = featuresOf(word);
			for (const [i, row] of rows.entries()) addRow(sum, model, row, weights[i] ?? 0);
			return { vector: unit(sum), weight: Math.sqrt(squaredLength(sum)) };
		},
		({ vector }) => vector.byteLength,
		vectorBytesMax,
	);
	const ofText = (text: string): Vector => {
		const paragraphs = text.split(blankLines).filter((paragraph) => wordCharacter.test(paragraph));
		if (paragraphs.length < 2) return ofWords(wordsOf(text));
		const sum = new Float64Array(model.space.dimensions);
		for (const paragraph of paragraphs) {
			const words = wordsOf(paragraph);
			addVector(sum, ofWords(words), countWeight(words.length));
		}
		return unit(sum);
	};
	return { ofText, ofWord };
}

/** Stands for an empty text, so that it has a vector of its own, far from any text with words. */
const emptyWord = "\u0000";

/** The words of a text as the word index has them, or its characters if it has no words. */
export function wordsOf(text: string): readonly string[] {
	const words = indexWords(text);
	if (words.length > 0) return words;
	const characters = [...normalize(text).replace(/\s+/g, "")];
	return characters.length > 0 ? characters : [emptyWord];
}

/** The inner loop, which takes half of the time. */
function addRow(sum: Float64Array, { bytes, scales }: Model, row: number, weight: number): void {
	const factor = weight * (scales[row] ?? 0);
	const start = row * sum.length;
	for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + factor * (bytes[start + i] ?? 0);
}

function addVector(sum: Float64Array, vector: Vector, weight: number): void {
	for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (vector[i] ?? 0);
}

function squaredLength(sum: Float64Array): number {
	let squares = 0;
	for (let i = 0; i < sum.length; i++) squares += (sum[i] ?? 0) ** 2;
	return squares;
}

/** Normalises the sum. A zero vector becomes the first axis. */
function unit(sum: Float64Array): Vector {
	const vector = new Float32Array(sum.length);
	const norm = squaredLength(sum);
	if (norm < Number.MIN_VALUE ** 0.5) return vector.fill(1, 0, 1);
	const scale = 1 / Math.sqrt(norm);
	for (let i = 0; i < sum.length; i++) vector[i] = (sum[i] ?? 0) * scale;
	return vector;
}
