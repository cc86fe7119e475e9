/** Forgetting, deletions, their ends and undo in thousands of orders would take long on a disk, so they are mixed in memory, and shrunk when one fails. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { ramStorage } from "../../../../plugins/stores/ram/storage.ts";
import { type ForgettingAct, forgettingActs, walkForgetting } from "../../../contract/storage/forgetting-contract.ts";
import { storageTest } from "../../../contract/storage/ground.ts";

const open = async () => {
	const storage = ramStorage();
	return { storage, dispose: storage.close };
};

test("whatever the order, nothing stays of what has ended, and the rest comes back", async () => {
	const act: fc.Arbitrary<ForgettingAct> = fc.record({ act: fc.constantFrom(...forgettingActs), document: fc.constantFrom(0, 1, 2) });
	const orders = fc.array(act, { minLength: 3, maxLength: 10 });
	const { check } = storageTest(open, "orders", (ground) =>
		fc.assert(
			fc.asyncProperty(orders, (acts) => walkForgetting(ground, acts)),
			{ seed: 5, numRuns: 300 },
		),
	);
	expect(await check()).toBeUndefined();
}, 120_000);

test("what ended while its document was set aside goes when the document is back", async () => {
	const acts = ["forget", "setAside", "end", "upkeep", "bringBack", "upkeep"] as const;
	const walk = (document: 0 | 2) =>
		storageTest(open, "one order", (ground) =>
			walkForgetting(
				ground,
				acts.map((act) => ({ act, document })),
			),
		).check();
	expect(await Promise.all([walk(0), walk(2)])).toEqual([undefined, undefined]);
});
