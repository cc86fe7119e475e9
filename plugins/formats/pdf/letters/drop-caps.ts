/** A big first letter that reaches over several lines → the first letter of the first of them. */

import type { Line } from "../page-text.ts";

/** How much bigger than its text such a letter is, and how many letters a line beside it has at least. */
const [growth, charactersMin] = [1.8, 8];

export function withDropCaps(lines: readonly Line[]): readonly Line[] {
	const caps = lines.filter(({ text }) => text.length < 3 && /^["“„«]?\p{Lu}$/u.test(text));
	if (caps.length === 0) return lines;
	const first = new Map(caps.map((cap) => [cap, firstBeside(cap, lines)] as const));
	const capOf = new Map([...first].flatMap(([cap, line]) => (line === undefined ? [] : [[line, cap] as const])));
	return lines.flatMap((line) => {
		if (first.get(line) !== undefined) return [];
		const cap = capOf.get(line);
		return cap === undefined ? [line] : [{ ...line, text: `${cap.text}${line.text}`, box: [cap.box[0], line.box[1], line.box[2], line.box[3]] }];
	});
}

/** The highest of the lines right beside it that begin within its height; there are two or more. */
function firstBeside(cap: Line, lines: readonly Line[]): Line | undefined {
	const [, top, right, bottom] = cap.box;
	const beside = lines.filter(({ text, size, box }) => {
		const middle = (box[1] + box[3]) / 2;
		const isNear = box[0] > right - size && box[0] < right + size * 1.5 && middle > top && middle < bottom;
		return isNear && cap.size > size * growth && text.length >= charactersMin;
	});
	const [highest] = beside.toSorted((one, other) => one.box[1] - other.box[1]);
	return beside.length > 1 && /^\p{L}/u.test(highest?.text ?? "") ? highest : undefined;
}
