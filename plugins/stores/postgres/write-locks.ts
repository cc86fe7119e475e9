/**
 * Locks for writes. Writes of one organisation run one after the other; those of different organisations do not wait for each other. So each
 * write sees the tables as the write before has left them, which the statements rely on. The numbers in the logs of an organisation ascend
 * in the order in which they become visible, so a reader that continues after a position misses nothing.
 *
 * The locks are advisory and end with the transaction, so that they also work behind a pooler.
 */

import type { Job } from "cairn-memory/stores";
import type { Binding } from "../sql/executor.ts";
import type { PostgresConnection } from "./connection.ts";

/** The number of the lock of all organisations together: the letters of "cairn". */
const everyone = 0x636169726e;

export interface LockQuestion {
	readonly sql: string;
	readonly params: readonly Binding[];
}

/** Claiming jobs locks only the claimed rows. A lease is renewed by whoever has it, and does not wait for other writes. */
const withoutLock: ReadonlySet<string> = new Set(["claimJobs", "renewJob"]);

/** The statement that takes the lock of a write, before its first statement; null if it needs none. */
export function lockFor(operation: string, args: unknown): LockQuestion | null {
	if (withoutLock.has(operation)) return null;
	const organisation = organisationOf(operation, args);
	if (organisation === null) return { sql: "SELECT pg_advisory_xact_lock($1)", params: [everyone] };
	return { sql: "SELECT pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock(hashtextextended($2, 0))", params: [everyone, organisation] };
}

/** The organisation whose writes wait for this one; null if there is none, or not only one. */
export function queueOf(operation: string, args: unknown): string | null {
	return withoutLock.has(operation) ? null : organisationOf(operation, args);
}

/** The statement that takes the lock for a read during which the organisation must not be written to. */
export function settledLock(organisation: string): LockQuestion {
	return { sql: "SELECT pg_advisory_xact_lock_shared($1), pg_advisory_xact_lock_shared(hashtextextended($2, 0))", params: [everyone, organisation] };
}

/** The leases of these jobs that are held. Until the end of the transaction no other worker can claim their jobs, and their own may still renew them. */
export function heldLeases(jobs: readonly Job[]): LockQuestion {
	const sql = `SELECT lease FROM jobs WHERE (organisation, id, lease) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each($1)) FOR KEY SHARE`;
	return { sql, params: [JSON.stringify(jobs.map(({ organisation, id, lease }) => [organisation, id, lease]))] };
}

/** Prevents that two programs upgrade the tables at once. Waiting for another one, and the upgrade itself, may take as long as they take. */
export async function lockTables({ query, script }: Pick<PostgresConnection, "query" | "script">): Promise<void> {
	await script("SET LOCAL statement_timeout = 0");
	await query("SELECT pg_advisory_xact_lock($1)", [everyone + 1]);
}

/** Null if the operation is about several organisations, or about all. */
function organisationOf(operation: string, args: unknown): string | null {
	if (operation === "expireRemovals") return String(args);
	if (typeof args !== "object" || args === null || Array.isArray(args)) return null;
	const { organisation, id, document, job, slug } = args as Readonly<Record<string, unknown>>;
	if (typeof organisation === "string") return organisation;
	// The argument is a new organisation.
	if (typeof slug === "string" && typeof id === "string") return id;
	for (const owned of [document, job]) {
		const owner = (owned as { readonly organisation?: unknown } | null | undefined)?.organisation;
		if (typeof owner === "string") return owner;
	}
	return null;
}
