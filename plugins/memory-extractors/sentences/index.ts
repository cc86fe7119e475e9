/**
 * Draws memories by rules, with no model: sentence by sentence, who says what, turned into a statement about them with the
 * dates worked out. It reads English; other languages give nothing rather than junk. A conversation gives what people say
 * of themselves and of what they name; an article gives its few most telling sentences.
 */

import { definePlugin, limits, type Memory, type MemoryDraft, type MemoryExtractor, type Reading } from "cairn";
import { z } from "zod";
import { dateSentence } from "./dates.ts";
import { inferencesOf } from "./inferences.ts";
import { withoutNearCopies } from "./near-copies.ts";
import { withNewHome } from "./new-home.ts";
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
			for (const sentence of all) {
				step.signal.throwIfAborted();
				const draft = draftOf(sentence, { reading, said: day, isDiary, picked, narrator: chosen.narrator });
				if (draft !== null) drafts.push(draft);
			}
			const said = withoutNearCopies(drafts);
			return withoutNearCopies([...said, ...inferencesOf(said)]).slice(0, limits.memoriesPerDocumentMax);
		},
	};
}

interface Circumstances {
	readonly reading: Reading;
	readonly said: Date;
	readonly isDiary: boolean;
	readonly picked: ReadonlyMap<Sentence, string>;
	readonly narrator: string;
}

/** The day the text speaks of as today: what the metadata says, else when it came. */
function saidAt({ document }: Reading): Date {
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
		const text = references.resolve(withoutOpeners(sentence.text));
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

function draftOf(sentence: Sentence, about: Circumstances): MemoryDraft | null {
	const told = tell(sentence, about);
	if (told === null) return null;
	const dated = dateSentence(finished(told.text), about.said, told.manner !== "prose" || about.reading.document.metadata["documentDate"] !== undefined);
	const { eventTime, forgetAfter } = dated;
	const text = withNewHome(dated.text);
	if (text.length > memoryCharactersMax) return null;
	return {
		text,
		isStatic: forgetAfter === null && isLasting(text),
		isInference: false,
		confidence: confidenceOf(text, told.manner),
		subject: subjectOf(text),
		eventTime,
		forgetAfter,
		evidence: [{ document: about.reading.document.id, chunk: sentence.chunk.id, span: sentence.span }] satisfies Memory["evidence"],
	};
}

function tell(sentence: Sentence, { picked, isDiary, narrator }: Circumstances): { readonly text: string; readonly manner: Manner } | null {
	const prose = picked.get(sentence);
	if (prose !== undefined) return { text: prose, manner: "prose" };
	const { speaker } = sentence;
	if (speaker === null && !isDiary && !settled.test(sentence.text)) return null;
	if (speaker?.isAssistant === true) return confirmed(sentence.text, speaker.partner ?? narrator);
	const statement = statementOf(sentence.text);
	if (statement === null) return null;
	const own = toThirdPerson(statement, speaker?.name ?? narrator, "first");
	if (!/\byou(?:r|rs|rself|['’]\p{L}+)?\b/iu.test(own)) return { text: own, manner: own === statement ? "other" : "said" };
	return speaker?.partner == null ? null : { text: toThirdPerson(own, speaker.partner, "second"), manner: "said" };
}

/** `Noted: you live in Berlin` repeats a fact to be kept; all else an assistant says is its own. */
const confirmation =
	/^(?:(?:ok(?:ay)?|great|thanks|thank you|sure|perfect)[,.!]\s+)?(?:(?:noted|got it|understood)[,.:!—–-]*\s+(?:that\s+)?|i(?:['’]ll| will| have|['’]ve) (?:remember(?:ed)?|noted?|saved?|recorded?|updated?|note down)(?: down)?(?: that)?[:,]?\s+)(?=you\b|you['’]|your\b)/i;

function confirmed(text: string, user: string): { readonly text: string; readonly manner: Manner } | null {
	const [found] = confirmation.exec(text) ?? [];
	if (found === undefined || text.includes("?")) return null;
	return { text: toThirdPerson(text.slice(found.length), user, "second"), manner: "confirmed" };
}

/** A capital in front, a full stop behind. */
function finished(text: string): string {
	const whole = text.charAt(0).toUpperCase() + text.slice(1);
	return /[.!]["”’)]?$/.test(whole) ? whole : `${whole}.`;
}
