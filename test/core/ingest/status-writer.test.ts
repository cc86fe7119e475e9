/** Statuses beside the work: in order, the latest always, and a revision that is gone stops what comes after. */

import { expect, test } from "bun:test";
import type { DocumentStatus } from "cairn-memory/stores";
import { createStatusWriter } from "../../../core/ingest/ingest.ts";
import { settle } from "../../doubles/world.ts";

/** A store that answers when told to. */
function slowStore() {
	const asked: DocumentStatus[] = [];
	const waiting: PromiseWithResolvers<void>[] = [];
	return {
		asked,
		enter: (status: DocumentStatus) => {
			asked.push(status);
			const answer = Promise.withResolvers<void>();
			waiting.push(answer);
			return answer.promise;
		},
		answer: async (fault?: Error) => {
			const next = waiting.shift();
			if (fault === undefined) next?.resolve();
			else next?.reject(fault);
			await settle(2);
		},
	};
}

test("one at a time; what is over before its turn is left out, the latest never", async () => {
	const store = slowStore();
	const { show, settled } = createStatusWriter(store.enter);
	for (const status of ["extracting", "chunking", "embedding", "indexing"] as const) show(status);
	expect(store.asked).toEqual(["extracting"]);
	await store.answer();
	expect(store.asked).toEqual(["extracting", "indexing"]);
	show("done");
	const end = settled();
	await store.answer();
	await store.answer();
	await end;
	expect(store.asked).toEqual(["extracting", "indexing", "done"]);
});

test("each is written where the work takes longer than the writing", async () => {
	const store = slowStore();
	const { show, settled } = createStatusWriter(store.enter);
	for (const status of ["extracting", "chunking", "done"] as const) {
		show(status);
		show(status);
		await store.answer();
	}
	await settled();
	expect(store.asked).toEqual(["extracting", "chunking", "done"]);
});

test("a status that is refused refuses all that follow", async () => {
	const store = slowStore();
	const { show, settled } = createStatusWriter(store.enter);
	show("extracting");
	show("chunking");
	await store.answer(new Error("the revision is gone"));
	expect(() => show("embedding")).toThrow("the revision is gone");
	await expect(settled()).rejects.toThrow("the revision is gone");
	expect(store.asked).toEqual(["extracting"]);
});

test("a status that comes in the very turn in which the writing ends is written", async () => {
	const asked: DocumentStatus[] = [];
	const { show, settled } = createStatusWriter(async (status) => void asked.push(status));
	for (let turns = 0; turns < 12; turns++) {
		show("extracting");
		for (let turn = 0; turn < turns; turn++) await null;
		show("indexing");
		await settled();
		expect(asked.splice(0).at(-1)).toBe("indexing");
	}
});
