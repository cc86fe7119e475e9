/** How a connection changes when a sync begins, progresses, ends or fails. */

import type { ServiceError } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { Connection, SyncErrorCode, SyncRun } from "./connection.ts";

/** What fails is not tried again sooner: most faults that outlive the attempts of a sync last for minutes. */
const retrySyncMinMs = 5 * 60_000;

/**
 * Continues the run that a crash or a failed attempt has left; otherwise adds a new one. Whether it is a retry is settled here; one that goes on
 * becomes a whole sync if somebody has asked for it meanwhile.
 */
export function withRunStarted(connection: Connection, id: string, now: Date): Connection {
	const { wantsWholeSync, wholeSyncAt, ...rest } = connection;
	const [last] = connection.runs;
	if (last?.status === "running") {
		if (last.isRetry === true && wantsWholeSync === true) return withRun(rest, { ...last, retryAt: null, isRetry: false });
		return withRun(connection, { ...last, retryAt: null });
	}
	const isRetry = wantsWholeSync !== true && wholeSyncAt !== undefined && now.toISOString() < wholeSyncAt;
	const run: SyncRun = {
		...{ id, status: "running", startedAt: now.toISOString(), isRetry, completedAt: null, errorCode: null, error: null, retryAt: null },
		...{ documentsSynced: 0, documentsRemoved: 0, progress: null, remarks: [] },
	};
	return { ...rest, ...(isRetry && { wholeSyncAt }), runs: [run, ...connection.runs].slice(0, limits.storedSyncRunsMax) };
}

/** Null if that run has ended: later progress is ignored. */
export function withProgress(connection: Connection, run: Pick<SyncRun, "id"> & Partial<SyncRun>): Connection | null {
	const [last] = connection.runs;
	return last?.id === run.id && last.status === "running" ? withRun(connection, { ...last, ...run }) : null;
}

/** @param tryAgainMs after which time the connector wants to try again what it could not read; null if there is no such thing */
export function withRunCompleted(
	connection: Connection,
	run: Pick<SyncRun, "id"> & Partial<SyncRun>,
	now: Date,
	syncEveryMs: number,
	tryAgainMs: number | null,
): Connection | null {
	const end = { status: "completed", completedAt: now.toISOString(), errorCode: null, error: null, retryAt: null, progress: null } as const;
	const after = withProgress(connection, { ...run, ...end });
	if (after === null) return null;
	// Whoever asked while it ran waits for no schedule.
	if (after.wantsWholeSync === true) return { ...withoutWholeSyncAt(after), nextSyncAt: now.toISOString() };
	const wholeSyncAt = scheduledAt(after, now, syncEveryMs);
	const tryAgainAt = tryAgainMs === null ? wholeSyncAt : laterBy(now, Math.max(tryAgainMs, retrySyncMinMs, sinceWholeMs(after, now)));
	return tryAgainAt < wholeSyncAt ? { ...after, nextSyncAt: tryAgainAt, wholeSyncAt } : { ...withoutWholeSyncAt(after), nextSyncAt: wholeSyncAt };
}

/** Since the last whole sync ended; so retries grow rarer until the next one, also where each time something else fails. */
function sinceWholeMs({ runs }: Connection, now: Date): number {
	const whole = runs.find(({ isRetry }) => isRetry !== true) ?? runs.at(-1);
	return now.getTime() - Date.parse(whole?.completedAt ?? now.toISOString());
}

/** A sync that only tried again what had failed leaves the schedule as it is. */
function scheduledAt({ wholeSyncAt, runs: [latest] }: Connection, now: Date, syncEveryMs: number): string {
	return wholeSyncAt !== undefined && latest?.isRetry === true ? wholeSyncAt : laterBy(now, syncEveryMs);
}

function withoutWholeSyncAt({ wholeSyncAt: _before, ...connection }: Connection): Connection {
	return connection;
}

function laterBy(now: Date, ms: number): string {
	return new Date(now.getTime() + ms).toISOString();
}

/**
 * What may pass is tried again after as long as it has lasted, five minutes at least, and by the schedule at the latest. After invalid keys no
 * next sync is planned, since the keys stay invalid. @param hasKeys whether the provider needs keys
 */
export function withFailure(
	connection: Connection,
	error: ServiceError,
	retryAt: Date | null,
	now: Date,
	syncEveryMs: number,
	hasKeys: boolean,
): Connection | null {
	const [last] = connection.runs;
	if (last === undefined) return null;
	const errorCode = syncErrorCode(error, hasKeys);
	const outcome = { errorCode, error: messageOf(error, errorCode), retryAt: retryAt?.toISOString() ?? null };
	if (retryAt !== null) return withProgress(connection, { id: last.id, ...outcome });
	const after = withProgress(connection, { id: last.id, ...outcome, status: "failed", completedAt: now.toISOString(), progress: null });
	if (after === null) return null;
	if (errorCode === "auth_expired") return { ...withoutWholeSyncAt(after), nextSyncAt: null };
	const dueAt = scheduledAt(after, now, syncEveryMs);
	const againAt = error.mayPass ? laterBy(now, Math.max(failingForMs(after, now), retrySyncMinMs)) : dueAt;
	return { ...after, nextSyncAt: earlierOf(againAt, dueAt) };
}

function earlierOf(one: string, other: string): string {
	if (one < other) return one;
	return other;
}

/** Since the first of the latest runs that have all failed began. */
function failingForMs({ runs }: Connection, now: Date): number {
	const ended = runs.findIndex(({ status }) => status !== "failed");
	const first = (ended === -1 ? runs : runs.slice(0, ended)).at(-1);
	return first === undefined ? 0 : now.getTime() - Date.parse(first.startedAt);
}

/** The error code of the API contract. If a site that needs no keys refuses access, the sync can only be tried again later. */
export function syncErrorCode(error: ServiceError, hasKeys: boolean): SyncErrorCode {
	const { code, kind, args } = error;
	if (code === "CONNECTION_UNAUTHORIZED" || code === "CONNECTION_SEALED" || (code === "CONNECTION_FORBIDDEN" && hasKeys)) return "auth_expired";
	if (kind === "exhausted" || (code === "ADDRESS_FAILED" && args.some((arg) => /\bstatus 429\b/.test(String(arg))))) return "rate_limited";
	if (code.startsWith("CONNECTION_") || code.startsWith("ADDRESS_") || kind === "timeout") return "provider_unavailable";
	return "internal";
}

function messageOf({ message, hint }: ServiceError, errorCode: SyncErrorCode): string {
	const consequence =
		errorCode === "auth_expired"
			? ["syncing has stopped until the connection is created again with valid keys or a new sign-in, or a sync is started by a request"]
			: [];
	return [message, ...(hint === null ? [] : [hint]), ...consequence].join("; ");
}

function withRun(connection: Connection, run: SyncRun): Connection {
	return { ...connection, runs: [run, ...connection.runs.slice(1)] };
}
