/** After a search new texts are read before the next one asks for them. */

import { expect, test } from "bun:test";
import { createReadAhead } from "../../../../../plugins/stores/sqlite/words/read-ahead.ts";
import { until } from "../../../../doubles/until.ts";

test("from a search on it reads after each commit, and goes on after a failure", async () => {
	let [version, read, failures] = [1, 0, 0];
	const readAhead = createReadAhead({
		version: () => version,
		read: async () => {
			if (failures-- > 0) throw new Error("the disk is away");
			read = version;
		},
	});
	readAhead.searched();
	await until(async () => read === 1);
	version = 2;
	await until(async () => read === 2);
	failures = 1;
	version = 3;
	await until(async () => read === 3);
	expect(failures).toBe(-1);
	readAhead.stop();
});

test("long after a search it still reads, so that the next one has no hour of texts to read first", async () => {
	let [version, read, elapsedMs] = [1, 0, 0];
	const readAhead = createReadAhead(
		{
			version: () => version,
			read: async () => {
				read = version;
			},
		},
		() => elapsedMs,
		5,
	);
	readAhead.searched();
	await until(async () => read === 1);
	elapsedMs = 3_600_000;
	version = 2;
	await until(async () => read === 2);
	version = 3;
	await until(async () => read === 3);
	readAhead.stop();
});
