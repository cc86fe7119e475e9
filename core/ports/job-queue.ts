/** The durable queue. It spans organisations: a worker takes the next job of any of them. */

import type { JobId, OrganisationId } from "../model/id.ts";

/**
 * `ingest` takes one document through the pipeline; `remember` extracts the memories of a container's new documents and describes it; `merge`
 * moves what is in one container into another; `renew` extracts anew what other memory extractors have extracted; `sync` brings in what is new on a connection; `deliver` sends a webhook its events.
 */
export type Task = "ingest" | "remember" | "renew" | "merge" | "sync" | "deliver";

export interface NewJob {
	readonly id: JobId;
	readonly organisation: OrganisationId;
	readonly task: Task;
	/** A document's id for `ingest`, a container tag for `remember`, `memories` for `renew`, the id of a merge, a connection or a webhook. */
	readonly subject: string;
	readonly notBefore: Date;
}

export interface Job extends NewJob {
	/** How often it was claimed, this time included. */
	readonly attempt: number;
	/** Names this claim: a worker whose lease ran out cannot settle a job that another has taken since. */
	readonly lease: string;
}

/**
 * Two waiting jobs with one organisation, task and subject become one, at the earlier time. While a job is leased no
 * other with the same three is claimed, so a subject is worked on by one worker at a time.
 */
export interface JobQueue {
	readonly add: (job: NewJob) => Promise<void>;
	/** Takes up to `limit` jobs whose time has come, oldest first, and leases that have run out. */
	readonly claim: (worker: string, tasks: readonly Task[], limit: number, now: Date, leaseMs: number) => Promise<readonly Job[]>;
	/** @returns false when the lease was lost. */
	readonly renew: (job: Job, now: Date, leaseMs: number) => Promise<boolean>;
	/** Settles it and adds what is to be done next, in one transaction; nothing of it when the lease was lost. */
	readonly finish: (job: Job, next?: readonly NewJob[]) => Promise<void>;
	/** Puts it back for later. With `freeOfCharge` it does not count as an attempt: it was not the document's fault. */
	readonly retry: (job: Job, notBefore: Date, why: string, freeOfCharge: boolean) => Promise<void>;
	/** How many wait and how many are leased. */
	readonly depth: () => Promise<{ readonly waiting: number; readonly leased: number }>;
	/** When the next waiting job is due, or null. */
	readonly nextDue: () => Promise<Date | null>;
	/**
	 * At start, before any worker runs: gives back every lease (its holder is gone) and adds the missing job of every
	 * document that is not finished. Only a storage with a single writer can know that. @returns what it mended.
	 */
	readonly recover: (now: Date, newId: () => JobId) => Promise<{ readonly leases: number; readonly jobs: number }>;
}
