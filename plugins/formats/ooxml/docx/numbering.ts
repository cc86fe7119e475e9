/** Numbers of list items in Word documents. As in Word, lists that share a definition are counted together. */

import { countedAs } from "../../blocks/counted-as.ts";
import { attributeOf, elementAt, elementsOf, valueAt, type XmlElement } from "../../xml/xml-element.ts";
import { wholeNumber } from "./styles.ts";

export interface Numbering {
	/** The next marker, such as `3.` or `a)`; empty for a bullet, null when there is no such list. Advances the count. */
	readonly next: (id: string, level: number) => string | null;
	/** The list level that a style is linked to. */
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

/** @param listOfStyle the list of a numbering style. */
export function readNumbering(root: XmlElement | null, listOfStyle: (style: string) => string | null): Numbering {
	const definitions = new Map(elementsOf(root, "abstractNum").map((element) => [attributeOf(element, "abstractNumId") ?? "", element]));
	const lists = new Map(elementsOf(root, "num").map((element) => [attributeOf(element, "numId") ?? "", element]));
	const resolved = new Map<string, List | null>();
	/** The last counts, by list definition: lists with the same definition continue each other. */
	const counts = new Map<string, number[]>();
	const begun = new Set<string>();

	const listOf = (id: string): List | null => {
		const known = resolved.get(id);
		if (known !== undefined) return known;
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
			const own = list?.levels.get(level);
			if (list === null || own === undefined) return null;
			const count = counts.get(list.definition) ?? [];
			counts.set(list.definition, count);
			if (!begun.has(id)) for (const [from, start] of list.starts) count.splice(from, count.length, ...(from <= count.length ? [start - 1] : []));
			begun.add(id);
			if (own.format === "bullet") return "";
			for (let above = 0; above < level; above++) count[above] ??= list.levels.get(above)?.start ?? 1;
			count[level] = (count[level] ?? own.start - 1) + 1;
			count.length = level + 1;
			return labelOf(own, list, count);
		},
	};
}

function labelOf(own: Level, list: List, count: readonly number[]): string {
	return own.template
		.replace(/%([1-9])/g, (_, place: string) => {
			const index = Number(place) - 1;
			const format = own.isLegal ? "decimal" : (list.levels.get(index)?.format ?? "decimal");
			return countedAs(format, count[index] ?? 1);
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
	let definition = valueAt(list, "abstractNumId") ?? "";
	const link = valueAt(definitions.get(definition) ?? null, "numStyleLink");
	if (link !== null) definition = valueAt(lists.get(listOfStyle(link) ?? "") ?? null, "abstractNumId") ?? definition;
	const element = definitions.get(definition);
	if (list === null || element === undefined) return null;
	const overrides = elementsOf(list, "lvlOverride");
	const starts = new Map<number, number>();
	for (const override of overrides) {
		const start = wholeNumber(valueAt(override, "startOverride"));
		if (start !== null) starts.set(levelIndex(override), start);
	}
	const written = [...elementsOf(element, "lvl"), ...overrides.flatMap((override) => elementsOf(override, "lvl"))];
	return { definition, starts, levels: new Map(written.map((level) => [levelIndex(level), levelOf(level)])) };
}

function levelIndex(element: XmlElement): number {
	return Math.min(wholeNumber(attributeOf(element, "ilvl")) ?? 0, listLevelMax);
}

function levelOf(element: XmlElement): Level {
	return {
		format: valueAt(element, "numFmt") ?? "decimal",
		template: valueAt(element, "lvlText") ?? "",
		start: wholeNumber(valueAt(element, "start")) ?? 1,
		style: valueAt(element, "pStyle"),
		isLegal: elementAt(element, "isLgl") !== null,
	};
}
