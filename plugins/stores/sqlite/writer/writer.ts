/**
 * The writer thread: the only one that writes, so that no commit ever blocks the server. It commits everything that has arrived on all
 * its ports as one group, and between groups it deletes discarded chunks, a few at a time.
 */

import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { sweepDiscarded } from "../../sql/documents/discarded.ts";
import type { Operations } from "../../sql/executor.ts";
import { migrate, migrations } from "../../sql/migrations.ts";
import { createOperations } from "../../sql/operations.ts";
import { openWriter } from "../connection.ts";
import { scrubIfSmall } from "../files/scrub.ts";
import { checkpoint, emptyLog } from "./checkpoint.ts";
import { commitGroup, type Queued } from "./group-commit.ts";
import { healthOperations, type WriterHealth } from "./health-operations.ts";
import { type Mailbox, mailbox } from "./mailbox.ts";
import { type Answer, asStorageError, type Control, postFailure, type Request, type WriterData } from "./writer-protocol.ts";

/** How long changes are collected before listeners are notified. */
const notifyAfterMs = 20;

const { file }: WriterData = workerData;
const connection = openWriter(file);
const queue: Queued[] = [];
const ports = new Map<MessagePort, Mailbox<Answer>>();
/** Created at the first write, because statements cannot be prepared before the tables exist. */
let operations: Operations | null = null;
const health: WriterHealth = { damage: null, wroteAt: null };
let isScheduled = false;
let mayHaveDiscarded = true;
let changesNotified = 0;
let changesSeen = 0;
let isNotifying = false;

// With `onmessage`, messages that arrive before the module has been evaluated would be lost.
parentPort?.on("message", (control: Control) => {
	if (control.kind === "connect") return connect(control.port);
	parentPort?.postMessage(answerControl(control));
});

function connect(port: MessagePort): void {
	const answers = mailbox<Answer>(port, ({ id }, why) => port.postMessage([{ id, ok: false, failure: postFailure(why) }]));
	ports.set(port, answers);
	port.on("close", () => ports.delete(port));
	port.on("message", (requests: readonly Request[]) => {
		for (const request of requests) queue.push({ request, answer: answers.put });
		schedule();
	});
}

/** Runs `work` in a later turn of the event loop, so that all messages that have arrived are in the queue. */
function schedule(): void {
	if (isScheduled) return;
	isScheduled = true;
	setImmediate(() => {
		isScheduled = false;
		work();
	});
}

function work(): void {
	try {
		operations ??= allOperations();
	} catch (thrown) {
		for (const { request, answer } of queue.splice(0)) answer({ id: request.id, ok: false, failure: postFailure(thrown) });
		return;
	}
	// By now the answers of the last group have been sent.
	checkpoint(connection, queue.length === 0);
	if (queue.length > 0) {
		const isWritten = commitGroup(queue, operations, connection);
		notifyOfChanges(isWritten);
		mayHaveDiscarded = true;
	} else if (mayHaveDiscarded && !deleteDiscarded()) return;
	if (queue.length > 0 || mayHaveDiscarded) schedule();
}

/** Deletes a few discarded chunks. @returns false if the disk was full or failed: it is tried again after the next write. */
function deleteDiscarded(): boolean {
	try {
		mayHaveDiscarded = sweepDiscarded(connection);
		return true;
	} catch (thrown) {
		// Nobody has asked, so that damage would go unheard: it ends the thread, and with its reason every write.
		if (asStorageError(thrown).code === "STORAGE_DAMAGED") throw thrown;
		health.wroteAt = null;
		return false;
	}
}

function allOperations(): Operations {
	return { ...createOperations(connection), ...healthOperations(connection, health) };
}

/** Posts an empty message if the group has changed something. A claim that found no job, for example, changes nothing. */
function notifyOfChanges(isWritten: boolean): void {
	const changes = connection.statement<{ count: number }>("SELECT total_changes() AS count").get()?.count ?? 0;
	if (!isWritten) health.wroteAt = null;
	else if (changes !== changesSeen) health.wroteAt = performance.now();
	changesSeen = changes;
	if (changes === changesNotified || isNotifying) return;
	changesNotified = changes;
	isNotifying = true;
	setTimeout(() => {
		isNotifying = false;
		for (const port of ports.keys()) port.postMessage([]);
	}, notifyAfterMs);
}

function answerControl(control: Exclude<Control, { kind: "connect" }>): Answer {
	const { id } = control;
	try {
		return { id, ok: true, result: runControl(control.kind) };
	} catch (thrown) {
		return { id, ok: false, failure: postFailure(thrown) };
	}
}

function runControl(kind: Exclude<Control["kind"], "connect">): unknown {
	if (kind === "migrate") {
		migrate(connection, migrations);
		return scrubIfSmall(connection);
	}
	if (kind === "drop-cache") return connection.db.run("PRAGMA shrink_memory");
	// The log is only emptied when all discarded chunks are deleted.
	return kind === "close" ? close() : !mayHaveDiscarded && emptyLog(connection);
}

/** Writes everything that was sent before, and closes the database. */
function close(): void {
	while (queue.length > 0) {
		operations ??= allOperations();
		commitGroup(queue, operations, connection);
	}
	mayHaveDiscarded = false;
	for (const [port, answers] of ports) {
		answers.flush();
		port.close();
	}
	connection.db.run("PRAGMA optimize");
	connection.db.run("PRAGMA wal_checkpoint(TRUNCATE)");
	connection.close();
}
