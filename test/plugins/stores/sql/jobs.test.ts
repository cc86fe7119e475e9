/** The queue in SQLite: what is asked of it goes along an index, however long it is. */

import { expect, test } from "bun:test";
import { contextOf, type Executor, readsOf, runHere, type SqlEngine } from "../../../../plugins/stores/sql/executor.ts";
import { jobOperations, jobQueue } from "../../../../plugins/stores/sql/jobs.ts";
import { migrate, migrations } from "../../../../plugins/stores/sql/migrations.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { explained, explainedConnection } from "./explained.ts";

/** How SQLite goes about what a call would ask of the jobs. */
async function planOf(ask: (queue: ReturnType<typeof jobQueue>) => Promise<unknown>): Promise<readonly string[]> {
	const connection = openWriter(":memory:");
	migrate(connection, migrations);
	const steps: string[] = [];
	const explain = (sql: string) => void steps.push(...explained(connection, sql));
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

test("the next job of a task is looked up, and the waiting jobs of others are not gone through", () => {
	const { connection, steps } = explainedConnection();
	connection.statement("INSERT INTO jobs (organisation, id, task, subject, not_before) VALUES ('o', 'i', 'remember', 's', 0)").run();
	const { claimJobs } = jobOperations(contextOf(connection));
	const args = { worker: "w", tasks: ["remember"], limit: 1, now: new Date(1), leaseMs: 1 } as const;
	expect(runHere(claimJobs.run(args))).toMatchObject([{ id: "i" }]);
	const looks = steps.filter((step) => /^(SCAN|SEARCH) j\b/.test(step) && !step.includes("jobs_crashed"));
	expect(looks).toEqual([
		"SEARCH j USING INDEX jobs_in_turn (task=? AND organisation>?)",
		"SEARCH j USING INDEX jobs_in_turn (task=? AND organisation=? AND not_before<?)",
	]);
	connection.close();
});

test("its depth is counted along an index, and only what is leased is looked up", async () => {
	const steps = await planOf((queue) => queue.depth());
	expect(steps).toEqual(["SCAN jobs USING COVERING INDEX sqlite_autoindex_jobs_1", "SCAN jobs USING INDEX jobs_leased"]);
});
