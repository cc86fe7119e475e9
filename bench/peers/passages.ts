/** What is searched and what is asked, with vectors of the embedder that Cairn comes with. */

import type { Embedder } from "../../core/plugin/contract.ts";
import { embedTexts } from "../../core/runtime/embed-texts.ts";
import { createStep } from "../../test/doubles/step.ts";
import { createWriter } from "../notes.ts";
import type { Filter, Passage, Question } from "./peer.ts";

export const wordsPerPassage = 91;
const tags = 1_000;
const categories = 20;
const asked = 500;

export const everything = () => null;
export const ofTag = (at: number): Filter => ({ tag: `tag-${(at * 37) % tags}` });
export const ofCategory = (at: number): Filter => ({ category: `c${at % categories}` });

/** @returns how many passages the environment asks for. */
export function countOf(otherwise: number): number {
	return Number(process.env["BENCH_PASSAGES"] ?? otherwise);
}

/** @param stride the words from the beginning of a passage to that of the next */
export async function passagesOf(embedder: Embedder, count: number, stride = wordsPerPassage): Promise<readonly Passage[]> {
	const file = process.env["BENCH_TEXTS"];
	const wanted = (count - 1) * stride + wordsPerPassage;
	const words = file === undefined ? madeUp(wanted) : (await Bun.file(file).text()).split(/\s+/);
	if (words.length < wanted) throw new Error(`${wanted} words are needed, and the text has ${words.length}`);
	const texts = Array.from({ length: count }, (_, at) => words.slice(at * stride, at * stride + wordsPerPassage).join(" "));
	const vectors = await embedTexts(texts, embedder, "document", createStep());
	return texts.map((text, at) => ({ id: `p${at}`, text, vector: vectors[at] ?? new Float32Array(), tag: `tag-${at % tags}`, category: `c${at % categories}` }));
}

function madeUp(wanted: number): readonly string[] {
	const writer = createWriter(7);
	const words: string[] = [];
	while (words.length < wanted) words.push(...writer.note().content.split(/\s+/));
	return words;
}

export async function questionsOf(embedder: Embedder): Promise<readonly Question[]> {
	const file = process.env["BENCH_QUESTIONS"];
	const writer = createWriter(9);
	const texts = file === undefined ? Array.from({ length: asked }, () => writer.question()) : (await Bun.file(file).text()).trim().split("\n").slice(0, asked);
	const vectors = await embedTexts(texts, embedder, "query", createStep());
	return texts.map((text, at) => ({ text, vector: vectors[at] ?? new Float32Array() }));
}
