/** Deliveries over a real socket and on a clock that is moved: order, tries, giving up, and what a crash leaves behind. */

import { afterEach, expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { AuditEventType, KeyId, LogEvent } from "cairn-memory/stores";
import { announceDeliveries } from "../../../core/jobs/announce-deliveries.ts";
import { deliverHandler } from "../../../core/jobs/deliver-handler.ts";
import type { Parts } from "../../../core/parts.ts";
import { createNotifier } from "../../../core/runtime/notifier.ts";
import { deliver } from "../../../core/webhooks/deliver.ts";
import type { Webhook } from "../../../core/webhooks/webhook.ts";
import { createWebhookService, type NewWebhook } from "../../../core/webhooks/webhook-service.ts";
import { createGuardedFetch } from "../../../server/boot/network/guarded-fetch.ts";
import { createTestParts } from "../../doubles/parts.ts";
import { startReceiver, type WebhookReceiver } from "../../doubles/webhook-receiver.ts";
import { createTestWorld, settle, type TestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("1111111111111111111111");
const caller = { organisation, id: asId<KeyId>("key"), role: "admin", grants: null } as const;
const never = new AbortController().signal;

let receiver: WebhookReceiver | null = null;
afterEach(() => receiver?.stop());

interface Bench {
	readonly parts: Parts;
	readonly world: TestWorld;
	readonly receiver: WebhookReceiver;
	readonly webhook: () => Promise<Webhook>;
	readonly service: ReturnType<typeof createWebhookService>;
	/** Events with these sequences. */
	readonly happen: (type: LogEvent["type"], containerTags?: readonly string[]) => Promise<void>;
	readonly deliver: (signal?: AbortSignal) => Promise<void>;
	readonly due: () => Promise<Date | null>;
}

async function bench(answer: Parameters<typeof startReceiver>[0], wish: Partial<NewWebhook> = {}): Promise<Bench> {
	const peer = startReceiver(answer);
	receiver = peer;
	const world = createTestWorld();
	const parts = createTestParts(world, { fetch: createGuardedFetch({ allow: [peer.host], log: world.log }) });
	const service = createWebhookService(parts);
	const { webhook } = await service.create(caller, { url: peer.url, description: null, types: null, containerTags: null, ...wish });
	const { events } = parts.storage.organisation(organisation);
	return {
		parts,
		world,
		receiver: peer,
		service,
		webhook: () => service.get(caller, webhook.id),
		// The store writes these itself when something happens; here they only have to be there.
		happen: (type, containerTags = ["a"]) =>
			events.append({ type: type as AuditEventType, at: world.now(), subject: "s", containerTags, facts: { revision: 1 } }),
		deliver: (signal = never) => deliver(webhook.id, organisation, parts, signal),
		due: () => parts.storage.jobs.nextDue(),
	};
}

const numbers = (peer: WebhookReceiver) => peer.received.map(({ headers }) => Number(headers["webhook-id"]?.split("_")[2]));

test("tells each event once, in order, from its making on, and only what is wanted", async () => {
	const { deliver: run, happen, receiver: peer, webhook } = await bench(undefined, { types: ["document.done", "memory.created"], containerTags: ["a"] });
	for (const type of ["document.queued", "document.done", "key.created", "memory.created"] as const) await happen(type);
	await happen("document.done", ["b"]);
	await happen("document.done", ["b", "a"]);
	await run();
	expect(peer.received.map(({ message }) => message.type)).toEqual(["document.done", "memory.created", "document.done"]);
	expect(peer.received[0]?.message).toEqual({
		type: "document.done",
		timestamp: "2026-01-01T00:00:00.000Z",
		data: { revision: 1, id: "s", containerTags: ["a"] },
	});
	expect(peer.received[0]?.headers["content-type"]).toBe("application/json");
	await run();
	expect(peer.received.length).toBe(3);
	expect((await webhook()).deliveries.map(({ isDelivered, status }) => [isDelivered, status])).toEqual([
		[true, 204],
		[true, 204],
		[true, 204],
	]);
});

test("500, then 200: the same message again when the time has come, and none before it overtakes", async () => {
	const { deliver: run, happen, receiver: peer, world, webhook, due } = await bench((before) => new Response(null, { status: before === 0 ? 500 : 200 }));
	await happen("document.queued");
	await happen("document.done");
	await run();
	expect(peer.received.length).toBe(1);
	const { trouble, deliveries } = await webhook();
	expect(trouble?.tries).toBe(1);
	expect(deliveries[0]).toMatchObject({ isDelivered: false, status: 500, error: "the endpoint answered with status 500" });
	expect((await due())?.toISOString()).toBe(trouble?.retryAt);
	await run();
	expect(peer.received.length).toBe(1);
	world.advance(5_500);
	await run();
	expect(numbers(peer)).toEqual([2, 2, 3]);
	expect(peer.received.map(({ body }) => body)[1]).toBe(peer.received[0]?.body ?? "");
	expect(await webhook()).toMatchObject({ trouble: null, isEnabled: true });
});

test("tries are spread over three days, then it is disabled and says why; enabled again it goes on where it was", async () => {
	let status = 503;
	const { deliver: run, happen, receiver: peer, world, webhook, service } = await bench(() => new Response(null, { status }));
	await happen("document.done");
	const started = world.now().getTime();
	for (let i = 0; i < 20 && (await webhook()).isEnabled; i++) {
		await run();
		const { trouble } = await webhook();
		if (trouble !== null) world.advance(Date.parse(trouble.retryAt) - world.now().getTime());
	}
	expect(peer.received.length).toBe(10);
	const days = (world.now().getTime() - started) / 86_400_000;
	expect(days).toBeGreaterThan(2.7);
	expect(days).toBeLessThan(3.6);
	expect((await webhook()).disabledReason).toMatch(/^10 tries since 2026-01-01T00:00:00.000Z failed; the last time the endpoint answered with status 503$/);
	expect(world.lines.some(({ message }) => message === "a webhook was disabled")).toBe(true);
	status = 200;
	const { id } = await webhook();
	expect(await service.change(caller, id, { isEnabled: true })).toMatchObject({ isEnabled: true, disabledReason: null, trouble: null });
	await run();
	expect(new Set(numbers(peer)).size).toBe(1);
	expect((await webhook()).deliveries[0]?.isDelivered).toBe(true);
});

test("410 disables at once", async () => {
	const { deliver: run, happen, receiver: peer, webhook, due } = await bench(() => new Response(null, { status: 410 }));
	await happen("document.done");
	await happen("document.done");
	await run();
	await run();
	expect(peer.received.length).toBe(1);
	expect(await webhook()).toMatchObject({ isEnabled: false, disabledReason: "the endpoint answered that it is gone (410)" });
	expect(await due()).toBeNull();
});

test("a redirect is a failure and is not followed", async () => {
	const { deliver: run, happen, receiver: peer, webhook } = await bench(() => new Response(null, { status: 307, headers: { location: "/elsewhere" } }));
	await happen("document.done");
	await run();
	expect(peer.received.length).toBe(1);
	expect((await webhook()).deliveries[0]).toMatchObject({ isDelivered: false, status: 307 });
});

test("an answer without end is cut off, and one that does not come is not waited for", async () => {
	const flood = () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)) }));
	const { deliver: run, happen, webhook, parts } = await bench(flood);
	await happen("document.done");
	await run();
	expect((await webhook()).deliveries[0]).toMatchObject({ isDelivered: false, status: null, error: "its answer is longer than 1048576 bytes" });
	let timeoutMs = 0;
	const fetch: Parts["fetch"] = async (_address, options) => {
		timeoutMs = options.timeoutMs;
		throw new Error("told nothing");
	};
	const { id } = await webhook();
	await createWebhookService({ ...parts, fetch }).test(caller, id, never);
	expect(timeoutMs).toBe(15_000);
});

test("an endpoint that hangs fails after its time", async () => {
	const { happen, parts, webhook } = await bench(() => new Promise(() => undefined));
	await happen("document.done");
	const { id } = await webhook();
	const impatient: Parts["fetch"] = (address, options) => parts.fetch(address, { ...options, timeoutMs: 100 });
	await deliver(id, organisation, { ...parts, fetch: impatient }, never);
	expect((await webhook()).deliveries[0]).toMatchObject({ isDelivered: false, status: null, error: expect.stringContaining("took longer than 0.1 seconds") });
});

test("a private address that nobody allowed is not posted to", async () => {
	const { deliver: run, happen, webhook, parts, receiver: peer } = await bench(undefined);
	await happen("document.done");
	const { id } = await webhook();
	await deliver(id, organisation, { ...parts, fetch: createGuardedFetch({ allow: [], log: () => undefined }) }, never);
	expect(peer.received.length).toBe(0);
	expect((await webhook()).deliveries[0]?.error).toContain("is not allowed");
	await run();
	expect(peer.received.length).toBe(0);
});

test("a worker that is stopped in the middle has not told: the next one tells again, with the same id", async () => {
	const stopping = new AbortController();
	const hasStopped = Promise.withResolvers<void>();
	const {
		deliver: run,
		happen,
		receiver: peer,
	} = await bench(async (before) => {
		if (before > 0) return new Response();
		stopping.abort(new Error("stopping"));
		await hasStopped.promise;
		return new Response();
	});
	await happen("document.done");
	expect(await run(stopping.signal).then(() => "told", String)).toContain("stopping");
	hasStopped.resolve();
	await run();
	expect(numbers(peer)).toEqual([2, 2]);
});

test("what is owed is announced: new events, and at once after an administrator has changed something; while it is told it is not", async () => {
	const { happen, parts, world, webhook, service } = await bench(undefined);
	const stopping = new AbortController();
	const busy = new Set<string>();
	const announcing = announceDeliveries(
		{
			...parts,
			storage: {
				...parts.storage,
				accounts: { ...parts.storage.accounts, organisations: async () => [{ id: organisation, name: "", slug: "", createdAt: world.now() }] },
			},
		},
		busy,
		createNotifier(),
		stopping.signal,
	);
	const { id } = await webhook();
	const tick = async () => {
		world.advance(500);
		await settle();
		const jobs = await parts.storage.jobs.claim("w", ["deliver"], 10, world.now(), 60_000);
		for (const job of jobs) await parts.storage.jobs.finish(job);
		return jobs.map(({ subject }) => subject);
	};
	// Its own making is an event too, and lies behind the cursor.
	expect(await tick()).toEqual([id]);
	expect(await tick()).toEqual([]);
	await happen("document.done");
	expect(await tick()).toEqual([id]);
	expect(await tick()).toEqual([]);
	await service.change(caller, id, { isEnabled: true });
	expect(await tick()).toEqual([id]);
	busy.add(id);
	await happen("document.done");
	expect(await tick()).toEqual([]);
	busy.clear();
	expect(await tick()).toEqual([id]);
	await service.change(caller, id, { isEnabled: false });
	await happen("document.done");
	expect(await tick()).toEqual([]);
	stopping.abort();
	await announcing;
});

test("with a storage that tells of what is written nobody looks while nothing is; now and then all the same", async () => {
	const { happen, parts, world, webhook } = await bench(undefined);
	const stopping = new AbortController();
	const listeners = new Set<() => void>();
	let looks = 0;
	const organisations = async () => {
		looks += 1;
		return [{ id: organisation, name: "", slug: "", createdAt: world.now() }];
	};
	const onWritten = (listener: () => void) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	};
	const storage = { ...parts.storage, accounts: { ...parts.storage.accounts, organisations }, onWritten };
	const announcing = announceDeliveries({ ...parts, storage }, new Set(), createNotifier(), stopping.signal);
	const after = async (ms: number) => {
		for (let passed = 0; passed < ms; passed += 500) {
			world.advance(500);
			await settle();
		}
		const jobs = await parts.storage.jobs.claim("w", ["deliver"], 10, world.now(), 60_000);
		for (const job of jobs) await parts.storage.jobs.finish(job);
		return { looks, due: jobs.map(({ subject }) => subject) };
	};
	const { id } = await webhook();
	expect(await after(500)).toEqual({ looks: 1, due: [id] });
	expect(await after(5_000)).toEqual({ looks: 1, due: [] });
	await happen("document.done");
	for (const listener of listeners) listener();
	expect(await after(500)).toEqual({ looks: 2, due: [id] });
	await happen("document.done");
	expect(await after(5_000)).toEqual({ looks: 2, due: [] });
	expect(await after(6_000)).toEqual({ looks: 3, due: [id] });
	stopping.abort();
	await announcing;
	expect(listeners.size).toBe(0);
});

test("the job knows which webhook is being told", async () => {
	const { happen, parts, webhook, world } = await bench(undefined);
	await happen("document.done");
	const { id } = await webhook();
	const busy = new Set<string>();
	const seen: boolean[] = [];
	const fetch: Parts["fetch"] = (address, options) => {
		seen.push(busy.has(id));
		return parts.fetch(address, options);
	};
	await parts.storage.jobs.add({ id: asId("job"), organisation, task: "deliver", subject: id, notBefore: world.now(), trace: null });
	const [job] = await parts.storage.jobs.claim("w", ["deliver"], 1, world.now(), 60_000);
	if (job === undefined) throw new Error("no job");
	await deliverHandler({ ...parts, fetch }, busy)(job).run(never);
	expect([seen, busy.size]).toEqual([[true], 0]);
});
