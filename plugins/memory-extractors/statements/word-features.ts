/** Features of the words of a statement: how many are significant, whether there is a number or a name, whether it is in the first person. */

import { isStopWord, languagesOf } from "cairn-memory/words";
import { auxiliaries, finiteVerbAt, isAdverb, isBaseForm, isPastForm, isSameInPast, isThirdPerson } from "./verbs.ts";

export interface WordFeatures {
	/** All words in order, in lower case. */
	readonly words: readonly string[];
	/** The number of significant words: those that carry meaning without the others. */
	readonly significantCount: number;
	readonly hasNumber: boolean;
	/** Whether it contains a name other than those of the speakers. */
	readonly hasName: boolean;
	/** Whether it is in the first person. */
	readonly isFirstPerson: boolean;
	readonly hasVerb: boolean;
	/** Whether it is in another language than English, whose grammar is not known here. */
	readonly isForeign: boolean;
}

/** Words that are not significant: they express a mood, or hardly anything. */
const insignificantWords = new Set(
	"really much lot lots pretty super yes yeah yep definitely absolutely totally well either actually thing things stuff good great nice fun cool awesome okay ok bit maybe know think guess sure sound sounds feel like love lol haha wow amazing wonderful lovely perfect fine interesting able hope glad happy sorry bad best better right true idea way time one kind sort something anything everything nothing someone anyone everyone people let's go going get got getting come say said tell see look looks want need make makes sense mean problem course please thank thanks hi hello hey bye oh ah um uh hmm ha help enjoy exactly agree wonder excited two three four five six seven eight nine ten half twice im thats dont gonna wanna gotta guys man dude".split(
		" ",
	),
);
const numberOrTime =
	/\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|sixty|hundred|thousand|dozen|half|twice|daily|weekly|monthly|yearly|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|april|june|july|august|september|october|november|december|tomorrow|yesterday|tonight)\b/i;
const nameInSentence = /(?<=[\p{L}\p{N},;:'’)] )\p{Lu}[\p{L}\p{N}’'-]*\p{L}/gu;
const notName = /^(?:I|I['’]\p{L}+|OK|LOL|OMG|TV|Mr|Mrs|Ms|Dr|God|Oh|Yes|No|Well|And|But|So|The|A|It|That|This|We|You|My|Maybe|Haha)$/iu;
const firstPerson = /(?<![\p{L}])(?:I|i|I['’]\p{L}+|i['’]?m|my|me|mine|myself|we|we['’]\p{L}+|our|ours|us)(?![\p{L}])/iu;
const scriptWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Words that occur in most English sentences and in none of other languages. */
const commonEnglishWords = /\b(?:the|and|my|you|are|this|with|have|that|i['’]?m|is|it|of|was|for|not|your)\b/i;
const noTalkers: ReadonlySet<string> = new Set();
/** The size of the cache. A sentence is analysed several times in a row. */
const cachedSentencesMax = 200;
const caches = new WeakMap<ReadonlySet<string>, Map<string, WordFeatures>>();
/** The number of characters that count as a word in scripts without spaces. */
const charactersPerWord = 3;

/** @param talkers the names of the speakers, in lower case; they are not significant */
export function wordFeatures(text: string, talkers: ReadonlySet<string> = noTalkers): WordFeatures {
	const cache = cacheFor(talkers.size === 0 ? noTalkers : talkers);
	const cachedFeatures = cache.get(text);
	if (cachedFeatures !== undefined) return cachedFeatures;
	if (cache.size >= cachedSentencesMax) cache.clear();
	const words = analyseWords(text, talkers);
	cache.set(text, words);
	return words;
}

function cacheFor(talkers: ReadonlySet<string>): Map<string, WordFeatures> {
	const cache = caches.get(talkers) ?? new Map<string, WordFeatures>();
	caches.set(talkers, cache);
	return cache;
}

function analyseWords(text: string, talkers: ReadonlySet<string>): WordFeatures {
	const all = (text
		.toLowerCase()
		.replaceAll("’", "'")
		.match(/[\p{L}\p{M}\p{N}]+(?:['-][\p{L}\p{N}]+)*/gu) ?? []) as string[];
	const isForeign = !commonEnglishWords.test(text) && (/[^\p{ASCII}\s’‘“”–—…]/u.test(text) || all.length > 2) && isOtherLanguage(text);
	const functionWords = isForeign ? new Set(languagesOf(text)[0]?.small ?? []) : null;
	const names = (text.match(nameInSentence) ?? []).filter(
		(candidate) => !notName.test(candidate) && !talkers.has(candidate.replace(/['’]s$/, "").toLowerCase()),
	);
	const significant = all.filter((word) => isSignificant(word) && !(functionWords?.has(word) ?? false) && !talkers.has(word));
	const isWithoutSubject = lacksSubject(all);
	return {
		words: all,
		significantCount: scriptWithoutSpaces.test(text)
			? Math.max(significant.length, Math.floor((text.match(/\p{L}/gu)?.length ?? 0) / charactersPerWord))
			: new Set(significant).size,
		hasNumber: numberOrTime.test(text),
		hasName: names.length > 0,
		isFirstPerson: firstPerson.test(text) || isWithoutSubject,
		hasVerb: isWithoutSubject || /^(?:I|i|we) (?:\p{L}+ly )?\p{Ll}{2,}/u.test(text) || finiteVerbAt(all) >= 0,
		isForeign,
	};
}

/** Whether the speaker has left out `I`: `Moved here in spring`, `love hiking`, `just relaxing with the dogs`. */
function lacksSubject(words: readonly string[]): boolean {
	const firstIndex = words.findIndex((word) => !isAdverb(word) && word !== "just" && word !== "been");
	const first = words[firstIndex] ?? "";
	if (words.length < 3 || /^(?:interested|tired|excited|based|called|named|used|supposed|said|told|thought|compared|given|made|done|gone)$/.test(first))
		return false;
	return (
		isPastForm(first) ||
		/^(?:love|like|enjoy|hate|prefer|live|work)$/.test(first) ||
		(/^\p{Ll}{2,}ing$/u.test(first) &&
			!/^(?:something|anything|nothing|everything|morning|evening|being|speaking|king|thing|during)$/.test(first) &&
			finiteVerbAt(words) < 0)
	);
}

function isSignificant(word: string): boolean {
	return (
		word.length > 1 &&
		!isStopWord(word) &&
		!insignificantWords.has(word) &&
		!auxiliaries.has(word) &&
		!isAdverb(word) &&
		!(word.includes("'") && /^(?:i|you|we|they|he|she|it|that|there|what|who)'/.test(word))
	);
}

function isOtherLanguage(text: string): boolean {
	if (scriptWithoutSpaces.test(text) || !/[a-z]/i.test(text)) return true;
	const [language] = languagesOf(text);
	return language !== undefined && language.code !== "en";
}

/** Words that are capitalised at the beginning of a sentence and are not names. */
const notNameAtStart =
	/^(?:everyone|everybody|everything|someone|somebody|something|anyone|anybody|anything|nobody|nothing|people|things?|whoever|whatever|which|today|tomorrow|yesterday|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|one|two|three|many|most|some|few|such|another|next|last|maybe|perhaps|works|happy|good|great|nice|step|minutes|time|day|note)$/i;
/** How many words may stand between `Jun's` and its verb. */
const possessedWordsMax = 3;
const nameWordsMax = 4;

/** For a sentence that begins with a name and a verb, such as `Klara now works …` or `Jun's wedding was …`. @returns the number of words of the name or noun phrase; 0 for any other sentence */
export function nameLength(text: string): number {
	const words = text.split(/\s+/, nameWordsMax + possessedWordsMax + 4).map((word) => word.replaceAll("’", "'").replace(/[,;:.!]+$/, ""));
	const [first = ""] = words;
	if (
		!/^\p{Lu}/u.test(first) ||
		notNameAtStart.test(first) ||
		isStopWord(first.toLowerCase()) ||
		auxiliaries.has(first.toLowerCase()) ||
		isAdverb(first.toLowerCase()) ||
		/.ing$/.test(first)
	)
		return 0;
	let length = 1;
	while (length < nameWordsMax && continuesName(words, length)) length++;
	if (isBaseForm(first.toLowerCase()) && length === 1) return 0;
	const isPossessive = /(?:'s|s')$/.test(words[length - 1] ?? "");
	if (isPossessive) while (length < nameWordsMax + possessedWordsMax && isNoun(words[length] ?? "")) length++;
	let verbIndex = length;
	while (isAdverb(words[verbIndex] ?? "") || /^(?:no|longer)$/.test(words[verbIndex] ?? "")) verbIndex++;
	return isVerb(words[verbIndex] ?? "", isPossessive ? "" : (words[length - 1] ?? "")) ? length : 0;
}

/** Whether the word with this index belongs to the name before it: `Elena Novak`, `Nadia and Henrik`, `Hotel Meidan`, `Postgres 17`. */
function continuesName(words: readonly string[], i: number): boolean {
	const word = words[i] ?? "";
	if (/'s$/.test(words[i - 1] ?? "")) return false;
	return /^(?:\p{Lu}|\d)/u.test(word) || (/^(?:and|de|van|von|of)$/.test(word) && /^\p{Lu}/u.test(words[i + 1] ?? ""));
}

function isNoun(word: string): boolean {
	return /^[\p{L}-]+(?:'s)?$/u.test(word) && !auxiliaries.has(word) && !isAdverb(word) && (!isThirdPerson(word) || isBaseForm(word)) && !isPastForm(word);
}

/** Whether the word is a verb that fits the singular. After a plural such as `Dogs`, which is not a name, forms such as `are` do not count. */
function isVerb(word: string, cachedFeatures: string): boolean {
	const isPlural = /[^s]s$/.test(cachedFeatures) && !/'s$/.test(cachedFeatures);
	return (
		isThirdPerson(word) ||
		isPastForm(word) ||
		isSameInPast(word) ||
		(auxiliaries.has(word) && !(isPlural && /^(?:are|have|do|don't|aren't|haven't)$/.test(word)))
	);
}
