/** What a clause says is over: a thing that is had, done or planned, or a state such as a relationship. */

import type { Clause } from "./clauses.ts";
import { pointedWords, tellingWords, withoutValues } from "./telling-words.ts";

/** Followed by what has ended. */
const ofObject =
	/\b(?:gave up(?: on)?|given up(?: on)?|giving up|quit|stopped|dropped|sold|got rid of|gave away|given away|threw (?:away|out)|thrown (?:away|out)|(?<!\b(?:my|the|his|her|our|their|your) )left|lost(?! in\b)|returned|cancelled|canceled|called off|scrapped|ended(?! up)|finished|resigned (?:from|as)|moved out of|moved on from|broke up with|split up with|shaved off|traded in|no longer|done with|deleted|dumped|paid off|am off|are off|not .{1,60}? any ?more$|not .{1,60}? any longer$)(?: (?:with|from|at|as|to))? /;
const ofSubject =
	/ (?:is|are|was|were|has been|have been|got|gets?) (?:now )?(?:off(?=,| for\b| this\b| now\b| then\b|$)|over(?= now\b| for\b|$)|gone|sold|dead|cancelled|canceled|called off|scrapped|stolen|closed|finished|broken beyond repair|no more|history|not happening|discontinued|given away|paid (?:off|back))\b| (?:has |have )?(?:died|passed away|fell through|fallen through|ran away|closed down|shut down|expired|broke down for good|gone to (?:a|my|our) \w+|went to (?:a|my|our) \w+)\b/;
const none =
	/^(?:so |day \d+ |(?:\d+|\w+) (?:days|weeks|months) )?(?:with |of )?no (?:more ([\p{L}-]+)|([\p{L}-]+(?: [\p{L}-]+)?)(?= (?:this|until|till|since|for|from now|these days)\b))|^(?:day \d+|(?:\d+|\w+) (?:days|weeks|months)) (?:with no|without) ([\p{L}-]+)/u;

/** `chemistry instead of botany` ends botany. */
const insteadOf = /\b(?:instead of|rather than|in place of|(?:switched|changed|moved|went) from) (.+?)(?= (?:now|these days|since|from|to)\b|[,;]|$)/;

export interface Ending {
	/** The last of them leads: `saturday, job`. */
	readonly thing: readonly string[];
	/** Which one of several, where it is said. */
	readonly rest: readonly string[];
}

export function endingOf({ says, isAsked, isSupposed, isPlan, isUndone }: Clause): Ending | null {
	if (isAsked || isSupposed || (isUndone && !/any ?more/.test(says))) return null;
	const negated = /\b(?:do|does|am|is|are|will|can|cannot)? ?not (.{1,60}?) (?:any ?more|any longer)\b/.exec(says);
	if (negated !== null) return phraseOf(negated[1] ?? "");
	if (isPlan && !/\bwill not\b/.test(says) && !/\b(?:is|are|has been|was) (?:now )?(?:off|cancelled|canceled|called off|over)\b/.test(says)) return null;
	const stead = insteadOf.exec(says)?.[1];
	if (stead !== undefined) return phraseOf(stead);
	const subject = ofSubject.exec(` ${says}`);
	if (subject !== null) {
		const before = says.slice(0, Math.max(0, subject.index - 1));
		const [about = ""] = before.split(/, | and | but /).slice(-1);
		return { thing: wordsOf(about), rest: [] };
	}
	const without = none.exec(says);
	if (without !== null) return { thing: wordsOf(without.slice(1).join(" ")).slice(0, 1), rest: [] };
	const object = ofObject.exec(says);
	return object === null ? null : phraseOf(says.slice(object.index + object[0].length));
}

function phraseOf(text: string): Ending | null {
	const words = text.split(/[,:;]| because | since | after | when | last | this | yesterday| today| now\b| by | and /)[0] ?? "";
	const [head = "", ...rest] = words.split(/ (?=(?:at|for|as|in|with|of|on|to|from|into|called|near|before|so|and) )/);
	const thing = wordsOf(head);
	const [next = [], ...others] = rest.map(wordsOf);
	if (thing.length > 0) return { thing, rest: [...next, ...others.flat()] };
	return next.length === 0 ? null : { thing: next, rest: others.flat() };
}

function wordsOf(phrase: string): readonly string[] {
	return pointedWords(tellingWords(withoutValues(phrase)));
}
