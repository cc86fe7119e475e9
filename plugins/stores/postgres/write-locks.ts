/**
 * Writers of one organisation wait for each other, and those of different organisations do not. Within an organisation a write then
 * finds the tables as the one before has left them, as the rules of the statements expect, and the numbers of its logs are in the
 * order in which they became visible, so that whoever reads a log from a position misses nothing.
 *
 * The locks are advisory and end with the transaction, so that they work behind a pooler that lends connections for one transaction.
 */

import type { Binding } from "../sql/executor.ts";

/** The number of the lock of all organisations together: the letters of "cairn". */
const everyone = 0x636169726e;

export interface LockQuestion {
	readonly sql: string;
	readonly params: readonly Binding[];
}

/** Claims lock the rows that they take, and nothing else. */
const withoutLock: ReadonlySet<string> = new Set(["claimJobs"]);

/** What a write has to ask before its first statement; null for nothing. */
export function lockFor(operation: string, args: unknown): LockQuestion | null {
	if (withoutLock.has(operation)) return null;
	const organisation = organisationOf(operation, args);
	if (organisation === null) return { sql: "SELECT pg_advisory_xact_lock($1)", params: [everyone] };
	return { sql: "SELECT pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock(hashtextextended($2, 0))", params: [everyone, organisation] };
}

/** What a read asks that must not have a write of the organisation beside it. */
export function settledLock(organisation: string): LockQuestion {
	return { sql: "SELECT pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock_shared(hashtextextended($2, 0))", params: [everyone, organisation] };
}

/** So that no two programs upgrade the tables at once. */
export const migrationLock: LockQuestion = { sql: "SELECT pg_advisory_xact_lock($1)", params: [everyone + 1] };

/** Null if the operation is about several organisations, or about all. */
function organisationOf(operation: string, args: unknown): string | null {
	if (operation === "expireRemovals") return String(args);
	if (typeof args !== "object" || args === null || Array.isArray(args)) return null;
	const { organisation, id, document, job, slug } = args as Readonly<Record<string, unknown>>;
	if (typeof organisation === "string") return organisation;
	// An organisation that is added is its own.
	if (typeof slug === "string" && typeof id === "string") return id;
	for (const owned of [document, job]) {
		const owner = (owned as { readonly organisation?: unknown } | null | undefined)?.organisation;
		if (typeof owner === "string") return owner;
	}
	return null;
}
