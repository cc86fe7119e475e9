/** When the gaps between rows are cleared: as long as they may have traces of what was deleted, and no longer. */

import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTraceEraser } from "../../../../plugins/stores/sqlite/files/erase-traces.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-traces-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A store whose log has something in it. Every upkeep says whether something was deleted since the one before, and whether the log can be emptied. */
function scene() {
	const file = join(folder, crypto.randomUUID());
	writeFileSync(`${file}-wal`, "a page");
	let cleared = 0;
	let [isNew, canEmpty, isClear] = [false, true, true];
	let stop = new AbortController();
	const erase = createTraceEraser({
		file,
		eraseDeleted: async () => isNew,
		emptyLog: async () => {
			// It would be tried for a second.
			if (!canEmpty) stop.abort();
			return canEmpty;
		},
		clearGaps: async () => {
			cleared++;
			return isClear;
		},
	});
	/** @returns whether gaps were cleared. */
	return async (state: { isNew?: boolean; canEmpty?: boolean; isClear?: boolean }): Promise<boolean> => {
		({ isNew = false, canEmpty = true, isClear = true } = state);
		stop = new AbortController();
		const before = cleared;
		await erase({ now: new Date(0), signal: stop.signal, hasSwept: false });
		return cleared > before;
	};
}

test("what was not all cleared is cleared again, and where nothing was deleted nothing is", async () => {
	const upkeep = scene();
	expect([await upkeep({}), await upkeep({ isNew: true, isClear: false }), await upkeep({}), await upkeep({})]).toEqual([false, true, true, false]);
});

test("what is deleted while the log cannot be emptied is cleared again once it can", async () => {
	const upkeep = scene();
	await upkeep({});
	expect([await upkeep({ isNew: true, canEmpty: false }), await upkeep({}), await upkeep({})]).toEqual([true, true, false]);
	expect(await upkeep({ canEmpty: false }), "nothing was deleted").toBe(false);
});
