/** Reads a chart as the table of its data, which Office stores in the chart. */

import type { Place } from "cairn-memory";
import type { Outline } from "../blocks/outline.ts";
import { shownNumber } from "../sheets/number-format.ts";
import { attributeOf, elementAt, numberOf, outermost, textOf, type XmlElement } from "../xml/xml-element.ts";

/** Real charts have fewer points; indexes come from the file and cannot be trusted. */
const pointsMax = 10_000;

export function addChart(chart: XmlElement | null, outline: Outline, place: Place = {}): void {
	if (chart === null) return;
	// The chart's title, then those of its axes.
	for (const title of outermost(chart, "title")) {
		const words = wordsIn(title);
		if (!isSaid(words, outline)) outline.caption(words, { place });
	}
	const series = [...outermost(chart, "ser")];
	const [first] = series;
	if (first === undefined) addNewerChart(chart, outline, place);
	else addSeries(first, series, outline, place);
}

function addSeries(first: XmlElement, series: readonly XmlElement[], outline: Outline, place: Place): void {
	const categories = pointsOf(elementAt(first, "cat") ?? elementAt(first, "xVal"));
	const columns = series.map((one) => ({ name: nameOf(one), values: pointsOf(elementAt(one, "val") ?? elementAt(one, "yVal")) }));
	const length = columns.reduce((most, { values }) => Math.max(most, values.length), categories.length);
	outline.table(
		["", ...columns.map(({ name }) => name)],
		Array.from({ length }, (_, row) => ({ cells: [categories[row] ?? "", ...columns.map(({ values }) => values[row] ?? "")], place })),
	);
}

/** Newer chart types (`cx:`), such as waterfalls and treemaps: series refer to data by id. */
function addNewerChart(chart: XmlElement, outline: Outline, place: Place): void {
	const series = [...outermost(chart, "series")];
	for (const data of outermost(chart, "data")) {
		const drawn = series.find((one) => attributeOf(elementAt(one, "dataId"), "val") === attributeOf(data, "id"));
		const name = textOf(elementAt(drawn ?? null, "tx", "txData", "v")).trim();
		const levels = [...outermost(data, "lvl")].map(pointsOf);
		const length = levels.reduce((most, points) => Math.max(most, points.length), 0);
		const header = levels.map((_, index) => (index === levels.length - 1 ? name : ""));
		outline.table(
			header,
			Array.from({ length }, (_, row) => ({ cells: levels.map((points) => points[row] ?? ""), place })),
		);
	}
}

/** Whether the title was added before: generated descriptions of charts contain it. */
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

/** Values in the order of their index. Of several levels of categories the innermost is used. */
function pointsOf(source: XmlElement | null): readonly string[] {
	if (source === null) return [];
	const [level] = source.name === "lvl" ? [source] : outermost(source, "lvl");
	const format = formatIn(level ?? source);
	const points: string[] = [];
	for (const point of outermost(level ?? source, "pt")) {
		const index = numberOf(point, "idx", points.length);
		const written = textOf(elementAt(point, "v") ?? point).trim();
		if (index >= 0 && index < pointsMax) points[index] = format === null ? written : shownNumber(written, attributeOf(point, "formatCode") ?? format);
	}
	return Array.from(points, (value) => value ?? "");
}

/** The number format; null for text. */
function formatIn(source: XmlElement): string | null {
	const [numbers] = outermost(source, "numCache", "numLit");
	if (numbers !== undefined) return textOf(elementAt(numbers, "formatCode"));
	return source.name === "val" || source.name === "yVal" ? "" : attributeOf(source, "formatCode");
}
