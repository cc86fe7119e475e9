/** Each statement is a place at which a thread gives way: short computations never ask whether they may pause, but read now and then. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { giveWayBy } from "../../../../core/runtime/yielder.ts";
import { connection } from "../../../../plugins/stores/sql/bun-connection.ts";

test("a thread gives way before each statement, also before one that is prepared already", () => {
	let times = 0;
	giveWayBy(() => {
		times += 1;
	});
	const tables = connection(new Database(":memory:"));
	try {
		for (let i = 1; i <= 3; i++) {
			tables.statement("SELECT 1").get();
			expect(times).toBe(i);
		}
	} finally {
		giveWayBy(() => undefined);
		tables.close();
	}
});
