/** What a queue promises: one job per subject at a time, nothing lost, and no claim without a lease. */

import { limits } from "cairn-memory";
import { crashPauseMs, isId, type Job, type NewJob, type Task } from "cairn-memory/stores";
import { type ContractTest, demand } from "../contract-test.ts";
import { demandEqual } from "../demand-equal.ts";
import { sampleDawn, sampleOrganisation } from "../samples.ts";
import { addDocument, addPublished, type Ground, idsOf, later, type OpenStorage, otherOrganisation, storageTest } from "./ground.ts";

export function jobQueueContract(open: OpenStorage): readonly ContractTest[] {
	const contractTest = (name: string, holds: (ground: Ground) => Promise<void>) => storageTest(open, `jobs: ${name}`, holds);
	return [
		contractTest("a claimed job is the one that was added", claimedAsAdded),
		contractTest("two waiting jobs for one subject become one, at the earlier time", waitingBecomeOne),
		contractTest("another task, subject or organisation is another job", othersStayApart),
		contractTest("a job is not claimed before its time", notBeforeHolds),
		contractTest("the oldest is claimed first, as many as asked for", oldestFirst),
		contractTest("organisations take turns, however many jobs one of them has", takeTurns),
		contractTest("only the tasks asked for are claimed", tasksHold),
		contractTest("two claims never take the same job", claimRace),
		contractTest("while a job is leased no other for its subject is claimed", leasedSubjectRests),
		contractTest("a lease that has run out returns the job exactly once", expiredOnce),
		contractTest("only claims that were not settled count as crashes, and a changed job has none", crashesCount),
		contractTest("the crashes of a container stay when it gets more documents", containersKeepCrashes),
		contractTest("a document in hand at several crashes is claimed alone, and other tasks go on", claimedAlone),
		contractTest("after each crash alone a job waits longer, also when more is added to its container", crashesPause),
		contractTest("who has lost a lease can neither renew, finish nor put back", lostLease),
		contractTest("a renewed lease lasts longer", renewLasts),
		contractTest("what is finished is gone", finishedGone),
		contractTest("what is to be done next is added when a job is finished, and not when its lease was lost", nextAdded),
		contractTest("a retry waits for its time, and counts unless it is free of charge", retryCounts),
		contractTest("a retry and a job added meanwhile become one", retryBecomesOne),
		contractTest("depth and next due tell what waits", depthAndDue),
		contractTest("recovering gives back leases and adds the jobs that are missing", recoverMends),
		contractTest("recovering adds the jobs of the containers in which a finished document waits for its memories", recoverRemembers),
		contractTest("a worker that recovers leaves the leases and the documents of others", recoverLeavesOthers),
		contractTest("what is written for a job is refused once another worker has it, where many may write", lostLeaseWritesNothing),
	];
}

const leaseMs = 1_000;
const bothTasks: readonly Task[] = ["ingest", "remember"];

function secondsAfterDawn(seconds: number): Date {
	return new Date(sampleDawn.getTime() + seconds * 1_000);
}

async function addJob({ storage, samples }: Ground, overrides: Partial<NewJob> = {}): Promise<NewJob> {
	const job = samples.makeJob(samples.makeDocument(), overrides);
	await storage.jobs.add(job);
	return job;
}

function claim({ storage }: Ground, now: Date, limit = 10, tasks = bothTasks): Promise<readonly Job[]> {
	return storage.jobs.claim("worker", tasks, limit, now, leaseMs);
}

async function claimOne(ground: Ground, now: Date): Promise<Job> {
	const claimed = await claim(ground, now);
	demandEqual(claimed.length, 1, "how many jobs were claimed");
	const [job] = claimed;
	demand(job !== undefined, "no job was claimed");
	return job;
}

async function claimedAsAdded(ground: Ground): Promise<void> {
	const added = await addJob(ground, { task: "remember", subject: "team:ä.b-c_d", notBefore: secondsAfterDawn(0.25) });
	const { lease, ...rest } = await claimOne(ground, later);
	demandEqual(rest, { ...added, attempt: 1, crashes: 0 }, "a claimed job");
	demand(lease !== "", "a lease has no name");
}

async function waitingBecomeOne(ground: Ground): Promise<void> {
	for (const [first, second] of [[10, 20] as const, [40, 30] as const]) {
		const job = await addJob(ground, { notBefore: secondsAfterDawn(first) });
		await addJob(ground, { subject: job.subject, notBefore: secondsAfterDawn(second) });
		demandEqual((await ground.storage.jobs.depth()).waiting, 1, "how many wait for one subject");
		demandEqual(await ground.storage.jobs.nextDue(), secondsAfterDawn(Math.min(first, second)), "when the job for both is due");
		await ground.storage.jobs.finish(await claimOne(ground, later));
		demandEqual(await claim(ground, later), [], "jobs after the one for both is finished");
	}
}

async function othersStayApart(ground: Ground): Promise<void> {
	const job = await addJob(ground);
	await addJob(ground, { subject: job.subject, task: "remember" });
	await addJob(ground, { subject: job.subject, organisation: otherOrganisation });
	await addJob(ground);
	demandEqual((await claim(ground, later)).length, 4, "how many jobs of different subjects can be claimed");
}

async function notBeforeHolds(ground: Ground): Promise<void> {
	await addJob(ground, { notBefore: secondsAfterDawn(10) });
	demandEqual(await claim(ground, secondsAfterDawn(9.999)), [], "jobs before their time");
	demandEqual((await claim(ground, secondsAfterDawn(10))).length, 1, "jobs at their time");
}

async function oldestFirst(ground: Ground): Promise<void> {
	const jobs: NewJob[] = [];
	for (let i = 0; i < 7; i++) jobs.push(await addJob(ground, { notBefore: secondsAfterDawn(i), task: i % 2 === 0 ? "ingest" : "remember" }));
	for (const [begin, end] of [[0, 1] as const, [1, 4] as const, [4, 7] as const]) {
		demandEqual(idsOf(await claim(ground, later, end - begin)), idsOf(jobs.slice(begin, end)), "the oldest jobs");
	}
	demandEqual(await claim(ground, later, 5), [], "jobs after all are claimed");
}

async function takeTurns(ground: Ground): Promise<void> {
	for (let i = 0; i < 12; i++) await addJob(ground, { notBefore: secondsAfterDawn(i) });
	const small = [20, 21].map((second) => ({ organisation: otherOrganisation, notBefore: secondsAfterDawn(second) }));
	for (const overrides of small) await addJob(ground, overrides);
	const ownersOf = (jobs: readonly Job[]) => jobs.map(({ organisation }) => organisation).toSorted();
	demandEqual(ownersOf(await claim(ground, later, 2)), [sampleOrganisation, otherOrganisation].toSorted(), "the organisations of two claimed jobs");
	const one = await claim(ground, later, 1);
	demandEqual(ownersOf([...one, ...(await claim(ground, later, 1))]), [sampleOrganisation, otherOrganisation].toSorted(), "the organisations of two claims");
	demandEqual((await claim(ground, later, 5)).length, 5, "how many jobs are claimed of the organisation that is left");
}

async function tasksHold(ground: Ground): Promise<void> {
	const [ingest, remember] = [await addJob(ground), await addJob(ground, { task: "remember" })];
	demandEqual(await claim(ground, later, 10, []), [], "jobs of no task");
	demandEqual(idsOf(await claim(ground, later, 10, ["remember"])), [remember.id], "jobs of one task");
	demandEqual(idsOf(await claim(ground, later, 10, ["ingest"])), [ingest.id], "jobs of the other task");
}

async function claimRace(ground: Ground): Promise<void> {
	for (let i = 0; i < 6; i++) await addJob(ground);
	const claims = (await Promise.all([1, 2, 3, 4].map(() => claim(ground, later, 3)))).flat();
	demandEqual([claims.length, new Set(idsOf(claims)).size, new Set(claims.map(({ lease }) => lease)).size], [6, 6, 6], "claims, jobs and leases of a race");
}

async function leasedSubjectRests(ground: Ground): Promise<void> {
	const first = await addJob(ground);
	const held = await claimOne(ground, later);
	await addJob(ground, { subject: first.subject });
	demandEqual(await ground.storage.jobs.depth(), { waiting: 1, leased: 1 }, "a job added while another for its subject is leased");
	demandEqual(await claim(ground, later), [], "jobs for a subject that is worked on");
	await ground.storage.jobs.finish(held);
	demandEqual((await claimOne(ground, later)).subject, first.subject, "the job that had to wait");
}

async function expiredOnce(ground: Ground): Promise<void> {
	const added = await addJob(ground);
	const first = await claimOne(ground, secondsAfterDawn(0));
	demandEqual(await claim(ground, secondsAfterDawn(0.999)), [], "jobs under a lease");
	const claims = (await Promise.all([1, 2, 3].map(() => claim(ground, secondsAfterDawn(1.001))))).flat();
	demandEqual(claims.length, 1, "how often a lease that has run out returned its job");
	demandEqual([claims[0]?.id, claims[0]?.attempt], [added.id, 2], "the job that was returned");
	demand(claims[0]?.lease !== first.lease, "two claims have one lease");
}

/** Lets the lease of a job run out as often as makes it one that is claimed alone. @returns the time by then. */
async function crashUntilAlone({ storage }: Ground, { id }: NewJob, from: number): Promise<number> {
	let seconds = from;
	for (let i = 0; i < limits.crashesBesideOthersMax; i++, seconds += 10) {
		const claimed = await storage.jobs.claim("crashing", ["ingest"], 10, secondsAfterDawn(seconds), leaseMs);
		demand(
			claimed.some((job) => job.id === id && job.crashes === i),
			"a job that crashed has other crashes, or was not claimed",
		);
		for (const job of claimed) if (job.id !== id) await storage.jobs.retry(job, job.notBefore, "not meant", true);
	}
	// The lease of the last one runs out, and then its pause.
	await storage.jobs.claim("crashing", ["ingest"], 10, secondsAfterDawn(seconds), leaseMs);
	return seconds + limits.crashPauseMs / 1_000;
}

async function crashesCount(ground: Ground): Promise<void> {
	const { jobs } = ground.storage;
	const added = await addJob(ground);
	await jobs.retry(await claimOne(ground, secondsAfterDawn(0)), secondsAfterDawn(1), "busy", false);
	demandEqual((await claimOne(ground, secondsAfterDawn(1))).crashes, 0, "the crashes after a retry");
	demandEqual((await claimOne(ground, secondsAfterDawn(3))).crashes, 1, "the crashes after a lease that ran out");
	await jobs.recover(null, secondsAfterDawn(4), ground.samples.newId);
	const { attempt, crashes } = await claimOne(ground, secondsAfterDawn(4 + crashPauseMs(2) / 1_000));
	demandEqual([attempt, crashes], [4, 2], "the attempts and crashes after the worker has started again");
	await jobs.recover(null, secondsAfterDawn(60), ground.samples.newId);
	await addJob(ground, { subject: added.subject });
	demandEqual((await claimOne(ground, later)).crashes, 0, "the crashes of a job that was added again");
}

async function containersKeepCrashes(ground: Ground): Promise<void> {
	const { jobs } = ground.storage;
	const { subject } = await addJob(ground, { task: "remember" });
	await claimOne(ground, secondsAfterDawn(1));
	await jobs.recover(null, secondsAfterDawn(2), ground.samples.newId);
	await addJob(ground, { task: "remember", subject });
	demandEqual((await claimOne(ground, secondsAfterDawn(3))).crashes, 1, "the crashes after a document was added to a job that waits");
	await addJob(ground, { task: "remember", subject });
	await jobs.recover(null, secondsAfterDawn(4), ground.samples.newId);
	const again = await claimOne(ground, secondsAfterDawn(60));
	demandEqual(again.crashes, 2, "the crashes after one was added to a job in hand");
	await jobs.finish(again);
	await addJob(ground, { task: "remember", subject });
	demandEqual((await claimOne(ground, secondsAfterDawn(61))).crashes, 0, "the crashes of the next job");
}

async function claimedAlone(ground: Ground): Promise<void> {
	const { jobs } = ground.storage;
	const claimAs = (worker: string, seconds: number, tasks = bothTasks) => jobs.claim(worker, tasks, 10, secondsAfterDawn(seconds), 3_600_000);
	const suspect = await addJob(ground, { notBefore: secondsAfterDawn(0.5) });
	const now = await crashUntilAlone(ground, suspect, 1);
	const [early, late] = [await addJob(ground, { notBefore: secondsAfterDawn(0) }), await addJob(ground, { notBefore: secondsAfterDawn(1) })];
	const remember = await addJob(ground, { task: "remember", notBefore: secondsAfterDawn(0) });
	const [alone, ...beside] = await claimAs("first", now);
	demandEqual([alone?.id, alone?.crashes, beside.length], [suspect.id, limits.crashesBesideOthersMax, 0], "the job that is claimed alone");
	demandEqual(await claimAs("first", now), [], "what a worker gets beside a job that it has alone");
	demandEqual(idsOf(await claimAs("second", now)).toSorted(), [early.id, late.id, remember.id].toSorted(), "what another worker gets meanwhile");
	demand(alone !== undefined, "no job was claimed alone");
	await jobs.retry(alone, secondsAfterDawn(now), "busy", false);
	const sync = await addJob(ground, { task: "sync", subject: "s" });
	const other = await addJob(ground);
	const memories = await addJob(ground, { task: "remember" });
	demandEqual(await claimAs("second", now), [], "what a worker gets that has other jobs while one waits that is claimed alone");
	demandEqual(idsOf(await claimAs("second", now, ["sync"])), [sync.id], "what is not about documents");
	demandEqual(await claimAs("first", now, ["remember"]), [], "what a worker gets before the job that it could claim alone");
	const [again] = await claimAs("first", now);
	demandEqual([again?.id, again?.crashes], [suspect.id, limits.crashesBesideOthersMax], "a job that is claimed alone after a retry");
	if (again !== undefined) await jobs.finish(again);
	demandEqual(idsOf(await claimAs("first", now)).toSorted(), [other.id, memories.id].toSorted(), "what a worker gets after the job that it had alone");
	await addJob(ground, { subject: suspect.subject });
	demandEqual(
		(await claimAs("second", now)).map(({ subject, crashes }) => [subject, crashes]),
		[[suspect.subject, 0]],
		"a new job for the same document",
	);
}

async function crashesPause(ground: Ground): Promise<void> {
	const { jobs } = ground.storage;
	const lost: readonly ((now: number) => Promise<unknown>)[] = [
		(now) => claim(ground, secondsAfterDawn(now)),
		(now) => jobs.recover("worker", secondsAfterDawn(now), ground.samples.newId),
	];
	for (const task of bothTasks) {
		let now = 0;
		const { subject } = await addJob(ground, { task });
		for (let crashes = 1; crashes <= limits.crashesMax; crashes++) {
			const held = await claimOne(ground, secondsAfterDawn(now));
			// One added meanwhile waits for what is found out about the first one.
			if (task === "remember") await addJob(ground, { task, subject, notBefore: secondsAfterDawn(now) });
			now += leaseMs / 1_000;
			await lost[crashes % 2]?.(now);
			demand(!(await jobs.renew(held, secondsAfterDawn(now), leaseMs)), "a lease outlived its time");
			if (task === "remember" && crashes >= limits.crashesBesideOthersMax) await addJob(ground, { task, subject, notBefore: secondsAfterDawn(now) });
			const pause = crashPauseMs(crashes) / 1_000;
			if (pause > 0) demandEqual(await claim(ground, secondsAfterDawn(now + pause - 0.001)), [], `jobs before the pause after ${crashes} crashes is over`);
			now += pause;
		}
		let last = await claimOne(ground, secondsAfterDawn(now));
		if (task === "remember") {
			// A pause that something else asked for ends with what is added.
			await jobs.retry(last, secondsAfterDawn(now + 3_600), "busy", true);
			await addJob(ground, { task, subject, notBefore: secondsAfterDawn(now) });
			now += limits.retryDelayMaxMs / 1_000;
			last = await claimOne(ground, secondsAfterDawn(now));
		}
		demandEqual(last.crashes, limits.crashesMax, "the crashes of a job that is to be given up");
		await jobs.finish(last);
	}
}

async function lostLease(ground: Ground): Promise<void> {
	const { jobs } = ground.storage;
	await addJob(ground);
	const lost = await claimOne(ground, secondsAfterDawn(0));
	const held = await claimOne(ground, secondsAfterDawn(2));
	demand(!(await jobs.renew(lost, secondsAfterDawn(2), 60_000)), "a lost lease was renewed");
	await jobs.finish(lost);
	await jobs.retry(lost, secondsAfterDawn(0), "late", true);
	demandEqual(await jobs.depth(), { waiting: 0, leased: 1 }, "jobs after the old holder tried to settle");
	demandEqual(await claim(ground, secondsAfterDawn(2.5)), [], "jobs that the old holder put back");
	demand(await jobs.renew(held, secondsAfterDawn(2.5), leaseMs), "the new holder lost its lease");
	await jobs.finish(held);
	demandEqual(await jobs.depth(), { waiting: 0, leased: 0 }, "jobs after the new holder finished");
	demand(!(await jobs.renew(held, secondsAfterDawn(2.5), leaseMs)), "the lease of a finished job was renewed");
}

async function renewLasts(ground: Ground): Promise<void> {
	await addJob(ground);
	const job = await claimOne(ground, secondsAfterDawn(0));
	demand(await ground.storage.jobs.renew(job, secondsAfterDawn(0.9), 5_000), "a lease that holds was not renewed");
	demandEqual(await claim(ground, secondsAfterDawn(5.8)), [], "jobs under a renewed lease");
	demandEqual((await claimOne(ground, secondsAfterDawn(6))).attempt, 2, "the attempt after a renewed lease ran out");
}

async function nextAdded(ground: Ground): Promise<void> {
	const { samples, storage } = ground;
	await addJob(ground);
	const next = [1, 2].map((i) => samples.makeJob(samples.makeDocument(), { task: "remember", subject: `team-${i}`, notBefore: sampleDawn }));
	const lost = await claimOne(ground, later);
	const held = await claimOne(ground, new Date(later.getTime() + leaseMs));
	await storage.jobs.finish(lost, next);
	demandEqual(await storage.jobs.depth(), { waiting: 0, leased: 1 }, "the queue after a job was finished whose lease was lost");
	await storage.jobs.finish(held, next);
	await storage.jobs.finish(held, next);
	demandEqual(idsOf(await claim(ground, later)), idsOf(next), "what waits after a job was finished that others follow");
}

async function finishedGone(ground: Ground): Promise<void> {
	const job = await addJob(ground);
	await ground.storage.jobs.finish(await claimOne(ground, later));
	demandEqual(await claim(ground, new Date(later.getTime() + 3_600_000)), [], "jobs after the only one is finished");
	await addJob(ground, { subject: job.subject });
	demandEqual((await claimOne(ground, later)).attempt, 1, "the attempt of a new job for a finished subject");
}

async function retryCounts(ground: Ground): Promise<void> {
	const { jobs } = ground.storage;
	const added = await addJob(ground);
	await jobs.retry(await claimOne(ground, secondsAfterDawn(0)), secondsAfterDawn(10), "busy", false);
	demandEqual(await jobs.nextDue(), secondsAfterDawn(10), "when a retry is due");
	demandEqual(await claim(ground, secondsAfterDawn(9)), [], "a retry before its time");
	const second = await claimOne(ground, secondsAfterDawn(10));
	demandEqual([second.id, second.attempt, second.trace], [added.id, 2, added.trace], "a retry");
	await jobs.retry(second, secondsAfterDawn(11), "stopped", true);
	demandEqual((await claimOne(ground, secondsAfterDawn(11))).attempt, 2, "the attempt after one that was free of charge");
}

async function retryBecomesOne(ground: Ground): Promise<void> {
	const { jobs } = ground.storage;
	for (const [retryAt, addedAt] of [[30, 20] as const, [20, 30] as const]) {
		const job = await addJob(ground);
		const held = await claimOne(ground, secondsAfterDawn(0));
		await addJob(ground, { subject: job.subject, notBefore: secondsAfterDawn(addedAt) });
		await jobs.retry(held, secondsAfterDawn(retryAt), "busy", false);
		demandEqual(await jobs.depth(), { waiting: 1, leased: 0 }, "jobs after a retry beside one that waits");
		demandEqual(await jobs.nextDue(), secondsAfterDawn(20), "when the job for both is due");
		await jobs.finish(await claimOne(ground, later));
	}
}

async function depthAndDue(ground: Ground): Promise<void> {
	const { jobs } = ground.storage;
	demandEqual(await jobs.depth(), { waiting: 0, leased: 0 }, "the depth of an empty queue");
	demandEqual(await jobs.nextDue(), null, "when an empty queue is due");
	await addJob(ground, { notBefore: secondsAfterDawn(20) });
	await addJob(ground, { notBefore: secondsAfterDawn(10) });
	demandEqual(await jobs.nextDue(), secondsAfterDawn(10), "when the first of two is due");
	await claimOne(ground, secondsAfterDawn(10));
	demandEqual(await jobs.depth(), { waiting: 1, leased: 1 }, "one waiting, one leased");
	demandEqual(await jobs.nextDue(), secondsAfterDawn(20), "when the one that waits is due");
}

async function recoverMends(ground: Ground): Promise<void> {
	const { storage, samples, tenant } = ground;
	const [held, waiting] = [await addDocument(ground), await addDocument(ground, { status: "extracting" })];
	const [first, second] = await claim(ground, later, 1);
	demand(first !== undefined && second === undefined, "not one job was claimed");
	const finished = [await addDocument(ground, { status: "done" }), await addDocument(ground, { status: "failed" })];
	const orphan = await addDocument(ground, { status: "indexing" });
	const stillWorking: readonly string[] = [held.id, waiting.id];
	for (const job of await claim(ground, later)) if (!stillWorking.includes(job.subject)) await storage.jobs.finish(job);
	const mended = await storage.jobs.recover(null, later, samples.newId);
	demandEqual(mended, { leases: 2, jobs: 1 }, "what recovering mended");
	demandEqual(await storage.jobs.depth(), { waiting: 3, leased: 0 }, "jobs after recovering");
	demand(!(await storage.jobs.renew(first, later, leaseMs)), "a lease outlived recovering");
	const claimed = await claim(ground, later);
	demandEqual(claimed.map(({ subject }) => subject).sort(), [held.id, waiting.id, orphan.id].sort(), "the subjects of the jobs after recovering");
	demand(
		claimed.every(({ id, task }) => isId(id) && task === "ingest"),
		"a job that recovering added is malformed",
	);
	demandEqual(
		(await tenant.documents.getMany(finished.map(({ id }) => id))).map(({ status }) => status).sort(),
		["done", "failed"],
		"documents that are finished",
	);
	for (const job of claimed) await storage.jobs.finish(job);
	for (const { id } of [held, waiting, orphan]) await tenant.documents.move(id, 1, ["queued", "extracting", "indexing"], "done", later);
	demandEqual(await storage.jobs.recover(null, later, samples.newId), { leases: 0, jobs: 0 }, "what recovering mended where nothing was broken");
}

async function recoverRemembers(ground: Ground): Promise<void> {
	const { storage, samples } = ground;
	await addPublished(ground, ["one"], { status: "done", dreaming: "instant", containerTags: ["a", "b"] });
	await addPublished(ground, ["two"], { status: "done", dreamingStatus: "done", containerTags: ["c"] });
	await addPublished(ground, ["three"], { status: "done", taskType: "superrag", containerTags: ["d"] });
	for (const job of await claim(ground, later)) await storage.jobs.finish(job);
	demandEqual(await storage.jobs.recover(null, later, samples.newId), { leases: 0, jobs: 2 }, "what recovering mended");
	const claimed = await claim(ground, later);
	demandEqual(claimed.map(({ task, subject }) => `${task} ${subject}`).sort(), ["remember a", "remember b"], "the jobs that recovering added");
}

async function recoverLeavesOthers(ground: Ground): Promise<void> {
	const { jobs } = ground.storage;
	const claimAs = async (worker: string, forMs: number) => {
		const [job] = await jobs.claim(worker, bothTasks, 1, later, forMs);
		demand(job !== undefined, `no job was claimed by ${worker}`);
		return job;
	};
	const subjects: readonly string[] = [(await addDocument(ground)).id, (await addDocument(ground)).id, (await addDocument(ground)).id];
	const [own, held, expired] = [await claimAs("restarted", leaseMs * 3), await claimAs("other", leaseMs * 3), await claimAs("other", leaseMs)];
	demandEqual([own, held, expired].map(({ subject }) => subject).sort(), [...subjects].sort(), "the subjects of the jobs");
	const now = new Date(later.getTime() + leaseMs + 1);
	demandEqual(await jobs.recover("restarted", now, ground.samples.newId), { leases: 2, jobs: 0 }, "what a worker's recovering mended");
	demand(await jobs.renew(held, now, leaseMs), "a lease of another worker was ended");
	for (const lost of [own, expired]) demand(!(await jobs.renew(lost, now, leaseMs)), "a lease outlived recovering");
	demandEqual(await jobs.depth(), { waiting: 2, leased: 1 }, "jobs after a worker has recovered");
}

async function lostLeaseWritesNothing(ground: Ground): Promise<void> {
	const { storage } = ground;
	if (!storage.supports.manyWriters) return;
	const { id, organisation } = await addDocument(ground);
	const old = await claimOne(ground, later);
	const writeFor = (job: Job, title: string) => storage.organisation(organisation, job).documents.describe(id, 1, { title });
	const titleNow = async () => (await ground.tenant.documents.get(id))?.findings.title;
	demand(await writeFor(old, "first"), "the holder of the lease could not write");
	const current = await claimOne(ground, new Date(later.getTime() + leaseMs + 1));
	const refused = await writeFor(old, "late").then(
		() => "nothing",
		(thrown: unknown) => (thrown as { readonly code?: unknown }).code,
	);
	demandEqual(refused, "LEASE_LOST", "what a worker is told whose lease was lost");
	demandEqual(await titleNow(), "first", "the title that a lost lease has left");
	demand(await writeFor(current, "second"), "the next holder of the lease could not write");
	await storage.jobs.finish(current);
	demandEqual(await writeFor(current, "after").catch(() => "refused"), "refused", "a write for a job that is finished");
	demandEqual(await titleNow(), "second", "the title in the end");
}
