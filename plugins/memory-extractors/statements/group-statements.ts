/** Groups sentences into statements: a sentence that depends on the previous one is added to it, and a short answer to its question. */

import { yieldIfDue } from "cairn-memory/words";
import { answeredQuestion, dependentStart, hasContent, hasMuchContent, isDependent, isQuestion, previousLineOf } from "./dependent-sentences.ts";
import { statementOf, withoutFiller } from "./fillers.ts";
import { isIdle } from "./noise.ts";
import type { Sentence } from "./read-sentences.ts";
import { isWorthKeeping } from "./worth-keeping.ts";

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
export async function statementsOf(sentences: readonly Sentence[], talkers: ReadonlySet<string>): Promise<readonly Statement[]> {
	const lengths = new Map<number, number>();
	for (const { passage, text } of sentences) lengths.set(passage, (lengths.get(passage) ?? 0) + text.length);
	const statements: Statement[] = [];
	let current: Statement | null = null;
	for (const [i, sentence] of sentences.entries()) {
		const pause = yieldIfDue();
		if (pause !== null) await pause;
		const line = shortLineAt(sentences, i);
		if (line.length > 0) {
			current = null;
			if (line[0] === sentence) addLineStatements(statements, line, talkers);
			continue;
		}
		const text = withoutReaction(sentence);
		if (current !== null && current.sentences[0]?.passage !== sentence.passage) current = null;
		const question = answeredQuestion(sentences, i, talkers);
		const isWorthy = isWorthKeeping(text, sentence, talkers, lengths.get(sentence.passage) ?? 0);
		if (question !== null) current = addStatement(statements, { ...statementWithoutQuestion([sentence], [sentence.text]), answers: question, isAnswer: true });
		else if (isDependent(text, sentence)) current = addDependent(current, statements, sentences, i, text, isWorthy, talkers);
		else if (isWorthy) current = addStatement(statements, statementWithoutQuestion([sentence], [text]));
		else if (!isIdle(text)) current = null;
	}
	return statements;
}

/** The sentences of a short line of prose; none if the line is spoken or long. */
function shortLineAt(sentences: readonly Sentence[], i: number): readonly Sentence[] {
	const sentence = sentences[i];
	if (sentence === undefined || (sentence.context.speaker !== null && sentence.context.speaker.role !== "writer")) return [];
	let [from, to] = [i, i + 1];
	while (sentences[from - 1]?.line === sentence.line && to - from <= sentencesMax) from--;
	while (sentences[to]?.line === sentence.line && to - from <= sentencesMax) to++;
	const line = sentences.slice(from, to);
	return line.length <= sentencesMax && line.reduce((sum, { text }) => sum + text.length, 0) <= lineCharactersMax ? line : [];
}

/** Each independent sentence begins a statement; sentences before the first one, and dependent ones, stay with it. */
function addLineStatements(statements: Statement[], line: readonly Sentence[], talkers: ReadonlySet<string>): void {
	const groups: { sentences: Sentence[]; isWorthy: boolean }[] = [];
	for (const sentence of line) {
		if (isIdle(sentence.text)) continue;
		const text = withoutFiller(sentence.text);
		const isWorthy = isWorthKeeping(text, sentence, talkers, 0);
		const last = groups.at(-1);
		const isDependentSentence = isDependent(text, sentence) || (last !== undefined && dependentStart.test(text));
		// What an item of a document goes on with is mostly about the thing that its first sentence names.
		const isOfItem = sentence.kind === "item" && sentence.context.speaker === null;
		if (last === undefined || (last.isWorthy && !isDependentSentence && !isOfItem)) groups.push({ sentences: [sentence], isWorthy });
		else {
			last.sentences.push(sentence);
			last.isWorthy ||= isWorthy || (isQuestion(last.sentences[0]?.text ?? "") && hasContent(text, talkers));
		}
	}
	for (const [i, { sentences, isWorthy }] of groups.entries()) if (isWorthy) addGroup(statements, sentences, i === 0);
}

/** A line that begins with a pronoun is added to the previous statement, if there is one in its passage. */
function addGroup(statements: Statement[], sentences: readonly Sentence[], isFirst: boolean): void {
	const texts = sentences.map(({ text }) => text);
	const previous = statements.at(-1);
	const isDependentLine = isFirst && sentences[0]?.kind === "text" && dependentStart.test(texts[0] ?? "");
	if (!isDependentLine) addStatement(statements, statementWithoutQuestion(sentences, texts));
	else if (previous?.sentences[0]?.passage === sentences[0]?.passage && previous !== undefined && previous.texts.join(" ").length < lineCharactersMax)
		statements[statements.length - 1] = { ...previous, sentences: [...previous.sentences, ...sentences], texts: [...previous.texts, ...texts] };
	else if (sentences.length > 1) addStatement(statements, statementWithoutQuestion(sentences, texts));
}

/** The sentence without fillers; if it is a reaction followed by a statement, only the statement. */
function withoutReaction({ text: whole, context }: Sentence): string {
	const text = withoutFiller(whole);
	const isReaction = context.speaker?.role === "person" && (isIdle(text) || dependentStart.test(text));
	return (isReaction ? statementOf(text) : null) ?? text;
}

function statementWithoutQuestion(sentences: readonly Sentence[], texts: readonly string[]): Statement {
	return { sentences, texts, answers: null, isAnswer: false };
}

function addStatement(statements: Statement[], statement: Statement): Statement {
	statements.push(statement);
	return statement;
}

/** Adds the sentence to the one that it depends on: in the same passage, otherwise of the previous speaker. If there is none, it is dropped. */
function addDependent(
	current: Statement | null,
	statements: Statement[],
	sentences: readonly Sentence[],
	i: number,
	text: string,
	isWorthy: boolean,
	talkers: ReadonlySet<string>,
): Statement | null {
	const sentence = sentences[i];
	const previous = sentences[i - 1];
	if (sentence === undefined || text.includes("?") || !hasContent(text, talkers)) return current;
	const hasRoom = current !== null && current.sentences.length < sentencesMax && current.texts.join(" ").length + text.length < charactersMax;
	if (current !== null && hasRoom) {
		const longer = { ...current, sentences: [...current.sentences, sentence], texts: [...current.texts, text] };
		statements[statements.length - 1] = longer;
		return longer;
	}
	if (!isWorthy) return null;
	const line = withoutFiller(previous?.text ?? "");
	if (previous?.passage === sentence.passage && hasContent(line || previous.text, talkers))
		return addStatement(statements, statementWithoutQuestion([previous, sentence], [line || previous.text, text]));
	if (!dependentStart.test(text)) return hasMuchContent(text, talkers) ? addStatement(statements, statementWithoutQuestion([sentence], [text])) : null;
	const answers = previousLineOf(sentences, i, talkers);
	if (answers === null) return null;
	return addStatement(statements, { sentences: [sentence], texts: [text], answers, isAnswer: isQuestion(answers.text) });
}
