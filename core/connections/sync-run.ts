/** How a connection changes when a sync begins, progresses, ends or fails. */

import type { ServiceError } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { Connection, SyncErrorCode, SyncRun } from "./connection.ts";

/** Continues the run that a crash or a failed attempt has left; otherwise adds a new one. */
export function withRunStarted(connection: Connection, id: string, now: Date): Connection {
	const [last] = connection.runs;
	if (last?.status === "running") return withRun(connection, { ...last, retryAt: null });
	const run: SyncRun = {
		...{ id, status: "running", startedAt: now.toISOString(), completedAt: null, errorCode: null, error: null, retryAt: null },
		...{ documentsSynced: 0, documentsRemoved: 0, progress: null, remarks: [] },
	};
	return { ...connection, runs: [run, ...connection.runs].slice(0, limits.storedSyncRunsMax) };
}

/** Null if that run has ended: later progress is ignored. */
export function withProgress(connection: Connection, run: Pick<SyncRun, "id"> & Partial<SyncRun>): Connection | null {
	const [last] = connection.runs;
	return last?.id === run.id && last.status === "running" ? withRun(connection, { ...last, ...run }) : null;
}

export function withRunCompleted(connection: Connection, run: Pick<SyncRun, "id"> & Partial<SyncRun>, now: Date, syncEveryMs: number): Connection | null {
	const end = { status: "completed", completedAt: now.toISOString(), errorCode: null, error: null, retryAt: null, progress: null } as const;
	const after = withProgress(connection, { ...run, ...end });
	return after === null ? null : { ...after, nextSyncAt: new Date(now.getTime() + syncEveryMs).toISOString() };
}

/** After invalid keys no next sync is planned, since the keys stay invalid. @param hasKeys whether the provider needs keys */
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
	return { ...after, nextSyncAt: errorCode === "auth_expired" ? null : new Date(now.getTime() + syncEveryMs).toISOString() };
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
