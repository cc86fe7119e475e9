/** Somebody sets the clock back and forth by hours while jobs run and wait: each is done once, when its time has come, and under its lease. */

import { describe, expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { Job, JobId } from "cairn-memory/stores";
import { asServiceError, fail } from "../../../core/errors/fail.ts";
import { type Handler, work } from "../../../core/jobs/worker.ts";
import { limits } from "../../../core/model/limits.ts";
import { dueAt, newJob } from "../../../core/runtime/new-job.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { afterDelivery } from "../../../core/webhooks/after-delivery.ts";
import { isDue } from "../../../core/webhooks/deliver.ts";
import type { Webhook } from "../../../core/webhooks/webhook.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createRateLimiter } from "../../../server/auth/rate-limiter.ts";
import { createTestWorld, settle, type TestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const hourMs = 60 * 60_000;
const stepMs = limits.leaseMs / 6;
/** Longer than the lease, so that one which is not renewed would run out. */
const longMs = 3 * limits.leaseMs;

/** By up to a day, either way; and now and then not at all. */
function jump(world: TestWorld): void {
	if (world.random() < 0.7) world.setClock(Math.round((world.random() * 2 - 1) * 24 * hourMs));
}

async function pass(world: TestWorld, ms: number): Promise<void> {
	for (let passed = 0; passed < ms; passed += stepMs) {
		jump(world);
		await settle(5);
		world.advance(stepMs);
		await settle(10);
	}
}

/** A worker whose jobs take `longMs`, and note when they began and how many of one subject ran at once. */
function bench(world: TestWorld, failing: ReadonlySet<string> = new Set()) {
	const { jobs } = ramStorage(world.now);
	const notifier = createNotifier();
	const stopping = new AbortController();
	const begun = new Map<string, number[]>();
	const [running, overlaps, lost]: [Set<string>, string[], string[]] = [new Set(), [], []];
	const handler: Handler = (job: Job) => ({
		run: async (signal) => {
			if (running.has(job.subject)) overlaps.push(job.subject);
			running.add(job.subject);
			begun.set(job.subject, [...(begun.get(job.subject) ?? []), world.elapsedMs()]);
			signal.addEventListener("abort", () => void lost.push(job.subject), { once: true });
			await world.sleep(longMs, signal);
			running.delete(job.subject);
			if (failing.has(job.subject) && begun.get(job.subject)?.length === 1) throw fail("ADDRESS_FAILED", "it", "once");
		},
		toServiceError: asServiceError,
		onFailure: async () => undefined,
	});
	const working = work({ name: "w", jobs, handlers: { ingest: handler, sync: handler }, world, notifier, concurrentMax: 4 }, stopping.signal);
	return {
		jobs,
		begun,
		overlaps,
		lost,
		add: async (subject: string, task: "ingest" | "sync" = "ingest", notBefore?: Date) => {
			await jobs.add({ ...newJob(task, subject, organisation, world), id: asId<JobId>(`job-${subject}`), ...(notBefore === undefined ? {} : { notBefore }) });
			notifier.notify();
			await settle();
		},
		stop: async () => {
			stopping.abort();
			await working;
		},
	};
}

/** A world whose dice begin elsewhere. */
function worldOf(seed: number): TestWorld {
	const world = createTestWorld();
	for (let i = 0; i < seed * 7; i++) world.random();
	return world;
}

for (let seed = 1; seed <= 8; seed++) {
	test(`no lease is lost, no job is done twice, and none waits for hours (seed ${seed})`, async () => {
		const world = worldOf(seed);
		const { add, begun, overlaps, lost, jobs, stop } = bench(world, new Set(["c"]));
		const addedAt = new Map<string, number>();
		for (const subject of "abcdefgh") {
			jump(world);
			await add(subject);
			addedAt.set(subject, world.elapsedMs());
			await pass(world, stepMs);
		}
		await pass(world, 6 * longMs);
		expect([overlaps, lost, await jobs.depth()]).toEqual([[], [], { waiting: 0, leased: 0 }]);
		for (const subject of "abcdefgh") expect([subject, begun.get(subject)?.length]).toEqual([subject, subject === "c" ? 2 : 1]);
		// Four at once: the first begin at once, the others when those have ended.
		for (const subject of "abcd")
			expect((begun.get(subject)?.[0] ?? Number.NaN) - (addedAt.get(subject) ?? 0)).toBeLessThanOrEqual(2 * limits.pollIntervalMs + stepMs);
		const [first = 0, second = 0] = begun.get("c") ?? [];
		expect(second - first - longMs).toBeGreaterThanOrEqual(1_000);
		expect(second - first - longMs).toBeLessThan(2 * longMs);
		await stop();
	});
}

test("what is planned for later comes after as long as it was ahead, whatever the clock says by then", async () => {
	for (const byMs of [-5 * hourMs, 5 * hourMs]) {
		const world = createTestWorld();
		const { add, begun, stop } = bench(world);
		await add("later", "sync", dueAt(new Date(world.now().getTime() + hourMs), world));
		world.setClock(byMs);
		for (let passed = 0; passed < hourMs - 60_000; passed += 60_000) {
			world.advance(60_000);
			await settle(4);
		}
		expect([byMs, begun.get("later")]).toEqual([byMs, undefined]);
		for (let passed = 0; passed < 120_000; passed += 10_000) {
			world.advance(10_000);
			await settle(6);
		}
		expect([byMs, begun.get("later")?.length]).toEqual([byMs, 1]);
		await stop();
	}
});

test("a start makes jobs due that a clock far ahead has put off, and leaves short waits and plans", async () => {
	const world = createTestWorld();
	const { jobs } = ramStorage(world.now);
	const ahead = (ms: number) => new Date(world.steadyNow().getTime() + ms);
	for (const [subject, task, ms] of [
		["years ahead", "ingest", 10 * 365 * 24 * hourMs],
		["hours ahead", "remember", 5 * hourMs],
		["in a minute", "ingest", 60_000],
		["tomorrow", "sync", 24 * hourMs],
	] as const)
		await jobs.add({ ...newJob(task, subject, organisation, world), notBefore: ahead(ms) });
	await jobs.recover(null, world.steadyNow(), () => asId<JobId>("new"));
	const claim = async () => (await jobs.claim("w", ["ingest", "remember", "sync"], 10, world.steadyNow(), 1_000)).map(({ subject }) => subject).toSorted();
	expect(await claim()).toEqual(["hours ahead", "years ahead"]);
	world.advance(60_000);
	expect(await claim()).toContain("in a minute");
});

describe("a webhook that waits for its next try", () => {
	const webhook = { isEnabled: true, trouble: null, deliveries: [], cursor: 0 } as unknown as Webhook;
	const failed = { messageId: "m", type: "t", at: "", isDelivered: false, status: 500, error: "no", durationMs: 1 };

	test("is tried at the latest after the longest pause of its number of tries, though the clock went back", () => {
		for (let seed = 1; seed < 40; seed++) {
			const world = worldOf(seed);
			let current = webhook;
			for (let tries = 1; tries <= 9; tries++) {
				current = afterDelivery(current, failed, 1, world.now(), world.random());
				const waitMs = Date.parse(current.trouble?.retryAt ?? "") - world.now().getTime();
				expect(isDue(current, world.now())).toBe(false);
				const back = new Date(world.now().getTime() - 30 * hourMs);
				expect([tries, isDue(current, back)]).toEqual([tries, true]);
				world.advance(waitMs);
				expect(isDue(current, world.now())).toBe(true);
			}
		}
	});
});

test("a rate limit takes no notice of the wall clock", () => {
	const [moved, still] = [worldOf(3), worldOf(3)];
	const limitersOf = [moved, still].map((world) => createRateLimiter(world.elapsedMs));
	for (let i = 0; i < 500; i++) {
		jump(moved);
		jump(still);
		still.setClock(still.elapsedMs() - (still.now().getTime() - Date.parse("2026-01-01T00:00:00Z")));
		const passed = Math.round(moved.random() * 400);
		still.random();
		moved.advance(passed);
		still.advance(passed);
		const [a, b] = limitersOf.map((limiter) => limiter("key", { requestsMax: 20, windowMs: 10_000 }));
		expect(a).toEqual(b as NonNullable<typeof b>);
	}
});
