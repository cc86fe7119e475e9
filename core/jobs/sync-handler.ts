/** The job `sync`: adds what is new on a connection, or removes what a deleted connection has added. */

import { type SyncParts, sync, syncFailed } from "../connections/sync.ts";
import { asServiceError } from "../errors/fail.ts";
import type { Handler } from "./worker.ts";

export function syncHandler(parts: SyncParts): Handler {
	return ({ subject, organisation }) => ({
		run: (signal) => sync(subject, organisation, parts, signal),
		reason: asServiceError,
		failed: (thrown, retryAt) => syncFailed(subject, organisation, thrown, retryAt, parts),
	});
}
