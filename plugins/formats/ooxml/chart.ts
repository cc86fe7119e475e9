/** Reads a chart as the table of its data, which Office stores in the chart. */

import type { Place } from "cairn-memory";
import type { Outline } from "../blocks/outline.ts";
import { formatStoredNumber } from "../sheets/number-format.ts";
import { attributeOf, elementByPath, numberOf, textOf, topmostDescendants, type XmlElement } from "../xml/xml-element.ts";

/** Limits the indexes of points, which come from the file and cannot be trusted. Real charts have fewer points. */
const pointsMax = 10_000;

export function addChart(chart: XmlElement | null, outline: Outline, place: Place = {}): void {
	if (chart === null) return;
	// The first title is that of the chart, the others are those of its axes.
	for (const title of topmostDescendants(chart, "title")) {
		const text = titleText(title);
		if (!wasAdded(text, outline)) outline.caption(text, { place });
	}
	const series = [...topmostDescendants(chart, "ser")];
	const [first] = series;
	if (first === undefined) addNewerChart(chart, outline, place);
	else addSeries(first, series, outline, place);
}

function addSeries(first: XmlElement, series: readonly XmlElement[], outline: Outline, place: Place): void {
	const categories = pointsOf(elementByPath(first, "cat") ?? elementByPath(first, "xVal"));
	const columns = series.map((aSeries) => ({ name: nameOf(aSeries), values: pointsOf(elementByPath(aSeries, "val") ?? elementByPath(aSeries, "yVal")) }));
	const length = columns.reduce((longest, { values }) => Math.max(longest, values.length), categories.length);
	outline.table(
		["", ...columns.map(({ name }) => name)],
		Array.from({ length }, (_, row) => ({ cells: [categories[row] ?? "", ...columns.map(({ values }) => values[row] ?? "")], place })),
	);
}

/** Newer chart types (`cx:`), such as waterfalls and treemaps: series refer to data by id. */
function addNewerChart(chart: XmlElement, outline: Outline, place: Place): void {
	const series = [...topmostDescendants(chart, "series")];
	for (const data of topmostDescendants(chart, "data")) {
		const matching = series.find((aSeries) => attributeOf(elementByPath(aSeries, "dataId"), "val") === attributeOf(data, "id"));
		const name = textOf(elementByPath(matching ?? null, "tx", "txData", "v")).trim();
		const levels = [...topmostDescendants(data, "lvl")].map(pointsOf);
		const length = levels.reduce((longest, points) => Math.max(longest, points.length), 0);
		const header = levels.map((_, index) => (index === levels.length - 1 ? name : ""));
		outline.table(
			header,
			Array.from({ length }, (_, row) => ({ cells: levels.map((points) => points[row] ?? ""), place })),
		);
	}
}

/** Whether the block before already contains the title: generated descriptions of charts do. */
function wasAdded(title: string, { blocks }: Outline): boolean {
	const last = blocks.at(-1);
	return last?.kind === "caption" && last.text.includes(title);
}

function nameOf(series: XmlElement): string {
	const label = elementByPath(series, "tx");
	return pointsOf(label)[0] ?? textOf(elementByPath(label, "v")).trim();
}

function titleText(title: XmlElement): string {
	return [...topmostDescendants(title, "t")].map(textOf).join("").trim();
}

/** The values, ordered by their index. If the categories have several levels, the innermost level is used. */
function pointsOf(source: XmlElement | null): readonly string[] {
	if (source === null) return [];
	const [level] = source.name === "lvl" ? [source] : topmostDescendants(source, "lvl");
	const format = formatIn(level ?? source);
	const points: string[] = [];
	for (const point of topmostDescendants(level ?? source, "pt")) {
		const index = numberOf(point, "idx", points.length);
		const raw = textOf(elementByPath(point, "v") ?? point).trim();
		if (index >= 0 && index < pointsMax) points[index] = format === null ? raw : formatStoredNumber(raw, attributeOf(point, "formatCode") ?? format);
	}
	return Array.from(points, (value) => value ?? "");
}

/** The number format; null for text. */
function formatIn(source: XmlElement): string | null {
	const [numbers] = topmostDescendants(source, "numCache", "numLit");
	if (numbers !== undefined) return textOf(elementByPath(numbers, "formatCode"));
	return source.name === "val" || source.name === "yVal" ? "" : attributeOf(source, "formatCode");
}
