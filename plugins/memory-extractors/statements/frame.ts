/** Words a statement as a memory: in the third person if that is certain, otherwise unchanged with its context in front. */

import { writtenDay } from "./days.ts";
import { isLaughing } from "./fillers.ts";
import type { Statement } from "./passages.ts";
import type { Context } from "./read-sentences.ts";
import { inThirdPerson } from "./third-person.ts";
import { auxiliaries } from "./verbs.ts";
import { nameLength } from "./words.ts";

export interface Framed {
	/** The context in front of the statement, with its colon; empty if the statement itself names whom it is about. */
	readonly front: string;
	readonly text: string;
	/** Whether it is in the third person. */
	readonly isResolved: boolean;
}

const pathCharactersMax = 110;
const headingCharactersMax = 70;
const separator = " › ";
const secondPerson = /(?<![\p{L}])you(?:r|rs|rself|['’]\p{L}+)?(?![\p{L}])/iu;
const firstOrSecondPerson = /(?<![\p{L}])(?:I|i|my|me|mine|myself|we|our|ours|us|you\p{L}*|I['’]\p{L}+|i['’]?m|(?:we|you)['’]\p{L}+)(?![\p{L}])/iu;
const pointing = /(?<![\p{L}])(?:it|its|this|that|these|those|there|here|he|she|they|him|her|his|them|their|one|ones)(?:['’]\p{L}+)?(?![\p{L}])/iu;

/** @param day the day of its context or its document */
export function frame(statement: Statement, day: Date | null): Framed {
	const resolved = statement.answers === null ? resolvedText(statement) : null;
	if (resolved !== null) return { front: "", text: resolved, isResolved: true };
	const text = statement.texts.map(finished).join(" ");
	const context = statement.sentences[0]?.context;
	return { front: context === undefined ? "" : prefixOf(context, day, text, statement), text, isResolved: false };
}

/** The statement in the third person, or null. The first sentence must be about the speaker or a named person; the others may stay unchanged if they have no first or second person. */
function resolvedText({ sentences, texts }: Statement): string | null {
	const speaker = sentences[0]?.context.speaker ?? null;
	// In a document with headings, capitalised first words are often no names; the headings say what the sentence is about.
	if (speaker?.role === "assistant" || sentences[0]?.kind === "row" || (speaker === null && (sentences[0]?.context.headings.length ?? 0) > 0)) return null;
	const sentencesInThirdPerson: string[] = [];
	for (const [i, text] of texts.entries()) {
		if (speaker !== null && isLaughing(sentences[i]?.text ?? "")) return null;
		const own = speaker === null ? null : inThirdPerson(text.replace(/[.!]+$/, ""), speaker.name);
		const isPlain = !firstOrSecondPerson.test(text) && (i > 0 || isOfNamed(text));
		if (own === null && !isPlain) return null;
		sentencesInThirdPerson.push(finished(own ?? text));
	}
	return sentencesInThirdPerson.join(" ");
}

/** `Klara works at a bakery`: the sentence begins with a name and has no pronouns. */
function isOfNamed(text: string): boolean {
	return nameLength(text) > 0 && !pointing.test(text) && !/["“”?]|\.{2}|…/.test(text);
}

/** `Ana (4 March 2026): `, `tidepool › Requirements: `; empty if there is no context. */
function prefixOf(context: Context, day: Date | null, text: string, statement: Statement): string {
	const dated = day === null ? "" : ` (${writtenDay(day)})`;
	const { speaker } = context;
	if (speaker === null) {
		const path = pathOf(context.headings);
		return path === "" ? (day === null ? "" : `${writtenDay(day)}: `) : `${path}${dated}: `;
	}
	const to = context.to !== null && secondPerson.test(text) ? ` to ${context.to}` : "";
	const { answers, isAnswer } = statement;
	const line = answers === null ? "" : `, ${isAnswer ? "asked" : `to ${answers.context.speaker?.name ?? ""}'s`} “${answers.text.replace(/[.\s]+$/, "")}”`;
	return `${speaker.name}${to}${dated}${line}: `;
}

/** The headings as a path. If it is too long, headings in the middle are left out first. */
export function pathOf(headings: readonly string[]): string {
	const names = headings.map((heading) =>
		heading.length <= headingCharactersMax
			? heading
			: `${heading
					.slice(0, headingCharactersMax - 1)
					.trimEnd()
					.toWellFormed()}…`,
	);
	while (names.length > 1 && names.join(separator).length > pathCharactersMax) names.splice(names.length > 2 ? 1 : 0, 1);
	return names.join(separator);
}

/** The text with a capital at the beginning and a full stop at the end. */
export function finished(text: string): string {
	const bare = text.replace(/[\s,;:–—-]+$/u, "");
	const isSpelled = /^\p{Ll}\p{L}*(?:[\p{Lu}\d_/@-]|\.\p{L})/u.test(bare) && !auxiliaries.has(bare.split(" ")[0] ?? "");
	const whole = isSpelled ? bare : bare.charAt(0).toUpperCase() + bare.slice(1);
	return /[.!?。！？…]["”’)]*$/u.test(whole) || /\p{Extended_Pictographic}\uFE0F?$/u.test(whole) ? whole : `${whole}.`;
}
