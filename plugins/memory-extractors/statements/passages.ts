/** Groups sentences to statements: a sentence that depends on the previous one stays with it, and a short answer with its question. */

import { ownPartOf, withoutFiller } from "./fillers.ts";
import { informs, isLeaning, isQuestion, leaning, lineAbove, questionOf, tellsMuch } from "./leaning.ts";
import { isIdle } from "./noise.ts";
import type { Sentence } from "./read-sentences.ts";
import { isWorthKeeping } from "./worth.ts";

export interface Statement {
	/** A sentence, and those that depend on it. */
	readonly sentences: readonly Sentence[];
	/** The texts of the sentences, without greetings and laughter. */
	readonly texts: readonly string[];
	/** The line of another speaker that the statement answers. */
	readonly answers: Sentence | null;
	/** Whether that line is a question. */
	readonly isAnswer: boolean;
}

const charactersMax = 320;
const sentencesMax = 4;
/** A line of prose up to this length is split into statements sentence by sentence. */
const lineCharactersMax = 240;
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
		const question = questionOf(sentences, i, talkers);
		const isWorthy = isWorthKeeping(text, sentence, talkers, lengths.get(sentence.passage) ?? 0);
		if (question !== null) open = begin(done, { ...plain([sentence], [sentence.text]), answers: question, isAnswer: true });
		else if (isLeaning(text, sentence)) open = leanOn(open, done, sentences, i, text, isWorthy, talkers);
		else if (isWorthy) open = begin(done, plain([sentence], [text]));
		else if (!isIdle(text)) open = null;
	}
	return done;
}

/** The sentences of a short line of prose; none if the line is spoken or long. */
function shortLineAt(sentences: readonly Sentence[], i: number): readonly Sentence[] {
	const own = sentences[i];
	if (own === undefined || (own.context.speaker !== null && own.context.speaker.role !== "writer")) return [];
	let [from, to] = [i, i + 1];
	while (sentences[from - 1]?.line === own.line && to - from <= sentencesMax) from--;
	while (sentences[to]?.line === own.line && to - from <= sentencesMax) to++;
	const line = sentences.slice(from, to);
	return line.length <= sentencesMax && line.reduce((sum, { text }) => sum + text.length, 0) <= lineCharactersMax ? line : [];
}

/** Each independent sentence begins a statement; sentences before the first one, and dependent ones, stay with it. */
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

/** A line that begins with a pronoun is added to the previous statement, if there is one in its passage. */
function keepGroup(done: Statement[], sentences: readonly Sentence[], isFirst: boolean): void {
	const texts = sentences.map(({ text }) => text);
	const before = done.at(-1);
	const isLoose = isFirst && sentences[0]?.kind === "text" && leaning.test(texts[0] ?? "");
	if (!isLoose) begin(done, plain(sentences, texts));
	else if (before?.sentences[0]?.passage === sentences[0]?.passage && before !== undefined && before.texts.join(" ").length < lineCharactersMax)
		done[done.length - 1] = { ...before, sentences: [...before.sentences, ...sentences], texts: [...before.texts, ...texts] };
	else if (sentences.length > 1) begin(done, plain(sentences, texts));
}

/** The sentence without fillers; if it is a reaction followed by a statement, only the statement. */
function essenceOf({ text: whole, context }: Sentence): string {
	const text = withoutFiller(whole);
	const isReaction = context.speaker?.role === "person" && (isIdle(text) || leaning.test(text));
	return (isReaction ? ownPartOf(text) : null) ?? text;
}

function plain(sentences: readonly Sentence[], texts: readonly string[]): Statement {
	return { sentences, texts, answers: null, isAnswer: false };
}

function begin(done: Statement[], statement: Statement): Statement {
	done.push(statement);
	return statement;
}

/** Adds the sentence to the one that it depends on: in the same passage, otherwise of the previous speaker. If there is none, it is dropped. */
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
	if (before?.passage === sentence.passage && informs(line || before.text, talkers)) return begin(done, plain([before, sentence], [line || before.text, text]));
	if (!leaning.test(text)) return tellsMuch(text, talkers) ? begin(done, plain([sentence], [text])) : null;
	const answers = lineAbove(sentences, i, talkers);
	if (answers === null) return null;
	return begin(done, { sentences: [sentence], texts: [text], answers, isAnswer: isQuestion(answers.text) });
}
