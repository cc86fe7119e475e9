/** How a connection's record changes during a sync. */

import type { ServiceError } from "../errors/fail.ts";
import { limits } from "../model/limits.ts";
import type { Connection, SyncErrorCode, SyncRun } from "./connection.ts";

/** Continues the run that a crash or a failed attempt has left; else a new one begins. */
export function begun(connection: Connection, id: string, now: Date): Connection {
	const [last] = connection.runs;
	if (last?.status === "running") return withRun(connection, { ...last, retryAt: null });
	const run: SyncRun = {
		...{ id, status: "running", startedAt: now.toISOString(), completedAt: null, errorCode: null, error: null, retryAt: null },
		...{ documentsSynced: 0, documentsRemoved: 0, progress: null, remarks: [] },
	};
	return { ...connection, runs: [run, ...connection.runs].slice(0, limits.storedSyncRunsMax) };
}

/** Null when that run is over: later progress is not reported. */
export function progressed(connection: Connection, run: Pick<SyncRun, "id"> & Partial<SyncRun>): Connection | null {
	const [last] = connection.runs;
	return last?.id === run.id && last.status === "running" ? withRun(connection, { ...last, ...run }) : null;
}

export function completed(connection: Connection, run: Pick<SyncRun, "id"> & Partial<SyncRun>, now: Date, syncEveryMs: number): Connection | null {
	const over = { status: "completed", completedAt: now.toISOString(), errorCode: null, error: null, retryAt: null, progress: null } as const;
	const after = progressed(connection, { ...run, ...over });
	return after === null ? null : { ...after, nextSyncAt: new Date(now.getTime() + syncEveryMs).toISOString() };
}

/** Keys that have become invalid stay so: then there is no next time. @param hasKeys whether the provider wants any */
export function failed(connection: Connection, error: ServiceError, retryAt: Date | null, now: Date, syncEveryMs: number, hasKeys: boolean): Connection | null {
	const [last] = connection.runs;
	if (last === undefined) return null;
	const errorCode = syncErrorCode(error, hasKeys);
	const story = { errorCode, error: inWords(error, errorCode), retryAt: retryAt?.toISOString() ?? null };
	if (retryAt !== null) return progressed(connection, { id: last.id, ...story });
	const after = progressed(connection, { id: last.id, ...story, status: "failed", completedAt: now.toISOString(), progress: null });
	if (after === null) return null;
	return { ...after, nextSyncAt: errorCode === "auth_expired" ? null : new Date(now.getTime() + syncEveryMs).toISOString() };
}

/** In the words of the wire contract. For a site without keys that refuses us, the only remedy is to ask later. */
export function syncErrorCode(error: ServiceError, hasKeys: boolean): SyncErrorCode {
	const { code, kind, words } = error;
	if (code === "CONNECTION_UNAUTHORIZED" || code === "CONNECTION_SEALED" || (code === "CONNECTION_FORBIDDEN" && hasKeys)) return "auth_expired";
	if (kind === "exhausted" || (code === "ADDRESS_FAILED" && words.some((word) => /\bstatus 429\b/.test(String(word))))) return "rate_limited";
	if (code.startsWith("CONNECTION_") || code.startsWith("ADDRESS_") || kind === "timeout") return "provider_unavailable";
	return "internal";
}

function inWords({ message, hint }: ServiceError, errorCode: SyncErrorCode): string {
	const outlook = errorCode === "auth_expired" ? ["syncing has stopped until the connection is created again with good keys, or imported by hand"] : [];
	return [message, ...(hint === null ? [] : [hint]), ...outlook].join("; ");
}

function withRun(connection: Connection, run: SyncRun): Connection {
	return { ...connection, runs: [run, ...connection.runs.slice(1)] };
}
