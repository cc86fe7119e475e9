/**
 * Summarises a document by two to four of its own sentences: those whose words the rest of its prose uses too, with a preference for its
 * beginning. What is no sentence of prose, such as a contents list, a header of a mail, a menu or a cookie note, is never chosen,
 * and neither is an order to a language model.
 */

import { isTakeover } from "../language/is-instruction.ts";
import type { Block, Extraction } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import { indexWords, isStopWord } from "../ranking/words.ts";
import { shorten } from "../text/cut-text.ts";
import { sentenceSpans } from "../text/sentence-spans.ts";

interface Sentence {
	readonly text: string;
	/** The different words of it that mean something. */
	readonly words: readonly string[];
	/** From 0, among the sentences of prose. */
	readonly position: number;
}

const sentencesMax = 4;
/** A summary of this length is not made longer by a fourth sentence. */
const enoughCharacters = 320;
/** The sentences that are read: some thirty pages. What a document is about is said by then. */
const sentencesReadMax = 600;
const sentenceCharactersMin = 15;
const sentenceCharactersMax = 320;
/** How much more the first sentence counts than one far behind. */
const leadWeight = 3;
/** From this sentence on it counts half of that. */
const leadSentences = 3;
/** A sentence that leans on the one before it, as "However, it …" does, counts less. */
const leaningWeight = 0.5;
/** Words of the title and of headings count as if they were said this often more. */
const headingWeight = 3;

/** The source's own description, otherwise sentences of the text in their order, or a short note as it is; null if there is no prose. */
export function summarize({ title, description, blocks }: Extraction): string | null {
	if (description !== null && isTelling(description, title)) return shorten(description, limits.summaryCharactersMax);
	const sentences = readSentences(blocks);
	if (sentences.length === 0) return noteOf(blocks);
	const chosen = sentences.length <= sentencesMax ? sentences : chooseCentral(sentences, weigh(sentences, blocks, title));
	let summary = "";
	for (const { text } of chosen) if (summary.length + 1 + text.length <= limits.summaryCharactersMax) summary += `${summary === "" ? "" : " "}${text}`;
	return summary === "" ? null : summary;
}

/** People write notes without full stops; a short one is its own summary. */
function noteOf(blocks: readonly Block[]): string | null {
	if (!blocks.every((block) => isProse(block))) return null;
	const text = blocks
		.map((block) => block.text)
		.join(" ")
		.replace(/\s+/g, " ")
		.trim();
	const isShort = text.length >= sentenceCharactersMin && text.length <= enoughCharacters;
	return isShort && isMadeOfWords(text) && !leader.test(text) && !furniture.test(text) && !isTakeover(text) ? text : null;
}

const programName = /^(generated|created|made|produced|exported|converted) (by|with|using|from|in)\b/i;

/** A description tells nothing that only repeats the title, is a word or two, or names the program that made the file. */
function isTelling(description: string, title: string | null): boolean {
	const text = description.trim();
	return text !== "" && text !== title?.trim() && !programName.test(text) && (text.length >= sentenceCharactersMin || !/^[\p{ASCII}]*$/u.test(text));
}

function readSentences(blocks: readonly Block[]): readonly Sentence[] {
	const sentences: Sentence[] = [];
	const seen = new Set<string>();
	for (const block of blocks) {
		if (!isProse(block)) continue;
		const text = block.text.slice(0, 20 * limits.summaryCharactersMax);
		for (const [begin, end] of sentenceSpans(text)) {
			const sentence = text
				.slice(begin, end)
				.replace(/\s+/g, " ")
				.trim()
				.replace(/^["“„](?=[^"“”]*$)/, "");
			if (!isStatement(sentence) || isTakeover(sentence) || seen.has(sentence)) continue;
			seen.add(sentence);
			const words = [...new Set(indexWords(sentence))].filter((word) => word.length > 1 && !isStopWord(word));
			sentences.push({ text: sentence, words, position: sentences.length });
			if (sentences.length === sentencesReadMax) return sentences;
		}
	}
	return sentences;
}

const asideSections =
	/^\W*(\d+\W+)?(table of )?(contents?|references|bibliography|index|acknowledge?ments?|copyright|licen[cs]e|imprint|impressum|inhalt(sverzeichnis)?|literatur)\W*$/i;

function isProse({ kind, headings }: Block): boolean {
	return (kind === "paragraph" || kind === "list-item" || kind === "cue") && !asideSections.test(headings.at(-1) ?? "");
}

const sentenceEnd = /[.!?。！？।؟][\p{Pf}\p{Pe}"']*$/u;
/** `From: …`, `Price: …`, `12:30 …`, and what begins in the middle of a sentence. */
const fragment = /^([.,;:)\]–-]|[\p{L}\d][\p{L}\d -]{0,24}:\s|\[?\d+[\])]|\p{Ll}|[^\p{L}\p{N}\p{P}])/u;
const leader = /([.·_…\-=*])(\s?\1){3}|…/u;
const furniture =
	/\bcookies?\b|\b(skip|jump) to\b|\bjavascript\b|all rights reserved|©|privacy policy|terms of (use|service)|subscribe|newsletter|\b(log|sign) ?(in|up)\b|click here|read more|https?:|www\.|\S@\S|[|;{}<>\\].*[|;{}<>\\]/i;
const wordsMin = 4;
/** Scripts without spaces have this many signs at least in a sentence. */
const signsMin = 10;
const spacelessScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const letterShareMin = 0.75;

/** Whether a sentence is one of prose, whole and about something. */
function isStatement(sentence: string): boolean {
	const isSpaceless = spacelessScript.test(sentence);
	if (sentence.length < (isSpaceless ? signsMin : sentenceCharactersMin) || sentence.length > sentenceCharactersMax) return false;
	if (!sentenceEnd.test(sentence) || fragment.test(sentence) || leader.test(sentence) || furniture.test(sentence)) return false;
	return (isSpaceless || sentence.split(" ").length >= wordsMin) && isMadeOfWords(sentence);
}

/** Numbers, signs and shouting are not. */
function isMadeOfWords(sentence: string): boolean {
	const letters = sentence.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
	const signs = sentence.match(/\S/gu)?.length ?? 1;
	const capitals = sentence.match(/\p{Lu}/gu)?.length ?? 0;
	return letters >= signs * letterShareMin && capitals < letters * 0.5;
}

/** How much each word says of the subject: in how many sentences it is, more if the title or a heading has it. */
function weigh(sentences: readonly Sentence[], blocks: readonly Block[], title: string | null): Map<string, number> {
	const weights = new Map<string, number>();
	for (const { words } of sentences) for (const word of words) weights.set(word, (weights.get(word) ?? 0) + 1);
	const headings = blocks.slice(0, sentencesReadMax).flatMap((block) => (block.kind === "heading" ? [block.text.slice(0, limits.headingCharactersMax)] : []));
	for (const word of new Set(indexWords([title ?? "", ...headings].join(" ")))) {
		const weight = weights.get(word);
		if (weight !== undefined) weights.set(word, weight + headingWeight);
	}
	return weights;
}

const leaning =
	/^(and|but|so|or|yet|however|therefore|thus|then|also|moreover|furthermore|instead|otherwise|he|she|it|they|this|these|those|that|such|there|here|for example|in addition)\b/i;
const demonstrative = /^(?:this|these) (\p{L}+)/iu;

/** Chooses one sentence after the other. Words that a chosen sentence has said count less for the next one. */
function chooseCentral(sentences: readonly Sentence[], weights: Map<string, number>): readonly Sentence[] {
	const chosen: Sentence[] = [];
	let length = 0;
	while (chosen.length < sentencesMax && (chosen.length < sentencesMax - 1 || length < enoughCharacters)) {
		let [best, bestScore]: [Sentence | null, number] = [null, 0];
		for (const sentence of sentences) {
			if (chosen.includes(sentence) || length + sentence.text.length > limits.summaryCharactersMax) continue;
			const score = scoreOf(sentence, weights);
			if (score > bestScore) [best, bestScore] = [sentence, score];
		}
		if (best === null) break;
		chosen.push(best);
		length += best.text.length + 1;
		for (const word of best.words) weights.set(word, (weights.get(word) ?? 0) / 4);
	}
	return chosen.sort((one, other) => one.position - other.position);
}

/** The weight of its words in proportion to the root of their number, so that neither the longest nor the shortest sentence wins by length. */
function scoreOf({ text, words, position }: Sentence, weights: ReadonlyMap<string, number>): number {
	const sum = words.reduce((total, word) => total + (weights.get(word) ?? 0), 0);
	return (sum / Math.sqrt(words.length + 4)) * (1 + leadWeight / (1 + position / leadSentences)) * (leansOn(text, weights) ? leaningWeight : 1);
}

/** Whether a sentence needs the one before it. "This handbook is …" does not, where the title or a heading says what "this" is. */
function leansOn(text: string, weights: ReadonlyMap<string, number>): boolean {
	const [named = ""] = indexWords(demonstrative.exec(text)?.[1] ?? "");
	return leaning.test(text) && (weights.get(named) ?? 0) <= headingWeight;
}
