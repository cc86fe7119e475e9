/** Computes the numbers of list items in Word documents. As in Word, lists that share a definition continue each other's numbers. */

import { formatListNumber } from "../../blocks/format-list-number.ts";
import { attributeOf, elementByPath, elementsOf, valueByPath, type XmlElement } from "../../xml/xml-element.ts";
import { wholeNumber } from "./styles.ts";

export interface Numbering {
	/** The next marker, such as `3.` or `a)`; empty for a bullet, null when there is no such list. Advances the count. */
	readonly next: (id: string, level: number) => string | null;
	/** The level of the list that the style is linked to; null if there is none. */
	readonly levelOfStyle: (id: string, style: string | null) => number | null;
}

interface Level {
	readonly format: string;
	readonly template: string;
	readonly start: number;
	readonly style: string | null;
	readonly isLegal: boolean;
}

interface List {
	readonly definition: string;
	/** Start values that override those of the definition when the list is first used. */
	readonly starts: ReadonlyMap<number, number>;
	readonly levels: ReadonlyMap<number, Level>;
}

export const listLevelMax = 8;

/** @param listOfStyle returns the id of the list that a numbering style uses. */
export function readNumbering(root: XmlElement | null, listOfStyle: (style: string) => string | null): Numbering {
	const definitions = new Map(elementsOf(root, "abstractNum").map((element) => [attributeOf(element, "abstractNumId") ?? "", element]));
	const lists = new Map(elementsOf(root, "num").map((element) => [attributeOf(element, "numId") ?? "", element]));
	const resolved = new Map<string, List | null>();
	/** The last number at each level, by list definition. */
	const counts = new Map<string, number[]>();
	const startedLists = new Set<string>();

	const listOf = (id: string): List | null => {
		const cached = resolved.get(id);
		if (cached !== undefined) return cached;
		const list = resolveList(id, lists, definitions, listOfStyle);
		resolved.set(id, list);
		return list;
	};

	return {
		levelOfStyle(id, style) {
			for (const [index, level] of listOf(id)?.levels ?? []) if (style !== null && level.style === style) return index;
			return null;
		},
		next(id, level) {
			const list = listOf(id);
			const levelDefinition = list?.levels.get(level);
			if (list === null || levelDefinition === undefined) return null;
			const count = counts.get(list.definition) ?? [];
			counts.set(list.definition, count);
			if (!startedLists.has(id)) for (const [from, start] of list.starts) count.splice(from, count.length, ...(from <= count.length ? [start - 1] : []));
			startedLists.add(id);
			if (levelDefinition.format === "bullet") return "";
			for (let outerLevel = 0; outerLevel < level; outerLevel++) count[outerLevel] ??= list.levels.get(outerLevel)?.start ?? 1;
			count[level] = (count[level] ?? levelDefinition.start - 1) + 1;
			count.length = level + 1;
			return labelOf(levelDefinition, list, count);
		},
	};
}

function labelOf(levelDefinition: Level, list: List, count: readonly number[]): string {
	return levelDefinition.template
		.replace(/%([1-9])/g, (_, level: string) => {
			const index = Number(level) - 1;
			const format = levelDefinition.isLegal ? "decimal" : (list.levels.get(index)?.format ?? "decimal");
			return formatListNumber(format, count[index] ?? 1);
		})
		.trim();
}

function resolveList(
	id: string,
	lists: ReadonlyMap<string, XmlElement>,
	definitions: ReadonlyMap<string, XmlElement>,
	listOfStyle: (style: string) => string | null,
): List | null {
	const list = lists.get(id) ?? null;
	let definition = valueByPath(list, "abstractNumId") ?? "";
	const link = valueByPath(definitions.get(definition) ?? null, "numStyleLink");
	if (link !== null) definition = valueByPath(lists.get(listOfStyle(link) ?? "") ?? null, "abstractNumId") ?? definition;
	const element = definitions.get(definition);
	if (list === null || element === undefined) return null;
	const overrides = elementsOf(list, "lvlOverride");
	const starts = new Map<number, number>();
	for (const override of overrides) {
		const start = wholeNumber(valueByPath(override, "startOverride"));
		if (start !== null) starts.set(levelIndex(override), start);
	}
	const elements = [...elementsOf(element, "lvl"), ...overrides.flatMap((override) => elementsOf(override, "lvl"))];
	return { definition, starts, levels: new Map(elements.map((level) => [levelIndex(level), levelOf(level)])) };
}

function levelIndex(element: XmlElement): number {
	return Math.min(wholeNumber(attributeOf(element, "ilvl")) ?? 0, listLevelMax);
}

function levelOf(element: XmlElement): Level {
	return {
		format: valueByPath(element, "numFmt") ?? "decimal",
		template: valueByPath(element, "lvlText") ?? "",
		start: wholeNumber(valueByPath(element, "start")) ?? 1,
		style: valueByPath(element, "pStyle"),
		isLegal: elementByPath(element, "isLgl") !== null,
	};
}
