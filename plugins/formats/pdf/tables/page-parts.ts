/** A page's lines → its parts in the order of the file: text, tables with and without ruling lines, columns of prose. */

import type { Line, PageText } from "../page-text.ts";
import { openTables, type Part } from "./open-tables.ts";
import { type RuledTable, ruledTables } from "./ruled-tables.ts";

export function partsOf({ lines, rules }: Pick<PageText, "lines" | "rules">): readonly Part[] {
	const tables = ruledTables(lines, rules);
	const parts: Part[] = [];
	const told = new Set<RuledTable>();
	let loose: Line[] = [];
	const close = () => {
		parts.push(...openTables(loose));
		loose = [];
	};
	for (const line of lines) {
		const table = tables.find((each) => each.lines.has(line));
		if (table === undefined) loose.push(line);
		else if (!told.has(table)) {
			told.add(table);
			close();
			parts.push(table.grid === null ? { kind: "columns", columns: table.cells } : { kind: "table", grid: table.grid });
		}
	}
	close();
	return parts;
}
