/** The durable queue. It spans organisations: a worker takes the next job of any of them. */

import type { JobId, OrganisationId } from "../model/id.ts";

/**
 * `ingest` takes one document through the pipeline. `remember` extracts the memories of a container's new documents and updates the
 * container's description. `merge` moves the contents of containers into another one. `renew` extracts memories again that are from other
 * memory extractors. `sync` gets the changes from a connection. `sign-in` asks whether somebody has signed in with a code. `deliver` sends events to a webhook.
 */
export type Task = "ingest" | "remember" | "renew" | "merge" | "sync" | "sign-in" | "deliver";

export interface NewJob {
	readonly id: JobId;
	readonly organisation: OrganisationId;
	readonly task: Task;
	/**
	 * What the job is about: a document's id for `ingest`, a container tag for `remember`, the word `memories` for `renew`, and the id of
	 * the merge, connection, sign-in or webhook for the others.
	 */
	readonly subject: string;
	readonly notBefore: Date;
	/** The span in which it was created, as a `traceparent`, for whoever runs it; null outside of a trace. Of two jobs that become one the waiting one's stays. */
	readonly trace: string | null;
}

export interface Job extends NewJob {
	/** How often it was claimed, including this time. */
	readonly attempt: number;
	/** How many of these claims ended with their process, or with a lease that ran out: none of them was settled. */
	readonly crashes: number;
	/** Identifies this claim, so that a worker whose lease has expired cannot settle a job that another worker has claimed since. */
	readonly lease: string;
}

/**
 * All times are those of `World.steadyNow`. Two waiting jobs with the same organisation, task and subject become one, due at the earlier time. While a job is leased, no other one
 * with the same organisation, task and subject can be claimed, so only one worker at a time works on a subject.
 *
 * A process that ends takes everything with it that it had in hand, whatever the cause was. So an `ingest` or `remember` job with
 * `limits.crashesBesideOthersMax` crashes is claimed alone: by a worker without other jobs for documents (`ingest`, `remember`, `renew`),
 * which gets no others as long as it holds this one. While such a job is due, workers that still have others get nothing more for documents.
 * After each further crash it waits longer (`crashPauseMs`), so that a server which is killed after its start had other jobs before this one.
 */
export interface JobQueue {
	readonly add: (job: NewJob) => Promise<void>;
	/** Takes up to `limit` jobs that are due, oldest first, including jobs whose lease has expired. The name of a worker is its own; what is held under it counts as in its hand. */
	readonly claim: (worker: string, tasks: readonly Task[], limit: number, now: Date, leaseMs: number) => Promise<readonly Job[]>;
	/** Extends the lease. @returns false if it was lost. */
	readonly renew: (job: Job, now: Date, leaseMs: number) => Promise<boolean>;
	/** Settles the job and adds the next jobs, in one transaction. Does nothing if the lease was lost. */
	readonly finish: (job: Job, next?: readonly NewJob[]) => Promise<void>;
	/** Puts the job back until `notBefore`. With `freeOfCharge`, this claim does not count as an attempt, since the subject did not cause the failure. */
	readonly retry: (job: Job, notBefore: Date, why: string, freeOfCharge: boolean) => Promise<void>;
	/** The numbers of waiting and of leased jobs. */
	readonly depth: () => Promise<{ readonly waiting: number; readonly leased: number }>;
	/** When the next waiting job is due; null if none is waiting. */
	readonly nextDue: () => Promise<Date | null>;
	/**
	 * Called at the start of a worker. Ends the leases of this worker, since the one that held them is gone, and those that have expired;
	 * with null it ends all leases, which only a program that is alone with the storage may do. It makes jobs due that wait for longer than
	 * any job does, since the clock was ahead when they were added, and adds the missing job of every document that is not finished.
	 * @returns how many leases it ended and how many jobs it added.
	 */
	readonly recover: (worker: string | null, now: Date, newId: () => JobId) => Promise<{ readonly leases: number; readonly jobs: number }>;
}
