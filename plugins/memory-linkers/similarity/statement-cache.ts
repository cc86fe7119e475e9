/** A cache of parsed statements, because documents about the same things have the same known memories. */

import type { MemoryDraft } from "cairn-memory";
import { BoundedMap } from "cairn-memory/words";
import { type Statement, statementOf } from "./statement.ts";

/** A statement that was compared takes about 3 kB, so all of them take 24 MB. To parse it again takes 0.06 ms. */
const statementsMax = 8_000;

/** The key is everything that a statement is parsed from, so that memories with the same text share it. */
const statements = new BoundedMap<string, Statement>(statementsMax);
/** Memories that are compared again and again are usually the same objects, and need no key. */
const byMemory = new WeakMap<Parsed, Statement>();

type Parsed = Pick<MemoryDraft, "text" | "subject" | "eventTime">;

export function cachedStatement(memory: Parsed): Statement {
	const known = byMemory.get(memory);
	if (known !== undefined) return known;
	const { text, subject, eventTime } = memory;
	const key = `${subject ?? ""}\n${eventTime?.getTime() ?? ""}\n${text}`;
	const statement = statements.get(key) ?? statementOf(memory);
	statements.set(key, statement);
	byMemory.set(memory, statement);
	return statement;
}
