/**
 * Generates questions from a user's documents: a title, a heading or a sentence is removed from its document, and the document has
 * to be found by it. Such questions use the author's words, which favours word search; the figures show by how much.
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

/** With fewer significant words a question is ambiguous. */
const wordsMin = 3;
const questionCharactersMax = 300;
/** The least length of the rest of the document. */
const restCharactersMin = 200;

/** @param random from 0 up to 1; the same numbers make the same questions */
export function ownQuestions(name: string, documents: readonly OwnDocument[], questionsMax: number, random: () => number): OwnQuestions {
	const made = shuffled(documents, random).flatMap((document) => questionOf(document, random) ?? []);
	const asked = new Map(made.slice(0, questionsMax).map((each) => [each.document.id, each]));
	const collection: Collection = {
		name,
		documents: documents.map(({ id, text }) => asked.get(id)?.document ?? { id, title: "", text, group: null }),
		questions: [...asked.values()].map(({ question }) => question),
		relevant: new Map([...asked.keys()].map((id) => [id, new Map([[id, 1]])])),
	};
	const shares = [...asked.values()].map(({ question, document }) => sharedWords(question.text, document.text));
	return { collection, sharedWords: shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length };
}

interface Made {
	readonly question: Question;
	/** Without the text of the question. */
	readonly document: CollectionDocument;
}

function questionOf({ id, title, text }: OwnDocument, random: () => number): Made | null {
	const headings = [...text.matchAll(/^#{1,6} +(.+)$/gm)].map((found) => found[1] ?? "");
	// First sentences resemble titles, and last ones are often greetings.
	const sentences = sentenceSpans(text)
		.slice(1, -1)
		.map(([begin, end]) => text.slice(begin, end));
	const kinds = [title === null ? [] : [title], headings, sentences].map((texts) => texts.filter(isInformative)).filter((texts) => texts.length > 0);
	const asked = pick(pick(kinds, random) ?? [], random);
	if (asked === undefined) return null;
	const rest = text.replaceAll(asked, " ").trim();
	if (rest.length < restCharactersMin) return null;
	return { question: { id, text: asked, group: null }, document: { id, title: "", text: rest, group: null } };
}

function isInformative(text: string): boolean {
	return text.length <= questionCharactersMax && queryWords(text, limits.queryWordsMax).length >= wordsMin;
}

function sharedWords(question: string, text: string): number {
	const asked = queryWords(question, limits.queryWordsMax);
	const there = new Set(queryWords(text, Number.POSITIVE_INFINITY));
	return asked.filter((word) => there.has(word)).length / Math.max(1, asked.length);
}

function pick<Value>(values: readonly Value[], random: () => number): Value | undefined {
	return values[Math.floor(random() * values.length)];
}

/** Fisher & Yates. */
function shuffled<Value>(values: readonly Value[], random: () => number): readonly Value[] {
	const left = [...values];
	const drawn: Value[] = [];
	while (left.length > 0) drawn.push(...left.splice(Math.floor(random() * left.length), 1));
	return drawn;
}
