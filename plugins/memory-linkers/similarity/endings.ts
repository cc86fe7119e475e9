/** What a clause says is over: what stands behind a verb of ending, before it, or behind `no more` and `instead of`. */

import type { Clause } from "./clauses.ts";
import { pointedWords, tellingWords, withoutValues } from "./telling-words.ts";
import { done, some } from "./verb-forms.ts";

/** What is told with them has come to its end: plain forms are left out, since `I sell cars` ends nothing. */
const ended = new RegExp(
	` (?:${[
		done(
			"quit stop cease drop abandon ditch scrap shelve cancel axe bin dump discontinue terminate resign retire withdraw renounce forgo sell donate discard surrender relinquish outgrow " +
				"fold die expire lapse perish vanish demolish dissolve disband evict sack fire dismiss suspend ban forbid revoke abolish delete uninstall bury divorce separate finish leave lose return",
		),
		`(?:${done("give")}) (?:up(?: on)?|${some}(?:away|back|notice))`,
		`(?:${done("throw chuck kick toss")}) ${some}(?:out|away)`,
		`(?:${done("call lay shave")}) ${some}off`,
		`(?:${done("break split")}) (?:up|off|down)`,
		`(?:${done("step stand pull opt back bow drop")}) (?:down|back|out|aside)`,
		`(?:${done("fall")}) (?:through|apart)`,
		`(?:${done("move")}) (?:out|away|on)`,
		`(?:${done("go come wear")}) off`,
		`(?:${done("shut close")}) down`,
		`(?:${done("trade hand")}) in`,
		`(?:${done("pay")}) off`,
		`(?:${done("get")}) rid`,
		`(?:${done("run")} )out`,
		`(?:${done("pass")}) away`,
		`(?:${done("take")}) (?:\\S+ ){1,5}?(?:off|over from)`,
		`let ${some}go`,
		"(?:am|are|is) (?:off|done with)",
		"no longer|no more|retires|resigns|quits",
		"goodbye|farewell|rip",
	].join("|")})(?![\\p{L}]| to \\p{L})`,
	"u",
);
/** Behind what has ended. */
const isOver =
	/ (?:is|are|was|were|has been|have been|got|gets?) (?:now |all |finally |both )?(?:off(?! (?:to|at|from|on)\b)|over(?= now\b| for\b|$)|gone|dead|closed|stolen|history|done|broken beyond repair|not happening|paid (?:off|back))(?= |,|$)/;
const none =
	/^(?:so |day \d+ |(?:\d+|\w+) (?:days|weeks|months) )?(?:with |of )?no (?:more ([\p{L}-]+)|([\p{L}-]+(?: [\p{L}-]+)?)(?= (?:this|until|till|since|for|from now|these days|any ?more)\b))|^(?:day \d+|(?:\d+|\w+) (?:days|weeks|months)) (?:with no|without) ([\p{L}-]+)/u;
/** `chemistry instead of botany` ends botany. */
const insteadOf = /\b(?:instead of|rather than|in place of|(?:switched|changed|moved|went) from) (.+?)(?= (?:now|these days|since|from|to)\b|[,;]|$)/;
const anyMore = /\bnot (.{1,60}?) (?:any ?more|any longer)\b/;

export interface Ending {
	/** The last of them leads: `saturday, job`. */
	readonly thing: readonly string[];
	/** Which one of several, where it is said. */
	readonly rest: readonly string[];
}

/** Whatever may be meant: `the Volvo gave up the ghost` ends the Volvo, or a ghost. */
export function endingsOf({ says, isAsked, isSupposed, isPlan, isUndone }: Clause): readonly Ending[] {
	const negated = anyMore.exec(says);
	if (isAsked || isSupposed || (isUndone && negated === null)) return [];
	if (negated !== null) return phraseOf(negated[1] ?? "");
	const over = isOver.exec(` ${says}`);
	if (isPlan && over === null && !/\bwill not\b/.test(says)) return [];
	const stead = insteadOf.exec(says)?.[1];
	if (stead !== undefined) return phraseOf(stead);
	if (over !== null) return subjectOf(says, over.index);
	const without = none.exec(says);
	if (without !== null) return [{ thing: wordsOf(without.slice(1).join(" ")).slice(0, 1), rest: [] }];
	const verb = ended.exec(` ${says}`);
	if (verb === null) return [];
	// `let the canoe go`: what ends may stand before the particle.
	const [, between = ""] = /^ \S+ (.+) \S+$/.exec(verb[0]) ?? [];
	return [...phraseOf(`${between} ${` ${says}`.slice(verb.index + verb[0].length)}`), ...subjectOf(says, verb.index)];
}

/** The words before the verb, of the last part of the clause. */
function subjectOf(says: string, end: number): readonly Ending[] {
	const [about = ""] = says
		.slice(0, Math.max(0, end - 1))
		.split(/, | and (?!i\b)| but | so | because /)
		.slice(-1);
	const thing = wordsOf(about.split(/ (?:of|for|with|at|in|on|from|to|has|have|had|is|are|was|were) /)[0] ?? "");
	return thing.length === 0 ? [] : [{ thing, rest: [] }];
}

function phraseOf(text: string): readonly Ending[] {
	const words = text.trim().split(/[,:;]| because | since | after | when | last | this | yesterday| today| now\b| by | and /)[0] ?? "";
	const [head = "", ...rest] = words.split(/ (?=(?:at|for|as|in|with|of|on|to|from|into|called|near|before|so|and) )/);
	const thing = wordsOf(head);
	const [next = [], ...others] = rest.map(wordsOf);
	if (thing.length > 0) return [{ thing, rest: [...next, ...others.flat()] }];
	return next.length === 0 ? [] : [{ thing: next, rest: others.flat() }];
}

function wordsOf(phrase: string): readonly string[] {
	return pointedWords(tellingWords(withoutValues(phrase)));
}
