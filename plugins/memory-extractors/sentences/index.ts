/**
 * Extracts memories by rules, with no model: sentence by sentence, who says what, turned into a statement about them with the
 * dates worked out. It reads English; in eight other languages what people say of themselves is kept as it stands, under
 * their name. A conversation gives what people say of themselves and of what they name; an article gives its few most
 * telling sentences.
 */

import { definePlugin, limits, type Memory, type MemoryDraft, type MemoryExtractor, type MemoryInput } from "cairn-memory";
import { z } from "zod";
import { answered } from "./answers/answered.ts";
import { clausesOf, remainsOf } from "./clauses.ts";
import { dateSentence } from "./dates.ts";
import { maskGenericYou, unmasked } from "./generic-you.ts";
import { inferencesOf } from "./inferences.ts";
import { withoutNearCopies } from "./near-copies.ts";
import { withNewHome } from "./new-home.ts";
import { inOtherTongue } from "./other-tongues.ts";
import { type Telling, tellingSentence } from "./prose.ts";
import { readTurns, type Sentence } from "./read-turns.ts";
import { createReferences } from "./references.ts";
import { statementOf, withoutOpeners } from "./said.ts";
import { toThirdPerson } from "./third-person.ts";
import { confidenceOf, isLasting, type Manner, subjectOf } from "./traits.ts";

/** Longer is no small fact, and would be shown whole. */
const memoryCharactersMax = 500;
/** So short a text is a note, and not an article with much around its facts. */
const noteSentencesMax = 30;
/** What a group has settled stands in its minutes without the name of who says it. */
const settled = /^We (?:have |had )?(?:decided|agreed|chose|voted|resolved)\b/;
const options = z.strictObject({
	/** The most memories from one chunk of prose, beside those about people. A chunk holds seven sentences or so. */
	prosePerChunkMax: z.number().int().min(0).max(50).default(6),
	/** Who speaks in notes written in the first person without a name. */
	narrator: z.string().trim().min(1).max(60).default("User"),
});

type Options = z.output<typeof options>;

export default definePlugin({
	name: "memory-extractor-sentences",
	contract: 1,
	options,
	start: (chosen) => ({ memoryExtractor: [sentences(chosen)] }),
});

function sentences(chosen: Options): MemoryExtractor {
	return {
		name: "sentences",
		extract: async (reading, step) => {
			const day = saidAt(reading);
			const read = readTurns(reading.chunks);
			const isDiary = read.some(({ speaker }) => speaker === null) && narrates(read);
			const all = withNames(read, isDiary ? chosen.narrator : null);
			const picked = pickProse(all, isDiary, chosen.prosePerChunkMax);
			const drafts: MemoryDraft[] = [];
			const about: Circumstances = { reading, said: day, isDiary, picked, narrator: chosen.narrator };
			for (const [i, sentence] of all.entries()) {
				step.signal.throwIfAborted();
				for (const told of allTold(sentence, read, i, about)) drafts.push(...draftsOf(told, sentence, about));
			}
			const said = withoutNearCopies(drafts);
			return withoutNearCopies([...said, ...inferencesOf(said)]).slice(0, limits.memoriesPerDocumentMax);
		},
	};
}

interface Circumstances {
	readonly reading: MemoryInput;
	readonly said: Date;
	readonly isDiary: boolean;
	readonly picked: ReadonlyMap<Sentence, string>;
	readonly narrator: string;
}

/** The day the text speaks of as today: what the metadata says, else when it came. */
function saidAt({ document }: MemoryInput): Date {
	const given = document.metadata["documentDate"];
	const date = typeof given === "string" || typeof given === "number" ? new Date(given) : document.createdAt;
	return Number.isNaN(date.getTime()) ? document.createdAt : date;
}

/** Whether an unnamed writer tells of themself: two sentences of their own, or nothing but them. */
function narrates(all: readonly Sentence[]): boolean {
	const plain = all.filter(({ speaker }) => speaker === null);
	const own = plain.filter(({ text }) => /^(?:\S+\s+){0,4}?(?:I|I['’](?:m|ve|ll|d)|[Mm]y)\b/.test(text.replace(/["“][^"”]*["”]/g, ""))).length;
	return own >= Math.max(1, plain.length / 5);
}

/** Pronouns that begin a sentence give way to whom they mean. What an assistant says names nobody. */
function withNames(all: readonly Sentence[], narrator: string | null): readonly Sentence[] {
	const references = createReferences(new Set(all.flatMap(({ speaker }) => speaker?.name ?? [])));
	return all.map((sentence) => {
		if (sentence.speaker?.isAssistant === true || sentence.text.length > memoryCharactersMax) return sentence;
		const text = references.resolve(withoutOpeners(sentence.text, sentence.speaker !== null || narrator !== null));
		references.note(text, sentence.speaker?.name ?? narrator);
		return { ...sentence, text };
	});
}

/** The most telling sentences of each chunk of prose, by their worth, the earlier of two equals; and all that tell of a person. */
function pickProse(all: readonly Sentence[], isDiary: boolean, perChunkMax: number): ReadonlyMap<Sentence, string> {
	const byChunk = new Map<string, (Telling & { readonly sentence: Sentence })[]>();
	for (const sentence of all) {
		if (sentence.speaker !== null || isDiary) continue;
		const telling = tellingSentence(sentence.text, all.length <= noteSentencesMax);
		if (telling === null || telling.text.length > memoryCharactersMax) continue;
		const list = byChunk.get(sentence.chunk.id) ?? [];
		list.push({ sentence, ...telling });
		byChunk.set(sentence.chunk.id, list);
	}
	const best = [...byChunk.values()].flatMap((list) =>
		list.sort((a, b) => b.salience - a.salience).filter(({ isPersonal }, i) => isPersonal || i < perChunkMax),
	);
	return new Map(best.map(({ sentence, text }) => [sentence, text]));
}

interface Told {
	readonly text: string;
	readonly manner: Manner;
	/** Whom it begins with, where that is sure. */
	readonly speaker?: string;
	/** The question that it answers. */
	readonly question?: Sentence;
}

/** None when it grew too long. */
function draftsOf({ text: told, manner, speaker, question }: Told, sentence: Sentence, about: Circumstances): readonly MemoryDraft[] {
	const dated = dateSentence(finished(told), about.said, manner !== "prose" || about.reading.document.metadata["documentDate"] !== undefined);
	const { eventTime, forgetAfter } = dated;
	const text = withNewHome(dated.text);
	if (text.length > memoryCharactersMax) return [];
	const document = about.reading.document.id;
	const cited = question?.chunk === sentence.chunk ? [question, sentence] : [sentence];
	const draft: MemoryDraft = {
		text,
		isStatic: forgetAfter === null && isLasting(text),
		isInference: false,
		confidence: confidenceOf(text, manner),
		subject: subjectOf(text, speaker),
		eventTime,
		forgetAfter,
		evidence: cited.map(({ chunk, span }) => ({ document, chunk: chunk.id, span })) satisfies Memory["evidence"],
	};
	return [draft];
}

/** What a sentence states, and what it states as the answer to the question before it. */
function allTold(sentence: Sentence, read: readonly Sentence[], i: number, about: Circumstances): readonly Told[] {
	// As read: where a name stands for a pronoun the yes of an answer is gone.
	const answer = answered(read, i);
	const name = sentence.speaker?.name;
	if (answer === null || name === undefined) return tell(sentence, about);
	const { statement, question, isFragment } = answer;
	const told: Told = { text: toThirdPerson(statement, name, "first"), manner: "answered", speaker: name, question };
	return isFragment ? [told] : [told, ...tell(sentence, about)];
}

function tell(sentence: Sentence, { picked, isDiary, narrator }: Circumstances): readonly Told[] {
	const prose = picked.get(sentence);
	if (prose !== undefined) return [{ text: prose, manner: "prose" }];
	const { speaker } = sentence;
	if (speaker === null && !isDiary && !settled.test(sentence.text)) return [];
	if (speaker?.isAssistant === true) return confirmed(sentence.text, speaker.partner ?? narrator);
	const name = speaker?.name ?? narrator;
	const partner = speaker?.partner ?? null;
	const found = clausesOf(sentence.text).flatMap((clause) => stated(clause, name, partner));
	if (found.length > 0) return found;
	const remains = remainsOf(sentence.text).flatMap((clause) => stated(clause, name, partner));
	return remains.length > 0 || speaker === null ? remains : quoted(sentence.text, name);
}

function quoted(said: string, name: string): readonly Told[] {
	const text = inOtherTongue(said);
	return text === null ? [] : [{ text: `${name}: ${text}`, manner: "quoted", speaker: name }];
}

function stated(said: string, name: string, partner: string | null): readonly Told[] {
	const statement = statementOf(said);
	if (statement === null) return [];
	const masked = maskGenericYou(statement);
	const own = toThirdPerson(masked, name, "first");
	const manner = own === masked ? "other" : "said";
	if (!/\byou(?:r|rs|rself|['’]\p{L}+)?\b/iu.test(own)) return [{ text: unmasked(own), manner, speaker: name }];
	return partner === null ? [] : [{ text: unmasked(toThirdPerson(own, partner, "second")), manner: "said", speaker: name }];
}

/** `Noted: you live in Berlin` repeats a fact to be kept; all else an assistant says is its own. */
const confirmation =
	/^(?:(?:ok(?:ay)?|great|thanks|thank you|sure|perfect)[,.!]\s+)?(?:(?:noted|got it|understood)[,.:!—–-]*\s+(?:that\s+)?|i(?:['’]ll| will| have|['’]ve) (?:remember(?:ed)?|noted?|saved?|recorded?|updated?|note down)(?: down)?(?: that)?[:,]?\s+)(?=you\b|you['’]|your\b)/i;

function confirmed(text: string, user: string): readonly Told[] {
	const [found] = confirmation.exec(text) ?? [];
	if (found === undefined || text.includes("?")) return [];
	return [{ text: toThirdPerson(text.slice(found.length), user, "second"), manner: "confirmed" }];
}

/** A capital in front, a full stop behind. */
function finished(text: string): string {
	const whole = text.charAt(0).toUpperCase() + text.slice(1);
	return /[.!。！]["”’)]?$/.test(whole) ? whole : `${whole}.`;
}
