/** Compiles the order of a page and the place it begins at. */

import type { Page } from "cairn-memory";
import type { Fragment } from "./filter-sql.ts";

const columns = { createdAt: "created_at", updatedAt: "updated_at" } as const satisfies Record<Page["sort"], string>;
const directions = { asc: "ASC", desc: "DESC" } as const satisfies Record<Page["order"], string>;

export interface PageOrder {
	/** Joins a WHERE; empty for the first page. */
	readonly after: Fragment;
	readonly order: string;
}

/** `sign` stands before the column of the time. A pair is compared with a pair, so that an index of the times leads to the place. */
export function pageOrder(alias: "d" | "m", { sort, order, after }: Page, sign: "" | "+" = ""): PageOrder {
	const column = `${sign}${alias}.${columns[sort]}`;
	const direction = directions[order];
	const words = `${column} ${direction}, ${alias}.id ${direction}`;
	if (after === undefined) return { after: { sql: "", params: [] }, order: words };
	const sql = ` AND (${column}, ${alias}.id) ${order === "asc" ? ">" : "<"} (?, ?)`;
	return { after: { sql, params: [after.at.getTime(), after.id] }, order: words };
}
