/** Derives properties of a memory: its subject, whether it is lasting, and its confidence. */

import { finiteVerbAt, isAdverb, isPastForm } from "./verbs.ts";

const confidences = { resolved: 0.85, quoted: 0.7, answered: 0.65, prose: 0.6, assistant: 0.6 } as const;
const hedge = /\b(?:thinks?|maybe|might|perhaps|probably|possibly|not sure|supposedly|could|wishes|kind of|sort of|guess|lol|haha\w*)\b/i;
const hedgeCost = 0.25;
const subjectWordsMax = 5;
/** Words after a subject that do not belong to it: the subjects of `Anna no longer …` and `the rent there …` are Anna and the rent. */
const trailingWords = /(?: (?:no longer|no|there|here|now|then))+$/;

const kinWords =
	"(?:father|dad|mother|mum|mom|brother|sister|son|daughter|husband|wife|partner|spouse|child|kids?|children|baby|twins?|parents?|grandfather|grandmother|grandpa|grandma|uncle|aunt|cousin|nephew|niece|boyfriend|girlfriend|family|siblings?|brothers|sisters|sons|daughters|dog|cat|dogs|cats)";
/** The person that a sentence is about, at its beginning. */
const person = String.raw`(?:I|[Mm]y (?:\p{L}+ ){0,2}?${kinWords}|(?!(?:It|That|This|There|He|She|They|You|We|What|Who|Which|The|If|When|Here|These|Those|Where|How|Why)(?![\p{Ll}]))\p{Lu}[\p{L}-]*(?: \p{Lu}[\p{L}'’-]*){0,2}(?:['’]s? (?:\p{L}+ ){0,2}?${kinWords})?)(?: \p{Lu}\p{L}+)?`;
const adverbs = "(?:also |really |still |now |originally |absolutely |always |never )?";
const number = "(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|no|\\d+)";
/** Predicates of lasting facts. */
const predicates = [
	String.raw`(?:was|were) born\b`,
	String.raw`(?:am|is|are|['’]m|['’]s) ${adverbs}(?:allergic|vegan|vegetarian|married|divorced|widowed|retired|deaf|blind|left-handed|colou?r-?blind|lactose|diabetic|asthmatic|from \p{Lu}|called|named|fluent)`,
	String.raw`(?:am|is|['’]m|['’]s) ${adverbs}an? (?:\p{L}+ ){0,2}?(?:\p{L}{2,}(?:er|or|ist|ian|ant)|nurse|chef|cook|clerk|pilot|barista|attorney|mechanic|vegan|student)\b(?! of (?:my|the|that|this))`,
	String.raw`${adverbs}(?:lives? (?:in|at|on|with|near|by)|works? (?:in|at|as|for))\b`,
	String.raw`${adverbs}(?:speaks?) (?:\p{L}+ )?\p{Lu}`,
	String.raw`${adverbs}(?:loves?|likes?|hates?|dislikes?|prefers?|enjoys?|adores?|can(?:['’]t|not) stand) (?!(?:it|that|this|them|those|these|some|her|him|your?|how|when|what|to (?:think|see|hear|know)|both|the (?:idea|way|new|old|one|same)|having|seeing|taking|putting|knowing|being)\b)`,
	String.raw`(?:does(?:n['’]t| not)|do(?:n['’]t| not)) (?:eat|drink|like|smoke|drive|speak)\b`,
	String.raw`(?:can(?:['’]t|not)) (?:eat|drink|swim|see|hear|tolerate)\b`,
	String.raw`(?:has|have|['’]ve got|has got) ${number} (?:\p{L}+ ){0,2}?(?:${kinWords}|allerg(?:y|ies)|grandchildren|grandkids)\b`,
	String.raw`grew up\b`,
];
const lasting = new RegExp(String.raw`^${person}(?:(?<!\p{L})|\s|(?=['’]))(?:${predicates.join("|")})`, "u");
const ownProperty =
	/^(?:[Mm]y|\p{Lu}[\p{L} -]*['’]s?) (?:favou?rite \p{L}+(?: \p{L}+)?|(?:first |last |full |middle )?name|birthday|mother tongue|native language) (?:is|are)\b/u;
const temporary =
	/\b(?:today|tonight|tomorrow|yesterday|right now|at the moment|currently|for now|this (?:morning|afternoon|evening|week|weekend|month|year)|last \w+|next \w+|lately|soon|ago|until|if|would|was going|used to|anymore|any more|no longer|might|maybe|wish)\b|['’](?:d|ll)\b/i;

export type Manner = keyof typeof confidences;

/** Whether it is a lasting fact: birth, home, work, family, allergies, languages and tastes. */
export function isLasting(sentence: string): boolean {
	return !temporary.test(sentence) && (lasting.test(sentence) || ownProperty.test(sentence));
}

export function confidenceOf(text: string, manner: Manner): number {
	return Math.round((confidences[manner] - (hedge.test(text) ? hedgeCost : 0)) * 100) / 100;
}

/** The words before the verb, without an article; null if they are not a simple noun phrase. */
export function subjectOf(text: string, speaker?: string): string | null {
	if (speaker !== undefined && text.toLowerCase().startsWith(`${speaker.toLowerCase()} `)) return speaker.toLowerCase();
	const words = text.split(/\s+/, 30).map((word) =>
		word
			.toLowerCase()
			.replaceAll("’", "'")
			.replace(/[,;:.()"“”]+/g, ""),
	);
	const verbIndex = finiteVerbAt(words);
	if (verbIndex < 1 || /[:;,\d]/.test(text.split(/\s+/, verbIndex).join(" "))) return null;
	const before = words.slice(0, verbIndex).filter((word, i, all) => !(i === all.length - 1 && (isPastForm(word) || isAdverb(word) || word === "maybe")));
	const start = /^(?:the|an?)$/.test(before[0] ?? "") ? 1 : 0;
	const subject = before.slice(start).join(" ").replace(trailingWords, "");
	return subject === "" || subject.split(" ").length > subjectWordsMax || /\b(?:it|this|that|he|she|they|there|which|who|what|i|we|you)\b/.test(subject)
		? null
		: subject;
}
