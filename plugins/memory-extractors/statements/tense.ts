/** The tense in which a time expression is told: the day lies in the past, or in the future, or that is unclear. */

import { isBaseForm, isOnlyVerb, isPastForm, isThirdPerson } from "./verbs.ts";

export type Tense = "past" | "future" | "unclear";

const clauseEnd = /[.;!?:,]\s|\s[-–—]\s|\s(?:and|but|so|because|that)\s/g;
const sentenceEnd = /[.;!?]\s/g;
/** Verbs in the present or future that are not in the third person singular. */
const presentVerb = /^(?:will|shall|would|is|are|am|can|must|should|may|might|won't|isn't|aren't|can't|(?:he|she|it|that|there)'s)$|'(?:ll|m|re)$/;
/** With these words before it, a participle is no past: `is sold`, `to be sold`, `gets sold`. */
const beforeParticiple = /^(?:the|a|an|my|our|his|her|their|your|be|been|to|is|are|am|gets?)$|'(?:m|re)$/;
const beforeBaseForm = /^(?:i|we|you|they|us|to|people|.*[^s']s)$/;
/** `In February, I met …`: an expression with at most this many words before it belongs to the clause behind its comma. */
const openingWordsMax = 3;

/** The tense of the nearest verb in the clause: the last one before the expression, or else the first one after it. If the clause has no verb, that of the sentence counts. */
export function tenseAt(text: string, begin: number, end: number): Tense {
	return tenseWithin(text, begin, end, clauseEnd) ?? tenseWithin(text, begin, end, sentenceEnd) ?? "unclear";
}

function tenseWithin(text: string, begin: number, end: number, boundary: RegExp): Tense | null {
	const from = Math.max(...[...text.slice(0, begin).matchAll(boundary)].map(({ index, 0: mark }) => index + mark.length), 0);
	const before = wordsOf(text.slice(from, begin));
	const rest = before.length <= openingWordsMax ? text.slice(end).replace(/^,/, "") : text.slice(end);
	const to = rest.search(boundary);
	return tensesOf(before).at(-1) ?? tensesOf(wordsOf(to < 0 ? rest : rest.slice(0, to)))[0] ?? null;
}

function wordsOf(text: string): readonly string[] {
	return (
		text
			.toLowerCase()
			.replaceAll("’", "'")
			.match(/[\p{L}']+/gu) ?? []
	);
}

/** The tenses of the verbs, in order. */
function tensesOf(words: readonly string[]): readonly Tense[] {
	const gets = words.indexOf("gets");
	return words.flatMap((word, i): readonly Tense[] => {
		const before = words[i - 1] ?? "";
		if (isPerfect(word) && words.slice(i + 1, i + 5).some(isPastForm)) return ["past"];
		const isPast = /^(?:was|were|did|had|wasn't|weren't|didn't|hadn't)$/.test(word) || isPastForm(word);
		const isParticiple = beforeParticiple.test(before) || /^(?:called|named)$/.test(word) || (gets >= 0 && gets < i);
		if (isPast) return isParticiple ? [] : ["past"];
		return isPresent(word, before, i === 0) ? ["future"] : [];
	});
}

function isPerfect(word: string): boolean {
	return /^(?:has|have|had)$|'ve$|^(?:he|she|it|that)'s$/.test(word);
}

function isPresent(word: string, before: string, isFirst: boolean): boolean {
	if (isThirdPerson(word) || presentVerb.test(word) || (/^(?:he|she|it)$/.test(before) && /[^s]s$/.test(word))) return true;
	if (/..ing$/.test(word)) return isFirst || /'s$/.test(before);
	return !/^did(?:n't)?$/.test(before) && (isOnlyVerb(word) || (isBaseForm(word) && (isFirst || beforeBaseForm.test(before))));
}
