/** The statements of known memories, taken apart once: documents about the same things have the same neighbours. */

import type { MemoryDraft } from "cairn-memory";
import { type Statement, statementOf } from "./statement.ts";

/** About 2 kB each. When so many are new the older half is forgotten, but for what is asked for again meanwhile. */
const newestMax = 8_000;

/** By all that a statement is made of, so that it does not matter whose memory says it. */
let newest = new Map<string, Statement>();
let older = new Map<string, Statement>();

export function statementOfKnown({ text, subject, eventTime }: Pick<MemoryDraft, "text" | "subject" | "eventTime">): Statement {
	const key = `${subject ?? ""}\n${eventTime?.getTime() ?? ""}\n${text}`;
	const before = newest.get(key);
	if (before !== undefined) return before;
	const statement = older.get(key) ?? statementOf({ text, subject, eventTime });
	if (newest.size >= newestMax) [older, newest] = [newest, new Map()];
	newest.set(key, statement);
	return statement;
}
