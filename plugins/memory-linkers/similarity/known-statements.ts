/** The statements of known memories, taken apart once: documents about the same things have the same neighbours. */

import type { Memory } from "cairn-memory";
import { type Statement, statementOf } from "./statement.ts";

/** About 2 kB each. */
const statementsMax = 8_000;

/** By all that a statement is made of, so that it does not matter whose memory says it. In the order of their last use. */
const statements = new Map<string, Statement>();

export function statementOfKnown({ text, subject, eventTime }: Memory): Statement {
	const key = JSON.stringify([subject, eventTime, text]);
	const statement = statements.get(key) ?? statementOf({ text, subject, eventTime });
	statements.delete(key);
	statements.set(key, statement);
	const [oldest] = statements.keys();
	if (statements.size > statementsMax && oldest !== undefined) statements.delete(oldest);
	return statement;
}
