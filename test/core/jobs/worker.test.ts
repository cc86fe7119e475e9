/** The worker: leases are kept alive, lost leases stop a job, a stopped server gives jobs back. */

import { expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { Job, JobId } from "cairn-memory/stores";
import { asServiceError, fail } from "../../../core/errors/fail.ts";
import { type Handler, work } from "../../../core/jobs/worker.ts";
import { limits } from "../../../core/model/limits.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createTestWorld, settle } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");

function bench(run: (job: Job, signal: AbortSignal) => Promise<void>, isWaiting: (job: Job) => boolean = () => false, concurrentMax = 2) {
	const world = createTestWorld();
	const { jobs } = ramStorage();
	const notifier = createNotifier();
	const stopping = new AbortController();
	const handler: Handler = (job) => ({
		run: (signal) => run(job, signal),
		isWaiting: () => isWaiting(job),
		toServiceError: asServiceError,
		onFailure: async () => undefined,
	});
	const working = work({ name: "w", jobs, handlers: { ingest: handler, remember: handler }, world, notifier, concurrentMax }, stopping.signal);
	const add = async (subject: string, task: "ingest" | "remember" = "ingest") => {
		await jobs.add({ id: asId<JobId>(`job-${subject}`), organisation, task, subject, notBefore: world.now(), trace: null });
		notifier.notify();
		await settle();
	};
	const stop = async () => {
		stopping.abort();
		await working;
	};
	return { world, jobs, add, stop };
}

test("runs no more at once than it may, and all in the end", async () => {
	let running = 0;
	let most = 0;
	const done: string[] = [];
	const { add, stop } = bench(async ({ subject }) => {
		most = Math.max(most, ++running);
		await settle(30);
		running--;
		done.push(subject);
	});
	for (const subject of "abcdefg") await add(subject);
	await settle(300);
	await stop();
	expect([most, done.sort().join("")]).toEqual([2, "abcdefg"]);
});

test("more are run at once where many end within a second, and fewer again when they do not", async () => {
	let gateway = Promise.withResolvers<void>();
	let running = 0;
	const { world, add, stop } = bench(
		async () => {
			running++;
			await gateway.promise;
			running--;
		},
		() => false,
		40,
	);
	const begin = async (name: string, count: number) => {
		for (let i = 0; i < count; i++) await add(`${name}-${i}`);
		await settle(100);
		return running;
	};
	const end = async () => {
		gateway.resolve();
		gateway = Promise.withResolvers();
		await settle(600);
	};
	expect(await begin("first", 30)).toBe(limits.concurrentHeavyDocumentsMax);
	await end();
	expect(running).toBe(14);
	await end();
	expect(await begin("second", 60)).toBe(30);
	world.advance(2_000);
	await end();
	expect(running).toBe(30);
	world.advance(2_000);
	gateway.resolve();
	await settle(300);
	await stop();
});

test("two containers' memories are extracted beside each other when no document waits", async () => {
	const gateway = Promise.withResolvers<void>();
	const begun: string[] = [];
	const { add, stop } = bench(async ({ subject }) => {
		begun.push(subject);
		await gateway.promise;
	});
	for (const subject of "abc") await add(subject, "remember");
	expect(begun).toEqual(["a", "b"]);
	gateway.resolve();
	await settle(100);
	expect(begun).toEqual(["a", "b", "c"]);
	await stop();
});

test("while a document is read, memories get a fifth of the time, and short jobs do not wait for a long pause", async () => {
	const gateway = Promise.withResolvers<void>();
	const begun: number[] = [];
	const { world, add, stop } = bench(
		async ({ task, subject }) => {
			if (task === "ingest") return subject === "document" ? gateway.promise : undefined;
			begun.push(world.elapsedMs());
			await world.sleep(100, new AbortController().signal);
		},
		() => false,
		16,
	);
	await add("document");
	for (const subject of "abc") await add(subject, "remember");
	expect(begun).toEqual([]);
	for (let i = 0; i < 40; i++) {
		world.advance(100);
		await add(`waker-${i}`, "ingest");
	}
	const [first = 0, second = 0, third = 0] = begun;
	expect(begun.length).toBe(3);
	expect(first).toBeGreaterThan(2_000);
	expect([second - first, third - second]).toEqual([600, 600]);
	gateway.resolve();
	await settle(600);
	await stop();
});

test("what is to be done next is in the queue when the job is not", async () => {
	const world = createTestWorld();
	const { jobs } = ramStorage();
	const stopping = new AbortController();
	const follow = { id: asId<JobId>("next"), organisation, task: "deliver", subject: "hook", notBefore: world.now(), trace: null } as const;
	const handler: Handler = () => ({ run: async () => undefined, next: async () => [follow], toServiceError: asServiceError, onFailure: async () => undefined });
	await jobs.add({ id: asId<JobId>("first"), organisation, task: "ingest", subject: "a", notBefore: world.now(), trace: null });
	const working = work({ name: "w", jobs, handlers: { ingest: handler }, world, notifier: createNotifier(), concurrentMax: 2 }, stopping.signal);
	await settle();
	stopping.abort();
	await working;
	expect(await jobs.claim("next", ["deliver", "ingest"], 10, world.now(), 1_000)).toMatchObject([follow]);
});

test("begins another beside one that only waits", async () => {
	const gateway = Promise.withResolvers<void>();
	const begun: string[] = [];
	let isWaiting = false;
	const { world, add, stop } = bench(
		async ({ subject }) => {
			begun.push(subject);
			if (subject !== "quick") await gateway.promise;
		},
		({ subject }) => isWaiting && subject === "slow-1",
	);
	for (const subject of ["slow-1", "slow-2", "quick"]) await add(subject);
	expect(begun).toEqual(["slow-1", "slow-2"]);
	isWaiting = true;
	world.advance(limits.pollIntervalMs);
	await settle();
	expect(begun).toEqual(["slow-1", "slow-2", "quick"]);
	gateway.resolve();
	await stop();
});

test("keeps a long job's lease, so that nobody else takes it", async () => {
	const gateway = Promise.withResolvers<void>();
	const { world, jobs, add, stop } = bench(() => gateway.promise);
	await add("long");
	for (let i = 0; i < 12; i++) {
		world.advance(limits.leaseMs / 3);
		await settle();
	}
	expect(await jobs.claim("thief", ["ingest"], 1, world.now(), limits.leaseMs)).toEqual([]);
	gateway.resolve();
	await settle();
	expect(await jobs.depth()).toEqual({ waiting: 0, leased: 0 });
	await stop();
});

test("a job that another worker has taken over is neither put back, nor finished, nor noted as failed", async () => {
	const writes: string[] = [];
	const { jobs } = ramStorage();
	const world = createTestWorld();
	const noted = {
		...jobs,
		finish: async () => void writes.push("finish"),
		retry: async () => void writes.push("retry"),
	};
	const handler: Handler = () => ({
		run: () => Promise.reject(fail("LEASE_LOST")),
		toServiceError: asServiceError,
		onFailure: async () => void writes.push("failure"),
	});
	await jobs.add({ id: asId<JobId>("job"), organisation, task: "ingest", subject: "taken", notBefore: world.now(), trace: null });
	const stopping = new AbortController();
	const working = work({ name: "w", jobs: noted, handlers: { ingest: handler }, world, notifier: createNotifier(), concurrentMax: 1 }, stopping.signal);
	await settle();
	stopping.abort();
	await working;
	expect(writes).toEqual([]);
	expect(await jobs.depth()).toEqual({ waiting: 0, leased: 1 });
});

test("a stop aborts what runs and gives it back without counting the try", async () => {
	const { world, jobs, add, stop } = bench(
		(_job, signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
	);
	await add("unfinished");
	await stop();
	expect(await jobs.depth()).toEqual({ waiting: 1, leased: 0 });
	expect(await jobs.claim("next", ["ingest"], 1, world.now(), limits.leaseMs)).toMatchObject([{ subject: "unfinished", attempt: 1 }]);
});

test("who asks to be left alone is not asked sooner, and not for ever", async () => {
	const tries: number[] = [];
	const { world, jobs, add, stop } = bench(async () => {
		tries.push(world.elapsedMs());
		throw fail("ADDRESS_FAILED", "x", "it answered with status 429").notBefore(600_000);
	});
	await add("a");
	for (let i = 0; i < limits.attemptsMax + 2; i++) {
		world.advance(599_000);
		await settle(30);
		world.advance(1_001);
		await settle(30);
	}
	await stop();
	expect(tries.length).toBe(limits.attemptsMax);
	expect(tries.slice(1).every((at, i) => at - (tries[i] ?? 0) >= 600_000)).toBe(true);
	expect(await jobs.nextDue()).toBeNull();
});

test("a storage that does not answer for a while is asked again", async () => {
	const { world, jobs, add, stop } = bench(async () => undefined);
	const { claim } = jobs;
	let failures = 3;
	Object.assign(jobs, {
		claim: async (...request: Parameters<typeof claim>) => {
			if (failures-- > 0) throw new Error("gone");
			return claim(...request);
		},
	});
	await add("patient");
	for (let i = 0; i < 8; i++) {
		world.advance(limits.pollIntervalMs);
		await settle();
	}
	expect(await jobs.depth()).toEqual({ waiting: 0, leased: 0 });
	expect(world.lines.some(({ level }) => level === "error")).toBe(true);
	await stop();
});

test("however many sign-ins a provider leaves waiting, webhooks are delivered", async () => {
	const world = createTestWorld();
	const { jobs } = ramStorage();
	const hanging = Promise.withResolvers<void>();
	const begun: string[] = [];
	const handler: Handler = (job) => ({
		run: (signal) => {
			begun.push(job.task);
			signal.addEventListener("abort", () => hanging.resolve());
			return job.task === "sign-in" ? hanging.promise : Promise.resolve();
		},
		toServiceError: asServiceError,
		onFailure: async () => undefined,
	});
	const stopping = new AbortController();
	const add = (task: "sign-in" | "deliver", subject: string) =>
		jobs.add({ id: asId<JobId>(`job-${subject}`), organisation, task, subject, notBefore: world.now(), trace: null });
	for (let i = 0; i < 9; i++) await add("sign-in", `code-${i}`);
	await add("deliver", "hook");
	const handlers = { deliver: handler, "sign-in": handler };
	const working = work({ name: "w", jobs, handlers, world, notifier: createNotifier(), concurrentMax: 2 }, stopping.signal);
	await settle(100);
	expect(begun.toSorted()).toEqual(["deliver", "sign-in", "sign-in"]);
	stopping.abort();
	await working;
});
