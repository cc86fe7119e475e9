/** Splits a tagged page into its parts, in the order of the tags: tables, headings and text. Untagged tables are found by their layout. */

import type { Line, PageText } from "../page-text.ts";
import type { Part } from "../tables/open-tables.ts";
import { partsOf } from "../tables/page-parts.ts";
import type { StructureTree } from "./structure-tree.ts";
import { isHeading, type TagNode } from "./tag-node.ts";
import { tableAround, taggedTable } from "./tagged-table.ts";

export function taggedParts({ lines, rules }: Pick<PageText, "lines" | "rules">, tree: StructureTree): readonly Part[] {
	return runsOf(lines).flatMap(({ table, isTitle, lines: run }): readonly Part[] => {
		if (isTitle) return [{ kind: "text", lines: run }];
		const grid = table === undefined ? null : taggedTable(table, run, tree);
		return grid === null ? partsOf({ lines: run, rules }) : [{ kind: "table", grid }];
	});
}

interface Run {
	readonly table: TagNode | undefined;
	readonly isTitle: boolean;
	readonly lines: Line[];
}

/** Consecutive lines of one table, of headings, or of neither. */
function runsOf(lines: readonly Line[]): readonly Run[] {
	const runs: Run[] = [];
	for (const line of lines) {
		const table = tableAround(line);
		const isTitle = table === undefined && line.element !== undefined && isHeading(line.element.role);
		const last = runs.at(-1);
		if (last !== undefined && last.table === table && last.isTitle === isTitle) last.lines.push(line);
		else runs.push({ table, isTitle, lines: [line] });
	}
	return runs;
}
