/** The job `sync`: gets the changes from a connection, or removes the documents of a deleted connection. */

import { type SyncParts, sync, syncFailed } from "../connections/sync.ts";
import { asServiceError } from "../errors/fail.ts";
import type { Handler } from "./worker.ts";

export function syncHandler(parts: SyncParts): Handler {
	return ({ subject, organisation }) => ({
		run: (signal) => sync(subject, organisation, parts, signal),
		toServiceError: asServiceError,
		onFailure: (thrown, retryAt) => syncFailed(subject, organisation, thrown, retryAt, parts),
	});
}
