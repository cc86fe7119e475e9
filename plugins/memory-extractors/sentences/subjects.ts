/** Puts back the `I` that a speaker leaves out: `Never got into jazz` → `I never got into jazz`; what has none at all states nothing. */

import { auxiliaries, finiteVerbAt, isAdverb, isBase, isPast, isPlainVerb } from "./verbs.ts";

/** Verbs of feeling and living, and `just …ing`. */
const leftOut =
	/^(?:(?:just|also|really|currently|still|always|usually|mostly|not really|not)\s+)*(?:(?:love|like|enjoy|hate|prefer|live|work|own|have|had|been|got|went|moved|started|grew|used to|want|wanted|am|was|play|study|teach|drive|collect)\b(?!\s+(?:it|that|this|them|to hear|you|your)\b)|(?:into|allergic|married|divorced|retired|vegan|vegetarian|born|originally from)\b)/i;
const progressive = /^(?:(?:just|also|currently|still|not)\s+)*\p{Ll}{2,}ing\b/iu;
/** A verb after them is that of a habit or of a story, and no request. */
const habit =
	/^(?:never|always|usually|mostly|often|sometimes|rarely|hardly(?: ever)?|seldom|typically|normally|generally)\s+(?:really |just |even )?(\p{L}+)/iu;
const story = /^(?:(?:just|also|actually|once|finally|recently|still|already|even|then)\s+)*(\p{L}+)(?:\s+(\p{L}+))?/iu;
const denied =
	/^(?:(?:just|also|really|actually|still)\s+)*(?:(?:can['’]t|cannot|couldn['’]t|haven['’]t|hadn['’]t|didn['’]t|wasn['’]t|won['’]t|wouldn['’]t)\s+(?!(?:be|believe|wait|say|agree|blame|complain|you|we|they|he|she|it|i|go wrong|beat|think|tell|imagine)\b)\p{L}+|(?:don['’]t|do not)\s+(?:have|like|eat|drink|own|really|usually|live|drive|smoke|play|watch|speak|even)\b(?!\s+(?:it|that|this|them|to worry)\b))/iu;
/** Advice is given with the same words. */
const advised = /^(?:remember|forget|give|mind|let|trust|be|try|make|say|look|keep|check|think|stop|worry|mean|seem|sound)$/i;
/** Past forms that need an auxiliary or say how somebody feels. */
const noPast =
	/^(?:gone|taken|seen|been|done|written|given|grown|eaten|known|thrown|shown|broken|chosen|drawn|driven|drunk|flown|forgotten|fallen|ridden|risen|spoken|stolen|sworn|torn|worn|gotten|hidden|born|hung|built|made|meant|said|told|thought|put|cut|read|hurt|heard|found|lost|set|let|felt|saw|kept|held|led|tired|interested|excited|married|retired|based|used|scared|bored|worried|surprised|amazed|pleased|concerned|confused|blessed|stressed|relaxed|involved|engaged|divorced|separated|agreed|needed|supposed|loved|liked|hated|named|called|located|closed|delayed|expected|given)$/i;
const pastOwn =
	/^(?:(?:made|built|told|thought|found|lost|felt|saw|kept|heard|read|cut|loved|liked|hated)\s+(?:a|an|my|the|some|two|three|in|at|to|for)|gotten|needed to)\b/i;
/** Chats leave out the apostrophe. */
const unmarked = /\b(do|does|did|is|are|was|were|have|has|had|would|could|should)nt\b/gi;
/** Where a verb is followed by them the past form before is a participle. */
const byWhom = /^(?:by|of|with|that|and|is|are|was|were|has|have)$/i;

export function withSubject(text: string): string {
	const spelled = text
		.replace(/^(?:im|i['’]m)\b/i, "I'm")
		.replace(/^ive\b/i, "I've")
		.replace(unmarked, (_, verb: string) => `${verb}n't`)
		.replace(/\bcant\b/gi, "can't")
		.replace(/\bi\b(?!\.e)/g, "I");
	const small = spelled.charAt(0).toLowerCase() + spelled.slice(1);
	if (/^(?:not really )?(?:into|allergic|married|divorced|retired|vegan|vegetarian|born|originally from)\b/i.test(small)) return `I am ${small}`;
	if (/^(?:(?:never|always|also|just|recently) )?been\b/i.test(small)) return `I have ${small}`;
	if (leftOut.test(small)) return `I ${small.replace(/^not really /i, "don't really ")}`;
	if (isLeftOut(small)) return `I ${small}`;
	return progressive.test(small) &&
		finiteVerbAt(small.split(/\s+/)) < 0 &&
		!/^(?:something|anything|nothing|everything|morning|evening|being|speaking)\b/i.test(small)
		? `I am ${small}`
		: spelled;
}

/** An adverb of habit, a denial or a past form in front tells that it is the speaker's own doing. */
function isLeftOut(small: string): boolean {
	if (denied.test(small)) return true;
	const verb = habit.exec(small)?.[1];
	if (verb !== undefined) return !advised.test(verb) && (isBase(verb) || (isPast(verb) && !/^(?:been|seen|done|heard)$/.test(verb)));
	const [, first = "", next = ""] = story.exec(small) ?? [];
	if (byWhom.test(next)) return false;
	return pastOwn.test(small) || (isPast(first) && !auxiliaries.has(first) && !noPast.test(first) && isVerbForm(first));
}

/** `worked` is the past of a verb that is known; `gifted` may be anything. */
function isVerbForm(past: string): boolean {
	if (!past.endsWith("ed")) return true;
	const stem = past.slice(0, -2);
	return isBase(stem) || isBase(`${stem}e`) || isBase(stem.slice(0, -1)) || isBase(stem.replace(/i$/, "y"));
}

/** A verb in front, `Go to …` or `Is the …`: asked of somebody, or said of what stood before. */
export function lacksSubject(text: string): boolean {
	const words = text.split(/\s+/, 3).map((word) => word.toLowerCase().replaceAll("’", "'"));
	const at = words.findIndex((word) => !isAdverb(word));
	const first = words[at] ?? "";
	return (
		isPlainVerb(first) || (auxiliaries.has(first) && !/^(?:will|may|can|might)$/.test(first)) || /^(?:will|may|can|might)$/.test(text.split(/\s+/, 1)[0] ?? "")
	);
}
