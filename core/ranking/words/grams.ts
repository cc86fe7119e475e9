/**
 * The four letters in a row that a word has, with marks where it begins and ends: `_wor word ord_`. Words that were
 * mistyped, joined or bent share most of them. Of words and stems, with marks and
 * without, seven collections gained most from these.
 */

const length = 4;
const mark = "_";

/** What the grams count against the words in one score. */
export const gramShare = 0.7;

const outsideBasicPlane = /[\ud800-\udfff]/;

/** @param spelled as `normalize` gives it. */
export function gramsOf(spelled: string): readonly string[] {
	const marked = mark + spelled + mark;
	if (outsideBasicPlane.test(marked)) return windows(Array.from(marked), (signs) => signs.join(""));
	return windows(marked, (signs) => signs);
}

function windows<Signs extends { readonly length: number; readonly slice: (from: number, to: number) => Signs }>(
	signs: Signs,
	text: (signs: Signs) => string,
): readonly string[] {
	if (signs.length <= length) return [text(signs)];
	return Array.from({ length: signs.length - length + 1 }, (_, i) => text(signs.slice(i, i + length)));
}
