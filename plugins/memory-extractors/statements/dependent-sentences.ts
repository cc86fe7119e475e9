/** Decides whether a sentence depends on an earlier one, and finds the question or the line that it refers to. */

import { withoutFiller } from "./fillers.ts";
import { isIdle } from "./noise.ts";
import type { Context, Sentence } from "./read-sentences.ts";
import { finiteVerbAt, isThirdPerson } from "./verbs.ts";
import { wordFeatures } from "./word-features.ts";

/** Words that refer to an earlier sentence if they begin one. */
export const dependentStart =
	/^(?:he|she|it|they|them|his|her|hers|its|their|theirs|this|that|these|those|both|neither|either|such|the (?:first|second|third|last|latter|former|other|others|same|rest)|others|another|some|most|so|then|and|but|also|because|cause|which|who|where|same|not|since then|after that|there(?!['’]s| (?:is|are|was|were|will|isn['’]t|aren['’]t|wasn['’]t)(?!\p{L}))|(?:the |\p{L}+ ){0,3}ones?)(?:['’]\p{L}+)?(?=[\s,.:]|$)/iu;
const unresolvedPronoun = /(?<![\p{L}])(?:it|them|that|this|those|these|him|there|one|ones|he|she|they)(?:['’]\p{L}+)?(?![\p{L}])/iu;
/** A pronoun with at least this many significant words before it is taken to refer to one of them. */
const resolvingWordsMin = 2;
const significantMin = 3;

/** Whether the sentence depends on an earlier one: it begins with a pronoun, has one that refers to nothing in the sentence, or has no verb. */
export function isDependent(text: string, { kind, context }: Sentence): boolean {
	if (kind !== "text") return false;
	if (dependentStart.test(text) || (context.speaker !== null && isThirdPerson(text.split(" ", 1)[0]?.toLowerCase() ?? ""))) return true;
	const features = wordFeatures(text);
	if (features.isForeign) return false;
	if (!features.hasVerb && !features.isFirstPerson) return context.speaker === null || features.significantCount < 3;
	const index = unresolvedPronoun.exec(text)?.index ?? -1;
	return index >= 0 && finiteVerbAt(features.words) >= 0 && wordFeatures(text.slice(0, index)).significantCount < resolvingWordsMin;
}

/** Whether the sentence has enough content to be added to another one. */
export function hasContent(text: string, talkers: ReadonlySet<string>): boolean {
	const features = wordFeatures(text, talkers);
	return !isIdle(text) && (features.significantCount >= 2 || ((features.hasNumber || features.hasName) && features.significantCount >= 1));
}

/** Whether the sentence has enough content by itself although one of its pronouns refers to another sentence. */
export function hasMuchContent(text: string, talkers: ReadonlySet<string>): boolean {
	return wordFeatures(text, talkers).significantCount >= significantMin;
}

/** A longer question or line is not quoted with its answer, since it is a statement of its own. */
const answeredCharactersMax = 160;
const answerWordsMax = 12;
/** The most sentences of the answering speaker between a question and the answer, such as `one sec`. */
const sentencesBetweenMax = 2;
/** How many sentences before a sentence are searched for the line that it refers to. */
const searchedSentencesMax = 4;
const yesOrNo =
	/^(?:yes|yeah|yea|yep|yup|no|nope|nah|not (?:yet|really|at all|any ?more)|never|sometimes|often|always|rarely|of course|definitely|absolutely|sure)\b/i;
const questionMark = /[?？]["”’)]?\s*$/;
/** A question about the other speaker. The answer `yes` or `no` states something about them. */
const asksAboutOther = /^(?!.*\b(?:can|could|would|will|shall|may|should) (?:I|we|you)\b).*\byour?s?\b/i;
/** A question without a question mark. */
const unmarkedQuestion =
	/^(?:(?:so|and|but|then|ok),? )?(?:(?:what|where|who|when|which|how|why)(?:['’]s)? (?:is|are|was|were|do|does|did|can|could|will|would|should|have|has|many|much|long|often|old|took|takes)\b|(?:do|does|did|are|can|could|will|would|have) (?:you|we|they|he|she|it|i)\b)[^.!]*$/i;
/** A question that refers to an earlier sentence, or that is only polite. */
const emptyQuestion =
	/^(?:(?:is|was|did|does|do|are|were|have|has|can|could|would|will) (?:it|that|this|they|he|she|those|these)\b|how (?:are|is|was|were|do|did|about|have)\b|what (?:about|do you (?:think|mean)|happened|is (?:it|that)|can i|would you like)\b|are you (?:ok|okay|sure|serious|kidding|ready)|any|right|ok|okay|really|ready|huh)\b/i;

/** For each sentence of a turn, the question of the other speaker directly before the turn. It is indexed with the sentence, so that its words find it. */
export function questionsBefore(sentences: readonly Sentence[]): ReadonlyMap<Sentence, Sentence> {
	const questions = new Map<Sentence, Sentence>();
	let question: Sentence | null = null;
	for (const [i, sentence] of sentences.entries()) {
		const before = sentences[i - 1];
		if (before !== undefined && before.passage !== sentence.passage) {
			const isOther = before.context.speaker !== null && before.context.speaker.name !== sentence.context.speaker?.name;
			question = isOther && isQuestion(before.text) && before.text.length <= answeredCharactersMax ? before : null;
		}
		if (question !== null && sentence.context.speaker !== null) questions.set(sentence, question);
	}
	return questions;
}

export function isQuestion(text: string): boolean {
	return questionMark.test(text) || unmarkedQuestion.test(text);
}

/** The last line of the previous speaker with enough content; null if the previous turn is of the same speaker. */
export function previousLineOf(sentences: readonly Sentence[], i: number, talkers: ReadonlySet<string>): Sentence | null {
	const sentence = sentences[i];
	let index = i - 1;
	while (sentence !== undefined && i - index < searchedSentencesMax && sentences[index]?.passage === sentence.passage) index--;
	const previousTurn = sentences.slice(Math.max(0, index - 1), index + 1).filter(({ passage }) => passage === sentences[index]?.passage);
	return (sentence === undefined ? undefined : previousTurn.findLast((line) => isAnswerable(line, sentence, talkers))) ?? null;
}

/** The question that a sentence answers with a few words or with yes or no; null for any other sentence. */
export function answeredQuestion(sentences: readonly Sentence[], i: number, talkers: ReadonlySet<string>): Sentence | null {
	const sentence = sentences[i];
	if (sentence === undefined || sentence.context.speaker === null || sentence.text.includes("?")) return null;
	if (isIdle(sentence.text) || /^(?:what|which|who|where|when|why|how)\b/i.test(sentence.text)) return null;
	let index = i - 1;
	while (index > i - 1 - sentencesBetweenMax && sentences[index]?.passage === sentence.passage && isFiller(sentences[index]?.text ?? "")) index--;
	if (sentences[index]?.passage === sentence.passage) return null;
	while (index > i - 1 - sentencesBetweenMax && sentences[index]?.context.speaker?.name === sentence.context.speaker.name) index--;
	const question = sentences[index];
	if (question === undefined || !isQuestion(question.text) || !isAnswerable(question, sentence, talkers)) return null;
	const features = wordFeatures(sentence.text, talkers);
	const isShort = features.words.length <= answerWordsMax && (!features.hasVerb || dependentStart.test(sentence.text) || yesOrNo.test(sentence.text));
	const isPolar = yesOrNo.test(sentence.text) && features.words.length <= answerWordsMax;
	if (!isShort && !isPolar) return null;
	const questionFeatures = wordFeatures(question.text, talkers);
	const hasAnswer = isPolar
		? asksAboutOther.test(question.text) && (questionFeatures.significantCount >= 2 || !unresolvedPronoun.test(question.text))
		: features.hasNumber || features.hasName || features.significantCount >= 1;
	return hasAnswer && (isPolar || questionFeatures.significantCount + features.significantCount >= 2) ? question : null;
}

function isAnswerable(line: Sentence, sentence: Sentence, talkers: ReadonlySet<string>): boolean {
	const isOther = line.context.speaker !== null && line.context.speaker.name !== sentence.context.speaker?.name;
	if (!isMeantFor(line.context, sentence.context) || !isMeantFor(sentence.context, line.context)) return false;
	const text = withoutFiller(line.text) || line.text;
	const lineHasContent = isQuestion(line.text) ? wordFeatures(text, talkers).significantCount >= 1 : hasContent(text, talkers);
	return isOther && line.text.length <= answeredCharactersMax && lineHasContent && !emptyQuestion.test(text);
}

/** Whether what somebody says may be said to the speaker of another line: it is addressed to nobody by name, or to that speaker. */
function isMeantFor({ addressed }: Context, { speaker }: Context): boolean {
	return addressed === null || addressed === speaker?.name;
}

/** Whether it is only a filler before the answer itself: `Um.`, `Yes.` */
function isFiller(text: string): boolean {
	return wordFeatures(text).significantCount === 0 && text.length < 20;
}
