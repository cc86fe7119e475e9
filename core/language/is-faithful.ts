/**
 * Whether a memory keeps the meaning of its quote: its negations, its qualifiers such as "maybe", its verb, and its subject.
 * `isSupported` checks only that the words occur; a model that turns "not allowed" into "allowed" uses the right words.
 */

import { languagesOf } from "../ranking/words/languages-of.ts";
import { indexWords, isStopWord } from "../ranking/words.ts";
import { capitalised, matchesAny, normaliseFamilyWords } from "./compare-words.ts";
import { countNegations } from "./count-negations.ts";
import { keepsOwner } from "./owners.ts";
import { keepsQualifiers } from "./qualifiers.ts";

export interface Statement {
	readonly text: string;
	readonly quote: string;
	/** The text from the beginning of the quote's line to the end of its sentence. */
	readonly line: string;
	/** The chunk of the quote and the text above it, where the name is that a pronoun refers to. */
	readonly context: string;
	/** The client's description of the document, which may name the author. */
	readonly about: string;
}

/** Words of a memory that need not occur in its quote: "user" for the author, and auxiliary verbs. */
const functionWords = new Set(
	indexWords(
		"user is are was were be been has have had having will would do does did say said name named called longer any more still now already currently take takes place",
	),
);
/** The verb of a sentence is usually among its first two words, not counting names and stop words. */
const openingWords = 2;
/** The largest share of a memory's words that may occur neither in its quote nor around it. */
const newShareMax = 0.25;
/** The smallest share of a memory's words that must occur in its quote. */
const quotedShareMin = 0.5;
/** A question states no fact, so its memory must say that something is asked. */
const isQuestion = /[?？؟]["'”’»)]*\s*$/u;
const saysAsked = /\b(?:asks?|asked|asking|wonders?|wondered|wants? to know|question|whether|if)\b/i;
/** The sentence asks its reader to do something, which is not a wish of the user who added the document. */
const isOrder =
	/^\W*(?:please|kindly|always|never|make sure|be sure|remember to|don['’]?t|do not|you (?:must|should|have to|need to)|bitte|merci de|veuillez|por favor)\b/i;
const number = /^\p{N}+$/u;

export function isFaithful(statement: Statement): boolean {
	const { text, quote } = statement;
	const clause = clauseOf(quote, text);
	if (countNegations(text) % 2 !== countNegations(clause) % 2 || !keepsQualifiers(text, quote)) return false;
	if (text.startsWith("User") && isOrder.test(quote)) return false;
	if (isQuestion.test(statement.line) && !saysAsked.test(text)) return false;
	return !isEnglish(statement) || (keepsWords(statement) && keepsOwner(statement, clause));
}

/** The checks of words and subjects know the grammar of English only. */
function isEnglish({ quote, text }: Statement): boolean {
	const [likeliest] = languagesOf(`${quote}\n${text}`);
	return likeliest === undefined ? /^[\p{ASCII}‘’“”–—]*$/u.test(text) : likeliest.code === "en";
}

/** The clauses of the quote that the memory is about: each clause of a sentence has its own negations. */
function clauseOf(quote: string, text: string): string {
	const memoryWords = new Set(indexWords(text));
	const clauses = quote
		.split(/[,;:.!?\n–—]+|\b(?:but|although|though|because|while|whereas|aber|sondern|mais|pero|ma)\b/iu)
		.filter((part) => part.trim() !== "");
	const shared = (part: string) => new Set(indexWords(part).filter((word) => memoryWords.has(word) && !isStopWord(word))).size;
	const best = clauses.reduce((most, part) => Math.max(most, shared(part)), 0);
	// A memory may join several clauses; then all of them count.
	const used = clauses.filter((part) => shared(part) >= Math.max(1, best / 2));
	return used.length === 0 ? quote : used.join(" ");
}

/** Whether the verb of the memory and most of its other words occur in the quote or around it. `isSupported` checks names and numbers. */
function keepsWords({ text, quote, context }: Statement): boolean {
	const names = new Set(capitalised(normaliseFamilyWords(text)).flatMap(indexWords));
	const isContent = (word: string) => !isStopWord(word) && !functionWords.has(word) && !names.has(word) && !number.test(word);
	const content = [...new Set(indexWords(normaliseFamilyWords(text)))].filter(isContent);
	const inQuote = indexWords(normaliseFamilyWords(quote));
	const sourceWords = [...inQuote, ...indexWords(normaliseFamilyWords(context))];
	const newWords = new Set(content.filter((word) => !matchesAny(word, sourceWords)));
	const quoted = content.filter((word) => matchesAny(word, inQuote));
	const hasVerb = !content.slice(0, openingWords).some((word) => newWords.has(word));
	return hasVerb && newWords.size <= content.length * newShareMax && quoted.length >= content.length * quotedShareMin;
}
