/** Fingerprints of the passages that support memories: of a passage, and of the sentences that it touches. `Evidence.words` has their format. */

import type { Evidence } from "../../model/memory.ts";
import { normalize } from "../../ranking/words.ts";
import { sentenceSpans } from "../../text/sentence-spans.ts";
import { isTelling } from "./telling-words.ts";

/** This many characters of a digest are enough to distinguish all sentences of an organisation. */
const digestCharacters = 24;
/** Stands for a sentence such as "It was great.", by which nothing is recognised beside others. */
const notTelling = "-";

/** @returns the fingerprints of passages of a text, see `Evidence.words`. They ignore case, punctuation and white space. */
export function createFingerprints(text: string, digest: (text: string) => string): (passage: Evidence) => string {
	let spans: ReturnType<typeof sentenceSpans> | undefined;
	const digestOf = (words: string) => digest((normalize(words).match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")).slice(0, digestCharacters);
	return ({ span: [begin, end] }) => {
		spans ??= sentenceSpans(text);
		const whole = digestOf(text.slice(begin, end));
		const touched = spans.filter(([from, to]) => from < end && to > begin);
		// The name of the speaker before a passage tells nothing.
		const tells = ([from, to]: readonly [number, number]) => isTelling(text.slice(Math.max(from, begin), Math.min(to, end)));
		const sentences = touched.map((span) => (tells(span) ? digestOf(text.slice(...span)) : notTelling));
		return sentences.length === 1 && sentences[0] === whole ? whole : [whole, ...sentences].join(" ");
	};
}

export function fingerprintsOf({ words }: Evidence): readonly string[] {
	return words?.split(" ").filter((fingerprint) => fingerprint !== notTelling) ?? [];
}

/** Whether one of its sentences is enough to recognise it. */
export function isTellingPassage({ words = notTelling }: Evidence): boolean {
	return sentencesOf(words).some((sentence) => sentence !== notTelling);
}

export function isSamePassage({ words: a }: Evidence, { words: b }: Evidence): boolean {
	return a !== undefined && a.split(" ", 1)[0] === b?.split(" ", 1)[0];
}

/** Whether both begin with the same sentence, or one has all telling sentences of the other. */
export function isPart({ words: a = notTelling }: Evidence, { words: b = notTelling }: Evidence): boolean {
	const [sentences, others] = [sentencesOf(a), sentencesOf(b)];
	return contains(sentences, others) || contains(others, sentences) || (sentences[0] !== notTelling && sentences[0] === others[0]);
}

function contains(longer: readonly string[], [head = notTelling, ...rest]: readonly string[]): boolean {
	return head !== notTelling && [head, ...rest].every((sentence) => sentence === notTelling || longer.includes(sentence));
}

/** A passage of one sentence has only one fingerprint. */
function sentencesOf(words: string): readonly string[] {
	const [whole = notTelling, ...sentences] = words.split(" ");
	return sentences.length === 0 ? [whole] : sentences;
}
