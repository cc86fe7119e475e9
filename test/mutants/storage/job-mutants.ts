/** Queues that do work twice, too early, or never. */

import { limits } from "cairn-memory";
import type { Job, JobId } from "cairn-memory/stores";
import { type StorageMutant, spoilJobs } from "./spoil.ts";

const longAfter = new Date("2099-01-01T00:00:00.000Z");

export const jobMutants: readonly StorageMutant[] = [
	{
		name: "claims twice",
		breaks: "jobs: two claims never take the same job",
		spoil: spoilJobs(({ claim }) => {
			const given: Job[] = [];
			return {
				claim: async (...parameters) => {
					given.push(...(await claim(...parameters)));
					return [...given];
				},
			};
		}),
	},
	{
		name: "forgets the trace of a job",
		breaks: "jobs: a claimed job is the one that was added",
		spoil: spoilJobs(({ claim }) => ({ claim: async (...parameters) => (await claim(...parameters)).map((job) => ({ ...job, trace: null })) })),
	},
	{
		name: "forgets leases that have run out",
		breaks: "jobs: a lease that has run out returns the job exactly once",
		spoil: spoilJobs(({ claim }) => ({ claim: (worker, tasks, limit, now) => claim(worker, tasks, limit, now, 1e12) })),
	},
	{
		name: "lets an old holder finish",
		breaks: "jobs: who has lost a lease can neither renew, finish nor put back",
		spoil: spoilJobs(({ claim, finish }) => {
			const latest = new Map<JobId, Job>();
			return {
				claim: async (...parameters) => {
					const claimed = await claim(...parameters);
					for (const job of claimed) latest.set(job.id, job);
					return claimed;
				},
				finish: (job) => finish(latest.get(job.id) ?? job),
			};
		}),
	},
	{
		name: "ignores when a job is due",
		breaks: "jobs: a job is not claimed before its time",
		spoil: spoilJobs(({ claim }) => ({ claim: (worker, tasks, limit, _now, leaseMs) => claim(worker, tasks, limit, longAfter, leaseMs) })),
	},
	{
		name: "claims the newest first",
		breaks: "jobs: the oldest is claimed first, as many as asked for",
		spoil: spoilJobs(({ claim, retry }) => ({
			claim: async (worker, tasks, limit, now, leaseMs) => {
				const all = (await claim(worker, tasks, 1_000, now, leaseMs)).toReversed();
				for (const job of all.slice(limit)) await retry(job, job.notBefore, "", true);
				return all.slice(0, limit);
			},
		})),
	},
	{
		name: "serves the organisation with the oldest jobs alone",
		breaks: "jobs: organisations take turns, however many jobs one of them has",
		spoil: spoilJobs(({ claim, retry }) => ({
			claim: async (worker, tasks, limit, now, leaseMs) => {
				const all = (await claim(worker, tasks, 1_000, now, leaseMs)).toSorted((a, b) => a.notBefore.getTime() - b.notBefore.getTime());
				for (const job of all.slice(limit)) await retry(job, job.notBefore, "", true);
				return all.slice(0, limit);
			},
		})),
	},
	{
		name: "charges for every try",
		breaks: "jobs: a retry waits for its time, and counts unless it is free of charge",
		spoil: spoilJobs(({ retry }) => ({ retry: (job, notBefore, why) => retry(job, notBefore, why, false) })),
	},
	{
		name: "counts no crashes",
		breaks: "jobs: only claims that were not settled count as crashes, and a changed job has none",
		spoil: spoilJobs(({ claim }) => ({ claim: async (...parameters) => (await claim(...parameters)).map((job) => ({ ...job, crashes: 0 })) })),
	},
	{
		name: "counts no crashes of containers",
		breaks: "jobs: the crashes of a container stay when it gets more documents",
		spoil: spoilJobs(({ claim }) => ({
			claim: async (...parameters) => (await claim(...parameters)).map((job) => (job.task === "remember" ? { ...job, crashes: 0 } : job)),
		})),
	},
	{
		name: "forgets what a worker has in hand",
		breaks: "jobs: a document in hand at several crashes is claimed alone, and other tasks go on",
		spoil: spoilJobs(({ claim }) => {
			let claims = 0;
			return { claim: (worker, tasks, limit, now, leaseMs) => claim(`${worker} ${++claims}`, tasks, limit, now, leaseMs) };
		}),
	},
	{
		name: "takes up what crashed alone without a pause",
		breaks: "jobs: after each crash alone a job waits longer, also when more is added to its container",
		spoil: spoilJobs(({ claim }) => ({
			claim: (worker, tasks, limit, now, leaseMs) => claim(worker, tasks, limit, new Date(now.getTime() + limits.retryDelayMaxMs), leaseMs),
		})),
	},
	{
		name: "keeps two jobs for one subject",
		breaks: "jobs: two waiting jobs for one subject become one, at the earlier time",
		spoil: spoilJobs(({ depth, add }) => {
			let added = 0;
			return {
				add: async (job) => {
					added += 1;
					await add(job);
				},
				depth: async () => ({ ...(await depth()), waiting: added }),
			};
		}),
	},
	{
		name: "adds no missing jobs when it recovers",
		breaks: "jobs: recovering gives back leases and adds the jobs that are missing",
		spoil: spoilJobs(({ recover, finish, claim }) => ({
			recover: async (worker, now, newId) => {
				const waiting = await claim("mutant", ["ingest"], 1_000, now, 1);
				const mended = await recover(worker, now, newId);
				const subjects = new Set(waiting.map(({ subject }) => subject));
				for (const job of await claim("mutant", ["ingest"], 1_000, now, 1)) if (!subjects.has(job.subject)) await finish(job);
				return mended;
			},
		})),
	},
	{
		name: "takes back what others hold when it recovers",
		breaks: "jobs: a worker that recovers leaves the leases and the documents of others",
		spoil: spoilJobs(({ recover }) => ({ recover: (_worker, now, newId) => recover(null, now, newId) })),
	},
	{
		name: "lets whoever has lost a job write for it",
		breaks: "jobs: what is written for a job is refused once another worker has it, where many may write",
		spoil: (sound) => ({ ...sound, supports: { ...sound.supports, manyWriters: true } }),
	},
];
