/**
 * Stems in languages other than English, as further terms. They begin with a mark, so that no word equals a stem, and have no accents. A
 * text has the stems of its own languages. A query has the stems of all languages in which its organisation has texts, because a few words
 * rarely show their language.
 */

import { BoundedMap } from "../../text/bounded-map.ts";
import { type Language, scripts } from "./languages.ts";
import { normalize } from "./split-words.ts";

/** These marks begin the term of a stem and of a language. They are no letters, so no word of a text begins with one. */
const stemMark = "\u0001";
const languageMark = "\u0002";

const shortest = 2;
const letters = /^[\p{L}\p{M}]+$/u;

/** A cache of stems, about 250 bytes per entry. */
const known = new BoundedMap<string, readonly string[]>(20_000);

/** @param spelled in lower case, with its accents. @returns its stem, and the stem of the word without accents if that is a different one. */
export function languageStems(spelled: string, { code, stem }: Language): readonly string[] {
	if (stem === null || spelled.length < shortest || !letters.test(spelled)) return [];
	const key = `${code} ${spelled}`;
	const before = known.get(key);
	if (before !== undefined) return before;
	const found = [...new Set([spelled, normalize(spelled)].map((word) => stemMark + normalize(stemOr(word, stem))))];
	known.set(key, found);
	return found;
}

/** The Bulgarian stemmer tries to change its argument and throws. Then the word is its own stem. */
function stemOr(word: string, stem: NonNullable<Language["stem"]>): string {
	try {
		return stem(word);
	} catch {
		return word;
	}
}

/** A term that every text in the language has. */
export function languageTerm({ code }: Language): string {
	return languageMark + code;
}

/** Whether a word is in the script of the language. */
export function isWrittenIn(spelled: string, { script }: Language): boolean {
	return scripts.get(script)?.test(spelled) ?? false;
}
