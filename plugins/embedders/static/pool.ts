/**
 * The vector of a text: the sum of its words' rows, weighted by their scale and the logarithm of their count. Each paragraph gets a
 * vector, weighted by the logarithm of its length: otherwise a short title would be lost beside a long abstract.
 */

import type { Vector, WordVector } from "cairn-memory";
import { knownWords } from "../known-words.ts";
import { type Features, spelledFeatures, wordFeatures } from "./features.ts";
import type { Model } from "./model.ts";
import { wordsOf } from "./words-of.ts";

/** Cached words: 16 bytes a number, so 8 MB. */
const remembered = { wordsMax: 20_000, numbersMax: 500_000 };

/** Vectors of single words: 4 bytes a number, so 12 MB. Fewer are forgotten within some searches of a large store. */
const rememberedVectors = { wordsMax: 12_000, numbersMax: 3_100_000 };

/** The weight of a word by its count, which grows logarithmically. */
export function heaviness(count: number): number {
	return 1 + Math.log(count);
}

/** Between paragraphs. One without a word, such as a line of dashes, counts nothing. */
const blankLines = /\n[^\S\n]*\n/;
const wordSign = /[\p{L}\p{N}]/u;

export interface Pool {
	/** Of unit length. */
	readonly ofText: (text: string) => Vector;
	readonly ofWord: (word: string) => WordVector;
}

/** It keeps what it has found out about words. */
export function createPool(model: Model): Pool {
	const spelled = knownWords(
		(word) => spelledFeatures(word, model.shape),
		({ rows }) => rows.length,
		remembered,
	);
	const featuresOf = (word: string): Features => {
		const row = model.rowOf(word);
		return row === undefined ? spelled(word) : wordFeatures(row);
	};
	const ofWords = (words: readonly string[]): Vector => {
		const counts = new Map<string, number>();
		for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
		const sum = new Float64Array(model.space.dimensions);
		for (const [word, count] of counts) {
			const { rows, weights } = featuresOf(word);
			for (const [i, row] of rows.entries()) addRow(sum, model, row, (weights[i] ?? 0) * heaviness(count));
		}
		return unit(sum);
	};
	const ofWord = knownWords(
		(word) => {
			const sum = new Float64Array(model.space.dimensions);
			const { rows, weights } = featuresOf(word);
			for (const [i, row] of rows.entries()) addRow(sum, model, row, weights[i] ?? 0);
			return { vector: unit(sum), weight: Math.sqrt(squared(sum)) };
		},
		({ vector }) => vector.length,
		rememberedVectors,
	);
	const ofText = (text: string): Vector => {
		const paragraphs = text.split(blankLines).filter((paragraph) => wordSign.test(paragraph));
		if (paragraphs.length < 2) return ofWords(wordsOf(text));
		const sum = new Float64Array(model.space.dimensions);
		for (const paragraph of paragraphs) {
			const words = wordsOf(paragraph);
			addVector(sum, ofWords(words), heaviness(words.length));
		}
		return unit(sum);
	};
	return { ofText, ofWord };
}

/** The inner loop: half of the time that a text takes. */
function addRow(sum: Float64Array, { bytes, scales }: Model, row: number, weight: number): void {
	const factor = weight * (scales[row] ?? 0);
	const from = row * sum.length;
	for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + factor * (bytes[from + i] ?? 0);
}

function addVector(sum: Float64Array, vector: Vector, weight: number): void {
	for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (vector[i] ?? 0);
}

function squared(sum: Float64Array): number {
	let squares = 0;
	for (let i = 0; i < sum.length; i++) squares += (sum[i] ?? 0) ** 2;
	return squares;
}

/** Normalises the sum. A zero vector becomes the first axis. */
function unit(sum: Float64Array): Vector {
	const vector = new Float32Array(sum.length);
	const norm = squared(sum);
	if (norm < Number.MIN_VALUE ** 0.5) return vector.fill(1, 0, 1);
	const scale = 1 / Math.sqrt(norm);
	for (let i = 0; i < sum.length; i++) vector[i] = (sum[i] ?? 0) * scale;
	return vector;
}
