/** A turn is asked of the database now and then, and not for every page that is fed. */

import { expect, test } from "bun:test";
import { claimSeconds, turnAt } from "../../../../plugins/stores/postgres/indexes/collections.ts";

/** A database that gives the turn to whoever asks, as long as it is free. */
function ask() {
	let now = 0;
	let isFree = true;
	const statements: string[] = [];
	const query = async (sql: string) => {
		statements.push(sql.slice(0, 6));
		return { rows: isFree ? [{ one: 1 }] : [], changes: 0 };
	};
	return {
		turn: turnAt("words", query, () => now),
		statements,
		pass: (ms: number) => {
			now += ms;
		},
		take: () => {
			isFree = false;
		},
	};
}

test("who has a turn asks again well before it ends, and not before", async () => {
	const { turn, statements, pass } = ask();
	for (let i = 0; i < 100; i++) expect(await turn.claim()).toBe(true);
	expect(statements).toEqual(["INSERT"]);
	pass((claimSeconds * 1_000) / 3);
	expect(await turn.claim()).toBe(true);
	expect(statements).toEqual(["INSERT", "UPDATE"]);
});

test("who has lost a turn, or never had it, learns of it", async () => {
	const { turn, statements, pass, take } = ask();
	expect(await turn.claim()).toBe(true);
	take();
	pass(claimSeconds * 1_000);
	expect(await turn.claim()).toBe(false);
	expect(await turn.claim()).toBe(false);
	expect(statements).toEqual(["INSERT", "UPDATE", "INSERT"]);
});

test("a turn that was ended is asked for", async () => {
	const { turn, statements } = ask();
	await turn.claim();
	await turn.end();
	await turn.claim();
	expect(statements).toEqual(["INSERT", "DELETE", "INSERT"]);
});
