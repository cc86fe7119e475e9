/** Removes the lines that repeat from page to page: headers, footers and page numbers. */

import type { Line, PageText } from "./page-text.ts";

/** Headers and footers are within this share of the page's height from the top or bottom. */
const edgeShare = 0.1;
/** A line repeats if it is on at least this many pages, and on this share of all pages. */
const [repeatsMin, repeatShareMin] = [2, 0.4];
/** Lines count as being at the same height if their y, rounded to this step in points, is equal. */
const heightStep = 6;

/**
 * Removes repeating lines from the edges inwards, up to the first line that does not repeat. If nothing else is on any page, as on
 * sheets of labels, the lines are kept.
 */
export function removeRunningLines(pages: readonly PageText[]): readonly PageText[] {
	const counts = new Map<string, number>();
	for (const page of pages) for (const key of new Set([...topLines(page), ...bottomLines(page)].map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
	const pagesMin = Math.max(repeatsMin, pages.length * repeatShareMin);
	const result = pages.map((page, index) => {
		const isRunning = (line: Line) => (counts.get(keyOf(line)) ?? 0) >= pagesMin || isPageNumber(line, index + 1, page, pages.length);
		const removed = new Set([...takeWhile(topLines(page), isRunning), ...takeWhile(bottomLines(page), isRunning)]);
		return removed.size === 0 ? page : { ...page, lines: page.lines.filter((line) => !removed.has(line)) };
	});
	return result.some(({ lines }) => lines.length > 0) ? result : pages;
}

const pageNumber = /^(?:(?<word>\p{L}{1,12})\.? )?[-–|[(]?\s*(?<page>\d{1,4})\s*(?:(?:\/|of|von|de|sur|di|van|из|z|av|af)\s*(?<total>\d{1,4})\s*)?[-–|\])]?$/u;
const pageWord = /^(?:p|pg|pages?|s|seite|página|pág|pagina|pag|стр|страница|sida|side|strona|str|strana|oldal|sayfa|trang)$/iu;

/** Whether the line is a page number alone in its row, such as `3`, `- 3 -`, `Page 3` or `Folio 3 of 7` on the third of seven pages. */
function isPageNumber(line: Line, page: number, { lines }: PageText, pages: number): boolean {
	const found = pageNumber.exec(line.text)?.groups;
	if (found === undefined || Number(found["page"]) !== page) return false;
	if (found["total"] !== undefined) return Number(found["total"]) === pages;
	if (found["word"] !== undefined && !pageWord.test(found["word"])) return false;
	return lines.every((other) => other === line || other.box[3] < line.box[1] || other.box[1] > line.box[3]);
}

/** The lines near the top of the page, from the edge inwards. */
function topLines({ lines, height }: PageText): readonly Line[] {
	return lines.filter(({ box }) => box[1] < height * edgeShare).sort((one, other) => one.box[1] - other.box[1]);
}

function bottomLines({ lines, height }: PageText): readonly Line[] {
	return lines.filter(({ box }) => box[3] > height * (1 - edgeShare)).sort((one, other) => other.box[3] - one.box[3]);
}

function takeWhile(lines: readonly Line[], matches: (line: Line) => boolean): readonly Line[] {
	const end = lines.findIndex((line) => !matches(line));
	return end < 0 ? lines : lines.slice(0, end);
}

/** The text and height of a line. Digits are ignored, since page numbers and dates differ from page to page. */
function keyOf({ text, box }: Line): string {
	return `${text.replace(/\d+/g, "#")}@${Math.round(box[1] / heightStep)}`;
}
