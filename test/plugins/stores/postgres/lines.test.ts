/** Lost connections: whoever waits is told so, nothing of a transaction is done outside of it, and the next one finds a connection that works. */

import { describe, expect, test } from "bun:test";
import postgresql from "../../../../plugins/stores/postgres/index.ts";
import { type Line, linesTo } from "../../../../plugins/stores/postgres/lines.ts";
import { asStorageError } from "../../../../plugins/stores/postgres/server.ts";
import { isLost } from "../../../../plugins/stores/postgres/try-again.ts";
import { openTestServer } from "./server.ts";

const patienceMs = 300_000;

function fakeLines() {
	const opened: { broken: boolean; ended: boolean }[] = [];
	const open = (): Line => {
		const state = { broken: false, ended: false };
		opened.push(state);
		return {
			run: async () => Object.assign([], { command: String(opened.indexOf(state)) }) as never,
			isBroken: () => state.broken,
			end: async () => {
				state.ended = true;
			},
		};
	};
	return { opened, open };
}

const nameOf = async ({ run }: Line) => (await run("")).command;

describe("lines", () => {
	test("one line is used again and again, and as many as are needed at once up to the limit", async () => {
		const { opened, open } = fakeLines();
		const lines = linesTo(open, 2);
		expect([await lines.use(nameOf), await lines.use(nameOf)]).toEqual(["0", "0"]);
		expect(await Promise.all([1, 2, 3, 4].map(() => lines.use(nameOf)))).toHaveLength(4);
		expect(opened).toHaveLength(2);
		await lines.end(0);
		expect(opened.every(({ ended }) => ended)).toBe(true);
	});

	test("one that broke is thrown away, and whoever waits for it gets another one", async () => {
		const { opened, open } = fakeLines();
		const lines = linesTo(open, 1);
		const breaks = lines.use(async () => {
			if (opened[0] !== undefined) opened[0].broken = true;
			throw new Error("lost");
		});
		const waits = lines.use(nameOf);
		expect(await breaks.catch(String)).toBe("Error: lost");
		expect(await waits).toBe("1");
		expect(opened.map(({ ended }) => ended)).toEqual([true, false]);
		// One that breaks while nobody uses it is not handed out.
		if (opened[1] !== undefined) opened[1].broken = true;
		expect(await lines.use(nameOf)).toBe("2");
	});
});

test("a thread has a connection beside the one on which a graph is made", async () => {
	const { options } = postgresql();
	const issuesOf = async (connectionsMax: number) => (await options["~standard"].validate({ url: "postgres://db.example/cairn", connectionsMax })).issues;
	expect(await issuesOf(1)).toMatchObject([{ path: ["connectionsMax"] }]);
	expect(await issuesOf(2)).toBeUndefined();
});

test("what the database says when it ends a transaction in which nothing was asked is a lost connection", () => {
	const ended = asStorageError(Object.assign(new Error("terminating connection due to idle-in-transaction timeout"), { code: "25P03" }));
	expect([(ended as { code: string }).code, isLost(ended)]).toEqual(["STORAGE_UNREACHABLE", true]);
});

const url = process.env["CAIRN_TEST_POSTGRES_URL"];
describe.skipIf(url === undefined)("on a server", () => {
	const terminateSql = "SELECT count(pg_terminate_backend(pid)) AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";

	async function withTwo(run: (used: Used, other: Used) => Promise<void>): Promise<void> {
		const server = await openTestServer(url ?? "");
		const { connect, drop } = await server.create();
		const [used, other] = [connect(), connect()];
		await run(used, other);
		for (const connection of [used, other]) await connection.close();
		await drop();
		await server.close();
	}

	test(
		"statements that were sent together are all told that the connection is lost, and the next ones are answered",
		() =>
			withTwo(async (used, other) => {
				await used.query("SELECT $1::integer AS one", [1]);
				for (let round = 0; round < 3; round++) {
					const waiting = Promise.allSettled([used.query("SELECT pg_sleep($1::float8)", [60]), used.query(`SELECT $1::integer AS round${round}`, [1])]);
					while ((await other.query("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep(%' AND state = 'active'", [])).rows.length === 0);
					await other.query(terminateSql, []);
					for (const { status, ...rest } of await waiting)
						expect([status, rest]).toEqual(["rejected", { reason: expect.objectContaining({ code: "STORAGE_UNREACHABLE" }) }]);
					expect((await used.query("SELECT $1::integer AS one", [1])).rows).toEqual([{ one: 1 }]);
				}
			}),
		patienceMs,
	);

	test(
		"a transaction whose connection is lost between two statements writes nothing, and the next one is whole",
		() =>
			withTwo(async (used, other) => {
				await other.script("CREATE TABLE written (number BIGINT)");
				const write = (number: number, between: () => Promise<unknown>) =>
					used.transaction("", async ({ query }) => {
						await query("INSERT INTO written VALUES ($1)", [number]);
						await between();
						await query("INSERT INTO written VALUES ($1)", [number]);
					});
				const lost = write(1, async () => {
					await other.query(terminateSql, []);
					while ((await other.query("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()", [])).rows.length > 0);
				});
				expect(
					await lost.then(
						() => "committed",
						({ code }) => code,
					),
				).toBe("STORAGE_UNREACHABLE");
				await write(2, async () => undefined);
				expect((await other.query("SELECT number FROM written ORDER BY number", [])).rows).toEqual([{ number: 2 }, { number: 2 }]);
			}),
		patienceMs,
	);

	test(
		"a transaction in which nothing is asked for too long ends, and lets go of its locks",
		() =>
			withTwo(async (used, other) => {
				const [lock, isHeld] = ["SELECT pg_advisory_xact_lock(1)", "SELECT 1 FROM pg_locks WHERE locktype = 'advisory'"];
				const paused = used.transaction(
					"",
					async ({ query }) => {
						await query(lock, []);
						while ((await other.query(isHeld, [])).rows.length > 0);
						await query("SELECT 1", []);
					},
					50,
				);
				const thrown: unknown = await paused.catch((reason: unknown) => reason);
				expect([(thrown as { code: string }).code, isLost(thrown)]).toEqual(["STORAGE_UNREACHABLE", true]);
				// The setting ends with the transaction.
				const sql = "SELECT current_setting('idle_in_transaction_session_timeout') AS ms";
				expect((await used.transaction("", ({ query }) => query(sql, []), 50)).rows).toEqual([{ ms: "50ms" }]);
				expect((await used.query(sql, [])).rows).toEqual([{ ms: "0" }]);
			}),
		patienceMs,
	);

	test(
		"a transaction in which a statement has failed does not seem committed",
		() =>
			withTwo(async (used) => {
				const swallowed = used.transaction("", async ({ query }) => {
					await query("SELECT 1 / $1::integer", [0]).catch(() => undefined);
				});
				expect(await swallowed.catch(String)).toContain("ended with ROLLBACK");
			}),
		patienceMs,
	);

	test(
		"one that listens hears again after its connection was lost",
		() =>
			withTwo(async (used, other) => {
				let heard = Promise.withResolvers<unknown>();
				used.onNotified((written) => heard.resolve(written));
				expect(await heard.promise).toBe("job");
				heard = Promise.withResolvers();
				await other.query(terminateSql, []);
				expect(await heard.promise).toBe("job");
				heard = Promise.withResolvers();
				await other.notify("other");
				expect(await heard.promise).toBe("other");
			}),
		patienceMs,
	);
});

type Used = ReturnType<Awaited<ReturnType<Awaited<ReturnType<typeof openTestServer>>["create"]>>["connect"]>;
