/** A claim locks the jobs that it takes and no others, so that workers who claim at once do not get less than there is. */

import { expect, test } from "bun:test";
import { context, runProgram } from "../../../../plugins/stores/postgres/connection.ts";
import { type ClaimArgs, jobOperations } from "../../../../plugins/stores/sql/jobs.ts";
import { openTestServer } from "./server.ts";

const url = process.env["CAIRN_TEST_POSTGRES_URL"];
const patienceMs = 300_000;

test.skipIf(url === undefined)(
	"of jobs of two tasks that nobody has taken yet a second worker gets the next ones while the first still claims",
	async () => {
		const server = await openTestServer(url ?? "");
		const { connect, drop } = await server.create();
		const [first, second] = [connect(), connect()];
		await first.script(`INSERT INTO jobs (organisation, id, task, subject, not_before)
			SELECT 'one', task || i, task, 's' || i, i FROM generate_series(1, 2) i, (VALUES ('merge'), ('deliver')) tasks (task)`);
		const args: ClaimArgs = { worker: "w", tasks: ["merge", "deliver"], limit: 2, now: new Date(10), leaseMs: 1_000 };
		const claimed = async (on: typeof first, meanwhile: () => Promise<unknown> = async () => null) =>
			on.transaction("", async ({ query }) => {
				const jobs = await runProgram(jobOperations(context).claimJobs.run(args), query);
				await meanwhile();
				return jobs.map(({ id }) => id).sort();
			});
		let seconds: readonly string[] = [];
		const firsts = await claimed(first, async () => (seconds = await claimed(second)));
		expect([firsts, seconds]).toEqual([
			["deliver1", "merge1"],
			["deliver2", "merge2"],
		]);
		for (const connection of [first, second]) await connection.close();
		await drop();
		await server.close();
	},
	patienceMs,
);
