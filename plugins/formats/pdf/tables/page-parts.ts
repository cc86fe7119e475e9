/** Splits a page into its parts, in the order of the file: text, tables with and without ruling lines, columns of prose. */

import type { Line, PageText } from "../page-text.ts";
import { openTables, type Part } from "./open-tables.ts";
import { type RuledTable, ruledTables } from "./ruled-tables.ts";

export function partsOf({ lines, rules }: Pick<PageText, "lines" | "rules">): readonly Part[] {
	const tables = ruledTables(lines, rules);
	const parts: Part[] = [];
	const added = new Set<RuledTable>();
	let textLines: Line[] = [];
	const addTextLines = () => {
		parts.push(...openTables(textLines));
		textLines = [];
	};
	for (const line of lines) {
		const table = tables.find((candidate) => candidate.lines.has(line));
		if (table === undefined) textLines.push(line);
		else if (!added.has(table)) {
			added.add(table);
			addTextLines();
			parts.push(table.grid === null ? { kind: "columns", columns: table.cells } : { kind: "table", grid: table.grid });
		}
	}
	addTextLines();
	return parts;
}
