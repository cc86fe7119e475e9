/** Puts the nearest fitting name in place of a pronoun that begins a sentence: `She works there` after `my sister Klara`. */

import { isStopWord } from "cairn-memory";
import { kin, type Pronoun, pronounOf } from "./kinship.ts";
import { auxiliaries, isAdverb, isBase, isPast, isThird } from "./verbs.ts";

/** Something that was named and can be pointed back to. */
interface Mention {
	readonly name: string;
	readonly kind: "person" | "thing" | "group";
	/** Null as long as it is unknown. */
	pronoun: Pronoun | null;
	/** The number of the sentence that named it last. */
	at: number;
}

export interface References {
	/** The sentence with its first pronoun named, or as it was when nothing fits. */
	readonly resolve: (sentence: string) => string;
	/** Keeps what the sentence names. `speaker` is whom `my` means. */
	readonly note: (sentence: string, speaker: string | null) => void;
}

/** How many sentences a pronoun may look back. People stay in mind longer than things. */
const reach = { person: 5, thing: 2, group: 2 } as const;
const mentionsMax = 40;
const name = String.raw`\p{Lu}[\p{L}'’-]*\p{L}(?: (?:de |van |von |da |der )?\p{Lu}[\p{L}’-]*\p{L}){0,2}`;
const owner = String.raw`(?:[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|\p{Lu}[\p{L}-]*(?: \p{Lu}[\p{L}-]*)?['’]s?)`;
const relative = new RegExp(
	String.raw`\b(${owner}) (?:(?:old|older|younger|elder|little|big|best|new|twin|late|eldest|youngest) )*(${kin})\b(?:,? (?:is (?:called|named) |named |called )?(${name}))?`,
	"gu",
);
const called = new RegExp(String.raw`\b(?:an?|the|my|our) (?:[\p{L}-]+ ){0,3}?[\p{L}-]+ (?:called|named) (${name})`, "gu");
const titled = new RegExp(String.raw`\b(?:Mr|Mrs|Ms|Dr|Prof)\.? ${name}`, "gu");
const companion = new RegExp(String.raw`\b(?:with|met|meet|married to|engaged to|married|by|and|friend|named) (${name})`, "gu");
const subject = new RegExp(String.raw`^(${name}),? (?:an? |the )?(\p{Ll}[\p{L}'’]*)`, "u");
/** `I'm left-handed` contains no name. */
const contracted = /^(?:I|we|you|he|she|it|they|that|there|here|who|what)['’](?:m|s|ll|d|re|ve)$/i;
/** What somebody has or gets: `a house`, `three dogs`, `the boat`. */
const possession =
	/\b(?:have|has|had|own|owns|bought|got|rent|rents|drive|drives|ride|rides|adopted|built|founded|opened|runs?)(?: just| also| now)? (an?|the|two|three|four|five|six|seven|eight|nine|ten|\d+) ((?:[\p{L}\p{N}-]+ ){0,2}?[\p{L}-]+)(?= (?:in|at|on|near|from|with|for|called|named|above|who|that|which|and|to|by)\b|[.,!;]|$)/u;
const definite = /^The ((?:[\p{L}\p{N}-]+ ){0,3}?[\p{L}\p{N}-]+)(?: (?:of|to|in|at|for) [\p{L}\p{N} -]+?)? (\p{Ll}+)/u;
const pronoun = /^(he|she|it|they|his|her|its|their)(?:['’](s|ll|d|re|ve))?(?= [\p{L}\d])/iu;
/** What is said of a thing that was named, and not of the weather or of the talk. */
const saidOfThings =
	/^(?:has|had|stands?|stood|costs?|weighs?|contains?|holds|measures|employs|runs on|opened|opens|closes|starts?|begins|ends|belongs|lasts|(?:is|was) (?:\d|called|named|located|made|built|painted|owned|led|founded|in \p{Lu}|on \p{Lu}|green|blue|red|black|white|yellow|grey|gray|brown|orange|purple|pink|silver)|dates from|takes)\b/u;
const pleonastic = /^(?:they|it) (?:say|says|call|seems?|looks?|depends?|rains?|snows?|rained|turns out|feels?|sounds?)\b/i;
const hasNext = /^(?:been|got|had|gone|become|lived|worked|moved|started|finished|left|lost|found|won|written|published|played)\b/;

export function createReferences(speakers: ReadonlySet<string>): References {
	const mentions: Mention[] = [];
	let at = 0;
	const keep = (mention: Omit<Mention, "at">) => {
		const known = mentions.findIndex((one) => one.name === mention.name || (mention.kind === "person" && isPartOf(mention.name, one.name)));
		const [before] = known < 0 ? [] : mentions.splice(known, 1);
		mentions.unshift({ ...mention, name: before?.name ?? mention.name, pronoun: before?.pronoun ?? mention.pronoun, at });
		mentions.length = Math.min(mentions.length, mentionsMax);
	};
	return {
		resolve: (sentence) => {
			const [found, word = "", ending] = pronoun.exec(sentence) ?? [];
			if (found === undefined || pleonastic.test(sentence)) return withFullName(sentence, mentions);
			const rest = sentence.slice(found.length).trimStart();
			const mention = fitting(word.toLowerCase(), ending, rest, mentions, at);
			if (mention === undefined) return sentence;
			if (/^(?:he|his)$/i.test(word)) mention.pronoun = "he";
			if (/^(?:she|her)$/i.test(word)) mention.pronoun = "she";
			return `${capital(mention.name)}${formOf(word.toLowerCase(), ending, rest, mention.name)} ${rest}`;
		},
		note: (sentence, speaker) => {
			at++;
			for (const mention of mentionsIn(sentence, speaker).reverse()) if (!speakers.has(mention.name)) keep(mention);
		},
	};
}

/** The nearest that the pronoun can mean. */
function fitting(word: string, ending: string | undefined, rest: string, mentions: readonly Mention[], at: number): Mention | undefined {
	const near = (kind: Mention["kind"]) => mentions.filter((one) => one.kind === kind && at - one.at < reach[kind]);
	if (/^(?:they|their)$/.test(word)) return near("group")[0];
	const said = ending === "s" ? `is ${rest}` : rest;
	if (word === "its" || word === "it") return word === "its" || saidOfThings.test(said) ? near("thing")[0] : undefined;
	const wanted: Pronoun = /^(?:he|his)$/.test(word) ? "he" : "she";
	const people = near("person").filter((one) => one.pronoun === null || one.pronoun === wanted);
	const last = people.filter((one) => one.at === people[0]?.at);
	return last.find((one) => one.pronoun === wanted) ?? last[0];
}

function formOf(word: string, ending: string | undefined, rest: string, named: string): string {
	if (/^(?:his|her|its|their)$/.test(word)) return named.endsWith("s") ? "'" : "'s";
	const verbs: Readonly<Record<string, string>> = { s: hasNext.test(rest) ? " has" : " is", ll: " will", d: " would", re: " are", ve: " have" };
	return ending === undefined ? "" : (verbs[ending] ?? "");
}

/** `Novak founded …` where `Elena Novak` was told of. */
function withFullName(sentence: string, mentions: readonly Mention[]): string {
	const [first = ""] = /^\p{Lu}[\p{L}-]+(?=\s\p{Ll})/u.exec(sentence) ?? [];
	const full =
		first === "" ? undefined : mentions.find(({ kind, name: known }) => kind === "person" && /^\p{Lu}[\p{L}-]+ /u.test(known) && known.endsWith(` ${first}`));
	return full === undefined ? sentence : full.name + sentence.slice(first.length);
}

/** In the order of the sentence: its subject comes first. */
function mentionsIn(sentence: string, speaker: string | null): Omit<Mention, "at">[] {
	const found: { readonly from: number; readonly mention: Omit<Mention, "at"> }[] = [];
	const add = (from: number, kind: Mention["kind"], named: string, points: Pronoun | null) =>
		found.push({ from, mention: { kind, name: named, pronoun: points } });
	for (const match of sentence.matchAll(relative)) {
		const [, whose = "", word = "", given] = match;
		const named = given ?? `${ownerName(whose, speaker)} ${word}`;
		if (given !== undefined || ownerName(whose, speaker) !== "") add(match.index, "person", named, pronounOf(word));
	}
	for (const match of sentence.matchAll(called)) add(match.index, "person", match[1] ?? "", null);
	for (const match of sentence.matchAll(titled)) add(match.index, "person", match[0], null);
	for (const match of sentence.matchAll(companion)) add(match.index, "person", match[1] ?? "", null);
	const [, first = "", verb = ""] = subject.exec(sentence) ?? [];
	const isNamed = first !== "" && !contracted.test(first) && !isStopWord(first.toLowerCase()) && !isBase(first.toLowerCase()) && isVerb(verb);
	if (isNamed) add(0, "person", first, null);
	const whose = found.find(({ from }) => from === 0)?.mention.name ?? speaker;
	const [, article = "", thing] = possession.exec(sentence) ?? [];
	if (thing !== undefined) addPossession(article, thing, whose, (kind, what) => add(sentence.indexOf(thing), kind, what, null));
	const [, subjectThing, does = ""] = definite.exec(sentence) ?? [];
	if (subjectThing !== undefined && isVerb(does)) add(0, "thing", `the ${subjectThing}`, null);
	return found.sort((a, b) => a.from - b.from).map(({ mention }) => mention);
}

function addPossession(article: string, thing: string, whose: string | null, add: (kind: Mention["kind"], what: string) => void): void {
	const short = thing.replace(/^(?:small|big|large|new|old|used|second-hand|little|beautiful) /, "");
	if (/^(?:an?|the)$/.test(article)) add("thing", article === "the" || whose === null ? `the ${short}` : `${whose}'s ${short}`);
	else if (whose !== null) add("group", `${whose}'s ${article} ${short}`);
}

function ownerName(whose: string, speaker: string | null): string {
	if (/^(?:my|our)$/i.test(whose)) return speaker === null ? "" : `${speaker}'s`;
	return /^(?:his|her|their)$/i.test(whose) ? "" : whose;
}

/** `Klara` is part of `Klara Meyer`, and the same person. */
function isPartOf(short: string, long: string): boolean {
	return long !== short && /^\p{Lu}/u.test(long) && !long.includes("'") && (long.startsWith(`${short} `) || long.endsWith(` ${short}`));
}

function isVerb(word: string): boolean {
	return auxiliaries.has(word) || isThird(word) || isPast(word) || isAdverb(word) || word === "no";
}

function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
