/**
 * Recognises a draft that says again what a person has forgotten or replaced, beside other sentences or without some of them: "Ylva keeps a
 * goat. She milks it daily." says again "Ylva keeps a goat." The first sentence of a text has the owner, the day and the headings in front.
 */

import type { MemoryId } from "../../model/id.ts";
import type { Memory, MemoryDraft } from "../../model/memory.ts";
import { normalize } from "../../ranking/words.ts";
import { sentenceSpans } from "../../text/sentence-spans.ts";
import { isTelling } from "./telling-words.ts";

/** The name, the day and the headings before a statement. A line that it answers is part of the statement. */
const front = /^[^:“”]{1,150}: /u;

/** Finds the memories that drafts repeat. Current corrections are left out, because a draft that repeats one does not contradict anybody. */
export function saysAgain(
	memories: readonly Memory[],
	drafts: readonly MemoryDraft[],
	decided: ReadonlySet<MemoryId>,
	matches: ReadonlyMap<MemoryDraft, Memory>,
): ReadonlyMap<MemoryDraft, Memory> {
	const rejected = memories.filter((memory) => decided.has(memory.id) && (memory.isForgotten || !memory.isLatest));
	if (rejected.length === 0) return new Map();
	const statements = rejected.map((memory) => ({ memory, sentences: sentencesOf(memory.text) }));
	const bySentence = Map.groupBy(
		statements.flatMap((statement) => statement.sentences.map((sentence) => ({ sentence, statement }))),
		({ sentence }) => sentence,
	);
	return new Map(
		drafts.flatMap((draft): (readonly [MemoryDraft, Memory])[] => {
			if (matches.has(draft)) return [];
			const sentences = sentencesOf(draft.text);
			const candidates = new Set(sentences.flatMap((sentence) => (bySentence.get(sentence) ?? []).map(({ statement }) => statement)));
			const found = [...candidates].find((statement) => isSameStatement(statement.sentences, sentences));
			return found === undefined ? [] : [[draft, found.memory]];
		}),
	);
}

/** The text as it is compared: without case, blanks and the full stop. */
export function comparableText(text: string): string {
	return normalize(text)
		.replace(/\s+/g, " ")
		.replace(/[\s.!]+$/, "")
		.trim();
}

function sentencesOf(text: string): readonly string[] {
	return sentenceSpans(text).map((span) => comparableText(text.slice(...span)));
}

/** Whether one is contained in the other, or both begin with the same sentence and that says something. */
function isSameStatement(a: readonly string[], b: readonly string[]): boolean {
	const [longer, shorter] = a.length < b.length ? [b, a] : [a, b];
	const [head = ""] = shorter;
	const at = longer.indexOf(head);
	if (at === 0 && !head.includes("“") && isTelling(head.replace(front, ""))) return true;
	return at >= 0 && shorter.every((sentence, i) => longer[at + i] === sentence) && (at === 0 || isTelling(shorter.join(" ")));
}
