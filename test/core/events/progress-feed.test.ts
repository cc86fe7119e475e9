/** How far documents have come, over a store and a clock that the test moves: each step once, the first at once, and no look while nothing is written. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { type DocumentProgress, openProgress, type ProgressFeed, type ProgressParts } from "../../../core/events/progress-feed.ts";
import { asId, type DocumentId } from "../../../core/model/id.ts";
import { createTestWorld, settle, type TestWorld } from "../../doubles/world.ts";

let world: TestWorld;
let working: DocumentProgress[];
let looks: number;
let written: () => void;
let listening: number;
let ending: AbortController;
let scopes: readonly (readonly string[])[];

beforeEach(() => {
	world = createTestWorld();
	working = [];
	looks = 0;
	listening = 0;
	scopes = [];
	ending = new AbortController();
});
afterEach(() => ending.abort());

const documents = {
	list: async ({ containerTags }: { readonly containerTags: readonly string[] }) => {
		looks++;
		scopes = [...scopes, containerTags];
		return { documents: [...working], total: working.length };
	},
} as unknown as ProgressParts["documents"];

const storage: ProgressParts["storage"] = {
	onWritten: (listener) => {
		listening++;
		written = listener;
		return () => void listening--;
	},
};

const at = (id: string, status: DocumentProgress["status"], done: number | null = null): DocumentProgress => {
	return { id: asId<DocumentId>(id), containerTags: ["a"], status, progress: done === null ? null : { done, total: 10, unit: "page" } };
};
const open = (tags: readonly string[] | null = null) => openProgress({ documents, storage, world }, tags, ending.signal);

/** What it tells within some seconds in which nothing else happens. */
async function told(feed: ProgressFeed, state: { item: DocumentProgress | null | undefined }): Promise<DocumentProgress | null | undefined> {
	void feed.next().then((item) => {
		state.item = item;
	});
	for (let passed = 0; state.item === undefined && passed < 2_000; passed += 500) {
		await settle();
		if (state.item === undefined) world.advance(500);
	}
	await settle();
	return state.item;
}

test("tells at once how far each is, then only what has changed", async () => {
	working = [at("one", "extracting", 3), at("two", "queued")];
	const feed = open(["a"]);
	expect([await feed.next(), await feed.next()]).toEqual(working);
	expect([looks, scopes]).toEqual([1, [["a"]]]);
	working = [at("one", "extracting", 7), at("two", "queued")];
	written();
	expect(await told(feed, { item: undefined })).toEqual(at("one", "extracting", 7));
	working = [at("two", "extracting")];
	written();
	expect(await told(feed, { item: undefined })).toEqual(at("two", "extracting"));
});

test("does not look while nothing is written, and stops listening when it ends", async () => {
	working = [at("one", "extracting", 3)];
	const feed = open();
	await feed.next();
	const state: { item: DocumentProgress | null | undefined } = { item: undefined };
	expect(await told(feed, state)).toBeUndefined();
	expect([looks, listening]).toEqual([1, 1]);
	ending.abort();
	await settle();
	expect([state.item, listening]).toEqual([null, 0]);
});
