/** Statements of one turn of the event loop share a connection, and nothing else: each has its own answer or failure. */

import { expect, test } from "bun:test";
import type { Answer, Query } from "../../../../plugins/stores/postgres/connection.ts";
import { sentTogether } from "../../../../plugins/stores/postgres/sent-together.ts";

function bench() {
	const log: string[] = [];
	let connections = 0;
	const on =
		(where: string): Query =>
		async (sql, params) => {
			log.push(`${where}: ${sql}`);
			if (sql === "broken") throw new Error("broken");
			return { rows: [...params], changes: 0 } satisfies Answer;
		};
	const query = sentTogether(on("any"), async (send) => {
		const name = `connection ${++connections}`;
		await send(on(name));
		log.push(`${name} is free`);
	});
	return { log, query };
}

test("statements of one turn are sent on one connection in their order, a single one on any", async () => {
	const { log, query } = bench();
	const answers = await Promise.all([query("a", [1]), Promise.resolve().then(() => query("b", [2]))]);
	expect(answers.map(({ rows }) => rows)).toEqual([[1], [2]]);
	await query("c", []);
	expect(log).toEqual(["connection 1: a", "connection 1: b", "connection 1 is free", "any: c"]);
});

test("one that fails spoils no other, and its connection comes back", async () => {
	const { log, query } = bench();
	const outcomes = await Promise.allSettled([query("a", []), query("broken", []), query("b", [])]);
	expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
	await query("later", []);
	expect(log).toContain("connection 1 is free");
});

test("without a connection each is told why", async () => {
	const query = sentTogether(
		() => Promise.reject(new Error("not alone")),
		() => Promise.reject(new Error("no connection")),
	);
	const outcomes = await Promise.allSettled([query("a", []), query("b", [])]);
	expect(outcomes.map((outcome) => outcome.status === "rejected" && String(outcome.reason))).toEqual(["Error: no connection", "Error: no connection"]);
});
