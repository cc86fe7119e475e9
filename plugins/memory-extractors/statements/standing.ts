/** Whether a statement can be understood by itself, where it is told to whoever was not there: what it points at stands in it. */

import type { Statement } from "./passages.ts";
import { isLasting } from "./traits.ts";
import { wordsOf } from "./words.ts";

/** They point at somebody or something. `That` alone, since it also joins clauses; `there is` says that something is. */
const pointer =
	/(?<![\p{L}])(?:(?:it|its|they|them|their|theirs|he|she|him|her|his|hers|here(?! in )|such|ones?(?= |[.,!]|$)|the (?:other|others|same|latter|former|rest|first|second|third|last)(?= one|[.,!;]|$)|(?:this|these|those)(?! (?:week|month|year|morning|afternoon|evening|weekend|spring|summer|autumn|fall|winter|time|\p{L}+day)))(?!\p{L})|that(?=['’]s| (?:is|was|will|would|has|had|can|could|should|may|might|sounds?|looks?|means?|one|way|thing|kind|sort|stuff|point|case)\b|[.,;!?]|$)|there(?!['’]s| (?:is|are|was|were|will|has|have|isn|aren|wasn|can|might)))(?:['’]\p{L}+)?/iu;
/** `It is important to rest`: nothing is pointed at. */
const expletive = /(?<![\p{L}])it(?:['’]s| is| was|['’]d be| takes?| took)(?: \p{L}+){0,4} (?:to|that|since|until|for)\b|(?<![\p{L}])it(?:['’]s| is| was) (?:raining|snowing|cold|hot|warm|late|early)\b/giu;
const second = /(?<![\p{L}])you(?:r|rs|rself|['’]\p{L}+)?(?![\p{L}])/iu;
/** So many telling words before it hold a pronoun. */
const holdingWords = 2;

/** Something that it points at stands nowhere in it. */
export function isDangling(text: string): boolean {
	const plain = text.replace(expletive, (found) => found.replace(/^it/i, "  "));
	const at = pointer.exec(plain)?.index ?? -1;
	return at >= 0 && wordsOf(plain.slice(0, at)).telling < holdingWords;
}

/** Thought aloud, supposed, about to be done, or about the talk itself. */
const passing =
	/(?<![\p{L}])(?:if|would|could|might|maybe|perhaps|probably|should|wish|hopefully|whatever|unless|suppose|guess|(?:gonna|gon na|wanna|wan na)|about to|(?:I|we)['’](?:d|ll)|(?:I|we) (?:will|think|thought|believe|feel|mean|doubt|hope|know|have to say|want to|was (?:going|just)|were (?:going|just)|mentioned)|as (?:I|we|you|he|she|the \p{L}+) (?:said|say|know|mentioned)|(?:my|our|a|some|the) (?:\p{L}+ )?(?:questions?|point|apologies|agenda|item|slide|presentation|session)|item \d|move on|come back to|thank|listen|look|hey|this|these|those)(?!\p{L})/iu;
const charactersMax = 260;

/** Of what was recorded, word for word, only what names its things is kept: in talk most is said of what all see or know. */
export function standsInSpeech({ texts, answers }: Statement, talkers: ReadonlySet<string>): boolean {
	const text = texts.join(" ");
	const words = wordsOf(text, talkers);
	if (answers !== null || text.length > charactersMax || second.test(text) || passing.test(text) || isDangling(text)) return false;
	return /^[\p{Lu}\p{N}]/u.test(text) && words.hasVerb && words.telling >= 3 && (words.hasFigure || words.hasName || isLasting(texts[0] ?? ""));
}
