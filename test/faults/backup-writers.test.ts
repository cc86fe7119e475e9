/**
 * Backups under sixteen writers, restored elsewhere: what was acknowledged before one began is in it, nothing is half in it, and all of it is
 * of one moment. `bun test/faults/fault-run.ts backups 20` does the same for longer.
 */

import { expect, test } from "bun:test";
import { runBackupRounds } from "./rig/backup-run.ts";
import { acknowledge, begin, newHistory, newKnown } from "./rig/history.ts";
import { historyWithin, momentFault } from "./rig/moment.ts";

test("a full and an incremental one hold what was acknowledged, of one moment", async () => {
	const { rounds, documents, memories, before, meanwhile, faults } = await runBackupRounds({
		rounds: 2,
		seed: 16,
		tell: () => undefined,
		isOver: async () => false,
	});
	expect(faults).toEqual([]);
	expect(rounds).toBe(2);
	expect(Math.min(documents, memories, before, meanwhile)).toBeGreaterThan(10);
	console.log(`backups: ${documents} documents and ${memories} memories compared; ${before} operations before, ${meanwhile} meanwhile`);
}, 600_000);

/** Two documents, changed one after the other. */
function twoChanges() {
	const history = newHistory();
	const [first, second] = ["doc0", "doc1"].map((name) => newKnown(name, "tag")) as [ReturnType<typeof newKnown>, ReturnType<typeof newKnown>];
	for (const known of [first, second]) history.documents.set(known.name, known);
	const at = (time: number, act: () => void) => {
		const length = history.log.length;
		act();
		for (const entry of history.log.slice(length)) Object.assign(entry, { at: time });
	};
	for (const [known, word, from] of [
		[first, "a", 10],
		[second, "b", 20],
		[first, "c", 40],
		[second, "d", 60],
	] as const) {
		at(from, () => begin(known, word, history.log));
		at(from + 5, () => acknowledge(known, word, history.log));
	}
	return history;
}

test("a copy of two moments is noticed, and one that lacks what was acknowledged", () => {
	const history = twoChanges();
	const holding = (first: string | null, second: string | null) => {
		const stored = historyWithin(history, { from: 30, to: 100 });
		for (const [name, word] of [["doc0", first] as const, ["doc1", second] as const]) Object.assign(stored.documents.get(name) ?? {}, { word });
		return momentFault(history, stored);
	};
	expect(holding("a", "b")).toBeNull();
	expect(holding("c", "b")).toBeNull();
	expect(holding("c", "d")).toBeNull();
	expect(holding("a", "d")).toContain("no single moment");
	expect(historyWithin(history, { from: 30, to: 50 }).documents.get("doc0")).toMatchObject({ word: "a", unsure: new Set(["c"]) });
	expect(historyWithin(history, { from: 30, to: 50 }).documents.get("doc1")).toMatchObject({ word: "b", unsure: new Set() });
});
