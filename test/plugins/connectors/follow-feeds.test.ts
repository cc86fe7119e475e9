import { expect, test } from "bun:test";
import { type Change, type Cursor, limits } from "cairn-memory";
import { type FeedSource, syncFeeds } from "../../../plugins/connectors/follow-feeds.ts";
import { createStep } from "../../doubles/step.ts";

/** A feed of numbers, two on a page, that tells everything when it has no cursor. */
function numbers(count: number, feeds: readonly string[] = ["only"]): FeedSource<number> {
	return {
		...{ provider: "numbers", unit: "number", failureCode: "NUMBER_FAILED", scope: feeds.join(), feeds, documentsMax: limits.connectionDocumentsMax },
		page: async (_feed, cursor) => {
			const from = Number(cursor ?? 0);
			const entries = [from, from + 1].filter((one) => one < count);
			return { kind: "page", entries, cursor: String(from + entries.length), isLast: from + 2 >= count };
		},
		apply: (feed, entries, tree) => {
			for (const one of entries) tree.offer(feed, String(one), "", "1");
		},
		followed: () => undefined,
		isWanted: () => true,
		keyOf: (feed, id) => `${feed}/${id}`,
		feedOf: (key) => key.slice(0, key.indexOf("/")),
		read: async (key) => ({ key, content: { kind: "text", text: key, mediaType: "text/plain" }, title: null, metadata: {}, containerTag: null }),
	};
}

async function sync(source: FeedSource<number>, from: Cursor | null, pagesMax?: number) {
	const changes: Change[] = [];
	for await (const change of syncFeeds(source, from, createStep(), { sleep: async () => undefined }, pagesMax)) changes.push(change);
	const cursor = JSON.parse(JSON.stringify(changes.at(-1)?.cursor() ?? from)) as Cursor;
	const keysOf = (kind: "put" | "remove") =>
		changes.flatMap((one) => (one.kind !== kind ? [] : [one.kind === "put" ? one.item.key : (one as { key: string }).key]));
	return { put: keysOf("put"), removed: keysOf("remove"), cursor };
}

test("what lies on pages beyond the bound is not gone, and comes with the next sync", async () => {
	const first = await sync(numbers(6), null);
	expect(first.put).toHaveLength(6);
	// Another scope, of which everything is listed again.
	const again = { ...numbers(6), scope: "again" };
	const bounded = await sync(again, first.cursor, 1);
	expect([bounded.put, bounded.removed]).toEqual([[], []]);
	const rest = await sync(again, bounded.cursor, 5);
	expect([rest.put, rest.removed]).toEqual([[], []]);
	// Now that it was read to its end, what it does not tell is gone.
	const fewer = await sync({ ...numbers(4), scope: "fewer" }, rest.cursor);
	expect(fewer.removed).toEqual(["only/4", "only/5"]);
});

test("a feed that is reset in the middle is listed again over the same pages", async () => {
	const whole = numbers(6);
	let pages = 0;
	const source: FeedSource<number> = { ...whole, page: async (feed, cursor) => (++pages === 3 ? { kind: "reset", cursor: null } : whole.page(feed, cursor)) };
	expect((await sync(source, null)).put).toHaveLength(6);
});

test("a feed that may not be read keeps what it had, also when everything is listed again; the others go on", async () => {
	const first = await sync(numbers(3, ["a", "b"]), null);
	const fewer = numbers(2, ["a", "b"]);
	const locked: FeedSource<number> = { ...fewer, scope: "other", page: async (feed, cursor) => (feed === "a" ? { kind: "unread" } : fewer.page(feed, cursor)) };
	const second = await sync(locked, first.cursor);
	expect([second.put, second.removed]).toEqual([[], ["b/2"]]);
	const third = await sync({ ...fewer, scope: "other" }, second.cursor);
	expect([third.put, third.removed]).toEqual([[], ["a/2"]]);
});

test("what lies in a folder that is on a page which was not read is not forgotten", async () => {
	const whole = numbers(4);
	let [isLocked, isFolderTold] = [true, false];
	const source: FeedSource<number> = {
		...whole,
		page: async (feed, cursor) => {
			if (cursor !== null && isLocked) return { kind: "unread" };
			isFolderTold = cursor !== null;
			return whole.page(feed, cursor);
		},
		isWanted: () => isFolderTold,
	};
	const first = await sync(source, null);
	isLocked = false;
	const second = await sync(source, first.cursor);
	expect([first.put, second.put, second.removed]).toEqual([["only/0", "only/1"], ["only/2", "only/3"], []]);
});

test("a feed that is listed anew and tells of nothing is not believed until it tells of something; of another choice it is", async () => {
	const first = await sync(numbers(3), null);
	let isForgotten = true;
	const emptied: FeedSource<number> = {
		...numbers(0),
		page: async (feed, cursor) => {
			const isReset = isForgotten && cursor !== null;
			isForgotten = false;
			return isReset ? { kind: "reset", cursor: null } : numbers(0).page(feed, cursor);
		},
	};
	const changes: Change[] = [];
	const syncing = async () => {
		for await (const change of syncFeeds(emptied, changes.at(-1)?.cursor() ?? first.cursor, createStep(), { sleep: async () => undefined }))
			changes.push(change);
	};
	await expect(syncing()).rejects.toMatchObject({ code: "CONNECTION_SOURCE_MISSING" });
	await expect(syncing()).rejects.toMatchObject({ code: "CONNECTION_SOURCE_MISSING" });
	expect(changes.filter(({ kind }) => kind !== "checkpoint")).toEqual([]);
	const again = await sync(numbers(3), changes.at(-1)?.cursor() ?? null);
	expect([again.put, again.removed]).toEqual([[], []]);
	expect((await sync({ ...numbers(0), scope: "other" }, again.cursor)).removed).toEqual(["only/0", "only/1", "only/2"]);
});

test("where one feed is gone its documents go, though another one has none", async () => {
	const bare = (gone: readonly string[]): FeedSource<number> => {
		const three = numbers(3, ["a", "b"]);
		let isForgotten = gone.length > 0;
		return {
			...three,
			page: async (feed, cursor) => {
				if (gone.includes(feed)) return { kind: "gone" };
				if (feed === "b") return three.page(feed, cursor);
				const isReset = isForgotten;
				isForgotten = false;
				return isReset ? { kind: "reset", cursor: null } : { kind: "page", entries: [], cursor: "end", isLast: true };
			},
		};
	};
	const first = await sync(bare([]), null);
	expect((await sync(bare(["b"]), first.cursor)).removed).toEqual(first.put);
});

test("a full connection whose feed tells of other items alone is no empty one", async () => {
	const full = { ...numbers(3), documentsMax: 3 };
	const first = await sync(full, null);
	let isForgotten = true;
	const replaced: FeedSource<number> = {
		...full,
		page: async () => {
			const isReset = isForgotten;
			isForgotten = false;
			return isReset ? { kind: "reset", cursor: null } : { kind: "page", entries: [10, 11, 12], cursor: "end", isLast: true };
		},
	};
	expect((await sync(replaced, first.cursor)).removed).toEqual(first.put);
});

test("what a feed tells to be deleted is removed, also where it is all there was", async () => {
	const first = await sync(numbers(2), null);
	const deleted: FeedSource<number> = {
		...numbers(2),
		page: async () => ({ kind: "page", entries: [0, 1], cursor: "deleted", isLast: true }),
		apply: (feed, entries, tree) => {
			for (const one of entries) tree.drop(feed, String(one));
		},
	};
	expect((await sync(deleted, first.cursor)).removed).toEqual(["only/0", "only/1"]);
});
