/** Questions and the few words that answer them; lines that another speaker's line points at. */

import { isIdle } from "./idle.ts";
import { informs, leaning, looseObject } from "./leaning.ts";
import { withoutFiller } from "./openers.ts";
import type { Sentence } from "./read-sentences.ts";
import { wordsOf } from "./words.ts";

/** A question or a line that is longer has told its own story. */
const answeredCharactersMax = 160;
const answerWordsMax = 12;
/** So many sentences of the answerer may stand between a question and the answer: `one sec`. */
const betweenMax = 2;
/** So many sentences above one are looked through for what it points at. */
const lookedAtMax = 4;
const polar =
	/^(?:yes|yeah|yea|yep|yup|no|nope|nah|not (?:yet|really|at all|any ?more)|never|sometimes|often|always|rarely|of course|definitely|absolutely|sure)\b/i;
const questionMark = /[?？]["”’)]?\s*$/;
/** A yes or a no to it says something of the one who answers, or of theirs. */
const asksOther = /^(?!.*\b(?:can|could|would|will|shall|may|should) (?:I|we|you)\b).*\byour?s?\b/i;
/** Who types fast leaves the mark out. */
const unmarkedQuestion =
	/^(?:(?:so|and|but|then|ok),? )?(?:(?:what|where|who|when|which|how|why)(?:['’]s)? (?:is|are|was|were|do|does|did|can|could|will|would|should|have|has|many|much|long|often|old|took|takes)\b|(?:do|does|did|are|can|could|will|would|have) (?:you|we|they|he|she|it|i)\b)[^.!]*$/i;
/** What it asks about stands elsewhere, or it is asked to be polite. */
const looseQuestion =
	/^(?:(?:is|was|did|does|do|are|were|have|has|can|could|would|will) (?:it|that|this|they|he|she|those|these)\b|how (?:are|is|was|were|do|did|about|have)\b|what (?:about|do you (?:think|mean)|happened|is (?:it|that)|can i|would you like)\b|are you (?:ok|okay|sure|serious|kidding|ready)|any|right|ok|okay|really|ready|huh)\b/i;

/** The last question of somebody else right before each sentence that begins a turn: its words help to find what follows. */
export function questionsBefore(sentences: readonly Sentence[]): ReadonlyMap<Sentence, Sentence> {
	const found = new Map<Sentence, Sentence>();
	let question: Sentence | null = null;
	for (const [i, sentence] of sentences.entries()) {
		const before = sentences[i - 1];
		if (before !== undefined && before.passage !== sentence.passage) {
			const isOther = before.context.speaker !== null && before.context.speaker.name !== sentence.context.speaker?.name;
			question = isOther && isQuestion(before.text) && before.text.length <= answeredCharactersMax ? before : null;
		}
		if (question !== null && sentence.context.speaker !== null) found.set(sentence, question);
	}
	return found;
}

export function isQuestion(text: string): boolean {
	return questionMark.test(text) || unmarkedQuestion.test(text);
}

/** The last line of the speaker before that says something; null where the same speaker goes on. */
export function lineAbove(sentences: readonly Sentence[], i: number, talkers: ReadonlySet<string>): Sentence | null {
	const sentence = sentences[i];
	let at = i - 1;
	while (sentence !== undefined && i - at < lookedAtMax && sentences[at]?.passage === sentence.passage) at--;
	const above = sentences.slice(Math.max(0, at - 1), at + 1).filter(({ passage }) => passage === sentences[at]?.passage);
	return (sentence === undefined ? undefined : above.findLast((line) => isAnswerable(line, sentence, talkers))) ?? null;
}

/** The question that a sentence answers with a few words, a yes or a no; null for any other sentence. */
export function questionOf(sentences: readonly Sentence[], i: number, talkers: ReadonlySet<string>): Sentence | null {
	const sentence = sentences[i];
	if (sentence === undefined || sentence.context.speaker === null || sentence.text.includes("?")) return null;
	if (isIdle(sentence.text) || /^(?:what|which|who|where|when|why|how)\b/i.test(sentence.text)) return null;
	let at = i - 1;
	while (at > i - 1 - betweenMax && sentences[at]?.passage === sentence.passage && isFiller(sentences[at]?.text ?? "")) at--;
	if (sentences[at]?.passage === sentence.passage) return null;
	while (at > i - 1 - betweenMax && sentences[at]?.context.speaker?.name === sentence.context.speaker.name) at--;
	const question = sentences[at];
	if (question === undefined || !isQuestion(question.text) || !isAnswerable(question, sentence, talkers)) return null;
	const words = wordsOf(sentence.text, talkers);
	const isShort = words.all.length <= answerWordsMax && (!words.hasVerb || leaning.test(sentence.text) || polar.test(sentence.text));
	const isPolar = polar.test(sentence.text) && words.all.length <= answerWordsMax;
	if (!isShort && !isPolar) return null;
	const asked = wordsOf(question.text, talkers);
	const tells = isPolar
		? asksOther.test(question.text) && (asked.telling >= 2 || !looseObject.test(question.text))
		: words.hasFigure || words.hasName || words.telling >= 1;
	return tells && (isPolar || asked.telling + words.telling >= 2) ? question : null;
}

function isAnswerable(line: Sentence, sentence: Sentence, talkers: ReadonlySet<string>): boolean {
	const isOther = line.context.speaker !== null && line.context.speaker.name !== sentence.context.speaker?.name;
	const text = withoutFiller(line.text) || line.text;
	const isTelling = isQuestion(line.text) ? wordsOf(text, talkers).telling >= 1 : informs(text, talkers);
	return isOther && line.text.length <= answeredCharactersMax && isTelling && !looseQuestion.test(text);
}

/** `Um.`, `Yes.`: the answer proper follows. */
function isFiller(text: string): boolean {
	return wordsOf(text).telling === 0 && text.length < 20;
}
