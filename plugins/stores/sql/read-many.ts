/**
 * Reads what goes through all documents or memories of an organisation. A few thousand take milliseconds and are read here;
 * of more, the thread that answers would be kept from everybody else, so another one reads them.
 */

import type { OrganisationId } from "cairn-memory";
import type { Question, SqlEngine } from "./executor.ts";

/** Counted, or put in order, in about 3 ms. */
export const readHereMax = 2_000;

export interface ManyRows {
	/** Whether they are so many that they are read aside. */
	readonly areMany: () => boolean;
	/** Rows of texts and numbers. */
	readonly all: <Row>(asked: Question) => Promise<readonly Row[]>;
}

export function manyRows(
	table: "documents" | "memories",
	organisation: OrganisationId,
	{ statement, aside }: Pick<SqlEngine, "statement" | "aside">,
): ManyRows {
	/** Once they were, they are again taken for many: nearly always they are. */
	let wereMany = false;

	function areMany(): boolean {
		wereMany ||= statement(`SELECT 1 FROM ${table} WHERE organisation = ? LIMIT 1 OFFSET ?`).get(organisation, readHereMax) !== null;
		return wereMany;
	}

	return {
		areMany,
		all: async <Row>(asked: Question) => (areMany() ? aside.all<Row>(asked) : statement<Row>(asked.sql).all(...asked.params)),
	};
}
