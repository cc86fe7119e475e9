/** Makes a sentence of what was typed from a recording: `I I {pause} uh I 'm new , yes` → `I'm new, yes`. */

/** A cheap look before the costly one. */
const signs =
	/\{\p{Ll}+\}|\[\p{L}+\]| ['’]?(?:m|ve|re|s|d|ll|n['’]t)\b| [,.?!](?: |$)|\b(?:u+[hm]+|e+rm?|mm+|(?:gon|wan) na|got ta)\b|^(?:Mr|Mrs|Ms|Madam)\b|\b(\p{L}{1,4})(?: -)? \1\b/iu;
const marker = /(?<!\{)\{\p{Ll}+\}(?!\})|\[(?:laughter|laughs?|laughing|pause|noise|inaudible|unintelligible|crosstalk|music|applause|cough|sighs?)\]/giu;
const filler = /(^|(?<!\d)[ ,])(?:u+[hm]+|e+rm?|mm+|hm+)(?=[ ,.?!]|$)[ ,]*/giu;
/** Words that are said again while one thinks; `had had` and `that that` may be meant. */
const stutter = /\b(I|I['’]m|I['’]ve|it['’]s|we|you|he|she|it|they|the|an?|to|of|in|on|and|but|so|if|my|our|your|is|are|this|with|for)(?:(?:,| -)? \1\b)+/giu;

export function asSpoken(sentence: string): string {
	if (!signs.test(sentence)) return sentence;
	return sentence
		.replace(marker, " ")
		.replace(/ (['’](?:m|ve|re|s|d|ll)|n['’]t)\b/gi, "$1")
		.replace(/\b(gon|wan|got) (na|ta)\b/gi, "$1$2")
		.replace(filler, "$1")
		.replace(/\s+/g, " ")
		.replace(/ +([,.?!])(?= |$)/g, "$1")
		.replace(stutter, "$1")
		.replace(/,(?: ?,)+/g, ",")
		.replace(/^(?:Mr|Mrs|Ms|Madam)\.? ?(?:Chair\p{L}*|Speaker|President),\s*/iu, "")
		.replace(/^[ ,]+/, "")
		.trim();
}
