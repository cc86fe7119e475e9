/** Joins a drop cap, which is as high as several lines, with the first of these lines. */

import type { Line } from "../page-text.ts";

/** The least size of a drop cap relative to the text, and the least number of characters of a line beside it. */
const [sizeRatioMin, lineCharactersMin] = [1.8, 8];

export function joinDropCaps(lines: readonly Line[]): readonly Line[] {
	const caps = lines.filter(({ text }) => text.length < 3 && /^["“„«]?\p{Lu}$/u.test(text));
	if (caps.length === 0) return lines;
	const firstLineOf = new Map(caps.map((cap) => [cap, firstBeside(cap, lines)] as const));
	const capOf = new Map([...firstLineOf].flatMap(([cap, line]) => (line === undefined ? [] : [[line, cap] as const])));
	return lines.flatMap((line) => {
		if (firstLineOf.get(line) !== undefined) return [];
		const cap = capOf.get(line);
		return cap === undefined ? [line] : [{ ...line, text: `${cap.text}${line.text}`, box: [cap.box[0], line.box[1], line.box[2], line.box[3]] }];
	});
}

/** The topmost line beside the drop cap; undefined unless at least two lines begin within its height. */
function firstBeside(cap: Line, lines: readonly Line[]): Line | undefined {
	const [, top, right, bottom] = cap.box;
	const linesBeside = lines.filter(({ text, size, box }) => {
		const middle = (box[1] + box[3]) / 2;
		const isNear = box[0] > right - size && box[0] < right + size * 1.5 && middle > top && middle < bottom;
		return isNear && cap.size > size * sizeRatioMin && text.length >= lineCharactersMin;
	});
	const [highest] = linesBeside.toSorted((one, other) => one.box[1] - other.box[1]);
	return linesBeside.length > 1 && /^\p{L}/u.test(highest?.text ?? "") ? highest : undefined;
}
