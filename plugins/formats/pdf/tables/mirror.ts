/** Mirrors right-to-left pages, so that the code for lines, cells and columns handles only one direction. */

import type { Rule } from "../page-drawings.ts";
import type { Line, PageText } from "../page-text.ts";

export function mirrorPage({ lines, rules, width }: PageText): Pick<PageText, "lines" | "rules"> {
	const mirrored = lines.map((line) => ({ ...line, box: mirrorBox(line.box, width) }));
	return { lines: joinParagraphs(mirrored), rules: rules.map((rule) => mirrorRule(rule, width)) };
}

/** The largest difference in x between lines of a paragraph, in points, and the largest gap between them, in font sizes. */
const [alignment, lineGap] = [2, 0.75];

/** Gives the lines of a paragraph the same block, since MuPDF makes a block of each line of right-to-left text. */
function joinParagraphs(lines: readonly Line[]): readonly Line[] {
	let above: Line | undefined;
	return lines.map((line) => {
		above = above !== undefined && continuesParagraph(above, line) ? { ...line, block: above.block } : line;
		return above;
	});
}

function continuesParagraph(above: Line, line: Line): boolean {
	const gap = line.box[1] - above.box[3];
	const hasSameFormat = Math.abs(above.size - line.size) < 0.6 && above.isBold === line.isBold;
	return hasSameFormat && Math.abs(above.box[0] - line.box[0]) <= alignment && gap > -line.size && gap < line.size * lineGap && line.box[1] > above.box[1];
}

export function mirrorBox([left, top, right, bottom]: Line["box"], width: number): Line["box"] {
	return [width - right, top, width - left, bottom];
}

function mirrorRule(rule: Rule, width: number): Rule {
	return rule.isVertical ? { ...rule, position: width - rule.position } : { ...rule, from: width - rule.to, to: width - rule.from };
}
