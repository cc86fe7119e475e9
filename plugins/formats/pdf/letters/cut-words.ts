/** Joins words hyphenated across pages; the whole word goes to the page where it begins. */

import type { Line, PageText } from "../page-text.ts";
import { isCutBefore } from "./join-lines.ts";

/** In points: body text differs by no more in size. */
const alike = 0.6;

export function withWholeWords(pages: readonly PageText[], bodySize: number): readonly PageText[] {
	const whole = [...pages];
	for (let at = 0; at + 1 < whole.length; at++) {
		const [page, next] = [whole[at], whole[at + 1]];
		if (page === undefined || next === undefined) continue;
		const isBody = ({ size }: Line) => Math.abs(size - bodySize) <= alike;
		const [last, first] = [page.lines.findLast(isBody), next.lines.find(isBody)];
		if (last === undefined || first === undefined || !isCutBefore(last.text, first.text)) continue;
		const [rest = ""] = first.text.split(" ");
		const remaining = first.text.slice(rest.length).trimStart();
		whole[at] = { ...page, lines: page.lines.map((line) => (line === last ? { ...last, text: `${last.text.slice(0, -1)}${rest}` } : line)) };
		whole[at + 1] = { ...next, lines: next.lines.flatMap((line) => shortened(line, first, remaining)) };
	}
	return whole;
}

function shortened(line: Line, first: Line, remaining: string): readonly Line[] {
	if (line !== first) return [line];
	return remaining === "" ? [] : [{ ...first, text: remaining }];
}
