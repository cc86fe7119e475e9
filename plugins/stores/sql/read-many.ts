/**
 * Runs statements that scan all documents or memories of an organisation, or look up many pairs. A few thousand rows take milliseconds and are
 * read here. More would block the thread that answers requests, so another thread reads them.
 */

import type { OrganisationId } from "cairn-memory";
import type { Program, Question, SqlEngine } from "./executor.ts";

/** The most rows that are read in the thread that asks: they are counted or sorted in about 3 ms. */
export const readHereMax = 2_000;

/** The most pairs of values that are looked up in an index in the thread that asks: one takes one to two microseconds. */
const pairsHereMax = 2_000;

export interface ManyRows {
	/** Whether there are more rows than that, so that another thread reads them. */
	readonly areMany: () => Program<boolean>;
	/** All rows. They may only have strings, numbers and nulls. */
	readonly all: <Row>(asked: Question) => Promise<readonly Row[]>;
}

export function manyRows(
	table: "documents" | "memories",
	organisation: OrganisationId,
	{ statement, read, aside }: Pick<SqlEngine, "statement" | "read" | "aside">,
): ManyRows {
	/** Once there are many, this is not checked again, because they rarely become few. */
	let wereMany = false;

	function* areMany(): Program<boolean> {
		if (!wereMany) wereMany = (yield* statement(`SELECT 1 FROM ${table} WHERE organisation = ? LIMIT 1 OFFSET ?`).get(organisation, readHereMax)) !== null;
		return wereMany;
	}

	return {
		areMany,
		all: async <Row>(asked: Question) => ((await read(areMany())) ? aside.all<Row>(asked) : read(statement<Row>(asked.sql).all(...asked.params))),
	};
}

/** Runs a statement that looks up so many pairs in an index: every id that a request names, in every container that its key may read. */
export async function readPairs<Row>(
	pairs: number,
	asked: Question,
	{ statement, read, aside }: Pick<SqlEngine, "statement" | "read" | "aside">,
): Promise<readonly Row[]> {
	return pairs > pairsHereMax ? aside.all<Row>(asked) : read(statement<Row>(asked.sql).all(...asked.params));
}
