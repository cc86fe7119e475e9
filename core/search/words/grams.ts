/**
 * The four letters in a row that a word has, with marks where it begins and ends: `_wor word ord_`. Words that were
 * mistyped, joined or bent share most of them. Over stems and marks alike, seven collections gained most from these.
 */

const length = 4;
const mark = "_";

/** What the grams count against the words in one score. */
export const gramShare = 0.5;

/** @param spelled as `normalize` gives it. */
export function gramsOf(spelled: string): readonly string[] {
	const signs = Array.from(mark + spelled + mark);
	if (signs.length <= length) return [signs.join("")];
	const grams: string[] = [];
	for (let i = 0; i + length <= signs.length; i++) grams.push(signs.slice(i, i + length).join(""));
	return grams;
}
