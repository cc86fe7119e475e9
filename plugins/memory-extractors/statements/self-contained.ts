/** Decides whether a statement can be understood without its context: its pronouns must refer to something in it. */

import type { Statement } from "./group-statements.ts";
import { isLasting } from "./memory-properties.ts";
import { withoutOpinionStart } from "./noise.ts";
import { wordFeatures } from "./word-features.ts";

/** Pronouns and words that refer to something. `That` as a conjunction and `there is` are excluded. */
const pronoun =
	/(?<![\p{L}])(?:(?:it|its|they|them|their|theirs|he|she|him|her|his|hers|such|ones?(?= |[.,!]|$)|the (?:other|others|same|latter|former|rest|first|second|third|last)(?= one|[.,!;]|$)|(?:this|these|those)(?! (?:days|week|month|year|morning|afternoon|evening|weekend|spring|summer|autumn|fall|winter|time|\p{L}+day)))(?!\p{L})|that(?=['’]s| (?:is|was|will|would|has|had|can|could|should|may|might|sounds?|looks?|means?|one|way|thing|kind|sort|stuff|point|case)\b|[.,;!?]|$)|there(?!['’]s| (?:is|are|was|were|will|has|have|isn|aren|wasn|can|might)))(?:['’]\p{L}+)?/iu;
/** `It is important to rest`: here `it` refers to nothing. */
const expletive =
	/(?<![\p{L}])it(?:['’]s| is| was|['’]d be| takes?| took)(?: \p{L}+){0,4} (?:to|that|since|until|for)\b|(?<![\p{L}])it(?:['’]s| is| was) (?:raining|snowing|cold|hot|warm|late|early)\b/giu;
const secondPerson = /(?<![\p{L}])you(?:r|rs|rself|['’]\p{L}+)?(?![\p{L}])/iu;
const personal = /^(?:he|she|him|her|his|hers)/i;
/** A person whom a pronoun may refer to. */
const somebody =
	/(?<=\p{L} )\p{Lu}\p{Ll}|^\p{Lu}\p{Ll}+ (?:and|is|was|has|had)\b|(?<![\p{L}])(?:mother|father|mum|mom|dad|brother|sister|son|daughter|husband|wife|partner|child|kid|baby|grand\p{L}+|uncle|aunt|cousin|nephew|niece|(?:boy|girl)?friend|boss|teacher|doctor|neighbou?r|man|woman|guy|girl|boy|lady|landlord|colleague|coach|vet|dog|cat|puppy|horse|fianc\p{L}+|owner|roommate|flatmate)(?!\p{L})|(?<![\p{L}])(?:an?|my|our|one|two|three) (?:\p{L}+ )?\p{L}{3,}/u;
/** With this many content words before it, a pronoun is considered resolved. */
const resolvingWordsMin = 2;

/** Whether a pronoun refers to nothing in the statement. */
export function isDangling(text: string): boolean {
	const withoutExpletive = text.replace(expletive, (found) => found.replace(/^it/i, "  "));
	const found = pronoun.exec(withoutExpletive);
	if (found === null) return false;
	const before = withoutExpletive.slice(0, found.index);
	return personal.test(found[0]) ? !somebody.test(before) : wordFeatures(before).significantCount < resolvingWordsMin;
}

/** Thinking aloud, suppositions, immediate intentions, and remarks about the conversation itself. */
const passingRemark =
	/(?<![\p{L}])(?:if|would|could|might|maybe|perhaps|probably|should|wish|hopefully|whatever|unless|suppose|guess|(?:gonna|gon na|wanna|wan na)|about to|(?:I|we)['’](?:d|ll)|(?:I|we) (?:will|think|thought|believe|feel|mean|doubt|hope|know|have to say|want to|was (?:going|just)|were (?:going|just)|mentioned)|as (?:I|we|you|he|she|the \p{L}+) (?:said|say|know|mentioned)|(?:my|our|a|some|the) (?:\p{L}+ )?(?:questions?|point|apologies|agenda|item|slide|presentation|session)|item \d|\d+ ?(?:seconds|minutes)|adjourn\p{L}*|honourable|stands|move on|come back to|thank|listen|look|hey|this|these|those)(?! days)(?!\p{L})/iu;
/** A sentence that was cut off: `the objection was that—.` */
const cutOff = /(?:\.{2,}|…|[—–-])[^\p{L}]*$|[—–]\./u;
const charactersMax = 260;

/** For transcripts of speech, only statements that name what they are about are kept, because much of a conversation refers to what everybody sees. */
export function isSelfContainedInSpeech({ texts, answers }: Statement, talkers: ReadonlySet<string>): boolean {
	const text = texts.join(" ");
	const features = wordFeatures(text, talkers);
	if (answers !== null || text.length > charactersMax || secondPerson.test(text) || cutOff.test(text) || passingRemark.test(text) || isDangling(text))
		return false;
	return (
		/^[\p{L}\p{N}]/u.test(text) && features.hasVerb && features.significantCount >= 3 && (features.hasNumber || features.hasName || isLasting(texts[0] ?? ""))
	);
}

/** Wishes, suppositions, and references to earlier remarks: only kept with a date, an amount or a name. */
const unsettled =
	/(?<![\p{L}])(?:if|wish|(?:I|it|that|which|there) would(?! (?:love|like) to)|could|might|may be|maybe|perhaps|hopefully|suppose|guess|imagine|forgot|wonder(?:ing)?|(?:I|we)['’]d(?! (?:love|like) to)|(?:(?:I|we)['’]ll|(?:I|we) will)(?: definitely| probably| just| also)? (?:ask|see|check|look|try|think|let|send|e-?mail|show|get|figure|remember|stick|have|keep|tell|text|call|be|pass|do|give|make|reach|wait|go)|the (?:idea|things?|parts?|whole|way|same|rest)|(?:(?:I|we)['’]d|would) (?:love|like) to (?:hear|see|try|know|check|join|watch|come|meet|go|chat|talk)|feel(?:s|ing)? (?:so |very |much |a bit |really )?\p{L}+(?=[.!,]|$| and))(?!\p{L})/iu;
/** General opinions. */
const opinion =
	/(?<![\p{L}])(?:best|better|worse|good|great|nice|cool|fun|funny|amazing|awesome|beautiful|interesting|popular|important|easy|hard|expensive|cheap|affordable|delicious|pretty|super|really|very|always|never|people|everyone|everybody|most|many|lots|life|thing|stuff|sounds?|seems?|looks?)(?!\p{L})/iu;
const firstPerson = /(?<![\p{L}])(?:I|i|my|me|mine|we|our|us)(?!\p{L})/iu;

/** An offer at the end of a sentence: `My wife is a doctor, if you need help`. */
const offer = /(?<=.{12}),? if (?:you|that|it|there|this)(?![\p{L}])[^.!]*(?=[.!]|$)/iu;

/** Non-ASCII letters: a sentence that is partly in another language cannot be judged. */
const nonAsciiLetter = /(?=\p{L})[^\p{ASCII}]/u;
/** An answer that begins with a pronoun needs more significant words than this: `It was pretty tasty` means nothing later. */
const answerSignificantMin = 2;
const firstCharacters = 8;

/** For chats: a statement is kept if it names what it is about, answers a quoted line, or is clear despite its pronouns. */
export function isSelfContainedInChat({ texts, answers, sentences }: Statement, talkers: ReadonlySet<string>): boolean {
	if (sentences[0]?.context.speaker?.role !== "person") return true;
	const features = wordFeatures(texts.join(" "), talkers);
	if (answers !== null)
		return (
			features.isForeign ||
			features.hasNumber ||
			features.hasName ||
			features.significantCount > answerSignificantMin ||
			!pronoun.test((texts[0] ?? "").slice(0, firstCharacters))
		);
	if (features.isForeign || features.hasNumber || features.hasName || nonAsciiLetter.test(texts[0] ?? "")) return true;
	// The other sentences depend on the first one, so only that is checked.
	const text = (texts[0] ?? "").replace(offer, "");
	if (secondPerson.test(text)) return false;
	return !isDangling(text) && !unsettled.test(text) && (firstPerson.test(withoutOpinionStart(text)) || !opinion.test(text));
}
