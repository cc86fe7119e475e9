/** The form in which words are compared, never shown: compatibility forms folded together, lower case, accents off Latin letters. */

export function normalize(text: string): string {
	return text
		.normalize("NFKD")
		.replace(/(?<=[\p{Script=Latin}])\p{M}+/gu, "")
		.normalize("NFC")
		.toLowerCase()
		.replaceAll("ı", "i");
}

/** The same with its accents: what a stemmer of the language wants to see. Turkish writes its small i without a dot. */
export function lowered(text: string): string {
	return text.normalize("NFKC").replaceAll("İ", "i").toLowerCase();
}
