import { describe, expect, test } from "bun:test";
import { type Change, type Connector, type Cursor, limits, ServiceError } from "cairn-memory";
import { runSync, type SyncCall } from "../../../core/connections/run-sync.ts";
import { createStep } from "../../doubles/step.ts";

function connectorOf(changes: readonly Change[], asked: string[] = []): Connector {
	return {
		name: "list",
		secrets: [],
		syncEveryMs: 3_600_000,
		configure: () => ({}),
		async *sync() {
			for (const [i, change] of changes.entries()) {
				asked.push(`change ${i}`);
				yield change;
			}
		},
	};
}

const cursor = (at: number) => () => ({ at });
const content = { kind: "text", text: "words", mediaType: "text/plain" } as const;
const put = (key: string, at: number): Change => ({ kind: "put", item: { key, content, title: null, metadata: {}, containerTag: null }, cursor: cursor(at) });

function callOf(changes: readonly Change[], more: Partial<SyncCall> = {}) {
	const done: string[] = [];
	const call: SyncCall = {
		connector: connectorOf(changes, done),
		config: {},
		cursor: null,
		put: async ({ key }) => void done.push(`put ${key}`),
		remove: async (key) => void done.push(`remove ${key}`),
		storeCursor: async (kept) => void done.push(`keep ${kept["at"]}`),
		elapsedMs: () => 0,
		...more,
	};
	return { done, call };
}

describe("the order of writes", () => {
	test("a change, then its cursor, then the next change", async () => {
		const { call, done } = callOf([{ kind: "checkpoint", cursor: cursor(0) }, put("a", 1), { kind: "remove", key: "never-put", cursor: cursor(2) }]);
		expect(await runSync(call, createStep())).toEqual({ put: 1, removed: 1 });
		expect(done).toEqual(["change 0", "keep 0", "change 1", "put a", "change 2", "remove never-put", "keep 2"]);
	});

	test("nothing new, nothing kept", async () => {
		const { call, done } = callOf([]);
		expect(await runSync(call, createStep())).toEqual({ put: 0, removed: 0 });
		expect(done).toEqual([]);
	});

	test("cursors are kept every hundred changes, and every ten seconds", async () => {
		const many = Array.from({ length: 250 }, (_, i) => put(`k${i}`, i));
		const quick = callOf(many);
		await runSync(quick.call, createStep());
		expect(quick.done.filter((line) => line.startsWith("keep"))).toEqual(["keep 99", "keep 199", "keep 249"]);
		let now = 0;
		const slow = callOf(many.slice(0, 9), { elapsedMs: () => (now += 2_000) });
		await runSync(slow.call, createStep());
		expect(slow.done.filter((line) => line.startsWith("keep")).length).toBeGreaterThan(1);
	});

	test("the cursor it was given goes to the connector", async () => {
		const seen: (Cursor | null)[] = [];
		const connector: Connector = {
			...connectorOf([]),
			sync: (_config, from) => {
				seen.push(from);
				return connectorOf([]).sync({}, null, createStep());
			},
		};
		await runSync(callOf([], { connector, cursor: { at: 7 } }).call, createStep());
		expect(seen).toEqual([{ at: 7 }]);
	});
});

describe("an end before the end", () => {
	test("aborted, it keeps what it has applied and brings no more", async () => {
		const controller = new AbortController();
		const { call, done } = callOf([put("a", 1), put("b", 2), put("c", 3)], {
			put: async ({ key }) => {
				done.push(`put ${key}`);
				if (key === "b") controller.abort(new Error("shutting down"));
			},
		});
		await expect(runSync(call, createStep(controller.signal))).rejects.toThrow("shutting down");
		expect(done).toEqual(["change 0", "put a", "change 1", "put b", "keep 2"]);
	});

	test("a change that cannot be applied keeps no cursor", async () => {
		const { call, done } = callOf([put("a", 1)], { put: () => Promise.reject(new ServiceError("STORAGE_FULL", [])) });
		await expect(runSync(call, createStep())).rejects.toMatchObject({ code: "STORAGE_FULL" });
		expect(done).toEqual(["change 0"]);
	});

	test("the connector is told to end, so that it can close what it opened", async () => {
		let isClosed = false;
		const connector: Connector = {
			...connectorOf([]),
			async *sync() {
				try {
					yield put("a", 1);
					yield put("b", 2);
				} finally {
					isClosed = true;
				}
			},
		};
		await expect(runSync(callOf([], { connector, put: () => Promise.reject(new Error("no")) }).call, createStep())).rejects.toThrow("no");
		expect(isClosed).toBe(true);
	});
});

describe("what a connector may not do", () => {
	test("keys that are blank or too long", async () => {
		for (const key of ["", "  ", "k".repeat(limits.connectorKeyCharactersMax + 1)]) {
			const { call, done } = callOf([put(key, 1)]);
			await expect(runSync(call, createStep())).rejects.toMatchObject({ code: "PLUGIN_MALFORMED" });
			expect(done).toEqual(["change 0"]);
		}
	});

	test("cursors that are too long, counted in bytes", async () => {
		const long = (sign: string, length: number): Change => ({ kind: "checkpoint", cursor: () => ({ at: 0, text: sign.repeat(length) }) });
		await runSync(callOf([long("x", limits.cursorBytesMax / 2)]).call, createStep());
		await expect(runSync(callOf([long("語", limits.cursorBytesMax / 3 + 1)]).call, createStep())).rejects.toMatchObject({ code: "PLUGIN_MALFORMED" });
	});
});
