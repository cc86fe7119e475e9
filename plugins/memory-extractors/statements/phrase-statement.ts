/** Phrases a statement as a memory: in the third person if that is certain, otherwise unchanged with its context before it. */

import { writtenDay } from "./days.ts";
import { isLaughing } from "./fillers.ts";
import type { Statement } from "./group-statements.ts";
import { type Context, pathTo } from "./read-sentences.ts";
import { inThirdPerson } from "./third-person.ts";
import { auxiliaries } from "./verbs.ts";
import { nameLength } from "./word-features.ts";

export interface FramedStatement {
	/** The context before the statement, with a colon; empty if the statement itself names whom it is about. */
	readonly prefix: string;
	readonly text: string;
	/** Whether it is in the third person. */
	readonly isThirdPerson: boolean;
}

const pathCharactersMax = 110;
const headingCharactersMax = 70;
const separator = " › ";
const secondPerson = /(?<![\p{L}])you(?:r|rs|rself|['’]\p{L}+)?(?![\p{L}])/iu;
const firstOrSecondPerson = /(?<![\p{L}])(?:I|i|my|me|mine|myself|we|our|ours|us|you\p{L}*|I['’]\p{L}+|i['’]?m|(?:we|you)['’]\p{L}+)(?![\p{L}])/iu;
const pronoun = /(?<![\p{L}])(?:it|its|this|that|these|those|there|here|he|she|they|him|her|his|them|their|one|ones)(?:['’]\p{L}+)?(?![\p{L}])/iu;

/** @param day the day of the statement's context or document; null if there is none */
export function frame(statement: Statement, day: Date | null): FramedStatement {
	const resolved = statement.answers === null ? resolvedText(statement) : null;
	if (resolved !== null) return { prefix: "", text: resolved, isThirdPerson: true };
	const text = statement.texts.map(asSentence).join(" ");
	const context = statement.sentences[0]?.context;
	return { prefix: context === undefined ? "" : prefixOf(context, day, text, statement), text, isThirdPerson: false };
}

/** The statement in the third person, or null. The first sentence must be about the speaker or a named person; the others may stay unchanged if they have no first or second person. */
function resolvedText({ sentences, texts }: Statement): string | null {
	const speaker = sentences[0]?.context.speaker ?? null;
	// In a document with headings, capitalised first words are often no names; the headings say what the sentence is about.
	if (speaker?.role === "assistant" || sentences[0]?.kind === "row" || (speaker === null && (sentences[0]?.context.headings.length ?? 0) > 0)) return null;
	const sentencesInThirdPerson: string[] = [];
	for (const [i, text] of texts.entries()) {
		if (speaker !== null && isLaughing(sentences[i]?.text ?? "")) return null;
		const thirdPerson = speaker === null ? null : inThirdPerson(text.replace(/[.!]+$/, ""), speaker.name);
		const isUnchanged = !firstOrSecondPerson.test(text) && (i > 0 || isAboutName(text));
		if (thirdPerson === null && !isUnchanged) return null;
		sentencesInThirdPerson.push(asSentence(thirdPerson ?? text));
	}
	return sentencesInThirdPerson.join(" ");
}

/** `Klara works at a bakery`: the sentence begins with a name and has no pronouns. */
function isAboutName(text: string): boolean {
	return nameLength(text) > 0 && !pronoun.test(text) && !/["“”?]|\.{2}|…/.test(text);
}

/** `Ana (4 March 2026): `, `tidepool › Requirements: `; empty if there is no context. */
function prefixOf(context: Context, day: Date | null, text: string, statement: Statement): string {
	const dateText = day === null ? "" : ` (${writtenDay(day)})`;
	const { speaker } = context;
	if (speaker === null) {
		const path = pathOf(pathTo(context));
		return path === "" ? (day === null ? "" : `${writtenDay(day)}: `) : `${path}${dateText}: `;
	}
	const to = context.to !== null && secondPerson.test(text) ? ` to ${context.to}` : "";
	const { answers, isAnswer } = statement;
	const quotedLine = answers === null ? "" : `, ${isAnswer ? "asked" : `to ${answers.context.speaker?.name ?? ""}'s`} “${answers.text.replace(/[.\s]+$/, "")}”`;
	const topic = topicOf(context);
	return `${speaker.name}${to}${dateText}${topic === null ? "" : `, on “${topic}”`}${quotedLine}: `;
}

/** Headings that name a part of every meeting, and not what is spoken of. */
const sectionName =
	/^(?:(?:meeting |open )?(?:notes?|minutes|discussions?|agenda(?: items?)?|transcript|q ?& ?a|questions?|comments?|questions\/comments|topics?|log|chat|misc\p{L}*|other(?: business)?|any other business|aob|updates?|introductions?|welcome|actions?|action (?:items?|points?)|attendees|present|participants|summary|day \w+|part \w+))$/iu;

/** What a talk is on: the heading right above it, below the title of the text. Null if there is none that says it. */
function topicOf(context: Context): string | null {
	const [, ...below] = pathTo(context);
	const { speaker } = context;
	const heading = speaker?.role === "person" ? below.at(-1) : undefined;
	return heading === undefined || sectionName.test(heading) ? null : shortHeading(heading).replace(/["“”]/g, "'");
}

/** The headings as a path. If it is too long, headings in the middle are left out first. */
export function pathOf(headings: readonly string[]): string {
	const names = headings.map(shortHeading);
	while (names.length > 1 && names.join(separator).length > pathCharactersMax) names.splice(names.length > 2 ? 1 : 0, 1);
	return names.join(separator);
}

function shortHeading(heading: string): string {
	if (heading.length <= headingCharactersMax) return heading;
	const start = heading.slice(0, headingCharactersMax - 1).trimEnd();
	return `${start.toWellFormed()}…`;
}

/** The text with a capital letter at the beginning and a full stop at the end. */
export function asSentence(text: string): string {
	const trimmed = text.replace(/[\s,;:–—-]+$/u, "");
	const hasOwnSpelling = /^\p{Ll}\p{L}*(?:[\p{Lu}\d_/@-]|\.\p{L}|:\/)/u.test(trimmed) && !auxiliaries.has(trimmed.split(" ")[0] ?? "");
	const capitalised = hasOwnSpelling ? trimmed : trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
	return /[.!?。！？…]["”’)]*$/u.test(capitalised) || /\p{Extended_Pictographic}\uFE0F?$/u.test(capitalised) ? capitalised : `${capitalised}.`;
}
