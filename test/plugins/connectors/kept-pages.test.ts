import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { type Cursor, fail } from "cairn-memory";
import { type KeptPages, keepPages } from "../../../plugins/connectors/kept-pages.ts";

/** Lists the numbers below `count`, a page each. */
async function list(count: number, pages: KeptPages, ask: (page: number) => Promise<number>): Promise<readonly number[]> {
	const found: number[] = [];
	for (let page = 0; page < count; page++) found.push(await pages.page(`page ${page}`, () => ask(page)));
	return found;
}

/** One attempt. @returns what was listed, or thrown, and the last cursor */
async function attempt(count: number, from: Cursor | null, ask: (page: number) => Promise<number>, scope = "all", now = Date.now()) {
	const keeper = keepPages(from, scope, now);
	const work = keeper.listing((pages) => list(count, pages, ask), keeper.cursor);
	let cursor = from;
	try {
		for (let next = await work.next(); ; next = await work.next()) {
			if (next.done === true) return { listed: next.value, cursor };
			cursor = JSON.parse(JSON.stringify(next.value.cursor())) as Cursor;
		}
	} catch (thrown) {
		return { thrown, cursor };
	}
}

const busy = () => fail("ADDRESS_FAILED", "example.com", "busy");
const failingAt = (at: number, error: () => Error, asked: number[] = []) => ({
	asked,
	ask: async (page: number) => {
		asked.push(page);
		if (page === at) throw error();
		return page;
	},
});

test("a fault that may pass keeps the pages before it, and the next attempt asks only for the rest", async () => {
	const { cursor, thrown } = await attempt(5, null, failingAt(3, busy).ask);
	expect(String(thrown)).toContain("busy");
	const { asked, ask } = failingAt(-1, busy);
	expect((await attempt(5, cursor, ask)).listed).toEqual([0, 1, 2, 3, 4]);
	expect(asked).toEqual([3, 4]);
});

test("pages of something else are not kept", async () => {
	const { cursor } = await attempt(5, null, failingAt(3, busy).ask);
	const { asked, ask } = failingAt(-1, busy);
	await attempt(5, cursor, ask, "another scope");
	expect(asked).toEqual([0, 1, 2, 3, 4]);
});

test("pages of something else, and those of yesterday, leave the cursor also when nothing is listed", async () => {
	const { cursor } = await attempt(5, null, failingAt(3, busy).ask);
	for (const [scope, now] of [
		["another scope", Date.now()],
		["all", Date.now() + 24 * 60 * 60_000],
	] as const) {
		const keeper = keepPages(cursor, scope, now);
		expect([keeper.cursor(), keeper.isResumed(), keeper.forget(), keeper.forget()]).toEqual([{}, false, true, false]);
	}
});

test("pages are a day old at most, however often they were kept again", async () => {
	const hours = (count: number) => 1_800_000_000_000 + count * 60 * 60_000;
	const first = await attempt(5, null, failingAt(1, busy).ask, "all", hours(0));
	const second = await attempt(5, first.cursor, failingAt(3, busy).ask, "all", hours(20));
	const [early, late] = [failingAt(-1, busy), failingAt(-1, busy)];
	await attempt(5, second.cursor, early.ask, "all", hours(23));
	await attempt(5, second.cursor, late.ask, "all", hours(25));
	expect([early.asked, late.asked]).toEqual([
		[3, 4],
		[0, 1, 2, 3, 4],
	]);
});

test("a fault that will not pass forgets the pages before it", async () => {
	const refused = () => fail("ADDRESS_REFUSED", "example.com", 400);
	const { cursor, thrown } = await attempt(30, null, failingAt(25, refused).ask);
	expect([String(thrown), cursor]).toEqual([expect.stringContaining("400"), {}]);
});

test("where the service no longer knows how kept pages go on, everything is listed again, once", async () => {
	const { cursor } = await attempt(5, null, failingAt(3, busy).ask);
	const refused = () => fail("ADDRESS_REFUSED", "example.com", 400);
	const asked: number[] = [];
	const ask = async (page: number) => {
		asked.push(page);
		if (asked.length === 1) throw refused();
		return page;
	};
	expect((await attempt(5, cursor, ask)).listed).toEqual([0, 1, 2, 3, 4]);
	expect(asked).toEqual([3, 0, 1, 2, 3, 4]);
	const always = failingAt(3, refused);
	expect(String((await attempt(5, cursor, always.ask)).thrown)).toContain("400");
	expect(always.asked).toEqual([3, 0, 1, 2, 3]);
});

test("a listing that is left at a checkpoint asks for nothing more", async () => {
	const keeper = keepPages(null, "all");
	const { asked, ask } = failingAt(-1, busy);
	const work = keeper.listing((pages) => list(100, pages, ask), keeper.cursor);
	await work.next();
	const before = asked.length;
	await work.return([]);
	await Promise.resolve();
	expect([before < 100, asked.length]).toEqual([true, before]);
});

/** Characters of a fixed seed. */
function unpackable(length: number): string {
	const pieces = Array.from({ length: Math.ceil(length / 43) }, (_, i) => createHash("sha256").update(String(i)).digest("base64url"));
	return pieces.join("").slice(0, length);
}

test("a listing of twelve megabytes that is cut off again and again asks for each page once", async () => {
	const etag = (name: string) => createHash("md5").update(name).digest("hex");
	const entry = (path: string, size: number) => ({ path, size, version: etag(path), isFolder: false, owner: "Ada", permissions: "RGDNVW" });
	const page = (at: number) => Array.from({ length: 150 }, (_, i) => entry(`/remote.php/dav/files/ada/Part ${at}/Paper ${i}.txt`, i));
	const asked: number[] = [];
	let [cursor, isDone] = [null as Cursor | null, false];
	for (let attempts = 0; !isDone && attempts < 100; attempts++) {
		const keeper = keepPages(cursor, "all");
		let left = 50;
		const list = async (pages: KeptPages) => {
			for (let at = 0; at < 600; at++)
				await pages.page(`${at}`, async () => {
					if (left-- === 0) throw busy();
					asked.push(at);
					return page(at);
				});
		};
		const work = keeper.listing(list, keeper.cursor);
		try {
			for (let next = await work.next(); ; next = await work.next()) {
				isDone = next.done === true;
				if (isDone) break;
				if (next.value !== undefined) cursor = JSON.parse(JSON.stringify(next.value.cursor())) as Cursor;
			}
		} catch {}
	}
	expect([isDone, asked.length, new Set(asked).size]).toEqual([true, 600, 600]);
	expect(JSON.stringify(Array.from({ length: 600 }, (_, at) => page(at))).length).toBeGreaterThan(12_000_000);
});

test("a cursor holds no more pages than it has room for; the others are asked for again", async () => {
	// It cannot be packed.
	const large = unpackable(1024 * 1024);
	const asked: number[] = [];
	const listing = async (from: Cursor | null, until: number) => {
		const keeper = keepPages(from, "all");
		const work = keeper.listing(async (pages) => {
			for (let page = 0; page < until; page++)
				await pages.page(`${page}`, async () => {
					asked.push(page);
					return large;
				});
			throw busy();
		}, keeper.cursor);
		const next = await work.next().catch(() => null);
		const kept = next?.done === false ? next.value.cursor() : {};
		await work.return(undefined as never);
		return JSON.parse(JSON.stringify(kept)) as Cursor;
	};
	const cursor = await listing(null, 10);
	expect(JSON.stringify(cursor).length).toBeLessThan(5 * 1024 * 1024);
	expect(asked.splice(0)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
	await listing(cursor, 10);
	expect(asked[0]).toBe(3);
});

describe("what no page names", () => {
	/** A listing that was cut off at its second page. */
	const cutOff = async () => (await attempt(2, null, failingAt(1, busy).ask)).cursor;
	const isGone = async (from: Cursor | null, key: string, isThere: (key: string) => Promise<boolean>) => {
		const keeper = keepPages(from, "all");
		const asking = keeper.isGone(key, isThere, keeper.cursor);
		const next = await asking.next();
		return { keeper, answer: next.done === true ? next.value : next };
	};
	const never = () => Promise.reject(new Error("it was asked for"));

	test("is gone without a question where all pages are of one attempt", async () => {
		expect((await isGone(null, "a", never)).answer).toBe(true);
	});

	test("is asked for where some are of an earlier one, and what is there is asked for once", async () => {
		const from = await cutOff();
		expect((await isGone(from, "a", async () => false)).answer).toBe(true);
		const { keeper, answer } = await isGone(from, "a", async () => true);
		expect([answer, (await isGone(keeper.cursor(), "a", never)).answer]).toEqual([false, false]);
	});

	test("stays where the service refuses the question, unless it refuses all", async () => {
		const from = await cutOff();
		const refusing = (error: () => Error) => isGone(from, "a", () => Promise.reject(error()));
		expect((await refusing(() => fail("CONNECTION_FORBIDDEN", "wiki", "not yours"))).answer).toBe(false);
		const unauthorized = await refusing(() => fail("CONNECTION_UNAUTHORIZED", "wiki", "who are you?"));
		expect(unauthorized.answer).toMatchObject({ done: false, value: { kind: "checkpoint" } });
		expect(unauthorized.keeper.cursor()).toEqual({});
		const later = await refusing(busy);
		expect(later.answer).toMatchObject({ done: false, value: { kind: "checkpoint" } });
		expect(later.keeper.cursor()).toEqual(from ?? {});
	});
});
