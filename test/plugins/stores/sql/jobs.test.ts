/** The queue in SQLite: what is asked of it goes along an index, however long it is. */

import { expect, test } from "bun:test";
import { type Executor, readsOf, type SqlEngine } from "../../../../plugins/stores/sql/executor.ts";
import { jobQueue } from "../../../../plugins/stores/sql/jobs.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";

/** How SQLite goes about what a call would ask of the jobs. */
async function planOf(ask: (queue: ReturnType<typeof jobQueue>) => Promise<unknown>): Promise<readonly string[]> {
	const connection = openWriter(":memory:");
	migrate(connection, migrations);
	const steps: string[] = [];
	const explain = (sql: string) => {
		steps.push(
			...connection.db
				.query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
				.all()
				.map(({ detail }) => detail),
		);
	};
	const statement = (sql: string) => ({
		all: () => {
			explain(sql);
			return [];
		},
		get: () => {
			explain(sql);
			return null;
		},
	});
	await ask(jobQueue({ ...readsOf({ statement } as unknown as Executor), write: async () => 0 } as unknown as SqlEngine));
	return steps.filter((step) => /^(SCAN|SEARCH) (j|jobs)\b/.test(step));
}

test("at a start each document is looked up in the queue, which is not gone through for each of them", async () => {
	const steps = await planOf((queue) => queue.recover(null, new Date(0), () => "id" as never));
	const each = ["jobs_waiting", "jobs_leased"].map((index) => `SEARCH j USING INDEX ${index} (organisation=? AND task=? AND subject=?)`);
	expect(steps).toEqual([...each, ...each]);
});

test("its depth is counted along an index, and only what is leased is looked up", async () => {
	const steps = await planOf((queue) => queue.depth());
	expect(steps).toEqual(["SCAN jobs USING COVERING INDEX sqlite_autoindex_jobs_1", "SCAN jobs USING INDEX jobs_leased"]);
});
