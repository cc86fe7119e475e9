/** The job `sync`: gets the changes from a connection, or removes the documents of a deleted connection. */

import { type SyncParts, sync, syncFailed } from "../connections/sync.ts";
import { asServiceError } from "../errors/fail.ts";
import { underLease } from "./under-lease.ts";
import type { Handler } from "./worker.ts";

export function syncHandler(parts: Omit<SyncParts, "unleased">): Handler {
	return (job) => {
		const { subject, organisation } = job;
		const held = { ...parts, storage: underLease(parts.storage, job), unleased: parts.storage };
		return {
			run: (signal) => sync(subject, organisation, held, signal),
			toServiceError: asServiceError,
			onFailure: (thrown, retryAt) => syncFailed(subject, organisation, thrown, retryAt, held),
		};
	};
}
