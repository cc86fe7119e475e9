/** Syncs as jobs: schedules, tries that fail, lost keys, deletions, and places of their own. */

import { afterEach, expect, test } from "bun:test";
import { asId, type Change, type Connector, fail, type OrganisationId, type ServiceError, type Step } from "cairn-memory";
import type { DocumentId } from "cairn-memory/stores";
import { createConnectionService } from "../../../core/connections/connection-service.ts";
import { resumeSyncs } from "../../../core/connections/resume-syncs.ts";
import { syncErrorCode } from "../../../core/connections/sync-run.ts";
import { limits } from "../../../core/model/limits.ts";
import { syncedCustomId } from "../../../core/model/reserved-custom-ids.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { runWorker } from "../../../core/service.ts";
import { createVault } from "../../../server/auth/vault.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { createTestWorld, settle } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const caller = { organisation, role: "admin", grants: null, id: "key" } as const;
const hour = 3_600_000;
const content = { kind: "text", text: "One is here.", mediaType: "text/plain" } as const;
const put = (key: string, containerTag: string | null = null): Change => ({
	kind: "put",
	item: { key, content, title: null, metadata: {}, containerTag },
	cursor: () => ({ at: key }),
});

/** A connector that does what it is told, and a worker on a clock that moves when told. */
function bench(sync: (signal: AbortSignal, step: Step) => AsyncIterable<Change>, secrets: readonly string[] = ["key"], atOnce = 2) {
	const world = createTestWorld();
	const connector: Connector = {
		name: "shelf",
		secrets,
		syncEveryMs: hour,
		configure: (metadata, documentsMax) => ({ ...(metadata as Record<string, string>), documentsMax }),
		sync: (_config, _cursor, step) => sync(step.signal, step),
	};
	const parts = createTestParts(world, { connectors: [connector] });
	const notifier = createNotifier();
	const connections = createConnectionService(parts, notifier);
	const create = (more: object = {}) =>
		connections.create(
			caller,
			{ provider: "shelf", containerTags: ["a"], documentLimit: 3, metadata: { key: "secret" }, ...more },
			() => ({ redirectUri: "https://cairn.example/callback", redirectsTo: null }),
			new AbortController().signal,
		);
	let stop = async (): Promise<void> => undefined;
	const start = async (other: Partial<typeof parts> = {}) => {
		await parts.storage.accounts.addOrganisation({ id: organisation, name: "o", slug: "o", createdAt: world.now() }).catch(() => undefined);
		const stopping = new AbortController();
		const working = runWorker({ ...parts, ...other }, "w", atOnce, notifier, stopping.signal);
		stop = async () => {
			stopping.abort();
			await working;
		};
		await settle();
	};
	/** In steps that let the worker look. */
	const pass = async (ms: number) => {
		for (let left = ms; left > 0; left -= 10_000) {
			world.advance(Math.min(left, 10_000));
			await settle(60);
		}
	};
	stops.push(() => stop());
	return { world, parts, connections, create, start, pass, stop: () => stop(), documents: parts.storage.organisation(organisation).documents };
}

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const stop of stops.splice(0)) await stop();
});

test("comes again when its time has come, and not before", async () => {
	let syncs = 0;
	const { create, start, pass } = bench(async function* () {
		syncs += 1;
		yield* [];
	});
	await start();
	await create();
	await pass(10_000);
	expect(syncs).toBe(1);
	await pass(hour - 30_000);
	expect(syncs).toBe(1);
	await pass(60_000);
	expect(syncs).toBe(2);
});

test("what may pass is tried again in one run, then by runs with growing pauses, of which the schedule is the longest", async () => {
	let syncs = 0;
	const { create, start, pass, connections, world } = bench(async function* () {
		syncs += 1;
		yield* [];
		throw fail("ADDRESS_FAILED", "shelf", "it answered with status 503");
	});
	await start();
	const { id } = await create();
	await pass(10_000);
	expect((await connections.get(caller, id)).runs).toMatchObject([{ status: "running", errorCode: "provider_unavailable", retryAt: expect.any(String) }]);
	await pass(4 * 60_000);
	expect(syncs).toBe(limits.attemptsMax);
	expect((await connections.get(caller, id)).runs).toMatchObject([
		{ status: "failed", errorCode: "provider_unavailable", retryAt: null, completedAt: expect.any(String) },
	]);
	const pauses: number[] = [];
	for (let runs = 1; runs <= 6; runs++) {
		const { nextSyncAt, runs: ended } = await connections.get(caller, id);
		pauses.push(Math.floor((Date.parse(nextSyncAt ?? "") - Date.parse(ended[0]?.completedAt ?? "")) / 60_000));
		await pass(Date.parse(nextSyncAt ?? "") - world.now().getTime() + 60_000);
		expect(syncs).toBe(limits.attemptsMax * (runs + 1));
	}
	expect([pauses[0], pauses.at(-1), pauses.toSorted((a, b) => a - b)]).toEqual([5, 60, pauses]);
	expect(new Set(pauses).size).toBe(pauses.length);
});

test("what a connector could not read for a moment is taken up before the next whole sync, which stays when it was; an import reads everything", async () => {
	const asked: (boolean | undefined)[] = [];
	const minutes = [5, 10, 90, 1];
	const { create, start, pass, connections } = bench(async function* (_signal, { tryAgain, isRetry }) {
		const next = minutes[asked.length];
		asked.push(isRetry);
		if (next !== undefined) {
			tryAgain?.(next * 60_000 + 1);
			tryAgain?.(next * 60_000);
		}
		yield* [];
	});
	await start();
	const { id } = await create();
	await pass(10_000);
	const nextIn = async () => {
		const { nextSyncAt, runs } = await connections.get(caller, id);
		return Math.round((Date.parse(nextSyncAt ?? "") - Date.parse(runs[0]?.completedAt ?? "")) / 60_000);
	};
	expect([asked, await nextIn()]).toEqual([[false], 5]);
	await pass(5 * 60_000);
	expect([asked, await nextIn()]).toEqual([[false, true], 10]);
	await pass(10 * 60_000);
	expect([asked, await nextIn()]).toEqual([[false, true, true], 45]);
	await pass(45 * 60_000);
	expect([asked, await nextIn()]).toEqual([[false, true, true, false], 5]);
	const writer = { ...caller, role: "write", grants: [{ containerTag: "a", permission: "write" }] } as const;
	await connections.import(writer, { provider: "shelf", containerTags: [] });
	await pass(30_000);
	expect([asked, await nextIn()]).toEqual([[false, true, true, false, false], 60]);
});

test("retries grow rarer until the next whole sync, whatever the connector asks for", async () => {
	const asked: (boolean | undefined)[] = [];
	const { create, start, pass, connections, world } = bench(async function* (_signal, { tryAgain, isRetry }) {
		asked.push(isRetry);
		tryAgain?.(60_000);
		yield* [];
	});
	await start();
	const { id } = await create();
	await pass(10_000);
	const pauses: number[] = [];
	while (asked.length < 6) {
		const { nextSyncAt, runs } = await connections.get(caller, id);
		pauses.push(Math.round((Date.parse(nextSyncAt ?? "") - Date.parse(runs[0]?.completedAt ?? "")) / 60_000));
		await pass(Date.parse(nextSyncAt ?? "") - world.now().getTime() + 10_000);
	}
	expect([asked, pauses.slice(0, -1)]).toEqual([
		[false, true, true, true, true, false],
		[5, 5, 10, 20],
	]);
});

test("an import while a sync runs is not lost to what that sync wants to try again", async () => {
	const asked: (boolean | undefined)[] = [];
	let gate = Promise.withResolvers<void>();
	const { create, start, pass, connections } = bench(async function* (_signal, { tryAgain, isRetry }) {
		asked.push(isRetry);
		await gate.promise;
		tryAgain?.(5 * 60_000);
		yield* [];
	});
	await start();
	const { id } = await create();
	/** Imports while the sync is suspended, then lets it end. */
	const importMeanwhile = async () => {
		await pass(10_000);
		await connections.import(caller, { provider: "shelf", containerTags: [] });
		gate.resolve();
		await pass(30_000);
	};
	await importMeanwhile();
	expect(asked).toEqual([false, false]);
	gate = Promise.withResolvers();
	await pass(5 * 60_000);
	expect(asked).toEqual([false, false, true]);
	await importMeanwhile();
	expect(asked).toEqual([false, false, true, false]);
	expect(await connections.get(caller, id)).toMatchObject({ wholeSyncAt: expect.any(String), runs: [{ status: "completed" }, {}, {}, {}] });
});

test("keys that are refused stop the schedule; an import by hand tries again", async () => {
	let isRefused = true;
	const { create, start, pass, connections } = bench(async function* () {
		if (isRefused) throw fail("CONNECTION_UNAUTHORIZED", "shelf", "no");
		yield put("x");
	});
	await start();
	const { id } = await create();
	await pass(3 * hour);
	expect(await connections.get(caller, id)).toMatchObject({ nextSyncAt: null, runs: [{ status: "failed", errorCode: "auth_expired" }] });
	isRefused = false;
	await connections.import(caller, { provider: "shelf", containerTags: [] });
	await pass(10_000);
	expect(await connections.get(caller, id)).toMatchObject({ nextSyncAt: expect.any(String), runs: [{ status: "completed", documentsSynced: 1 }, {}] });
});

test("a vault with another key says that the keys cannot be opened", async () => {
	const { create, start, pass, connections } = bench(async function* () {
		yield put("x");
	});
	const { id } = await create();
	await start({ vault: createVault(new Uint8Array(32).fill(7)) });
	await pass(10_000);
	expect(await connections.get(caller, id)).toMatchObject({
		nextSyncAt: null,
		runs: [{ errorCode: "auth_expired", error: expect.stringContaining("vault-key") }],
	});
});

test("a connection whose job was lost in a kill gets one at the start, and one that was marked is cleared away", async () => {
	const { create, start, pass, connections, parts, world, documents, stop } = bench(async function* () {
		yield put("x");
	});
	const { id } = await create();
	const jobs = await parts.storage.jobs.claim("kill", ["sync"], 9, world.now(), 1);
	for (const job of jobs) await parts.storage.jobs.finish(job);
	expect(jobs).toHaveLength(1);
	await start();
	await pass(10_000);
	expect((await connections.get(caller, id)).runs).toMatchObject([{ status: "completed" }]);
	await stop();

	const { records } = parts.storage.organisation(organisation);
	const kept = await records.get("connection", id, world.now());
	await records.put(
		"connection",
		id,
		{ ...(kept?.value as object), deletion: { keepsDocuments: false } },
		{ expected: null, expiresAt: null, now: world.now() },
	);
	expect(await connections.list(caller, { provider: null, containerTags: [] })).toEqual([]);
	await resumeSyncs(parts);
	await start();
	await pass(10_000);
	expect([await records.get("connection", id, world.now()), await records.get("sync-cursor", id, world.now())]).toEqual([null, null]);
	expect((await documents.byCustomId(syncedCustomId(id, "x"), [], 1))[0] ?? null).toBeNull();
});

test("no more documents than the limit, whatever the connector brings; each where it belongs", async () => {
	const { create, start, pass, connections, documents } = bench(async function* () {
		for (const key of ["1", "2", "3", "4", "1"]) yield put(key, key === "2" ? "b" : null);
	});
	await start();
	const { id } = await create();
	await pass(10_000);
	const found = await connections.documents(caller, { provider: "shelf", containerTags: ["a"] });
	expect(found.map(({ customId }) => customId)).toEqual(["1", "2", "3"].map((key) => syncedCustomId(id, key)));
	expect(found.map(({ containerTags }) => containerTags)).toEqual([["a"], ["b"], ["a"]]);
	expect((await connections.get(caller, id)).runs[0]?.remarks).toMatchObject([{ code: "DOCUMENT_LIMIT_REACHED" }]);
	expect((await documents.byCustomId(syncedCustomId(id, "4"), [], 1))[0] ?? null).toBeNull();
});

test("an item that is too large is left out with a remark, also what it said before, and keeps none of the others", async () => {
	const bytes = new Uint8Array(limits.fileBytesMax + 1);
	const large = { kind: "file", bytes, fileName: "large.txt", claimedMediaType: null, charset: null, address: null } as const;
	const { create, start, pass, connections } = bench(async function* () {
		for (const key of ["1", "2"]) yield put(key);
		// It has grown.
		yield { kind: "put", item: { key: "2", content: large, title: null, metadata: {}, containerTag: null }, cursor: () => ({ at: "2" }) };
		yield put("3");
	});
	await start();
	const { id } = await create();
	await pass(10_000);
	const found = await connections.documents(caller, { provider: "shelf", containerTags: ["a"] });
	expect(found.map(({ customId }) => customId)).toEqual(["1", "3"].map((key) => syncedCustomId(id, key)));
	expect((await connections.get(caller, id)).runs[0]).toMatchObject({ status: "completed", documentsSynced: 3, remarks: [{ code: "FILE_TOO_LARGE" }] });
});

test("an item that belongs elsewhere now moves, and a document that was moved comes back", async () => {
	let where: string | null = null;
	const { create, start, pass, documents, world } = bench(async function* () {
		yield put("1", where);
	});
	await start();
	const { id } = await create();
	await pass(10_000);
	const named = async () => (await documents.byCustomId(syncedCustomId(id, "1"), [], 9)).map(({ id: document, containerTags }) => [document, containerTags]);
	const [[document]] = (await named()) as [[DocumentId, string[]]];
	where = "b";
	await pass(hour);
	await pass(10_000);
	expect(await named()).toEqual([[document, ["b"]]]);
	await documents.change(document, { containerTags: ["c"] }, world.now(), null);
	await pass(hour);
	await pass(10_000);
	expect(await named()).toEqual([[document, ["b"]]]);
});

test("a deletion while it waits for the far side stops it, and what it writes last is taken away", async () => {
	const gateway = Promise.withResolvers<void>();
	let wasStopped = false;
	const { create, start, pass, connections, documents } = bench(async function* (signal) {
		signal.addEventListener("abort", () => {
			wasStopped = true;
			gateway.resolve();
		});
		yield put("x");
		await gateway.promise;
		yield put("y");
	});
	await start();
	const { id } = await create();
	await pass(10_000);
	expect((await documents.byCustomId(syncedCustomId(id, "x"), [], 1))[0] ?? null).not.toBeNull();
	await connections.remove(caller, id, false);
	expect((await documents.byCustomId(syncedCustomId(id, "x"), [], 1))[0] ?? null).toBeNull();
	await pass(10_000);
	expect(wasStopped).toBe(true);
	expect(await documents.byPrefix("connection/", null, 9)).toEqual([]);
});

test("more syncs than have a place wait, and deliveries do not wait for them", async () => {
	const gateway = Promise.withResolvers<void>();
	let running = 0;
	const { create, start, pass, parts, world } = bench(async function* () {
		running += 1;
		await gateway.promise;
		yield* [];
	});
	await start();
	for (let i = 0; i < limits.concurrentSyncsMax + 2; i++) await create({ containerTags: [`t${i}`] });
	await pass(10_000);
	expect(running).toBe(limits.concurrentSyncsMax);
	await parts.storage.jobs.add({ id: asId("aDelivery"), organisation, task: "deliver", subject: "nobody", notBefore: world.now(), trace: null });
	await pass(10_000);
	expect((await parts.storage.jobs.depth()).waiting).toBe(2);
	gateway.resolve();
	await pass(20_000);
	expect(running).toBe(limits.concurrentSyncsMax + 2);
});

test("errors in the words of the contract", () => {
	const said: readonly (readonly [ServiceError, string, string])[] = [
		[fail("CONNECTION_UNAUTHORIZED", "s3", "x"), "auth_expired", "auth_expired"],
		[fail("CONNECTION_FORBIDDEN", "s3", "x"), "auth_expired", "provider_unavailable"],
		[fail("CONNECTION_SOURCE_MISSING", "s3", "x"), "provider_unavailable", "provider_unavailable"],
		[fail("ADDRESS_FAILED", "x", "it answered with status 429"), "rate_limited", "rate_limited"],
		[fail("ADDRESS_FAILED", "x", "it answered with status 503"), "provider_unavailable", "provider_unavailable"],
		[fail("RATE_LIMITED", 1, 1), "rate_limited", "rate_limited"],
		[fail("STORAGE_FULL"), "internal", "internal"],
		[fail("INTERNAL"), "internal", "internal"],
	];
	for (const [error, withKeys, without] of said) expect([syncErrorCode(error, true), syncErrorCode(error, false)] as string[]).toEqual([withKeys, without]);
});

test("texts with U+0000, which some stores cannot keep, lose it", async () => {
	const { create, start, pass, documents } = bench(async function* () {
		const item = { key: "one", content, title: "a\u0000b", metadata: { author: "A\u0000da", year: 2026 }, containerTag: null };
		yield { kind: "put", item, cursor: () => ({ at: "one" }) } satisfies Change;
	});
	await start();
	const { id } = await create();
	await pass(10_000);
	const found = await documents.byCustomId(syncedCustomId(id, "one"), ["a"], 1);
	expect(found.map(({ metadata }) => metadata)).toMatchObject([{ title: "ab", author: "Ada", year: 2026 }]);
});
