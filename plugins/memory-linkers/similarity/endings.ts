/** Finds what a clause says has ended: before or after a verb such as `quit`, and after `no more` and `instead of`. */

import type { Clause } from "./clauses.ts";
import { createGuard } from "./guards.ts";
import { distinctiveWords, significantWords, withoutValues } from "./significant-words.ts";
import { pastForms, pastWords, upToThreeWords } from "./verb-forms.ts";

/** The words with which `endingVerb` can begin, but for forms of `be`. */
const firstWords = new Set("let no retires resigns quits goodbye farewell rip".split(" "));
const afterBe = / (?:off|done with)/;

function ending(bases: string): string {
	for (const word of pastWords(bases)) firstWords.add(word);
	return pastForms(bases);
}

/** Verbs that say that something has ended. Their plain forms are left out, because `I sell cars` ends nothing. */
const endingVerb = new RegExp(
	` (?:${[
		ending(
			"quit stop cease drop abandon ditch scrap shelve cancel axe bin dump discontinue terminate resign retire withdraw renounce forgo sell donate discard surrender relinquish outgrow " +
				"fold die expire lapse perish vanish demolish dissolve disband evict sack fire dismiss suspend ban forbid revoke abolish delete uninstall bury divorce separate finish leave lose return",
		),
		`(?:${ending("give")}) (?:up(?: on)?|${upToThreeWords}(?:away|back|notice))`,
		`(?:${ending("throw chuck kick toss")}) ${upToThreeWords}(?:out|away)`,
		`(?:${ending("call lay shave")}) ${upToThreeWords}off`,
		`(?:${ending("break split")}) (?:up|off|down)`,
		`(?:${ending("step stand pull opt back bow drop")}) (?:down|back|out|aside)`,
		`(?:${ending("fall")}) (?:through|apart)`,
		`(?:${ending("move")}) (?:out|away|on)`,
		`(?:${ending("go come wear")}) off`,
		`(?:${ending("shut close")}) down`,
		`(?:${ending("trade hand")}) in`,
		`(?:${ending("pay")}) off`,
		`(?:${ending("get")}) rid`,
		`(?:${ending("run")} )out`,
		`(?:${ending("pass")}) away`,
		`(?:${ending("take")}) (?:\\S+ ){1,5}?(?:off|over from)`,
		`let ${upToThreeWords}go`,
		"(?:am|are|is) (?:off|done with)",
		"no longer|no more|retires|resigns|quits",
		"goodbye|farewell|rip",
	].join("|")})(?![\\p{L}]| to \\p{L})`,
	"u",
);
/** Follows what has ended: `… is gone`. */
const endedState =
	/ (?:is|are|was|were|has been|have been|got|gets?) (?:now |all |finally |both )?(?:off(?! (?:to|at|from|on)\b)|over(?= now\b| for\b|$)|gone|dead|closed|stolen|history|done|broken beyond repair|not happening|paid (?:off|back))(?= |,|$)/;
/** `no more coffee`, `a week without coffee`. */
const withoutPattern =
	/^(?:so |day \d+ |(?:\d+|\w+) (?:days|weeks|months) )?(?:with |of )?no (?:more ([\p{L}-]+)|([\p{L}-]+(?: [\p{L}-]+)?)(?= (?:this|until|till|since|for|from now|these days|any ?more)\b))|^(?:day \d+|(?:\d+|\w+) (?:days|weeks|months)) (?:with no|without) ([\p{L}-]+)/u;
/** `chemistry instead of botany` ends botany. */
const insteadOf = /\b(?:instead of|rather than|in place of|(?:switched|changed|moved|went) from) (.+?)(?= (?:now|these days|since|from|to)\b|[,;]|$)/;
const notAnyMore = /\bnot (.{1,60}?) (?:any ?more|any longer)\b/;

/** Words of `notAnyMore`, `endedState`, `insteadOf` and `withoutPattern`. */
const otherWords = new Set(
	"not over off gone dead closed stolen history done broken happening paid instead rather place switched changed moved went no without".split(" "),
);
/** A word that is not made of ASCII letters alone may have one of `firstWords` in it. */
const mayBeEnding = createGuard((word) => firstWords.has(word) || otherWords.has(word) || /[\d_]/.test(word), true);

export interface Ending {
	/** The words of what has ended, the main one last: `saturday, job`. */
	readonly thing: readonly string[];
	/** Words that say which of several things it is. */
	readonly rest: readonly string[];
}

const noEndings: readonly Ending[] = [];

/** Everything that may be meant: by `the Volvo gave up the ghost` both the Volvo and a ghost. */
export function endingsOf({ text, isAsked, isSupposed, isPlan, isNotDone }: Clause): readonly Ending[] {
	if (!mayBeEnding(text)) return noEndings;
	const negated = notAnyMore.exec(text);
	if (isAsked || isSupposed || (isNotDone && negated === null)) return [];
	if (negated !== null) return phraseOf(negated[1] ?? "");
	const over = endedState.exec(` ${text}`);
	if (isPlan && over === null && !/\bwill not\b/.test(text)) return [];
	const replaced = insteadOf.exec(text)?.[1];
	if (replaced !== undefined) return phraseOf(replaced);
	if (over !== null) return subjectOf(text, over.index);
	const without = withoutPattern.exec(text);
	if (without !== null) return [{ thing: wordsOf(without.slice(1).join(" ")).slice(0, 1), rest: [] }];
	const verb = mayEnd(text) ? endingVerb.exec(` ${text}`) : null;
	if (verb === null) return [];
	// What has ended may come before the particle: `let the canoe go`.
	const [, between = ""] = /^ \S+ (.+) \S+$/.exec(verb[0]) ?? [];
	return [...phraseOf(`${between} ${` ${text}`.slice(verb.index + verb[0].length)}`), ...subjectOf(text, verb.index)];
}

/** A cheap test before the pattern. */
function mayEnd(text: string): boolean {
	return (text.match(/\p{L}+/gu) ?? []).some((word) => firstWords.has(word)) || afterBe.test(text);
}

/** The words before the verb, in the last part of the clause. */
function subjectOf(text: string, end: number): readonly Ending[] {
	const [lastPart = ""] = text
		.slice(0, Math.max(0, end - 1))
		.split(/, | and (?!i\b)| but | so | because /)
		.slice(-1);
	const thing = wordsOf(lastPart.split(/ (?:of|for|with|at|in|on|from|to|has|have|had|is|are|was|were) /)[0] ?? "");
	return thing.length === 0 ? [] : [{ thing, rest: [] }];
}

/** What the words after the verb name, up to the next phrase. */
function phraseOf(text: string): readonly Ending[] {
	const words = text.trim().split(/[,:;]| because | since | after | when | last | this | yesterday| today| now\b| by | and /)[0] ?? "";
	const [head = "", ...rest] = words.split(/ (?=(?:at|for|as|in|with|of|on|to|from|into|called|near|before|so|and) )/);
	const thing = wordsOf(head);
	const [next = [], ...others] = rest.map(wordsOf);
	if (thing.length > 0) return [{ thing, rest: [...next, ...others.flat()] }];
	return next.length === 0 ? [] : [{ thing: next, rest: others.flat() }];
}

function wordsOf(phrase: string): readonly string[] {
	return distinctiveWords(significantWords(withoutValues(phrase)));
}
