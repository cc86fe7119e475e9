/**
 * The writer thread: the only one that writes, so that no commit ever stalls the server. Takes whatever has arrived on
 * all its ports as one group, and between groups deletes what was discarded, a little at a time.
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
import { type Answer, type Control, postFailure, type Request, type WriterData } from "./writer-protocol.ts";

/** How long changes are collected before listeners are notified. */
const tellAfterMs = 20;

const { file }: WriterData = workerData;
const connection = openWriter(file);
const queue: Queued[] = [];
const ports = new Map<MessagePort, Mailbox<Answer>>();
/** Made at the first write: its statements cannot be prepared before the tables are there. */
let operations: Operations | null = null;
const health: WriterHealth = { damage: null, wroteAt: null };
let isScheduled = false;
let mayHoldDiscarded = true;
let changesTold = 0;
let changesSeen = 0;
let isTelling = false;

// Node's style of listening: with `onmessage`, messages that arrive before the module is through are lost.
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

/** By way of the event loop, so that all messages that have arrived are in the queue before the group begins. */
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
	// The answers of the group before have been sent by now.
	checkpoint(connection, queue.length === 0);
	if (queue.length > 0) {
		const isWritten = commitGroup(queue, operations, connection);
		tellOfChanges(isWritten);
		mayHoldDiscarded = true;
	} else if (mayHoldDiscarded) mayHoldDiscarded = sweepDiscarded(connection);
	if (queue.length > 0 || mayHoldDiscarded) schedule();
}

function allOperations(): Operations {
	return { ...createOperations(connection), ...healthOperations(connection, health) };
}

/** A list without answers says that something was changed. A claim that found no work has changed nothing. */
function tellOfChanges(isWritten: boolean): void {
	const changes = connection.statement<{ count: number }>("SELECT total_changes() AS count").get()?.count ?? 0;
	if (!isWritten) health.wroteAt = null;
	else if (changes !== changesSeen) health.wroteAt = performance.now();
	changesSeen = changes;
	if (changes === changesTold || isTelling) return;
	changesTold = changes;
	isTelling = true;
	setTimeout(() => {
		isTelling = false;
		for (const port of ports.keys()) port.postMessage([]);
	}, tellAfterMs);
}

function answerControl(control: Exclude<Control, { kind: "connect" }>): Answer {
	const { id } = control;
	try {
		return { id, ok: true, result: obey(control.kind) };
	} catch (thrown) {
		return { id, ok: false, failure: postFailure(thrown) };
	}
}

function obey(kind: "migrate" | "empty-log" | "close"): unknown {
	if (kind === "migrate") {
		migrate(connection, migrations);
		return scrubIfSmall(connection);
	}
	// What was discarded is still being deleted.
	return kind === "close" ? close() : !mayHoldDiscarded && emptyLog(connection);
}

/** Everything that was sent before is written first. */
function close(): void {
	while (queue.length > 0) {
		operations ??= allOperations();
		commitGroup(queue, operations, connection);
	}
	mayHoldDiscarded = false;
	for (const [port, answers] of ports) {
		answers.flush();
		port.close();
	}
	connection.db.run("PRAGMA optimize");
	connection.db.run("PRAGMA wal_checkpoint(TRUNCATE)");
	connection.close();
}
