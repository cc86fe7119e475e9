/** A cache of parsed statements, because documents about the same things have the same known memories. */

import type { MemoryDraft } from "cairn-memory";
import { type Statement, statementOf } from "./statement.ts";

/**
 * The cache has two generations of this size. When the newer one is full, it becomes the older one, which is dropped. A statement that was
 * compared takes about 3 kB, so both together take 24 MB. To parse it again takes 0.06 ms.
 */
const generationMax = 4_000;

/** The key is everything that a statement is parsed from, so that memories with the same text share it. */
let newest = new Map<string, Statement>();
let older = new Map<string, Statement>();
/** Memories that are compared again and again are usually the same objects, and need no key. */
const byMemory = new WeakMap<Parsed, Statement>();

type Parsed = Pick<MemoryDraft, "text" | "subject" | "eventTime">;

export function cachedStatement(memory: Parsed): Statement {
	const known = byMemory.get(memory);
	if (known !== undefined) return known;
	const { text, subject, eventTime } = memory;
	const key = `${subject ?? ""}\n${eventTime?.getTime() ?? ""}\n${text}`;
	const statement = newest.get(key) ?? older.get(key) ?? statementOf(memory);
	if (newest.size >= generationMax) [older, newest] = [newest, new Map()];
	newest.set(key, statement);
	byMemory.set(memory, statement);
	return statement;
}
