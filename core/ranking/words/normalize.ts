/** The form in which words are compared, never shown: compatibility forms folded together, lower case, accents off Latin letters. */

import { limits } from "../../model/limits.ts";

const otherThanAscii = /[^\p{ASCII}]/u;

export function normalize(text: string): string {
	// Nothing else is folded in it, and most English texts are such.
	if (!otherThanAscii.test(text)) return text.toLowerCase();
	return text
		.normalize("NFKD")
		.replace(/(?<=[\p{Script=Latin}])\p{M}+/gu, "")
		.normalize("NFC")
		.toLowerCase()
		.replaceAll("ı", "i");
}

/**
 * What is looked for, however it is spelled: one sign of Arabic becomes eighteen when it is normalised (U+FDFA), and a query of
 * so many as are allowed shall not take the time of eighteen. What is longer by itself keeps its length.
 * @param text as `normalize` or `lowered` gives it
 */
export function noLonger(text: string, query: string): string {
	const most = Math.max(query.length, limits.queryCharactersMax);
	if (text.length <= most) return text;
	// Not within a word, where words are: half of one is another.
	const blank = text.lastIndexOf(" ", most);
	return text.slice(0, blank > 0 ? blank : most);
}

/** The same with its accents: what a stemmer of the language wants to see. Turkish writes its small i without a dot. */
export function lowered(text: string): string {
	return text.normalize("NFKC").replaceAll("İ", "i").toLowerCase();
}
