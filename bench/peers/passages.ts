/** What is searched and what is asked, with vectors of the embedder that Cairn comes with. */

import type { Embedder } from "../../core/plugin/contract.ts";
import { embedTexts } from "../../core/runtime/embed-texts.ts";
import { createStep } from "../../test/doubles/step.ts";
import { createWriter } from "../notes.ts";
import type { Filter, Passage, Question } from "./peer.ts";

export const count = Number(process.env["BENCH_PASSAGES"] ?? 100_000);
const wordsPerPassage = 91;
const tags = 1_000;
const categories = 20;
const asked = 500;

export const everything = () => null;
export const ofTag = (at: number): Filter => ({ tag: `tag-${(at * 37) % tags}` });
export const ofCategory = (at: number): Filter => ({ category: `c${at % categories}` });

export async function passagesOf(embedder: Embedder): Promise<readonly Passage[]> {
	const file = process.env["BENCH_TEXTS"];
	const words = file === undefined ? madeUp() : (await Bun.file(file).text()).split(/\s+/);
	const texts = Array.from({ length: Math.min(count, Math.floor(words.length / wordsPerPassage)) }, (_, at) =>
		words.slice(at * wordsPerPassage, (at + 1) * wordsPerPassage).join(" "),
	);
	if (texts.length < count) throw new Error(`the text has only ${texts.length} passages of ${wordsPerPassage} words`);
	const vectors = await embedTexts(texts, embedder, "document", createStep());
	return texts.map((text, at) => ({ id: `p${at}`, text, vector: vectors[at] ?? new Float32Array(), tag: `tag-${at % tags}`, category: `c${at % categories}` }));
}

function madeUp(): readonly string[] {
	const writer = createWriter(7);
	const words: string[] = [];
	while (words.length < count * wordsPerPassage) words.push(...writer.note().content.split(/\s+/));
	return words;
}

export async function questionsOf(embedder: Embedder): Promise<readonly Question[]> {
	const file = process.env["BENCH_QUESTIONS"];
	const writer = createWriter(9);
	const texts = file === undefined ? Array.from({ length: asked }, () => writer.question()) : (await Bun.file(file).text()).trim().split("\n").slice(0, asked);
	const vectors = await embedTexts(texts, embedder, "query", createStep());
	return texts.map((text, at) => ({ text, vector: vectors[at] ?? new Float32Array() }));
}
