/** What the words of a statement tell: how many say something, whether there is a figure or a name among them, whose it is, whom it names first. */

import { isStopWord, languagesOf } from "cairn-memory/words";
import { auxiliaries, finiteVerbAt, isAdverb, isBase, isPast, isThird, isTimeless } from "./verbs.ts";

export interface Words {
	/** In lower case, as they stand. */
	readonly all: readonly string[];
	/** How many say something by themselves. */
	readonly telling: number;
	readonly hasFigure: boolean;
	/** A name of somebody or something, other than those who talk. */
	readonly hasName: boolean;
	/** It speaks of the speaker. */
	readonly isOwn: boolean;
	readonly hasVerb: boolean;
	/** The speaker's language is not English: of its grammar nothing is known here. */
	readonly isForeign: boolean;
}

/** They carry a mood, or nothing. */
const empty = new Set(
	"really much lot lots pretty super yes yeah yep definitely absolutely totally well either actually thing things stuff good great nice fun cool awesome okay ok bit maybe know think guess sure sound sounds feel like love lol haha wow amazing wonderful lovely perfect fine interesting able hope glad happy sorry bad best better right true idea way time one kind sort something anything everything nothing someone anyone everyone people let's go going get got getting come say said tell see look looks want need make makes sense mean problem course please thank thanks hi hello hey bye oh ah um uh hmm ha help enjoy exactly agree wonder excited two three four five six seven eight nine ten half twice im thats dont gonna wanna gotta guys man dude".split(
		" ",
	),
);
const figure =
	/\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|sixty|hundred|thousand|dozen|half|twice|daily|weekly|monthly|yearly|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|april|june|july|august|september|october|november|december|tomorrow|yesterday|tonight)\b/i;
const name = /(?<=[\p{L}\p{N},;:'’)] )\p{Lu}[\p{L}\p{N}’'-]*\p{L}/gu;
const noName = /^(?:I|I['’]\p{L}+|OK|LOL|OMG|TV|Mr|Mrs|Ms|Dr|God|Oh|Yes|No|Well|And|But|So|The|A|It|That|This|We|You|My|Maybe|Haha)$/iu;
const own = /(?<![\p{L}])(?:I|i|I['’]\p{L}+|i['’]?m|my|me|mine|myself|we|we['’]\p{L}+|our|ours|us)(?![\p{L}])/iu;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** They stand in no sentence of other languages, and in most of English. */
const english = /\b(?:the|and|my|you|are|this|with|have|that|i['’]?m|is|it|of|was|for|not|your)\b/i;
const nobody: ReadonlySet<string> = new Set();
/** The same sentence is looked at from several sides in a row. */
const knownMax = 200;
const knownWords = new WeakMap<ReadonlySet<string>, Map<string, Words>>();
/** Of an unspaced script so many characters make a word. */
const unspacedWord = 3;

/** @param talkers the names of those who talk, in lower case: they are no news. */
export function wordsOf(text: string, talkers: ReadonlySet<string> = nobody): Words {
	const known = knownFor(talkers.size === 0 ? nobody : talkers);
	const before = known.get(text);
	if (before !== undefined) return before;
	if (known.size >= knownMax) known.clear();
	const words = readWords(text, talkers);
	known.set(text, words);
	return words;
}

function knownFor(talkers: ReadonlySet<string>): Map<string, Words> {
	const known = knownWords.get(talkers) ?? new Map<string, Words>();
	knownWords.set(talkers, known);
	return known;
}

function readWords(text: string, talkers: ReadonlySet<string>): Words {
	const all = (text
		.toLowerCase()
		.replaceAll("’", "'")
		.match(/[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? []) as string[];
	const isForeign = !english.test(text) && (/[^\p{ASCII}\s’‘“”–—…]/u.test(text) || all.length > 2) && isOtherTongue(text);
	const small = isForeign ? new Set(languagesOf(text)[0]?.small ?? []) : null;
	const names = (text.match(name) ?? []).filter((one) => !noName.test(one) && !talkers.has(one.replace(/['’]s$/, "").toLowerCase()));
	const telling = all.filter((word) => isTelling(word) && !(small?.has(word) ?? false) && !talkers.has(word));
	const isWithoutSubject = lacksSubject(all);
	return {
		all,
		telling: unspaced.test(text) ? Math.max(telling.length, Math.floor((text.match(/\p{L}/gu)?.length ?? 0) / unspacedWord)) : new Set(telling).size,
		hasFigure: figure.test(text),
		hasName: names.length > 0,
		isOwn: own.test(text) || isWithoutSubject,
		hasVerb: isWithoutSubject || /^(?:I|i|we) (?:\p{L}+ly )?\p{Ll}{2,}/u.test(text) || finiteVerbAt(all) >= 0,
		isForeign,
	};
}

/** `Moved here in spring`, `love hiking`, `just relaxing with the dogs`: who says it leaves out `I`. */
function lacksSubject(words: readonly string[]): boolean {
	const at = words.findIndex((word) => !isAdverb(word) && word !== "just" && word !== "been");
	const first = words[at] ?? "";
	if (words.length < 3 || /^(?:interested|tired|excited|based|called|named|used|supposed|said|told|thought|compared|given|made|done|gone)$/.test(first))
		return false;
	return (
		isPast(first) ||
		/^(?:love|like|enjoy|hate|prefer|adore|live|work|grew|used)$/.test(first) ||
		(/^\p{Ll}{2,}ing$/u.test(first) &&
			!/^(?:something|anything|nothing|everything|morning|evening|being|speaking|king|thing|during)$/.test(first) &&
			finiteVerbAt(words) < 0)
	);
}

function isTelling(word: string): boolean {
	return (
		word.length > 1 &&
		!isStopWord(word) &&
		!empty.has(word) &&
		!auxiliaries.has(word) &&
		!isAdverb(word) &&
		!/^(?:i|you|we|they|he|she|it|that|there|what|who)'/.test(word)
	);
}

function isOtherTongue(text: string): boolean {
	if (unspaced.test(text) || !/[a-z]/i.test(text)) return true;
	const [tongue] = languagesOf(text);
	return tongue !== undefined && tongue.code !== "en";
}

/** Capitalised words that begin a sentence and are no names. */
const notNames =
	/^(?:everyone|everybody|everything|someone|somebody|something|anyone|anybody|anything|nobody|nothing|people|things?|whoever|whatever|which|today|tomorrow|yesterday|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|one|two|three|many|most|some|few|such|another|next|last|maybe|perhaps|sounds|looks|seems|works|thanks|congrats|congratulations|happy|good|great|nice|hope|step|minutes|photo|figure|time|life|week|day|note)$/i;
/** How many words may stand between `Jun's` and its verb. */
const ownedWordsMax = 3;
const nameWordsMax = 4;

/** Whether a sentence begins with a name and says something of it: `Klara now works …`, `Jun's wedding was …`. @returns the number of words before the verb; 0 when it is no such sentence. */
export function nameLength(text: string): number {
	const words = text.split(/\s+/, nameWordsMax + ownedWordsMax + 4).map((word) => word.replaceAll("’", "'").replace(/[,;:.!]+$/, ""));
	const [first = ""] = words;
	if (
		!/^\p{Lu}/u.test(first) ||
		notNames.test(first) ||
		isStopWord(first.toLowerCase()) ||
		auxiliaries.has(first.toLowerCase()) ||
		isAdverb(first.toLowerCase()) ||
		/.ing$/.test(first)
	)
		return 0;
	let length = 1;
	while (length < nameWordsMax && continuesName(words, length)) length++;
	if (isBase(first.toLowerCase()) && length === 1) return 0;
	const isOwner = /(?:'s|s')$/.test(words[length - 1] ?? "");
	if (isOwner) while (length < nameWordsMax + ownedWordsMax && isNoun(words[length] ?? "")) length++;
	let verb = length;
	while (isAdverb(words[verb] ?? "") || /^(?:no|longer)$/.test(words[verb] ?? "")) verb++;
	return isVerb(words[verb] ?? "", isOwner ? "" : (words[length - 1] ?? "")) ? length : 0;
}

/** `Elena Novak`, `Nadia and Henrik`, `Hotel Meidan`, `Postgres 17`. */
function continuesName(words: readonly string[], i: number): boolean {
	const word = words[i] ?? "";
	if (/'s$/.test(words[i - 1] ?? "")) return false;
	return /^(?:\p{Lu}|\d)/u.test(word) || (/^(?:and|de|van|von|of)$/.test(word) && /^\p{Lu}/u.test(words[i + 1] ?? ""));
}

function isNoun(word: string): boolean {
	return /^[\p{L}-]+(?:'s)?$/u.test(word) && !auxiliaries.has(word) && !isAdverb(word) && (!isThird(word) || isBase(word)) && !isPast(word);
}

/** A plural such as `Dogs` takes no singular verb, and is no name. */
function isVerb(word: string, before: string): boolean {
	const isPlural = /[^s]s$/.test(before) && !/'s$/.test(before);
	return isThird(word) || isPast(word) || isTimeless(word) || (auxiliaries.has(word) && !(isPlural && /^(?:are|have|do|don't|aren't|haven't)$/.test(word)));
}
