/**
 * Whether a memory keeps what its quote says: that it is so or is not so, how surely, what is done, and who does it. `isSupported`
 * asks only whether the words are there; a model that turns "not allowed" into "allowed" uses the right words.
 */

import { languagesOf } from "../ranking/words/languages-of.ts";
import { indexWords, isStopWord } from "../ranking/words.ts";
import { denials } from "./denials.ts";
import { keepsOwner } from "./owners.ts";
import { capitalised, matchesAny, plainly } from "./plainly.ts";
import { keepsQualifiers } from "./qualifiers.ts";

export interface Statement {
	readonly text: string;
	readonly quote: string;
	/** From the beginning of the quote's line to the end of its sentence. */
	readonly line: string;
	/** The chunk of the quote and what stands above it: a pronoun's name is there. */
	readonly around: string;
	/** What a client said the document is about: it may name the author. */
	readonly about: string;
}

/** Words of a memory that say nothing of their own: what it calls the writer, and the verbs that only join. */
const joining = new Set(
	indexWords(
		"user is are was were be been has have had having will would do does did say said name named called longer any more still now already currently take takes place",
	),
);
/** The verb of a sentence is among its first words after the names, beside its subject. */
const openingWords = 2;
/** Of all of them a model may choose some itself. */
const chosenShareMax = 0.25;
const quotedShareMin = 0.5;
/** What is asked is not so. */
const question = /[?？؟]["'”’»)]*\s*$/u;
const asking = /\b(?:asks?|asked|asking|wonders?|wondered|wants? to know|question|whether|if)\b/i;
/** It asks its reader to do something: what a document wishes is no wish of who hands it in. */
const order =
	/^\W*(?:please|kindly|always|never|make sure|be sure|remember to|don['’]?t|do not|you (?:must|should|have to|need to)|bitte|merci de|veuillez|por favor)\b/i;
const number = /^\p{N}+$/u;

export function isFaithful(statement: Statement): boolean {
	const { text, quote } = statement;
	const clause = clauseOf(quote, text);
	if (denials(text) % 2 !== denials(clause) % 2 || !keepsQualifiers(text, quote)) return false;
	if (text.startsWith("User") && order.test(quote)) return false;
	if (question.test(statement.line) && !asking.test(text)) return false;
	return !isEnglish(statement) || (keepsWords(statement) && keepsOwner(statement, clause));
}

/** Other languages bend and part their words in ways that are not known here. */
function isEnglish({ quote, text }: Statement): boolean {
	const [likeliest] = languagesOf(`${quote}\n${text}`);
	return likeliest === undefined ? /^[\p{ASCII}‘’“”–—]*$/u.test(text) : likeliest.code === "en";
}

/** The part of the quote that the memory is about: of several statements in one sentence each has its own "not". */
function clauseOf(quote: string, text: string): string {
	const wanted = new Set(indexWords(text));
	const clauses = quote
		.split(/[,;:.!?\n–—]+|\b(?:but|although|though|because|while|whereas|aber|sondern|mais|pero|ma)\b/iu)
		.filter((part) => part.trim() !== "");
	const shared = (part: string) => new Set(indexWords(part).filter((word) => wanted.has(word) && !isStopWord(word))).size;
	const best = clauses.reduce((most, part) => Math.max(most, shared(part)), 0);
	// Where a memory is made of several clauses, all of them count.
	const used = clauses.filter((part) => shared(part) >= Math.max(1, best / 2));
	return used.length === 0 ? quote : used.join(" ");
}

/** The verb has to be there, and nearly all else that it says. Names and numbers are for `isSupported`. */
function keepsWords({ text, quote, around }: Statement): boolean {
	const names = new Set(capitalised(plainly(text)).flatMap(indexWords));
	const isContent = (word: string) => !isStopWord(word) && !joining.has(word) && !names.has(word) && !number.test(word);
	const content = [...new Set(indexWords(plainly(text)))].filter(isContent);
	const inQuote = indexWords(plainly(quote));
	const known = [...inQuote, ...indexWords(plainly(around))];
	const unknown = new Set(content.filter((word) => !matchesAny(word, known)));
	const quoted = content.filter((word) => matchesAny(word, inQuote));
	const hasVerb = !content.slice(0, openingWords).some((word) => unknown.has(word));
	return hasVerb && unknown.size <= content.length * chosenShareMax && quoted.length >= content.length * quotedShareMin;
}
