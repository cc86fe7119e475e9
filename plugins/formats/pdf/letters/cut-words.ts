/** Joins words that are hyphenated across pages. The whole word is put on the page on which it begins. */

import type { Line, PageText } from "../page-text.ts";
import { isHyphenatedWord } from "./join-lines.ts";

/** The largest difference in font size within body text, in points. */
const sizeTolerance = 0.6;

export function joinWordsAcrossPages(pages: readonly PageText[], bodySize: number): readonly PageText[] {
	const result = [...pages];
	for (let index = 0; index + 1 < result.length; index++) {
		const [page, next] = [result[index], result[index + 1]];
		if (page === undefined || next === undefined) continue;
		const isBody = ({ size }: Line) => Math.abs(size - bodySize) <= sizeTolerance;
		const [last, first] = [page.lines.findLast(isBody), next.lines.find(isBody)];
		if (last === undefined || first === undefined || !isHyphenatedWord(last.text, first.text)) continue;
		const [wordEnd = ""] = first.text.split(" ");
		const remaining = first.text.slice(wordEnd.length).trimStart();
		result[index] = { ...page, lines: page.lines.map((line) => (line === last ? { ...last, text: `${last.text.slice(0, -1)}${wordEnd}` } : line)) };
		result[index + 1] = { ...next, lines: next.lines.flatMap((line) => withoutWordEnd(line, first, remaining)) };
	}
	return result;
}

function withoutWordEnd(line: Line, first: Line, remaining: string): readonly Line[] {
	if (line !== first) return [line];
	return remaining === "" ? [] : [{ ...first, text: remaining }];
}
