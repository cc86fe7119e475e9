/**
 * Stems of languages other than English, as terms beside the words themselves. They are marked, so that an English word is never
 * taken for one, and have no accents. A text has the stems of its own languages. A query uses the stems of every language that
 * its organisation writes in, since a few words rarely show their language.
 */

import { type Language, scripts } from "./languages.ts";
import { normalize } from "./split-words.ts";

/** Stands before a stem, and before a language: neither is a letter, so no word of a text can be one. */
const stemMark = "\u0001";
const languageMark = "\u0002";

const shortest = 2;
const letters = /^[\p{L}\p{M}]+$/u;

/** The stems seen of late: as with English. */
const known = new Map<string, readonly string[]>();
const knownMax = 50_000;

/** @param spelled in lower case, with its accents. @returns also the stem of the word written without them, where it is another. */
export function languageStems(spelled: string, { code, stem }: Language): readonly string[] {
	if (stem === null || spelled.length < shortest || !letters.test(spelled)) return [];
	const key = `${code} ${spelled}`;
	const before = known.get(key);
	if (before !== undefined) return before;
	if (known.size >= knownMax) known.clear();
	const found = [...new Set([spelled, normalize(spelled)].map((word) => stemMark + normalize(stemOr(word, stem))))];
	known.set(key, found);
	return found;
}

/** The Bulgarian one writes into its word, which cannot be written into: such a word is its own stem. */
function stemOr(word: string, stem: NonNullable<Language["stem"]>): string {
	try {
		return stem(word);
	} catch {
		return word;
	}
}

/** The term that every text of a language has. */
export function languageTerm({ code }: Language): string {
	return languageMark + code;
}

/** Whether a word may be of the language. */
export function isWrittenIn(spelled: string, { script }: Language): boolean {
	return scripts.get(script)?.test(spelled) ?? false;
}
