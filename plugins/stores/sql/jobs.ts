/** The durable queue: reads here, writes by way of the writer, which alone decides who claims what. */

import { asId, type JobId, type JobQueue, type NewJob, type OrganisationId, type Task } from "cairn-memory";
import type { SqlEngine } from "./executor.ts";

interface MissingRow {
	readonly organisation: string;
	readonly task: Task;
	readonly subject: string;
}

/**
 * A document on its way needs an `ingest`; one that was published and still dreams needs a `remember` in each of its containers. No
 * lease is left when it is asked; saying so leads along the index of those that wait, instead of through the queue for each document.
 */
const selectMissing = `
	SELECT d.organisation, 'ingest' AS task, d.id AS subject FROM documents d WHERE d.status <> 'done' AND d.status <> 'failed'
		AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.organisation = d.organisation AND j.task = 'ingest' AND j.subject = d.id AND j.lease IS NULL)
	UNION
	SELECT d.organisation, 'remember', t.value FROM documents d, json_each(d.container_tags) t
		WHERE d.dreaming_status = 'dreaming' AND d.dreaming = 'dynamic' AND d.published_revision IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.organisation = d.organisation AND j.task = 'remember' AND j.subject = t.value AND j.lease IS NULL)`;

export function jobQueue({ statement, write }: SqlEngine): JobQueue {
	return {
		add: (job) => write("addJob", job),
		claim: (worker, tasks, limit, now, leaseMs) => write("claimJobs", { worker, tasks, limit, now, leaseMs }),
		renew: (job, now, leaseMs) => write("renewJob", { job, now, leaseMs }),
		finish: (job, next = []) => write("finishJob", { job, next }),
		retry: (job, notBefore, why, freeOfCharge) => write("retryJob", { job, notBefore, why, freeOfCharge }),
		depth: async () => {
			// Along two indexes, the second of which holds only those few: it is asked often, however long the queue is.
			const sql = `SELECT count(*) AS total, (SELECT count(*) FROM jobs INDEXED BY jobs_leased WHERE lease IS NOT NULL) AS leased FROM jobs`;
			const { total, leased } = statement<{ total: number; leased: number }>(sql).get() ?? { total: 0, leased: 0 };
			return { waiting: total - leased, leased };
		},
		nextDue: async () => {
			const due = statement<{ due: number | null }>("SELECT min(not_before) AS due FROM jobs WHERE lease IS NULL").get()?.due ?? null;
			return due === null ? null : new Date(due);
		},
		recover: async (now, newId) => {
			const leases = await write("releaseLeases", { now });
			const jobs = statement<MissingRow>(selectMissing)
				.all()
				.map((row): NewJob => ({ ...row, organisation: asId<OrganisationId>(row.organisation), id: asId<JobId>(newId()), notBefore: now }));
			await write("addJobs", jobs);
			return { leases, jobs: jobs.length };
		},
	};
}
