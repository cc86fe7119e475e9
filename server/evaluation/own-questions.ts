/**
 * Generates questions from a user's documents: a title, a heading or a sentence is removed from its document, and the document has
 * to be found by it. Such questions use the author's words, which favours keyword search; `sharedWords` shows by how much.
 */

import { limits } from "../../core/model/limits.ts";
import { queryWords } from "../../core/ranking/words.ts";
import { sentenceSpans } from "../../core/text/sentence-spans.ts";
import type { Collection, CollectionDocument, Question } from "./collection.ts";

export interface OwnDocument {
	readonly id: string;
	readonly title: string | null;
	readonly text: string;
}

export interface OwnQuestions {
	readonly collection: Collection;
	/** The average share of a question's significant words that are in its document. */
	readonly sharedWords: number;
}

/** A question with fewer significant words is ambiguous. */
const significantWordsMin = 3;
const questionCharactersMax = 300;
/** The document must be at least this long after the question is removed from it. */
const restCharactersMin = 200;

/** @param random returns numbers from 0 up to 1; the same numbers give the same questions */
export function ownQuestions(name: string, documents: readonly OwnDocument[], questionsMax: number, random: () => number): OwnQuestions {
	const generated = shuffled(documents, random).flatMap((document) => generateQuestion(document, random) ?? []);
	const chosen = new Map(generated.slice(0, questionsMax).map((each) => [each.document.id, each]));
	const collection: Collection = {
		name,
		documents: documents.map(({ id, text }) => chosen.get(id)?.document ?? { id, title: "", text, group: null }),
		questions: [...chosen.values()].map(({ question }) => question),
		relevant: new Map([...chosen.keys()].map((id) => [id, new Map([[id, 1]])])),
	};
	const shares = [...chosen.values()].map(({ question, document }) => sharedWords(question.text, document.text));
	return { collection, sharedWords: shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length };
}

interface GeneratedQuestion {
	readonly question: Question;
	/** Without the text of the question. */
	readonly document: CollectionDocument;
}

function generateQuestion({ id, title, text }: OwnDocument, random: () => number): GeneratedQuestion | null {
	const headings = [...text.matchAll(/^#{1,6} +(.+)$/gm)].map((match) => match[1] ?? "");
	// First sentences resemble titles, and last ones are often greetings.
	const sentences = sentenceSpans(text)
		.slice(1, -1)
		.map(([begin, end]) => text.slice(begin, end));
	const kinds = [title === null ? [] : [title], headings, sentences].map((texts) => texts.filter(isInformative)).filter((texts) => texts.length > 0);
	const chosen = pick(pick(kinds, random) ?? [], random);
	if (chosen === undefined) return null;
	const rest = text.replaceAll(chosen, " ").trim();
	if (rest.length < restCharactersMin) return null;
	return { question: { id, text: chosen, group: null }, document: { id, title: "", text: rest, group: null } };
}

function isInformative(text: string): boolean {
	return text.length <= questionCharactersMax && queryWords(text, limits.queryWordsMax).length >= significantWordsMin;
}

function sharedWords(question: string, text: string): number {
	const chosen = queryWords(question, limits.queryWordsMax);
	const textWords = new Set(queryWords(text, Number.POSITIVE_INFINITY));
	return chosen.filter((word) => textWords.has(word)).length / Math.max(1, chosen.length);
}

function pick<Value>(values: readonly Value[], random: () => number): Value | undefined {
	return values[Math.floor(random() * values.length)];
}

/** A Fisher–Yates shuffle. */
function shuffled<Value>(values: readonly Value[], random: () => number): readonly Value[] {
	const remaining = [...values];
	const result: Value[] = [];
	while (remaining.length > 0) result.push(...remaining.splice(Math.floor(random() * remaining.length), 1));
	return result;
}
