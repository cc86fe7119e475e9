/**
 * Documents that end the process which reads them, among sound ones: whatever the order of claims, crashes and kills, the former fail after
 * a limited number of crashes, and the latter are done.
 */

import { expect, test } from "bun:test";
import { asId, limits, type OrganisationId } from "cairn-memory";
import { crashPauseMs, type Job, type JobId } from "cairn-memory/stores";
import fc from "fast-check";
import { receive } from "../../../core/ingest/receive.ts";
import { ingestHandler } from "../../../core/jobs/ingest-handler.ts";
import { createKeyedMutex } from "../../../core/runtime/keyed-mutex.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { seededRandom } from "../../contract/samples.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createTestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const dawn = new Date("2026-01-01T00:00:00.000Z").getTime();
/** Kills from outside that meet a document alone. One more in a row would look as if the document were the cause. */
const aloneKillsMax = limits.crashesMax - limits.crashesBesideOthersMax - 1;
/** The longest time that one step of a run takes. */
const stepMsMax = 2_000;
/** Far more than any run needs; one that does not end is a fault. */
const stepsMax = 20_000;

interface Run {
	readonly seed: number;
	readonly processes: number;
	readonly sound: number;
	readonly poisoned: number;
	/** How likely a kill from outside is at each step. */
	readonly kills: number;
}

/** Processes that claim, read, die and come back in a random order. Those that do not come back lose their leases by time. */
async function run({ seed, processes, sound, poisoned, kills }: Run) {
	const random = seededRandom(seed);
	const { jobs } = ramStorage();
	let now = dawn;
	let added = 0;
	const newId = () => asId<JobId>(`job-${added++}`);
	const inHand = Array.from({ length: processes }, () => new Map<string, Job>());
	const crashes = new Map<string, number>();
	const ended = new Map<string, "done" | "failed">();
	const aloneKills = new Map<string, number>();
	const isPoison = ({ subject }: Job) => subject.startsWith("poison");
	const chance = (share: number) => random() < share;

	async function add(subject: string, task: Job["task"] = "ingest"): Promise<void> {
		await jobs.add({ id: newId(), organisation, task, subject, notBefore: new Date(now), trace: null });
	}

	async function claim(process: number): Promise<void> {
		const hand = inHand[process] ?? new Map();
		const tasks = chance(0.8) ? (["ingest"] as const) : (["remember"] as const);
		for (const job of await jobs.claim(`process-${process}`, tasks, 1 + Math.floor(random() * 5), new Date(now), limits.leaseMs)) hand.set(job.id, job);
		const alone = [...hand.values()].filter((job) => job.task === "ingest" && job.crashes >= limits.crashesBesideOthersMax);
		if (alone.length > 0 && hand.size > 1) throw new Error(`beside ${alone[0]?.subject} in hand: ${hand.size - 1}`);
	}

	async function die(process: number): Promise<void> {
		inHand[process]?.clear();
		if (chance(0.5)) await jobs.recover(`process-${process}`, new Date(now), newId);
		else now += limits.leaseMs + 1;
	}

	async function work(process: number): Promise<void> {
		const hand = inHand[process] ?? new Map<string, Job>();
		const job = [...hand.values()][Math.floor(random() * hand.size)];
		if (job === undefined) return;
		if (job.task === "ingest" && job.crashes >= limits.crashesMax) {
			ended.set(job.subject, "failed");
			await jobs.finish(job);
		} else if (isPoison(job)) {
			crashes.set(job.subject, (crashes.get(job.subject) ?? 0) + 1);
			return die(process);
		} else {
			await jobs.finish(job);
			if (job.task === "ingest") ended.set(job.subject, "done");
		}
		hand.delete(job.id);
	}

	async function kill(process: number): Promise<void> {
		const [first, ...others] = inHand[process]?.values() ?? [];
		if (first !== undefined && others.length === 0 && !isPoison(first)) {
			if ((aloneKills.get(first.subject) ?? 0) >= aloneKillsMax) return;
			aloneKills.set(first.subject, (aloneKills.get(first.subject) ?? 0) + 1);
		}
		await die(process);
	}

	const names = [...Array.from({ length: sound }, (_, i) => `sound-${i}`), ...Array.from({ length: poisoned }, (_, i) => `poison-${i}`)];
	for (const name of names.toSorted(() => random() - 0.5)) await add(name);
	let steps = 0;
	for (; steps < stepsMax && ended.size < names.length; steps++) {
		now += Math.floor(random() * stepMsMax);
		const process = Math.floor(random() * processes);
		if (chance(kills)) await kill(process);
		else if (chance(0.5)) await claim(process);
		else await work(process);
		if (chance(0.02)) await add(`box-${Math.floor(random() * 3)}`, "remember");
		// The others are alive and renew what they hold.
		for (const hand of inHand) for (const job of hand.values()) if (!(await jobs.renew(job, new Date(now), limits.leaseMs))) hand.delete(job.id);
	}
	return { ended, crashes, isOver: steps < stepsMax };
}

test("in any order of crashes and kills, what ends its process fails after a limited number of them, and everything else is done", async () => {
	const runs = fc.record({
		seed: fc.nat(),
		processes: fc.integer({ min: 1, max: 3 }),
		sound: fc.integer({ min: 0, max: 12 }),
		poisoned: fc.integer({ min: 0, max: 3 }),
		kills: fc.double({ min: 0, max: 0.2, noNaN: true }),
	});
	await fc.assert(
		fc.asyncProperty(runs, async (one) => {
			const { ended, crashes, isOver } = await run(one);
			expect(isOver).toBe(true);
			for (const [name, how] of ended) expect([name, how]).toEqual([name, name.startsWith("poison") ? "failed" : "done"]);
			expect(Math.max(0, ...crashes.values())).toBeLessThanOrEqual(limits.crashesMax);
		}),
		{ numRuns: 60 },
	);
});

/** A server that is killed `lives` times, each time while it reads its first job; the next life is long enough for everything. @returns the most crashes of a job. */
async function killAtFirstJob(task: Job["task"], subjects: number, lives: number): Promise<number> {
	const { jobs } = ramStorage();
	const restartMs = 3_000;
	let now = dawn;
	const newId = () => asId<JobId>("unused");
	for (let i = 0; i < subjects; i++)
		await jobs.add({ id: asId<JobId>(`job-${i}`), organisation, task, subject: `${i}`, notBefore: new Date(now), trace: null });
	for (let life = 0; life < lives; life++, now += restartMs) {
		await jobs.recover("w", new Date(now), newId);
		await jobs.claim("w", [task], 4, new Date(now), limits.leaseMs);
	}
	await jobs.recover("w", new Date(now), newId);
	let crashes = 0;
	for (let left = subjects; left > 0; now += restartMs) {
		for (const job of await jobs.claim("w", [task], 4, new Date(now), limits.leaseMs)) {
			crashes = Math.max(crashes, job.crashes);
			await jobs.finish(job);
			left--;
		}
	}
	return crashes;
}

test("a server that is killed again and again at its first job blames none of them", async () => {
	for (const task of ["ingest", "remember"] as const)
		for (const subjects of [1, 5, 50]) expect(await killAtFirstJob(task, subjects, 12)).toBeLessThan(limits.crashesMax);
});

test("a document is processed as long as it has crashes left, and fails then without being read", async () => {
	const world = createTestWorld();
	const parts = createTestParts(world);
	const { jobs, organisation: tenantOf } = parts.storage;
	const tenant = tenantOf(organisation);
	const request = { customId: null, containerTags: ["home"], metadata: {}, filepath: null, taskType: "superrag", dreaming: "instant" } as const;
	await receive({ ...request, content: { kind: "text", text: "the lamp is lit", mediaType: "text/plain" } }, organisation, tenant, parts.world);
	const handler = ingestHandler({ ...parts, extractors: [] }, createKeyedMutex());
	const codes: string[] = [];
	for (let crashes = 0; crashes <= limits.crashesMax; crashes++) {
		const [job] = await jobs.claim("w", ["ingest"], 1, parts.world.now(), 1_000);
		if (job === undefined) throw new Error("nothing was claimed");
		expect(job.crashes).toBe(crashes);
		const attempt = handler(job);
		await attempt.run(new AbortController().signal).catch((thrown: unknown) => codes.push(attempt.toServiceError(thrown).code));
		await jobs.recover("w", parts.world.now(), () => asId<JobId>("unused"));
		world.advance(crashPauseMs(crashes + 1));
	}
	expect(codes.at(-1)).toBe("PROCESS_CRASHED");
	expect(codes.slice(0, -1)).not.toContain("PROCESS_CRASHED");
	expect(codes).toHaveLength(limits.crashesMax + 1);
});
