/** Links a new memory to its neighbours by rules: the same words are a duplicate, another value is an update, more about the same is an extension. */

import { definePlugin, indexWords, isStopWord, type Link, type Linking, type MemoryDraft, type MemoryLinker, type Neighbour, normalize } from "cairn";
import { z } from "zod";

const options = z.strictObject({
	/** How near another statement about the same subject must be to belong to it. */
	extendsFrom: z.number().min(0).max(1).default(0.5),
	/** How near two statements without a known attribute must be for another number or a negation to replace the old. */
	updatesFrom: z.number().min(0).max(1).default(0.6),
});

type Options = z.output<typeof options>;

/** What a statement says about its subject, by the words it says it with. One value at a time, so that a new one replaces the old. */
const frames: readonly (readonly [name: string, words: RegExp])[] = [
	["home", /\b(?:lives?|lived|living|moved|moving|relocated|relocating|resides?|based|stays?) (?:\w+ )?(?:in|to|at|near)\b|\baddress is\b/],
	["employer", /\b(?:works?|worked|working|employed) (?:\w+ )?(?:at|for)\b|\b(?:joined|joins)\b|\bjob at\b/],
	["occupation", /\b(?:works?|worked|working) as\b|\b(?:job|occupation|profession|title|role) is\b|\bbecame (?:an?|the)\b/],
	["age", /\b(?:is|turned|turns) \d{1,3}\b(?! (?:%|percent|km|miles|dollars|euros))|\byears old\b|\bage is\b/],
	["phone", /\b(?:phone|mobile|telephone)(?: number)? (?:is|changed)\b/],
	["email", /\be-?mail(?: address)? (?:is|changed)\b/],
	["name", /\bname is\b|\b(?:is|are) (?:called|named)\b/],
	["marriage", /\b(?:is|got|are|was) (?:\w+ )?(?:married|engaged|divorced|single|widowed|separated)\b/],
	["status", /\b(?:status|state|phase|stage) (?:is|was|changed|moved)\b/],
	["birthday", /\bbirthday is\b|\bwas born (?:on|in)\b/],
];
const favourite = /\bfavou?rite ([a-z]+(?: [a-z]+)?) (?:is|are|was)\b/;
const copula =
	/^(.{3,60}?) (?:is|are|was|were|will be|costs?|starts?|begins?|ends?|takes place|changed to|has been (?:moved|changed|set) to|(?:is|was) (?:moved|changed|set|due) (?:to|on|in)) /;
const negation = /\b(?:not|no longer|never|stopped|quit|doesn't|don't|isn't|aren't|wasn't|won't|can't|hasn't|haven't|dislikes?|hates?|gave up|anymore)\b/;
const change = /\b(?:now|no longer|changed|switched|instead|moved|became|anymore|new|updated|postponed|rescheduled)\b/;
/** They turn a sentence or mark a change, and are no part of what it says. */
const markers =
	/\b(?:not|no longer|never|stopped|quit|doesn't|don't|isn't|aren't|wasn't|won't|can't|hasn't|haven't|gave up|anymore|now|currently|instead|any more|dislikes?|hates?|likes?|loves?|enjoys?|prefers?|does|do)\b/g;

export default definePlugin({
	name: "memory-linker-similarity",
	contract: 1,
	options,
	start: (chosen) => ({ memoryLinker: [similarity(chosen)] }),
});

function similarity(chosen: Options): MemoryLinker {
	return {
		name: "similarity",
		link: async (draft, neighbours) => {
			const fresh = statement(draft);
			const sorted = [...neighbours].sort((a, b) => b.affinity - a.affinity || (a.memory.id < b.memory.id ? -1 : 1));
			const known = sorted.filter(({ memory }) => memory.isLatest && !memory.isForgotten).map((neighbour) => ({ neighbour, old: statement(neighbour.memory) }));
			const twin = known.find(({ old }) => saysNothingNew(fresh, old));
			if (twin !== undefined) return { links: [], duplicateOf: twin.neighbour.memory.id };
			return { links: linksOf(fresh, known, chosen), duplicateOf: null };
		},
	};
}

interface Known {
	readonly neighbour: Neighbour;
	readonly old: Statement;
}

/** The nearest that the draft replaces, and the others it adds to. */
function linksOf(fresh: Statement, known: readonly Known[], { extendsFrom, updatesFrom }: Options): Linking["links"] {
	const links: Link[] = [];
	let hasUpdated = false;
	for (const { neighbour, old } of known) {
		const target = neighbour.memory.id;
		if (fresh.subject === null || fresh.subject !== old.subject) continue;
		if (!hasUpdated && replaces(fresh, old, neighbour.affinity, updatesFrom)) {
			links.push({ relation: "updates", target });
			hasUpdated = true;
		} else if (neighbour.affinity >= extendsFrom && !isOlder(fresh, old)) links.push({ relation: "extends", target });
	}
	return links;
}

interface Statement {
	readonly subject: string | null;
	/** Names the attribute, `home` say; null when none is recognised. */
	readonly frame: string | null;
	/** All telling words, negation left aside. */
	readonly content: ReadonlySet<string>;
	/** The telling words without those of the subject: what is said, not of whom. */
	readonly claim: ReadonlySet<string>;
	readonly numbers: string;
	readonly isNegated: boolean;
	readonly tellsChange: boolean;
	readonly eventTime: Date | null;
}

function statement({ text, subject, eventTime }: Pick<MemoryDraft, "text" | "subject" | "eventTime">): Statement {
	const plain = normalize(text)
		.replaceAll("’", "'")
		.replace(/\((?:week of )?\d{4}[^)]*\)/g, " ")
		.replace(/\s+/g, " ")
		.replace(/[.!\s]+$/, "");
	const content = indexWords(plain.replaceAll(markers, " ")).filter((word) => !isStopWord(word) && word.length > 1);
	const about = (subject ?? subjectFrom(plain))?.toLowerCase() ?? null;
	const named = new Set(indexWords(about ?? ""));
	const telling = [...content, ...(plain.match(/\d+/g) ?? [])];
	return {
		subject: about,
		frame: frameOf(plain),
		content: new Set(telling),
		claim: new Set(telling.filter((word) => !named.has(word))),
		numbers: (plain.match(/\d+(?:[.,:]\d+)*/g) ?? []).join(" "),
		isNegated: negation.test(plain),
		tellsChange: change.test(plain),
		eventTime,
	};
}

/** The words before the first plain verb, for memories that clients wrote without a subject. */
function subjectFrom(plain: string): string | null {
	return (
		/^(?:the |an? )?([\p{L}\p{N}' -]{2,40}?) (?:is|are|was|were|has|have|had|will|lives?|works?|likes?|loves?|prefers?|moved|owns?|wants?|hates?|enjoys?|does|doesn't|no longer|now)\b/u.exec(
			plain,
		)?.[1] ?? null
	);
}

function frameOf(plain: string): string | null {
	const kind = favourite.exec(plain)?.[1];
	if (kind !== undefined) return `favourite ${kind}`;
	const named = frames.find(([, words]) => words.test(plain))?.[0];
	if (named !== undefined) return named;
	const [, subject] = copula.exec(plain) ?? [];
	return subject !== undefined && /^(?:the |\p{L}+'s? )/u.test(subject) ? `is: ${subject.replace(/^the /, "")}` : null;
}

/** The same words, or fewer: `lives in Berlin` beside `lives in Berlin with Tom`. */
function saysNothingNew(fresh: Statement, old: Statement): boolean {
	if (fresh.content.size === 0 || fresh.isNegated !== old.isNegated || fresh.numbers !== old.numbers) return false;
	if (fresh.eventTime !== null && old.eventTime !== null && fresh.eventTime.getTime() !== old.eventTime.getTime()) return false;
	for (const word of fresh.content) if (!old.content.has(word)) return false;
	return true;
}

function replaces(fresh: Statement, old: Statement, affinity: number, updatesFrom: number): boolean {
	if (isOlder(fresh, old)) return false;
	const shared = overlap(fresh.claim, old.claim);
	if (fresh.isNegated !== old.isNegated) return shared >= 0.5;
	if (fresh.frame !== null && fresh.frame === old.frame) return [...fresh.content].some((word) => !old.content.has(word)) && differs(fresh, old);
	if (affinity < updatesFrom) return false;
	return shared >= 0.6 && fresh.numbers !== "" && old.numbers !== "" && fresh.numbers !== old.numbers;
}

/** A statement that only adds to the same value is no other value: one without its numbers that has all words of the other extends it. */
function differs(fresh: Statement, old: Statement): boolean {
	const keepsAll = [...old.content].every((word) => fresh.content.has(word));
	return !keepsAll || (fresh.tellsChange && fresh.numbers !== old.numbers);
}

function isOlder(fresh: Statement, old: Statement): boolean {
	return fresh.eventTime !== null && old.eventTime !== null && fresh.eventTime < old.eventTime;
}

/** The share of the smaller set that is in the other. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
	let shared = 0;
	for (const word of a) if (b.has(word)) shared++;
	const smaller = Math.min(a.size, b.size);
	return smaller === 0 ? 0 : shared / smaller;
}
