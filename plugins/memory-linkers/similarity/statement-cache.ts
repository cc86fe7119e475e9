/** A cache of parsed statements, because documents about the same things have the same known memories. */

import type { MemoryDraft } from "cairn-memory";
import { type Statement, statementOf } from "./statement.ts";

/**
 * The cache has two generations of this size, with about 2 kB per statement. When the newer one is full, it becomes the older one, which is
 * dropped.
 */
const generationMax = 8_000;

/** The key is everything that a statement is parsed from, so that memories with the same text share it. */
let newest = new Map<string, Statement>();
let older = new Map<string, Statement>();

export function cachedStatement({ text, subject, eventTime }: Pick<MemoryDraft, "text" | "subject" | "eventTime">): Statement {
	const key = `${subject ?? ""}\n${eventTime?.getTime() ?? ""}\n${text}`;
	const cached = newest.get(key);
	if (cached !== undefined) return cached;
	const statement = older.get(key) ?? statementOf({ text, subject, eventTime });
	if (newest.size >= generationMax) [older, newest] = [newest, new Map()];
	newest.set(key, statement);
	return statement;
}
