/** A feed over a log that the test writes and a clock that it moves: each event once and in order, gaps told, nothing read unasked. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { asId, type OrganisationId } from "cairn-memory";
import type { LogEvent } from "cairn-memory/stores";
import { type EventFeed, type FeedItem, openFeed } from "../../../core/events/event-feed.ts";
import { createEventNotifier, type EventNotifier } from "../../../core/events/event-notifier.ts";
import type { EventFilter } from "../../../core/events/event-payload.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { createTestWorld, settle, type TestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("organisation");
const everything: EventFilter = { types: null, containerTags: null };

let log: LogEvent[];
let kept: number;
let reads: number;
let world: TestWorld;
let notifier: EventNotifier;
let ending: AbortController;

beforeEach(() => {
	log = [];
	kept = 0;
	reads = 0;
	world = createTestWorld();
	ending = new AbortController();
	notifier = createEventNotifier({ ...ramStorage(), organisation: () => ({ ...ramStorage().organisation(organisation), events }) }, world);
});
afterEach(() => ending.abort());

/** Of the log what is still kept: `kept` is how many have gone. */
const events = {
	after: async (sequence: number, types: readonly string[] | null, limit: number) => {
		reads++;
		return log
			.slice(kept)
			.filter((event) => event.sequence > sequence && (types === null || types.includes(event.type)))
			.slice(0, limit);
	},
	latest: async () => log.slice(kept).at(-1)?.sequence ?? 0,
	oldest: async () => log[kept]?.sequence ?? 0,
	append: async () => undefined,
};

function happen(type: LogEvent["type"] = "document.done", containerTags: readonly string[] = ["a"]): number {
	const sequence = (log.at(-1)?.sequence ?? 0) + 1;
	log.push({ sequence, type, at: world.now(), subject: `s${sequence}`, containerTags, facts: {} });
	return sequence;
}

const open = (wish: EventFilter = everything, after: number | null = null) => openFeed({ events, organisation, notifier, world }, wish, after, ending.signal);

/** The next that is no heartbeat; time passes while it waits. */
async function next(feed: EventFeed): Promise<FeedItem | null> {
	for (;;) {
		const state: { item: FeedItem | null | undefined } = { item: undefined };
		void feed.next().then((item) => {
			state.item = item;
		});
		await settle();
		for (let i = 0; state.item === undefined && i < 10; i++) {
			world.advance(200);
			await settle();
		}
		if (state.item === undefined) throw new Error("nothing came");
		if (state.item?.kind !== "beat") return state.item;
	}
}

async function told(feed: EventFeed, count: number): Promise<readonly (number | string)[]> {
	const found: (number | string)[] = [];
	for (let i = 0; i < count; i++) {
		const item = await next(feed);
		found.push(item?.kind === "event" ? item.sequence : String(item?.kind));
	}
	return found;
}

test("begins with what happens from now on, and tells each once and in order", async () => {
	happen();
	const feed = await open();
	const expected = [happen(), happen(), happen()];
	expect(await told(feed, 3)).toEqual(expected);
	const later = happen();
	expect(await told(feed, 1)).toEqual([later]);
});

test("goes on after a number, and 0 is the oldest that is kept", async () => {
	for (let i = 0; i < 250; i++) happen();
	expect(await told(await open(everything, 100), 150)).toEqual(Array.from({ length: 150 }, (_, i) => 101 + i));
	expect(await told(await open(everything, 0), 3)).toEqual([1, 2, 3]);
});

test("an event that is written while the feed looks is told, and once", async () => {
	const feed = await open();
	const first = feed.next();
	await settle();
	expect((await first)?.kind).toBe("beat");
	const expected: number[] = [];
	const heard: number[] = [];
	for (let i = 0; i < 50; i++) {
		const waiting = feed.next();
		if (i % 3 === 0) await settle(i % 5);
		expected.push(happen());
		for (let j = 0; j < 3; j++) {
			world.advance(200);
			await settle();
		}
		const item = await waiting;
		if (item?.kind === "event") heard.push(item.sequence);
		else expect(item?.kind).toBe("beat");
	}
	while (heard.length < expected.length) {
		const item = await next(feed);
		if (item !== null) heard.push(item.sequence);
	}
	expect(heard).toEqual(expected);
});

test("types and containers choose; administrative acts are never told", async () => {
	const feed = await open({ types: ["document.done", "memory.created"], containerTags: ["a", "b"] });
	const unheard = () => [happen("document.queued"), happen("document.done", ["c"]), happen("key.created", [])];
	unheard();
	const wanted = happen("document.done", ["c", "b"]);
	unheard();
	const second = happen("memory.created", ["a"]);
	expect(await told(feed, 2)).toEqual([wanted, second]);
	const all = await open();
	happen("key.created", []);
	const last = happen();
	expect(await told(all, 1)).toEqual([last]);
});

test("who asks from before the oldest is told of a gap first", async () => {
	for (let i = 0; i < 10; i++) happen();
	kept = 5;
	const feed = await open(everything, 3);
	expect(await next(feed)).toEqual({ kind: "gap", sequence: 5, after: 3, oldest: 6 });
	expect(await told(feed, 5)).toEqual([6, 7, 8, 9, 10]);
	expect(await told(await open(everything, 5), 1)).toEqual([6]);
	expect(await told(await open(everything, 0), 1)).toEqual([6]);
});

test("who is further than the log has read another one: a gap, then what happens", async () => {
	happen();
	const feed = await open(everything, 900);
	expect(await next(feed)).toMatchObject({ kind: "gap", sequence: 1, after: 900 });
	const sequence = happen();
	expect(await told(feed, 1)).toEqual([sequence]);
});

test("a heartbeat comes at once, then every 15 seconds, and moves on past what is not wanted", async () => {
	const feed = await open({ types: ["memory.deleted"], containerTags: null });
	expect(await feed.next()).toEqual({ kind: "beat", sequence: 0 });
	const unheard = happen();
	const beat = feed.next();
	for (let i = 0; i < 74; i++) {
		world.advance(200);
		await settle(5);
	}
	expect(await Promise.race([beat, settle().then(() => "waits")])).toBe("waits");
	world.advance(200);
	expect(await beat).toEqual({ kind: "beat", sequence: unheard });
});

test("reads nothing before it is asked, and rests while nothing happens", async () => {
	for (let i = 0; i < 5; i++) happen();
	const feed = await open(everything, 0);
	await settle();
	expect(reads).toBe(0);
	await told(feed, 5);
	void feed.next();
	await settle();
	const restful = reads;
	for (let i = 0; i < 20; i++) {
		world.advance(200);
		await settle(5);
	}
	expect(reads - restful).toBeLessThanOrEqual(1);
});

test("ends when it is ended, also while it waits", async () => {
	const feed = await open();
	await feed.next();
	const waiting = feed.next();
	await settle();
	ending.abort();
	expect(await waiting).toBeNull();
	expect(await feed.next()).toBeNull();
});

test("with a storage that tells of what is written nobody looks while nothing is; now and then all the same", async () => {
	const listeners = new Set<() => void>();
	let looks = 0;
	const latest = async () => {
		looks += 1;
		return events.latest();
	};
	const onWritten = (listener: () => void) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	};
	const storage = { ...ramStorage(), onWritten, organisation: () => ({ ...ramStorage().organisation(organisation), events: { ...events, latest } }) };
	const telling = createEventNotifier(storage, world);
	const after = async (ms: number) => {
		for (let passed = 0; passed < ms; passed += 200) {
			world.advance(200);
			await settle();
		}
		return looks;
	};
	const heard: number[] = [];
	const wait = (sequence: number) => void telling.waitForNewer(organisation, sequence, ending.signal).then((found) => heard.push(found));
	wait(0);
	expect([await after(1_000), await after(2_000)]).toEqual([1, 1]);
	happen();
	for (const listener of listeners) listener();
	expect([await after(400), heard]).toEqual([2, [1]]);
	happen();
	wait(1);
	expect([await after(400), heard]).toEqual([3, [1, 2]]);
	wait(2);
	expect(await after(400)).toBe(4);
	happen();
	expect([await after(3_000), heard]).toEqual([4, [1, 2]]);
	expect([await after(3_000), heard]).toEqual([5, [1, 2, 3]]);
	await after(400);
	expect(listeners.size).toBe(0);
});
