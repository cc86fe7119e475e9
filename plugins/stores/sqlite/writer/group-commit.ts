/** Runs many writes in one transaction (group commit), so that the disk is waited for once. Each write still succeeds or fails alone. */

import type { ErrorCode } from "cairn-memory";
import type { Connection } from "../../sql/bun-connection.ts";
import type { Operations } from "../../sql/executor.ts";
import { type Answer, postFailure, type Request } from "./writer-protocol.ts";

export interface Queued {
	readonly request: Request;
	readonly answer: (answer: Answer) => void;
}

/** Errors of the disk, not of an operation. */
const diskErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["STORAGE_FULL", "STORAGE_READ_ONLY", "STORAGE_UNREACHABLE"]);

/** The largest size and time of a group, so that no write waits long. */
const groupMax = 256;
const groupMs = 25;

/**
 * Runs the first writes of the queue, and answers them after the commit, when they are stored.
 * @returns false if a write failed because of the disk.
 */
export function commitGroup(queue: Queued[], operations: Operations, { db, statement }: Connection, now = () => performance.now()): boolean {
	const group = queue.splice(0, groupMax);
	const isDurable = group.some(({ request }) => operations[request.operation]?.isDurable === true);
	const answers: { readonly to: Queued; readonly answer: Answer }[] = [];
	const started = now();
	try {
		// This can only be set between transactions. In WAL mode a commit waits for the disk with FULL, and does not with NORMAL.
		db.run(`PRAGMA synchronous = ${isDurable ? "FULL" : "NORMAL"}`);
		statement("BEGIN IMMEDIATE").run();
		for (const queued of group) {
			answers.push({ to: queued, answer: runOne(queued.request) });
			if (now() - started > groupMs) break;
		}
		statement("COMMIT").run();
	} catch (thrown) {
		if (db.inTransaction) db.run("ROLLBACK");
		const failure = postFailure(thrown);
		// Nothing of this group was written, so all its writes fail, not only the one that broke the transaction.
		for (const { request, answer } of group) answer({ id: request.id, ok: false, failure });
		return false;
	}
	queue.unshift(...group.slice(answers.length));
	for (const { to, answer } of answers) to.answer(answer);
	return answers.every(({ answer }) => answer.ok || !diskErrors.has(answer.failure.code));

	function runOne({ id, operation, args }: Request): Answer {
		statement("SAVEPOINT one").run();
		try {
			const found = operations[operation];
			if (found === undefined) throw new Error(`there is no operation called ${operation}`);
			const result = found.run(args);
			statement("RELEASE one").run();
			return { id, ok: true, result };
		} catch (thrown) {
			// On a full disk SQLite may roll back the whole transaction by itself.
			if (!db.inTransaction) throw thrown;
			statement("ROLLBACK TO one").run();
			statement("RELEASE one").run();
			return { id, ok: false, failure: postFailure(thrown) };
		}
	}
}
