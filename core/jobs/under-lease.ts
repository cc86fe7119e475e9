/** Limits the writes of a job to the time in which its worker has the job. */

import type { Parts } from "../parts.ts";
import type { Job } from "../ports/job-queue.ts";
import type { Storage } from "../ports/storage.ts";

/** The same storage, whose stores reject writes once another worker has the job; see `StoragePlugin.organisation`. */
export function underLease(storage: Parts["storage"], job: Job): Storage {
	return { ...storage, organisation: (organisation) => storage.organisation(organisation, job) };
}
