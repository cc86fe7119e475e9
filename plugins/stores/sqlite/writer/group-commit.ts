/** Runs many writes in one transaction: the disk is waited for once, and each write still stands or falls alone. */

import type { ErrorCode } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import type { Operations } from "../../sql/executor.ts";
import { type Answer, postFailure, type Request } from "./writer-protocol.ts";

export interface Queued {
	readonly request: Request;
	readonly answer: (answer: Answer) => void;
}

/** The disk's, and not the operation's own. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["STORAGE_FULL", "STORAGE_READ_ONLY", "STORAGE_UNREACHABLE"]);

/** Many writes are committed in groups of this size or time, so that no writer waits long. */
const groupMax = 256;
const groupMs = 25;

/** Works off the beginning of the queue. Answers only after the commit, so what is answered is stored. @returns whether nothing kept a write from the disk. */
export function commitGroup(queue: Queued[], operations: Operations, { db, statement }: Connection): boolean {
	const group = queue.splice(0, groupMax);
	const isDurable = group.some(({ request }) => operations[request.operation]?.isDurable === true);
	const answers: { readonly to: Queued; readonly answer: Answer }[] = [];
	const started = performance.now();
	try {
		// Can be switched between transactions only. In WAL mode FULL waits for the disk at the commit, NORMAL does not.
		db.run(`PRAGMA synchronous = ${isDurable ? "FULL" : "NORMAL"}`);
		statement("BEGIN IMMEDIATE").run();
		for (const queued of group) {
			answers.push({ to: queued, answer: runOne(queued.request) });
			if (performance.now() - started > groupMs) break;
		}
		statement("COMMIT").run();
	} catch (thrown) {
		if (db.inTransaction) db.run("ROLLBACK");
		const failure = postFailure(thrown);
		// The write that broke the transaction is among them: nothing of this group was written, and all of them fail.
		for (const { request, answer } of group) answer({ id: request.id, ok: false, failure });
		return false;
	}
	queue.unshift(...group.slice(answers.length));
	for (const { to, answer } of answers) to.answer(answer);
	return answers.every(({ answer }) => answer.ok || !refusals.has(answer.failure.code));

	function runOne({ id, operation, args }: Request): Answer {
		statement("SAVEPOINT one").run();
		try {
			const known = operations[operation];
			if (known === undefined) throw new Error(`there is no operation called ${operation}`);
			const result = known.run(args);
			statement("RELEASE one").run();
			return { id, ok: true, result };
		} catch (thrown) {
			// A full disk may make SQLite give up the whole transaction by itself.
			if (!db.inTransaction) throw thrown;
			statement("ROLLBACK TO one").run();
			statement("RELEASE one").run();
			return { id, ok: false, failure: postFailure(thrown) };
		}
	}
}
