/** Sentences → statements: a sentence that leans on the one before it stays with it, and a short answer with its question. */

import { isIdle } from "./idle.ts";
import { ownPartOf, withoutFiller } from "./openers.ts";
import type { Sentence } from "./read-sentences.ts";
import { finiteVerbAt, isThird } from "./verbs.ts";
import { wordsOf } from "./words.ts";
import { isWorthKeeping } from "./worth.ts";

export interface Statement {
	/** One, and those that lean on it. */
	readonly sentences: readonly Sentence[];
	/** Their words, without what greets or laughs. */
	readonly texts: readonly string[];
	/** The line of another speaker that it answers. */
	readonly answers: Sentence | null;
	/** Whether that line asked. */
	readonly isAnswer: boolean;
}

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

const charactersMax = 320;
const sentencesMax = 4;
/** A line of something written that is no longer is read sentence by sentence, with what leads to the first. */
const lineCharactersMax = 240;
/** A question or a line that is longer has told its own story. */
const answeredCharactersMax = 160;
const answerWordsMax = 12;
/** So many sentences of the answerer may stand between a question and the answer: `one sec`. */
const betweenMax = 2;
/** They point back where they begin a sentence. */
const leaning =
	/^(?:he|she|it|they|them|his|her|hers|its|their|theirs|this|that|these|those|both|neither|either|such|the (?:first|second|third|last|latter|former|other|others|same|rest)|others|another|some|most|so|then|and|but|also|because|cause|which|who|where|same|not|since then|after that|there(?!['’]s| (?:is|are|was|were|will|isn['’]t|aren['’]t|wasn['’]t)(?!\p{L}))|(?:the |\p{L}+ ){0,3}ones?)(?:['’]\p{L}+)?(?=[\s,.:]|$)/iu;
const looseObject = /(?<![\p{L}])(?:it|them|that|this|those|these|him|there|one|ones|he|she|they)(?:['’]\p{L}+)?(?![\p{L}])/iu;
/** With so many words before it a pronoun is held by one of them. */
const holdingWords = 2;
const polar =
	/^(?:yes|yeah|yea|yep|yup|no|nope|nah|not (?:yet|really|at all|any ?more)|never|sometimes|often|always|rarely|of course|definitely|absolutely|sure)\b/i;
const questionMark = /[?？]["”’)]?\s*$/;
/** A yes or a no to it says something of the one who answers, or of theirs. */
const asksOther = /^(?!.*\b(?:can|could|would|will|shall|may|should) (?:I|we|you)\b).*\byour?s?\b/i;
/** Who types fast leaves the mark out. */
const unmarkedQuestion =
	/^(?:(?:so|and|but|then|ok),? )?(?:(?:what|where|who|when|which|how|why)(?:['’]s)? (?:is|are|was|were|do|does|did|can|could|will|would|should|have|has|many|much|long|often|old|took|takes)\b|(?:do|does|did|are|can|could|will|would|have) (?:you|we|they|he|she|it|i)\b)[^.!]*$/i;

export function statementsOf(sentences: readonly Sentence[], talkers: ReadonlySet<string>): readonly Statement[] {
	const lengths = new Map<number, number>();
	for (const { passage, text } of sentences) lengths.set(passage, (lengths.get(passage) ?? 0) + text.length);
	const done: Statement[] = [];
	let open: Statement | null = null;
	for (const [i, sentence] of sentences.entries()) {
		const line = shortLineAt(sentences, i);
		if (line.length > 0) {
			open = null;
			if (line[0] === sentence) ofLine(done, line, talkers);
			continue;
		}
		const text = essenceOf(sentence);
		if (open !== null && open.sentences[0]?.passage !== sentence.passage) open = null;
		const answer = answerTo(sentences, i, talkers);
		const isWorthy = isWorthKeeping(text, sentence, talkers, lengths.get(sentence.passage) ?? 0);
		if (answer !== null) open = begin(done, answer);
		else if (isLeaning(text, sentence)) open = leanOn(open, done, sentences, i, text, isWorthy, talkers);
		else if (isWorthy) open = begin(done, { sentences: [sentence], texts: [text], answers: null, isAnswer: false });
		else if (!isIdle(text)) open = null;
	}
	return done;
}

/** The sentences of a short line of something written, to be kept as one; none where somebody talks, or the line is long. */
function shortLineAt(sentences: readonly Sentence[], i: number): readonly Sentence[] {
	const own = sentences[i];
	if (own === undefined || (own.context.speaker !== null && own.context.speaker.role !== "writer")) return [];
	let [from, to] = [i, i + 1];
	while (sentences[from - 1]?.line === own.line && to - from <= sentencesMax) from--;
	while (sentences[to]?.line === own.line && to - from <= sentencesMax) to++;
	const line = sentences.slice(from, to);
	return line.length <= sentencesMax && line.reduce((sum, { text }) => sum + text.length, 0) <= lineCharactersMax ? line : [];
}

/** Each sentence that stands by itself begins a statement; what leads to the first one, or leans on one, stays with it. */
function ofLine(done: Statement[], line: readonly Sentence[], talkers: ReadonlySet<string>): void {
	const groups: { sentences: Sentence[]; isWorthy: boolean }[] = [];
	for (const sentence of line) {
		if (isIdle(sentence.text)) continue;
		const text = withoutFiller(sentence.text);
		const isWorthy = isWorthKeeping(text, sentence, talkers, 0);
		const last = groups.at(-1);
		const leans = isLeaning(text, sentence) || (last !== undefined && leaning.test(text));
		if (last === undefined || (last.isWorthy && !leans)) groups.push({ sentences: [sentence], isWorthy });
		else {
			last.sentences.push(sentence);
			last.isWorthy ||= isWorthy || (isQuestion(last.sentences[0]?.text ?? "") && informs(text, talkers));
		}
	}
	for (const [i, { sentences, isWorthy }] of groups.entries()) if (isWorthy) keepGroup(done, sentences, i === 0);
}

/** A line that begins with a pronoun goes to the statement before it, where there is one in its passage. */
function keepGroup(done: Statement[], sentences: readonly Sentence[], isFirst: boolean): void {
	const texts = sentences.map(({ text }) => text);
	const before = done.at(-1);
	const isLoose = isFirst && sentences[0]?.kind === "text" && leaning.test(texts[0] ?? "");
	if (!isLoose) begin(done, { sentences, texts, answers: null, isAnswer: false });
	else if (before?.sentences[0]?.passage === sentences[0]?.passage && before !== undefined && before.texts.join(" ").length < lineCharactersMax)
		done[done.length - 1] = { ...before, sentences: [...before.sentences, ...sentences], texts: [...before.texts, ...texts] };
	else if (sentences.length > 1) begin(done, { sentences, texts, answers: null, isAnswer: false });
}

/** Without filler; of a reaction with a statement behind it the statement. */
function essenceOf({ text: whole, context }: Sentence): string {
	const text = withoutFiller(whole);
	const isReaction = context.speaker?.role === "person" && (isIdle(text) || leaning.test(text));
	return (isReaction ? ownPartOf(text) : null) ?? text;
}

function begin(done: Statement[], statement: Statement): Statement {
	done.push(statement);
	return statement;
}

/** Adds the sentence to the one it leans on: of the same passage, else of the speaker before. What leans on nothing says nothing. */
function leanOn(
	open: Statement | null,
	done: Statement[],
	sentences: readonly Sentence[],
	i: number,
	text: string,
	isWorthy: boolean,
	talkers: ReadonlySet<string>,
): Statement | null {
	const sentence = sentences[i];
	const before = sentences[i - 1];
	if (sentence === undefined || text.includes("?") || !informs(text, talkers)) return open;
	const isRoom = open !== null && open.sentences.length < sentencesMax && open.texts.join(" ").length + text.length < charactersMax;
	if (open !== null && isRoom) {
		const longer = { ...open, sentences: [...open.sentences, sentence], texts: [...open.texts, text] };
		done[done.length - 1] = longer;
		return longer;
	}
	if (!isWorthy) return null;
	const line = withoutFiller(before?.text ?? "");
	if (before?.passage === sentence.passage && informs(line, talkers) && !isQuestion(line))
		return begin(done, { sentences: [before, sentence], texts: [line, text], answers: null, isAnswer: false });
	if (!leaning.test(text)) return begin(done, { sentences: [sentence], texts: [text], answers: null, isAnswer: false });
	const answers = lineAbove(sentences, i, talkers);
	if (answers === null) return null;
	return begin(done, { sentences: [sentence], texts: [text], answers, isAnswer: isQuestion(answers.text) });
}

/** The last line of the speaker before that says something; null where the same speaker goes on. */
function lineAbove(sentences: readonly Sentence[], i: number, talkers: ReadonlySet<string>): Sentence | null {
	const sentence = sentences[i];
	let at = i - 1;
	while (sentence !== undefined && i - at < sentencesMax && sentences[at]?.passage === sentence.passage) at--;
	const above = sentences.slice(Math.max(0, at - 1), at + 1).filter(({ passage }) => passage === sentences[at]?.passage);
	return (sentence === undefined ? undefined : above.findLast((line) => isAnswerable(line, sentence, talkers))) ?? null;
}

/** A few words, a yes or a no right after somebody else's question. */
function answerTo(sentences: readonly Sentence[], i: number, talkers: ReadonlySet<string>): Statement | null {
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
	return tells && (isPolar || asked.telling + words.telling >= 2) ? { sentences: [sentence], texts: [sentence.text], answers: question, isAnswer: true } : null;
}

function isQuestion(text: string): boolean {
	return questionMark.test(text) || unmarkedQuestion.test(text);
}

function isAnswerable(line: Sentence, sentence: Sentence, talkers: ReadonlySet<string>): boolean {
	const isOther = line.context.speaker !== null && line.context.speaker.name !== sentence.context.speaker?.name;
	const text = withoutFiller(line.text) || line.text;
	const isTelling = isQuestion(line.text) ? wordsOf(text, talkers).telling >= 1 : informs(text, talkers);
	return isOther && line.text.length <= answeredCharactersMax && isTelling && !looseQuestion.test(text);
}

/** What it asks about stands elsewhere, or it is asked to be polite. */
const looseQuestion =
	/^(?:(?:is|was|did|does|do|are|were|have|has|can|could|would|will) (?:it|that|this|they|he|she|those|these)\b|how (?:are|is|was|were|do|did|about|have)\b|what (?:about|do you (?:think|mean)|happened|is (?:it|that)|can i|would you like)\b|are you (?:ok|okay|sure|serious|kidding|ready)|any|right|ok|okay|really|ready|huh)\b/i;

/** `Um.`, `Yes.`: the answer proper follows. */
function isFiller(text: string): boolean {
	return wordsOf(text).telling === 0 && text.length < 20;
}

function informs(text: string, talkers: ReadonlySet<string>): boolean {
	const words = wordsOf(text, talkers);
	return !isIdle(text) && (words.telling >= 2 || ((words.hasFigure || words.hasName) && words.telling >= 1));
}

function isLeaning(text: string, { kind, context }: Sentence): boolean {
	if (kind !== "text") return false;
	if (leaning.test(text) || (context.speaker !== null && isThird(text.split(" ", 1)[0]?.toLowerCase() ?? ""))) return true;
	const words = wordsOf(text);
	if (words.isForeign) return false;
	if (!words.hasVerb && !words.isOwn) return context.speaker === null || words.telling < 3;
	const at = looseObject.exec(text)?.index ?? -1;
	return at >= 0 && finiteVerbAt(words.all) >= 0 && wordsOf(text.slice(0, at)).telling < holdingWords;
}
