/** What a sentence needs from the one before it, and whether it says something with it. */

import { isIdle } from "./idle.ts";
import type { Sentence } from "./read-sentences.ts";
import { finiteVerbAt, isThird } from "./verbs.ts";
import { wordsOf } from "./words.ts";

/** They point back where they begin a sentence. */
export const leaning =
	/^(?:he|she|it|they|them|his|her|hers|its|their|theirs|this|that|these|those|both|neither|either|such|the (?:first|second|third|last|latter|former|other|others|same|rest)|others|another|some|most|so|then|and|but|also|because|cause|which|who|where|same|not|since then|after that|there(?!['’]s| (?:is|are|was|were|will|isn['’]t|aren['’]t|wasn['’]t)(?!\p{L}))|(?:the |\p{L}+ ){0,3}ones?)(?:['’]\p{L}+)?(?=[\s,.:]|$)/iu;
export const looseObject = /(?<![\p{L}])(?:it|them|that|this|those|these|him|there|one|ones|he|she|they)(?:['’]\p{L}+)?(?![\p{L}])/iu;
/** With so many words before it a pronoun is held by one of them. */
const holdingWords = 2;
const tellingMin = 3;

/** A pronoun at its beginning, or one that nothing in it holds; or no verb. */
export function isLeaning(text: string, { kind, context }: Sentence): boolean {
	if (kind !== "text") return false;
	if (leaning.test(text) || (context.speaker !== null && isThird(text.split(" ", 1)[0]?.toLowerCase() ?? ""))) return true;
	const words = wordsOf(text);
	if (words.isForeign) return false;
	if (!words.hasVerb && !words.isOwn) return context.speaker === null || words.telling < 3;
	const at = looseObject.exec(text)?.index ?? -1;
	return at >= 0 && finiteVerbAt(words.all) >= 0 && wordsOf(text.slice(0, at)).telling < holdingWords;
}

/** Whether there is enough in it to be kept beside another sentence. */
export function informs(text: string, talkers: ReadonlySet<string>): boolean {
	const words = wordsOf(text, talkers);
	return !isIdle(text) && (words.telling >= 2 || ((words.hasFigure || words.hasName) && words.telling >= 1));
}

/** Whether it says something although a pronoun in it means what stands elsewhere. */
export function tellsMuch(text: string, talkers: ReadonlySet<string>): boolean {
	return wordsOf(text, talkers).telling >= tellingMin;
}
