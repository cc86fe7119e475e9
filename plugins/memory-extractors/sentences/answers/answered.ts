/** What a question and the answer right after it state together, in the words of the one who answers. */

import type { Sentence } from "../read-turns.ts";
import { askedIn } from "./asked.ts";
import { openAnswer } from "./open.ts";
import { polarAnswer } from "./polar.ts";

export interface Answered {
	/** `I live in Ghent`. */
	readonly statement: string;
	readonly question: Sentence;
	/** The answer has no verb, and says nothing without the question. */
	readonly isFragment: boolean;
}

/** A question that is longer has told its own story, and so has an answer. */
const charactersMax = 300;

/** @param i the place of the sentence that may answer the one before it. */
export function answered(sentences: readonly Sentence[], i: number): Answered | null {
	const [before, question, answer] = [sentences[i - 2], sentences[i - 1], sentences[i]];
	if (question === undefined || answer === undefined || answer.speaker === null || answer.speaker.isAssistant || answer.text.includes("?")) return null;
	if (question.text.length > charactersMax || answer.text.length > charactersMax) return null;
	if (question.speaker === null || question.speaker.name === answer.speaker.name) return null;
	const asked = askedIn(question.text);
	if (asked === null) return null;
	// A yes after two questions may be to either.
	const isOneOfTwo = before?.speaker?.name === question.speaker.name && before.text.trimEnd().endsWith("?");
	const polar = isOneOfTwo ? null : polarAnswer(asked, answer.text);
	const statement = polar ?? openAnswer(asked, answer.text);
	return statement === null ? null : { statement, question, isFragment: polar === null };
}
