/** A few words after a question of what, where or how many: `Where do you live?` – `In Ghent.` → `I live in Ghent`. */

import { isStopWord } from "cairn-memory";
import { finiteVerbAt, isBase } from "../verbs.ts";
import { turned } from "./asked.ts";
import { pastOf } from "./past.ts";

const answerWordsMax = 9;
/** Words before the answer proper. */
const lead =
	/^(?:(?:oh|well|hm+|um+|uh+|so|actually|honestly|just|probably|mostly|mainly|currently|definitely|basically|only|maybe|i think|i guess|i['’]d (?:have to )?say|i would (?:have to )?say|that would be|that['’]s|it['’]s|it is|it would be|they['’]re|they are|there are|(?:s?he|it)(?:['’]s| is) (?:called|named)|they are called|(?:his|her|its|their) names? (?:is|are)|mine (?:is|are))[,\s]+)+/i;
/** The answer ends where the next thought begins. */
const next =
	/(?:\s+(?:but|and you|how about|what about|though|because|lol|haha+)\b|\s*[;!?…]|\.\s|,\s+(?:and |but )?(?:you|what|how|i|it|that|which|so|we|my)\b).*$/iu;
const none =
	/^(?:you|your|it|that|this|they|none|nothing|nowhere|nobody|no|same|me|idk|not|yes|yeah|depends?|good|great|nice|cool|thanks?|sorry|lol|ha(?:ha)+h?|ok|okay|i|we|he|she|how|what|why|where|who|when|well|really|too|all|any|both|either|everything|anything|many|lots|some|sure|hi|hello|hey|awesome|wow|interesting|tell|let|maybe|hard|difficult|tough|long|a secret|to be)\b(?! (?:years|my life))/i;
const numberWord =
	"(?:\\d+|a|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?";
const number = new RegExp(`^(?:about |around |almost |nearly |over )?${numberWord}\\b`, "i");
const small =
	/^(?:an?|the|in|at|on|near|from|with|my|about|around|over|for|since|every|once|twice|two|three|four|five|six|seven|eight|nine|ten|one|several|mainly|\p{L}+ing|just)\b/iu;
const how = /\b(?:day|daily|week|weekly|weekend|weekends|month|monthly|year|yearly|often|once|twice|times?|always|never|rarely|sometimes|every|seldom)\b/i;
const job = /(?:er|or|ist|ian|ant|ent|man|woman|nurse|chef|cook|clerk|smith|nanny|pilot|barista|attorney|mechanic|musician)$/i;
const askedOpinion =
	/^(?:thoughts?|opinions?|take|point|problem|question|advice|secret|excuse|reason|story|view|deal|suggestions?|guess|goal here|day|weekend|week|morning|evening|name again)\b/i;

interface Rule {
	readonly asked: RegExp;
	/** Null when the answer does not fit the question after all. */
	readonly state: (found: readonly string[], answer: string) => string | null;
}

const rules: readonly Rule[] = [
	{ asked: /^where (?:do|are) you (?:live|living|based|located|stay|staying)$/i, state: (_, place) => `I live ${placed(place, "in")}` },
	{ asked: /^where (?:are|do) you (?:come )?from(?: originally)?$/i, state: (_, place) => `I am from ${place.replace(/^from /i, "")}` },
	{ asked: /^where (?:did you grow up|were you (?:born|raised))$/i, state: ([asked = ""], place) => `I ${whereabouts(asked)} ${placed(place, "in")}` },
	{ asked: /^where do you work$/i, state: (_, place) => `I work ${placed(place, "at")}` },
	{
		asked: /^where (?:did|do) you (study|go to \w+(?: school)?)$/i,
		state: ([asked = "", verb = ""], place) => `I ${/^where did/i.test(asked) ? past(verb) : verb} ${placed(place, "at")}`,
	},
	{ asked: /^how old are you$/i, state: (_, age) => (number.test(age) ? `I am ${aged(age)}` : null) },
	{
		asked: /^how old (?:is|are) (your .+)$/i,
		state: ([asked = "", whose = ""], age) => (number.test(age) ? `${turned(whose)} ${/ are /.test(asked) ? "are" : "is"} ${aged(age)}` : null),
	},
	{
		asked: /^how many (.+?) (?:do you|have you) (have|got|own|speak|play|know)(?: .*)?$/i,
		state: ([, what = "", verb = ""], count) => counted(what, verb, count),
	},
	{ asked: /^how often do you (.+)$/i, state: ([, does = ""], often) => (how.test(often) ? `I ${turned(does)} ${often}` : null) },
	{ asked: /^how long have you (.+)$/i, state: ([, done = ""], span) => lasted(turned(done), span) },
	{ asked: /^what(?:'s| is) your name$/i, state: (_, named) => (/^\p{Lu}/u.test(named) ? `My name is ${named}` : null) },
	{
		asked: /^what(?:'s| is| are) your (.+?)(?: called| named|'s names?)$/i,
		state: ([asked = "", what = ""], named) => `My ${what} ${/^what are/i.test(asked) ? "are" : "is"} called ${named}`,
	},
	{
		asked: /^when(?:'s| is) your (.+)$/i,
		state: ([, what = ""], day) => `My ${what} is ${/^\d|^\p{Lu}\p{L}+ \d/u.test(day) ? "on " : ""}${/^\p{Lu}\p{L}+$/u.test(day) ? "in " : ""}${day}`,
	},
	{
		asked: /^(?:what|which|who)(?:'s| is| are|'re| was) your ((?:\p{L}+[ '-]?s? ?){1,6})$/iu,
		state: ([asked = "", what = ""], value) => owned(asked, what, value),
	},
	{ asked: /^what (?:do you do|is your job|do you work as|do you do for (?:a living|work|a job|money))$/i, state: (_, work) => worked(work) },
	{
		asked:
			/^what (?:do you (?:like|love|enjoy)(?: to do| doing)?|do you do|are your hobbies)(?: (?:for fun|in your (?:free|spare) time|to relax|on (?:the )?weekends))?$/i,
		state: (_, fun) => enjoyed(fun),
	},
	{
		asked: /^(?:what|which) (?:(?:kinds?|types?|sorts?|genres?|styles?|breeds?) of )?(\p{L}+(?: \p{L}+)?) do you (.+)$/iu,
		state: ([, what = "", does = ""], value) => chosen(what, does, value),
	},
	{
		asked:
			/^(?:what|who|whom) do you ((?:study|teach|drive|play|collect|eat|drink|cook|sell|make|write|paint|bake|grow|sing|watch|read|(?:live|work) (?:with|for|in|on)|listen to|want to (?:be|become|study))\b.*)$/i,
		state: ([, does = ""], value) => joined(turned(does), value),
	},
	{
		asked: /^what did you (study|major in|teach|play|buy|cook|make|order|write|paint|win|lose|bake)$/i,
		state: ([, did = ""], value) => `I ${past(did)} ${value}`,
	},
	{
		asked:
			/^what are you (studying|reading|cooking|learning|majoring in|making|baking|playing|listening to|working on|writing|building|growing|training for)$/i,
		state: ([, doing = ""], value) => `I am ${doing} ${value}`,
	},
];

/** In the first person; null when nothing that these rules know was asked, or the answer is no answer. */
export function openAnswer(question: string, answer: string): string | null {
	const value = fragmentOf(answer);
	if (value === null) return null;
	for (const { asked, state } of rules) {
		const found = asked.exec(question);
		if (found !== null) return state(found, value);
	}
	return null;
}

/** The words that answer; null for a sentence of its own, and for words that say nothing. */
function fragmentOf(answer: string): string | null {
	const bare = answer
		.trim()
		.replace(next, "")
		.replace(lead, "")
		.replace(/[\s.,!]+$/, "");
	const words = bare
		.toLowerCase()
		.replaceAll("’", "'")
		.split(/[\s,]+/);
	if (bare === "" || words.length > answerWordsMax || none.test(bare)) return null;
	if (finiteVerbAt(words) >= 0 || !words.some((word) => !isStopWord(word) || number.test(word))) return null;
	return small.test(bare) && !/^(?:The|An?|One) \p{Lu}/u.test(bare) ? bare.charAt(0).toLowerCase() + bare.slice(1) : bare;
}

function placed(place: string, otherwise: string): string {
	if (/^(?:in|at|near|on|outside|close|just|by|with|for|from|around|north|south|east|west|home|abroad|between|downtown|upstate)\b/i.test(place)) return place;
	return `${otherwise} ${place}`;
}

function whereabouts(asked: string): string {
	if (/born/i.test(asked)) return "was born";
	return /raised/i.test(asked) ? "was raised" : "grew up";
}

function past(does: string): string {
	const [verb = ""] = does.split(" ");
	return pastOf(verb.toLowerCase()) + does.slice(verb.length);
}

function aged(age: string): string {
	return /\b(?:years?|months?|weeks?|days?)\b/i.test(age) ? age : `${age} years old`;
}

/** `Three, two boys and a girl` to how many children: three children, two boys and a girl. */
function counted(what: string, verb: string, count: string): string | null {
	const [found] = new RegExp(`^(?:only )?(${numberWord})\\b`, "i").exec(count) ?? [];
	if (found === undefined) return null;
	const does = verb === "got" ? "have" : verb;
	const rest = count.slice(found.length);
	const isBare = rest === "" || /^,/.test(rest);
	return `I ${does} ${found.toLowerCase()}${isBare ? ` ${/^(?:1|one)$/i.test(found) ? singularOf(what) : what}` : ""}${rest}`;
}

function singularOf(what: string): string {
	return what
		.replace(/children$/, "child")
		.replace(/ies$/, "y")
		.replace(/([^s])s$/, "$1");
}

function lasted(done: string, span: string): string | null {
	if (!/\b(?:years?|months?|weeks?|days?|since|life|decades?)\b/i.test(span)) return null;
	return `I have ${done.replace(/ for$/i, "")} ${/^(?:since|for|all)\b/i.test(span) ? "" : "for "}${span}`;
}

function owned(asked: string, what: string, value: string): string | null {
	const bare = what.trim();
	if (askedOpinion.test(bare)) return null;
	const was = / was /i.test(asked) ? "was" : "is";
	return `My ${bare} ${/^\w+ are\b|'re/i.test(asked) ? "are" : was} ${value}`;
}

function worked(work: string): string | null {
	if (/^(?:an?|the) /i.test(work)) return `I work as ${work}`;
	if (/^(?:in|at|for|with) /i.test(work)) return `I work ${work}`;
	if (!/^[\p{L}-]+(?: [\p{L}-]+)?$/u.test(work) || !job.test(work)) return null;
	const bare = work.charAt(0).toLowerCase() + work.slice(1);
	return `I work as ${/^[aeiou]/.test(bare) ? "an" : "a"} ${bare}`;
}

function enjoyed(fun: string): string {
	const bare = fun.charAt(0).toLowerCase() + fun.slice(1);
	return isBase(bare.split(" ")[0] ?? "") && / /.test(bare) ? `I ${bare}` : `I like ${bare}`;
}

/** `What instrument do you play?`: what was asked for stays beside the answer. */
function chosen(what: string, does: string, value: string): string | null {
	if (/^(?:time|way|else|part|things?|do|would|day)\b/i.test(what) || /^(?:think|mean|recommend|suggest|want|need|say|prefer to|do|know|feel)\b/i.test(does))
		return null;
	const named = value.toLowerCase().includes(singularOf(what.toLowerCase())) ? "" : ` (${what})`;
	return `${joined(turned(does), value)}${named}`;
}

/** The answer stands right behind the verb and its preposition: `work for` – `a bank` – `in winter`. */
function joined(does: string, value: string): string {
	const [found = does] = /^(?:like to |want to |love to |enjoy |usually )?\p{L}+(?: (?:with|for|in|on|to|at)(?= |$))?/u.exec(does) ?? [];
	const bare = value.replace(/^(?:in|with|for|on) /i, (word) => (/ (?:with|for|in|on|to|at)$/.test(found) ? "" : word));
	return `I ${found} ${bare}${does.slice(found.length)}`;
}
