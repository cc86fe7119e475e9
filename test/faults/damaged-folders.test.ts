/**
 * Any file of a data folder is harmed: bits flip, the end is cut, pages are zeros, it is gone. The start is right, or ends with a sentence;
 * what is lost is said by the server or by `cairn verify`. `bun test/faults/fault-run.ts damage 500` does the same for longer.
 */

import { expect, test } from "bun:test";
import { runDamage } from "./rig/damage-run.ts";

test("nothing is lost in silence, and nothing hangs", async () => {
	const { counts, faults } = await runDamage({ folders: 12, seed: 5, tell: () => undefined, isOver: async () => false });
	expect(faults).toEqual([]);
	expect([...counts.values()].reduce((sum, { folders }) => sum + folders, 0)).toBe(12);
	console.log(`damage: ${JSON.stringify(Object.fromEntries(counts))}`);
}, 600_000);
