/**
 * Candidates of questions as plain files of numbers, little-endian, which numpy reads without help: `words.json`, the words of all
 * questions and texts as numbers, and for each question its candidates with score and grade, and the best gain that a ranking can have.
 */

import { mkdir } from "node:fs/promises";
import { wordsOf } from "../../../plugins/embedders/static/pool.ts";
import type { Question } from "../../../server/evaluation/collection.ts";
import { createGrowing, type Growing } from "../data/growing.ts";

export interface FoundText {
	readonly id: string;
	readonly text: string;
	readonly score: number;
}

export interface CandidateWriter {
	readonly add: (question: Question, found: readonly FoundText[], relevant: ReadonlyMap<string, number>) => void;
	readonly save: (folder: string) => Promise<void>;
}

/** A text has more only if it was put in as one chunk. */
const wordsMax = 400;
const depth = 10;

export function createCandidateWriter(shown: number): CandidateWriter {
	const numbers = new Map<string, number>();
	const texts = new Map<string, number>();
	const [textWords, textStarts, questionWords, questionStarts, candidates] = [
		createGrowing(),
		createGrowing(),
		createGrowing(),
		createGrowing(),
		createGrowing(),
	];
	const scores: number[] = [];
	const grades: number[] = [];
	const ideals: number[] = [];
	const encode = (text: string, words: Growing, starts: Growing): void => {
		starts.push(words.length());
		for (const word of wordsOf(text).slice(0, wordsMax)) {
			const number = numbers.get(word) ?? numbers.size;
			numbers.set(word, number);
			words.push(number);
		}
	};
	const numberOf = (text: string): number => {
		const known = texts.get(text);
		if (known !== undefined) return known;
		encode(text, textWords, textStarts);
		texts.set(text, texts.size);
		return texts.size - 1;
	};
	return {
		add: (question, found, relevant) => {
			encode(question.text, questionWords, questionStarts);
			for (let i = 0; i < shown; i++) {
				const one = found[i];
				candidates.push(one === undefined ? 0xffff_ffff : numberOf(one.text));
				scores.push(one?.score ?? 0);
				grades.push(one === undefined ? 0 : (relevant.get(one.id) ?? 0));
			}
			ideals.push(idealGain([...relevant.values()]));
		},
		save: async (folder) => {
			textStarts.push(textWords.length());
			questionStarts.push(questionWords.length());
			await mkdir(folder, { recursive: true });
			const integers = { textWords, textStarts, questionWords, questionStarts, candidates };
			for (const [name, growing] of Object.entries(integers)) await Bun.write(`${folder}/${name}`, growing.values());
			const fractions = { scores, grades, ideals };
			for (const [name, values] of Object.entries(fractions)) await Bun.write(`${folder}/${name}`, Float32Array.from(values));
			await Bun.write(`${folder}/words.json`, JSON.stringify([...numbers.keys()]));
		},
	};
}

function idealGain(grades: readonly number[]): number {
	const best = grades.filter((grade) => grade > 0).sort((a, b) => b - a);
	return best.slice(0, depth).reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
}
