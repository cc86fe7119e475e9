/** Group commit: a write that fails takes no other with it, and nobody is told of a success that is not stored. */

import { expect, test } from "bun:test";
import { fail } from "cairn-memory";
import type { Connection } from "../../../../plugins/stores/sql/bun-connection.ts";
import { durable, type Operations, repeatable } from "../../../../plugins/stores/sql/executor.ts";
import { createOperations } from "../../../../plugins/stores/sql/operations.ts";
import { openWriter } from "../../../../plugins/stores/sqlite/connection.ts";
import { commitGroup, type Queued } from "../../../../plugins/stores/sqlite/writer/group-commit.ts";
import type { Answer } from "../../../../plugins/stores/sqlite/writer/writer-protocol.ts";

/** A clock on which no write takes any time, so that it ends no group. */
const still = () => 0;

interface Fixture {
	readonly connection: Connection;
	readonly operations: Operations;
	readonly send: (...requests: readonly (readonly [operation: string, args: unknown])[]) => Queued[];
	readonly answers: Answer[];
	readonly values: () => readonly string[];
}

function fixture(): Fixture {
	const connection = openWriter(":memory:");
	connection.db.run("CREATE TABLE things (value TEXT NOT NULL UNIQUE)");
	const insert = (value: string) => connection.db.query("INSERT INTO things (value) VALUES (?)").run(value);
	const answers: Answer[] = [];
	return {
		connection,
		answers,
		operations: {
			insert: repeatable((value: string) => insert(value).changes),
			insertTwice: durable((value: string) => [insert(value), insert(value)]),
			refuse: durable((value: string) => {
				insert(value);
				throw fail("CUSTOM_ID_TAKEN", value);
			}),
			breakDown: durable(() => connection.db.run("ROLLBACK")),
			synchronous: repeatable(() => connection.db.query("PRAGMA synchronous").get()),
			synchronousDurable: durable(() => connection.db.query("PRAGMA synchronous").get()),
		},
		send: (...requests) => requests.map(([operation, args], id) => ({ request: { id, operation, args }, answer: (answer) => answers.push(answer) })),
		values: () =>
			connection.db
				.query<{ value: string }, []>("SELECT value FROM things ORDER BY value")
				.all()
				.map(({ value }) => value),
	};
}

test("a failing write is undone whole, the others of its group stand", () => {
	const { connection, operations, send, answers, values } = fixture();
	commitGroup(send(["insert", "a"], ["insertTwice", "b"], ["refuse", "c"], ["insert", "d"]), operations, connection, still);
	expect(values()).toEqual(["a", "d"]);
	expect(answers.map(({ ok }) => ok)).toEqual([true, false, false, true]);
	expect(answers[2]).toEqual({ id: 2, ok: false, failure: { code: "CUSTOM_ID_TAKEN", words: ["c"], cause: null } });
});

test("answers come after the commit", () => {
	const { connection, operations, send } = fixture();
	const seen: boolean[] = [];
	const queue = send(["insert", "a"], ["insert", "b"]).map((queued) => ({ ...queued, answer: () => seen.push(connection.db.inTransaction) }));
	commitGroup(queue, operations, connection, still);
	expect(seen).toEqual([false, false]);
});

test("when the transaction itself breaks, all of the group are told", () => {
	const { connection, operations, send, answers, values } = fixture();
	commitGroup(send(["insert", "a"], ["breakDown", null], ["insert", "b"]), operations, connection, still);
	expect(values()).toEqual([]);
	expect(answers.map(({ ok }) => ok)).toEqual([false, false, false]);
	expect(connection.db.inTransaction).toBe(false);
});

test("a full disk is called a full disk", () => {
	const { connection, operations, send, answers } = fixture();
	connection.db.run("PRAGMA max_page_count = 4");
	commitGroup(send(["insert", "x".repeat(1_000_000)]), operations, connection, still);
	expect(answers).toEqual([{ id: 0, ok: false, failure: expect.objectContaining({ code: "STORAGE_FULL" }) }]);
});

test("one durable write makes its group wait for the disk, and the next group does not", () => {
	const { connection, operations, send, answers } = fixture();
	commitGroup(send(["synchronous", null], ["synchronousDurable", null]), operations, connection, still);
	commitGroup(send(["synchronous", null]), operations, connection, still);
	const full = { synchronous: 2 };
	expect(answers.map((answer) => answer.ok && answer.result)).toEqual([full, full, { synchronous: 1 }]);
});

test("a group ends with the write at which it has taken long enough", () => {
	const { connection, operations, send, answers } = fixture();
	const queue = send(["insert", "a"], ["insert", "b"], ["insert", "c"]);
	let ms = 0;
	commitGroup(queue, operations, connection, () => (ms += 20));
	expect([answers.length, queue.length]).toEqual([2, 1]);
});

test("a flood is worked off in groups", () => {
	const { connection, operations, send, answers, values } = fixture();
	const queue = send(...Array.from({ length: 1_000 }, (_, i) => ["insert", String(i)] as const));
	commitGroup(queue, operations, connection, still);
	expect(queue.length).toBeGreaterThan(0);
	expect(answers.length + queue.length).toBe(1_000);
	while (queue.length > 0) commitGroup(queue, operations, connection, still);
	expect(values()).toHaveLength(1_000);
	expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
});

test("an unknown operation fails alone", () => {
	const { connection, operations, send, answers, values } = fixture();
	commitGroup(send(["nothing", null], ["insert", "a"]), operations, connection, still);
	expect(answers.map(({ ok }) => ok)).toEqual([false, true]);
	expect(values()).toEqual(["a"]);
});

test("what the pipeline does again after a loss of power waits for no disk, and what a client was told does", () => {
	const operations: Operations = createOperations(openWriter(":memory:"));
	const repeated = Object.keys(operations).filter((name) => operations[name]?.isDurable !== true);
	// Whoever adds one here says which part of the pipeline does it again.
	expect(repeated.toSorted()).toEqual(
		[
			...["moveDocument", "setProgress", "describeDocument", "failDocument", "setDreaming", "stageChunks", "publishRevision"],
			...["claimJobs", "renewJob", "finishJob", "retryJob", "sortMemories", "describeContainer"],
			...["advanceSpace", "backfillSpace", "dropSpace", "eraseFromEvents", "eraseModelAnswers", "sweepEvents"],
			...["eraseRows", "organisationsToErase"],
			...["sweepMemoryMoves", "sweepMemoryReturns", "sweepScopeChanges", "sweepTextChanges"],
		].toSorted(),
	);
});
