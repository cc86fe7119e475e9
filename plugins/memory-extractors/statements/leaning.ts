/** What a sentence needs from lines before it: one that it leans on, a question that it answers, a line that it points at. */

import { withoutFiller } from "./fillers.ts";
import { isIdle } from "./noise.ts";
import type { Sentence } from "./read-sentences.ts";
import { finiteVerbAt, isThird } from "./verbs.ts";
import { wordsOf } from "./words.ts";

/** They point back where they begin a sentence. */
export const leaning =
	/^(?:he|she|it|they|them|his|her|hers|its|their|theirs|this|that|these|those|both|neither|either|such|the (?:first|second|third|last|latter|former|other|others|same|rest)|others|another|some|most|so|then|and|but|also|because|cause|which|who|where|same|not|since then|after that|there(?!['’]s| (?:is|are|was|were|will|isn['’]t|aren['’]t|wasn['’]t)(?!\p{L}))|(?:the |\p{L}+ ){0,3}ones?)(?:['’]\p{L}+)?(?=[\s,.:]|$)/iu;
const looseObject = /(?<![\p{L}])(?:it|them|that|this|those|these|him|there|one|ones|he|she|they)(?:['’]\p{L}+)?(?![\p{L}])/iu;
/** With so many words before it a pronoun is held by one of them. */
const holdingWords = 2;
const tellingMin = 3;

/** A pronoun at its beginning, or one that nothing in it holds; or no verb. */
export function isLeaning(text: string, { kind, context }: Sentence): boolean {
	if (kind !== "text") return false;
	if (leaning.test(text) || (context.speaker !== null && isThird(text.split(" ", 1)[0]?.toLowerCase() ?? ""))) return true;
	const words = wordsOf(text);
	if (words.isForeign) return false;
	if (!words.hasVerb && !words.isOwn) return context.speaker === null || words.telling < 3;
	const at = looseObject.exec(text)?.index ?? -1;
	return at >= 0 && finiteVerbAt(words.all) >= 0 && wordsOf(text.slice(0, at)).telling < holdingWords;
}

/** Whether there is enough in it to be kept beside another sentence. */
export function informs(text: string, talkers: ReadonlySet<string>): boolean {
	const words = wordsOf(text, talkers);
	return !isIdle(text) && (words.telling >= 2 || ((words.hasFigure || words.hasName) && words.telling >= 1));
}

/** Whether it says something although a pronoun in it means what stands elsewhere. */
export function tellsMuch(text: string, talkers: ReadonlySet<string>): boolean {
	return wordsOf(text, talkers).telling >= tellingMin;
}

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
