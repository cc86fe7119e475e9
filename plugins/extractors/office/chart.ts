/** A chart → the table that it was drawn from, which Office keeps inside of it. */

import type { Place } from "cairn";
import type { Outline } from "../outline.ts";
import { elementAt, elementsOf, numberOf, outermost, textOf, type XmlElement } from "../xml-element.ts";

/** More points are no chart that anybody reads, and an index is only a number that a file claims. */
const pointsMax = 10_000;

export function addChart(chart: XmlElement | null, outline: Outline, place: Place = {}): void {
	if (chart === null) return;
	const [title] = outermost(chart, "title");
	const words = title === undefined ? "" : wordsIn(title);
	if (!isSaid(words, outline)) outline.caption(words, { place });
	const series = [...outermost(chart, "ser")];
	const [first] = series;
	if (first === undefined) return;
	const categories = pointsOf(elementAt(first, "cat") ?? elementAt(first, "xVal"));
	const columns = series.map((one) => ({ name: nameOf(one), values: pointsOf(elementAt(one, "val") ?? elementAt(one, "yVal")) }));
	const length = columns.reduce((most, { values }) => Math.max(most, values.length), categories.length);
	outline.table(
		["", ...columns.map(({ name }) => name)],
		Array.from({ length }, (_, row) => ({ cells: [categories[row] ?? "", ...columns.map(({ values }) => values[row] ?? "")], place })),
	);
}

/** The descriptions that Office makes up for charts tell the title. */
function isSaid(title: string, { blocks }: Outline): boolean {
	const last = blocks.at(-1);
	return last?.kind === "caption" && last.text.includes(title);
}

function nameOf(series: XmlElement): string {
	const label = elementAt(series, "tx");
	return pointsOf(label)[0] ?? textOf(elementAt(label, "v")).trim();
}

function wordsIn(title: XmlElement): string {
	return [...outermost(title, "t")].map(textOf).join("").trim();
}

/** Values in the order of their index. With several levels of categories the innermost is the one next to the values. */
function pointsOf(source: XmlElement | null): readonly string[] {
	if (source === null) return [];
	const [level] = outermost(source, "lvl");
	const points: string[] = [];
	for (const point of outermost(level ?? source, "pt")) {
		const index = numberOf(point, "idx", points.length);
		if (index >= 0 && index < pointsMax) points[index] = elementsOf(point, "v").map(textOf).join("").trim();
	}
	return Array.from(points, (value) => value ?? "");
}
