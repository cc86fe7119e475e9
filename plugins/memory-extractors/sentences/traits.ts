/** What a memory is about, whether it lasts, and how sure it is. */

import { kin } from "./kinship.ts";
import { finiteVerbAt, isAdverb, isPast } from "./verbs.ts";

const passing =
	/\b(?:today|tonight|tomorrow|yesterday|now|currently|right now|at the moment|this (?:morning|afternoon|evening|week|weekend|month|year)|last \w+|next \w+|recently|lately|soon|ago|will|won't|going to|about to|planning to|plans? to|trying to|thinking (?:of|about)|is (?:just |still |also |so |really |very |pretty )*(?:\w+ing|tired|sick|ill|busy|hungry|excited|bored|sad|happy|nervous|worried|stressed|ready|sorry|late|home|done|glad))\b/i;
const lasting =
	/\b(?:is|are|was) (?:also |really |very )?(?:an? |the |from|born|allergic|married|divorced|retired|vegan|vegetarian|afraid|fluent|interested|into|named|called|originally)|\b(?:likes?|loves?|enjoys?|hates?|prefers?|dislikes?|adores?|lives?|works?|owns?|speaks?|believes?|always|never|usually|often|every (?:day|week|month|year|morning|night|\w+day)|favou?rite|birthday|name is|grew up|was born|has been (?:an? |vegan|vegetarian|married|divorced|retired)|ha(?:s|ve) (?:an? |one |two |three |four |five |\d+ |no )|does(?:n't| not) (?:like|eat|drink|have|own|speak|drive|smoke|swim)|can(?:'t|not) (?:eat|drink|drive|swim|read|hear|see|stand|cook)|allergic|uses|plays|runs|drives|teaches|studies|since (?:\d{4}|childhood)|(?:is|are) (?:not |n't )?(?:interested|into|good at|fluent|afraid|scared|left-handed|colou?r-?blind))\b/i;
const hedge = /\b(?:thinks?|maybe|might|perhaps|probably|possibly|not sure|supposedly|could|wishes|kind of|sort of|guess)\b/i;
const confidences = { said: 0.85, other: 0.7, answered: 0.65, prose: 0.6, confirmed: 0.6, quoted: 0.5 } as const;
const hedgeCost = 0.25;
const subjectWordsMax = 6;
/** `Anna no longer`, `the rent there`, `Ben and others`: the statement is Anna's, the rent's and Ben's. */
const trailing = /(?: (?:no longer|no|there|here|now|then|and others))+$/;
/** `Anna's sister Klara` is Klara, as in all else that is said of her. */
const kinOf = new RegExp(String.raw`^.+'s? (?:\p{L}+ )?${kin} (?=\p{L})(?!and )`, "u");

export type Manner = keyof typeof confidences;

/** Habits, tastes, ties and identity last; feelings, plans and events pass. */
export function isLasting(text: string): boolean {
	return !passing.test(text) && lasting.test(text);
}

export function confidenceOf(text: string, manner: Manner): number {
	return Math.round((confidences[manner] - (hedge.test(text) ? hedgeCost : 0)) * 100) / 100;
}

/** The words before the verb, without an article; null when they are no plain name of a thing. */
export function subjectOf(text: string, speaker?: string): string | null {
	if (speaker !== undefined && isOf(text, speaker)) return speaker.toLowerCase();
	const words = text.split(/\s+/).map((word) =>
		word
			.toLowerCase()
			.replaceAll("’", "'")
			.replace(/[,;:.()"“”]+/g, ""),
	);
	const verb = finiteVerbAt(words);
	if (verb < 1) return null;
	const before = words.slice(0, verb).filter((word, i, all) => !(i === all.length - 1 && (isPast(word) || isAdverb(word) || word === "maybe")));
	const from = /^(?:the|an?)$/.test(before[0] ?? "") ? 1 : 0;
	const subject = before.slice(from).join(" ").replace(trailing, "").replace(kinOf, "");
	return subject === "" || subject.split(" ").length > subjectWordsMax ? null : subject;
}

/** `Kit breeds rabbits` is Kit's even where the verb is in no list; `Kit's dog`, `Kit and others` are not Kit alone. */
function isOf(text: string, speaker: string): boolean {
	if (text.startsWith(`${speaker}: `)) return true;
	return text.toLowerCase().startsWith(`${speaker.toLowerCase()} `) && !/^(?:and|or)\b/.test(text.slice(speaker.length + 1));
}
