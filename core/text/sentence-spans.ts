/** Finds the sentences of a text. An abbreviation does not end a sentence, and a sentence may begin with a lower-case letter, as in chats. */

export type Span = readonly [begin: number, end: number];

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
/** The text is segmented in windows of this length, so that no single call blocks the thread for long. */
const windowCharacters = 20_000;

/** Words that end in a full stop but seldom end a sentence: titles, and words before an example, a number or a name. */
const abbreviations = new Set(
	"adj al approx apt art ave blvd brig bros ca capt cf ch cmdr co col corp dept dr ed eds e.g eg esp est etc ex ext fig figs fr gen gov hon i.e ie inc jr lt ltd maj messrs mme mr mrs ms mt mx no nos nr op p ph.d pl pp pres prof pt pvt ref rep rev sec sen sgt sr st str subsp supt tel univ v ver viz vol vols vs".split(
		" ",
	),
);
/** Abbreviations that end a sentence if the next word is capitalised. */
const finalAbbreviations = new Set("al co corp etc inc jr ltd ph.d sr".split(" "));
/** `U.S.`, `D.C.`: letters with full stops. */
const initials = /^\p{L}(?:\.\p{L})+$/u;
/** Words that begin a sentence; another capitalised word behind initials is mostly part of a name: `the U.S. Senate`. */
const sentenceStart =
	/^\W*(?:The|An?|I|He|She|It|We|They|You|My|Our|His|Her|Its|Their|This|That|These|Those|There|Here|In|On|At|But|And|So|Then|When|If|What|Who|Where|Why|How|Now|No|Yes|Not|After|Before|Since|While|Although|However|Some|Many|Most|All)\b/;
const timeOfDay = /^[ap]\.m$/;
/** Days and time zones: `at 9 a.m. Monday`. */
const afterTime =
	/^\W*(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\b|(?:Jan|Feb|Mar|Apr|May|Ju[nl]|Aug|Sep|Oct|Nov|Dec)[a-z]*\b|UTC|GMT|[A-Z]{1,3}T\b|Eastern|Central|Mountain|Pacific)/;
/** Months and weekdays, before a number: `Feb. 3`. */
const shortDay = /(?:^|\s)(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Mon|Tues?|Wed|Thurs?|Fri|Sat|Sun)\.\s*$/;
const lastWord = /(?:^|[\s("'“‘[])((?:\p{L}\.)*\p{L}+|\d+)\.["'”’)\]]*\s*$/u;
/** A URL up to its question mark, behind which the segmenter begins a new sentence. */
const urlAtEnd = /:\/\/\S*[?!.]$/;
const urlCharacters = 500;
const lowerStart = /(?<=\p{L}{2}[.]|[!?])\s+(?=\p{Ll})/gu;

/** Spans of the sentences without the whitespace around them; none for a blank text. */
export function sentenceSpans(text: string): readonly Span[] {
	const spans: Span[] = [];
	for (let from = 0; from < text.length; ) {
		const to = windowEnd(text, from);
		for (const [begin, end] of correctedSpans(text.slice(from, to))) {
			const span = trimmed(text, from + begin, from + end);
			if (span !== null) spans.push(span);
		}
		from = to;
	}
	return spans;
}

/** The span without the whitespace at its ends; null if nothing is left. */
export function trimmed(text: string, begin: number, end: number): Span | null {
	const piece = text.slice(begin, end);
	const length = piece.trimEnd().length;
	return length === 0 ? null : [begin + piece.length - piece.trimStart().length, begin + length];
}

/** The end of the next window: at a line break or a space, if there is one. */
function windowEnd(text: string, from: number): number {
	const to = from + windowCharacters;
	if (to >= text.length) return text.length;
	for (const separator of ["\n", ". ", " "]) {
		const at = text.lastIndexOf(separator, to - separator.length);
		if (at > from + windowCharacters / 2) return at + separator.length;
	}
	return isLowSurrogate(text, to) ? to - 1 : to;
}

function isLowSurrogate(text: string, at: number): boolean {
	return (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

/** The segmenter's sentences, joined at abbreviations and split before lower-case sentences. */
function correctedSpans(text: string): readonly Span[] {
	const spans: Span[] = [];
	let begin = 0;
	let end = 0;
	for (const { segment, index } of segmenter.segment(text)) {
		if (index > 0 && !continues(text.slice(begin, index), segment)) {
			spans.push(...splitBeforeLowerCase(text, begin, index));
			begin = index;
		}
		end = index + segment.length;
	}
	if (end > begin) spans.push(...splitBeforeLowerCase(text, begin, end));
	return spans;
}

/** Whether the sentence before a boundary continues after it, as after an abbreviation. */
function continues(before: string, after: string): boolean {
	if (/\n\s*$/.test(before)) return false;
	if (urlAtEnd.test(before.slice(-urlCharacters)) && /^\S/.test(after)) return true;
	if (shortDay.test(before.slice(-12))) return /^\d/.test(after);
	const word = lastWord.exec(before.slice(-40))?.[1]?.toLowerCase();
	if (word === undefined) return false;
	if (/^\p{L}$/u.test(word)) return word !== "i"; // an initial: "J. Smith"
	if (timeOfDay.test(word)) return afterTime.test(after);
	if (initials.test(word) && !abbreviations.has(word)) return !sentenceStart.test(after);
	if (!abbreviations.has(word)) return false;
	return !finalAbbreviations.has(word) || !/^\p{Lu}/u.test(after);
}

function splitBeforeLowerCase(text: string, begin: number, end: number): readonly Span[] {
	const spans: Span[] = [];
	const sentence = text.slice(begin, end);
	let from = 0;
	for (const { index, 0: space } of sentence.matchAll(lowerStart)) {
		const word = lastWord.exec(sentence.slice(Math.max(0, index - 40), index))?.[1]?.toLowerCase() ?? "";
		if (abbreviations.has(word) || word.includes(".")) continue;
		spans.push([begin + from, begin + index]);
		from = index + space.length;
	}
	return [...spans, [begin + from, end]];
}
