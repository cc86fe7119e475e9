import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { type Cursor, fail } from "cairn-memory";
import { KnownItems, readKnown, writeKnown } from "../../../plugins/connectors/known-items.ts";
import { type ListedSource, syncListing } from "../../../plugins/connectors/sync-listing.ts";
import { kept } from "../../contract/connector-scene.ts";
import { createStep } from "../../doubles/step.ts";

/** Pauses take no time. */
const pauses: number[] = [];
const world = { sleep: async (ms: number) => void pauses.push(ms) };

/** Lists these keys on a page that is kept. */
function source(keys: readonly string[], more: Partial<ListedSource<string>> = {}): ListedSource<string> {
	const documentsMax = more.documentsMax ?? 10;
	return {
		...{ provider: "example", unit: "item", failureCode: "ITEM_FAILED", scope: "all", documentsMax },
		list: async (_known, pages) => {
			const page = await pages.page("only", async () => [...keys]);
			return { wanted: new Map(page.map((key) => [key, key])), isGone: () => true };
		},
		versionOf: () => "1",
		read: async (key) => ({ key, content: { kind: "text", text: key, mediaType: "text/plain" }, title: null, metadata: {}, containerTag: null }),
		...more,
	};
}

async function sync(from: Cursor | null, listed: ListedSource<string>, isRetry = false) {
	const done = { put: [] as string[], removed: [] as string[], cursor: from, thrown: null as unknown };
	try {
		for await (const change of syncListing(listed, from, { ...createStep(), isRetry }, world)) {
			if (change.kind === "put") done.put.push(change.item.key);
			if (change.kind === "remove") done.removed.push(change.key);
			done.cursor = kept(change.cursor());
		}
	} catch (thrown) {
		done.thrown = thrown;
	}
	return done;
}

test("what stays though it is not listed takes room: what is left out is not taken for a document later", async () => {
	const first = await sync(null, source(["a", "b"], { documentsMax: 2 }));
	const { list, ...rest } = source(["b", "c", "d"], { documentsMax: 2 });
	const unsure = await sync(first.cursor, { ...rest, list: async (known, pages) => ({ ...(await list(known, pages)), isGone: () => false }) });
	expect([unsure.put, unsure.removed, Object.keys(unsure.cursor?.["objects"] ?? {})]).toEqual([[], [], ["a", "b"]]);
	const sure = await sync(unsure.cursor, source(["c", "a", "b"], { documentsMax: 2 }));
	expect([sure.put, sure.removed]).toEqual([[], []]);
});

test("pages are forgotten when items fail for good, so that the next sync lists anew; not when the service wants a pause", async () => {
	const keys = ["a", "b", "c", "d", "e"];
	const failing = async (error: () => Error) =>
		sync(
			null,
			source(keys, {
				read: async () => {
					throw error();
				},
			}),
		);
	const paused = await failing(() => fail("ADDRESS_FAILED", "example.com", "status 429").notBefore(600_000));
	expect([String(paused.thrown), (await sync(paused.cursor, source(["f"]))).put]).toEqual([expect.stringContaining("429"), keys]);
	const refused = await failing(() => fail("ADDRESS_REFUSED", "example.com", 400));
	const next = await sync(refused.cursor, source(["f"]));
	expect([String(refused.thrown), next.put, next.removed]).toEqual([expect.stringContaining("400"), ["f"], keys]);
});

test("what has no version is read once by each sync, however often it is cut off", async () => {
	const keys = ["a", "b", "c", "d", "e"];
	const { read, ...rest } = source(keys, { versionOf: () => "" });
	let reads = 0;
	const cutOff = async (from: Cursor | null) =>
		sync(from, {
			...rest,
			read: async (key, entry) => {
				if (++reads % 3 === 0) throw fail("ADDRESS_FAILED", "example.com", "status 429").after(600_000);
				return read(key, entry);
			},
		});
	const first = await cutOff(null);
	const second = await cutOff(first.cursor);
	const third = await cutOff(second.cursor);
	// What the pause was asked for comes last.
	expect([first.put, second.put, third.put, third.thrown]).toEqual([["a", "b"], ["d", "e"], ["c"], null]);
	expect((await sync(third.cursor, { ...rest, read })).put).toEqual(keys);
});

test("what has no version is not read again by a sync for what has failed", async () => {
	const { read, ...rest } = source(["a", "b", "c"], { versionOf: () => "" });
	const failing = (names: string): ListedSource<string> => ({
		...rest,
		read: async (key, entry) => {
			if (names.includes(key)) throw fail("ADDRESS_FAILED", "example.com", "status 500");
			return read(key, entry);
		},
	});
	const first = await sync(null, failing("c"));
	expect([first.put, (await sync(first.cursor, failing(""), true)).put]).toEqual([["a", "b"], ["c"]]);
	// What it was before does not count as read.
	const whole = await sync((await sync(null, failing(""))).cursor, failing("b"));
	const retry = await sync(whole.cursor, failing(""), true);
	expect([whole.put, retry.put, (await sync(retry.cursor, failing(""))).put]).toEqual([["a", "c"], ["b"], ["a", "b", "c"]]);
});

test("a cursor comes before a pause that the service wants: what was put or removed until then is not done again", async () => {
	const stored = async (from: Cursor | null, listed: ListedSource<string>) => {
		let cursor = from;
		const done: string[] = [];
		try {
			for await (const change of syncListing(listed, from, createStep(), world)) {
				if (change.kind !== "checkpoint") done.push(change.kind === "put" ? change.item.key : change.key);
				// Core stores others less often.
				else cursor = kept(change.cursor());
			}
		} catch {}
		return { cursor, done };
	};
	const pause = () => fail("ADDRESS_FAILED", "example.com", "status 429").after(600_000);
	const keys = ["a", "b", "c", "d", "e"];
	const { read, ...rest } = source(keys);
	let reads = 0;
	const pausing: ListedSource<string> = { ...rest, read: (key, entry) => (++reads % 3 === 0 ? Promise.reject(pause()) : read(key, entry)) };
	const first = await stored(null, pausing);
	const second = await stored(first.cursor, pausing);
	expect([first.done, second.done]).toEqual([
		["a", "b"],
		["d", "e"],
	]);
	const whole = (await sync(second.cursor, source(keys))).cursor;
	let asked = 0;
	const isThere = () => (++asked % 3 === 0 ? Promise.reject(pause()) : Promise.resolve(false));
	let pagesRead = 0;
	const gone: ListedSource<string> = {
		...source([], { isThere }),
		list: async (_known, pages) => {
			await pages.page("first", async () => "read");
			await pages.page("second", () => (++pagesRead === 1 ? Promise.reject(pause()) : Promise.resolve("read")));
			return { wanted: new Map(), isGone: () => true };
		},
	};
	let at = await stored(whole, gone);
	const removals: (readonly string[])[] = [];
	for (let attempts = 0; attempts < 3; attempts++) {
		at = await stored(at.cursor, gone);
		removals.push(at.done);
	}
	expect(removals).toEqual([["a", "b"], ["c", "d"], ["e"]]);
});

test("items that turn out too large while they are read are left out, without what they said before, and are not tried again until they change", async () => {
	const keys = ["a", "b", "c", "d", "e", "f", "g"];
	const first = await sync(null, source(keys));
	const { read, ...rest } = source(keys, { versionOf: () => "2" });
	const asked: string[] = [];
	const grown: ListedSource<string> = {
		...rest,
		read: async (key, entry) => {
			asked.push(key);
			if (key !== "g") throw fail("FILE_TOO_LARGE", 50);
			return read(key, entry);
		},
	};
	const second = await sync(first.cursor, grown);
	expect([second.put, second.removed, second.thrown]).toEqual([["g"], keys.slice(0, 6), null]);
	const third = await sync(second.cursor, grown);
	expect([third.put, third.removed, asked.length]).toEqual([[], [], 7]);
	expect((await sync(third.cursor, source(keys, { versionOf: () => "3" }))).put).toEqual(keys);
});

describe("items that fail again and again", () => {
	const broken = ["b1", "b2", "b3", "b4", "b5", "b6", "b7"];
	/** Longer than the attempts of one sync take. */
	const later = () => void setSystemTime(new Date(Date.now() + 11 * 60_000));
	afterEach(() => void setSystemTime());

	/** Their service answers for these alone with an error of its own, whatever is asked of it. */
	function withBroken(keys: readonly string[], asked: string[] = [], error = () => fail("ADDRESS_FAILED", "example.com", "status 500")): ListedSource<string> {
		const { read, ...rest } = source(keys, { documentsMax: 50 });
		return {
			...rest,
			read: async (key, entry) => {
				asked.push(key);
				if (key.startsWith("b")) throw error();
				return read(key, entry);
			},
		};
	}

	test("never keep others from being read, and do not end a later sync", async () => {
		const scattered = broken.flatMap((key) => [key, `good after ${key}`]);
		const first = await sync(null, withBroken(scattered));
		expect([first.put.length, first.thrown]).toEqual([7, null]);
		later();
		const second = await sync(first.cursor, withBroken([...scattered, "new"]));
		expect([second.put, second.thrown]).toEqual([["new"], null]);
		expect((await sync(second.cursor, source([...scattered, "new"], { documentsMax: 50 }))).put.toSorted()).toEqual(broken);
	});

	test("in a row end one attempt, and the next goes on behind them", async () => {
		const keys = [...broken, "good", "fine"];
		const first = await sync(null, withBroken(keys));
		expect([first.put, String(first.thrown)]).toEqual([[], expect.stringContaining("500")]);
		const second = await sync(first.cursor, withBroken(keys));
		expect(second.put).toEqual(["good", "fine"]);
	});

	test("take turns, and are told of when their turn has not come", async () => {
		let { cursor } = await sync(null, withBroken(broken.flatMap((key) => [key, `good after ${key}`])));
		later();
		const asked: string[] = [];
		for (let syncs = 0; syncs < 2; syncs++) ({ cursor } = await sync(cursor, withBroken(broken, asked)));
		expect([asked.length, new Set(asked).size]).toEqual([10, 7]);
		const step = createStep();
		for await (const _change of syncListing(withBroken(broken), cursor, step, world));
		expect(step.warnings.map(({ message }) => message)).toContainEqual(expect.stringContaining("2 more"));
	});

	test("for a short time are a fault of the service: each attempt ends with it", async () => {
		const keys = ["b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8"];
		let { cursor, thrown } = await sync(null, withBroken(keys));
		for (let attempts = 0; attempts < 4; attempts++) {
			expect(String(thrown)).toContain("500");
			({ cursor, thrown } = await sync(cursor, withBroken(keys)));
		}
		const { read: _read, ...rest } = withBroken(keys);
		const asked: string[] = [];
		const mended = await sync(cursor, {
			...rest,
			read: async (key) => {
				asked.push(key);
				return null;
			},
		});
		expect([asked.length, mended.thrown]).toEqual([8, null]);
	});

	test("are remembered, however many there are", async () => {
		const keys = Array.from({ length: 3_000 }, (_, i) => `b${i}`);
		const { cursor } = await sync(null, { ...withBroken(keys, [], () => fail("ITEM_REFUSED", "it", "status 403")), documentsMax: 5_000 });
		later();
		const asked: string[] = [];
		const listed = { ...withBroken([...keys, "new"], asked), documentsMax: 5_000 };
		const done = await sync(cursor, listed);
		expect([done.put, done.thrown, asked.length]).toEqual([["new"], null, 6]);
		expect(done.cursor?.["failed"]).toHaveLength(3_000);
	});

	test("are no matter of single items where the sign-in is refused", async () => {
		const refused = () => fail("CONNECTION_UNAUTHORIZED", "example", "revoked");
		const first = await sync(null, withBroken(broken, [], refused));
		const second = await sync(first.cursor, withBroken(broken, [], refused));
		expect([String(first.thrown), String(second.thrown)]).toEqual([expect.stringContaining("revoked"), expect.stringContaining("revoked")]);
	});
});

describe("what fails for a moment", () => {
	const failed = () => fail("ADDRESS_FAILED", "example.com", "status 500");
	/** Fails for as many tries of each key as are said. */
	function failing(tries: Readonly<Record<string, number>>, error = failed): ListedSource<string> {
		const left = new Map(Object.entries(tries));
		const { read, ...rest } = source([...left.keys(), "good"], { documentsMax: 50 });
		return {
			...rest,
			read: async (key, entry) => {
				left.set(key, (left.get(key) ?? 0) - 1);
				if ((left.get(key) ?? 0) >= 0) throw error();
				return read(key, entry);
			},
		};
	}

	async function watched(listed: ListedSource<string>, from: Cursor | null = null) {
		const { warnings, ...step } = createStep();
		const [put, again]: [string[], number[]] = [[], []];
		pauses.length = 0;
		let cursor = from;
		for await (const change of syncListing(listed, from, { ...step, tryAgain: (ms) => void again.push(ms) }, world)) {
			if (change.kind === "put") put.push(change.item.key);
			cursor = kept(change.cursor());
		}
		return { put, again, cursor, remarks: warnings.map(({ message }) => message), pauses: [...pauses] };
	}

	test("is tried again within the sync after growing pauses", async () => {
		const done = await watched(failing({ once: 1, twice: 2, thrice: 3 }));
		expect(done).toMatchObject({ put: ["good", "once", "twice", "thrice"], again: [], remarks: [], pauses: [5_000, 15_000, 45_000] });
	});

	test("waits for as long as the service asks", async () => {
		const done = await watched(failing({ busy: 1 }, () => failed().notBefore(9_000)));
		expect([done.put, done.pauses]).toEqual([["good", "busy"], [9_000]]);
	});

	test("and still fails then is told once with its reason, and wants a sync after minutes, later after as long as it has failed", async () => {
		const first = await watched(failing({ broken: 99 }));
		expect(first).toMatchObject({ put: ["good"], again: [5 * 60_000], remarks: [expect.stringContaining("status 500")] });
		const now = Date.now();
		setSystemTime(new Date(now + 20 * 60_000));
		const second = await watched(failing({ broken: 99 }), first.cursor).finally(() => setSystemTime());
		// Nobody waits for what has failed for long.
		expect([second.pauses, second.remarks.length, Math.round((second.again[0] ?? 0) / 60_000)]).toEqual([[], 1, 20]);
		expect((await watched(failing({ broken: 0 }), second.cursor)).put).toEqual(["broken"]);
	});

	test("is not what the service refuses for good", async () => {
		const done = await watched(failing({ secret: 99 }, () => fail("ITEM_REFUSED", "it", "status 403")));
		expect([done.again, done.pauses, done.remarks.length]).toEqual([[], [], 1]);
	});

	test("and is many things in a row ends only the tries, where all else was read", async () => {
		const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`b${i}`, 99]));
		const listed = failing(many);
		const scattered = Object.keys(many).flatMap((key) => [key, `good after ${key}`]);
		const done = await watched({ ...listed, list: async () => ({ wanted: new Map(scattered.map((key) => [key, key])), isGone: () => true }) });
		expect([done.put.length, done.pauses.length, done.remarks.length, done.again]).toEqual([12, 3, 12, [5 * 60_000]]);
	});
});

test("names too long for keys take no more room in a cursor than there is; those that are left out stay documents", () => {
	const keys = Array.from({ length: 10_000 }, (_, i) => `${i}`);
	const known = new KnownItems(
		keys.map((key) => [key, "1"]),
		[],
		keys.map((key) => [key, "n".repeat(1_024)]),
	);
	const written = readKnown(kept(writeKnown(known)));
	expect([written.size, written.names.has("0"), Buffer.byteLength(JSON.stringify(writeKnown(known))) < 3 * 1024 * 1024]).toEqual([10_000, true, true]);
});
