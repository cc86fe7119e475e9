/** Sends writes to the writer thread from any other thread, and waits for their commit. */

import type { MessagePort } from "node:worker_threads";
import { fail, type ServiceError } from "cairn-memory";
import type { Write } from "../../sql/executor.ts";
import { pendingRequests } from "../threads/pending-requests.ts";
import { mailbox } from "./mailbox.ts";
import type { Answer, Request } from "./writer-protocol.ts";

export interface WriterClient {
	/** Resolves when the write is committed. */
	readonly write: Write;
	/** See `healthOperations`. */
	readonly health: {
		readonly ping: () => Promise<void>;
		readonly noteDamage: (what: string) => Promise<boolean>;
	};
	/** See `Storage`. */
	readonly onWritten: (listener: () => void) => () => void;
	/** Rejects later writes, and resolves when all earlier ones are answered. */
	readonly drain: () => Promise<void>;
	/** Rejects all pending writes, because there will be no answers. */
	readonly breakOff: (why: ServiceError) => void;
}

export function writerClient(port: MessagePort): WriterClient {
	const pending = pendingRequests();
	const listeners = new Set<() => void>();
	let isClosed = false;
	const outgoing = mailbox<Request>(port, ({ id }, why) => pending.refuse(id, why));

	port.on("message", (answers: readonly Answer[]) => {
		// An empty message says that something was written.
		if (answers.length === 0) for (const listener of listeners) listener();
		for (const answer of answers) pending.settle(answer);
	});
	// The other end of the port is in the writer thread. In a thread that did not start it, only this event shows its end.
	port.on("close", () => pending.end(fail("STORAGE_UNREACHABLE", "the writer has ended")));

	function write<Result>(operation: string, args: unknown, transfer?: readonly ArrayBuffer[]): Promise<Result> {
		if (isClosed) return Promise.reject(fail("STORAGE_UNREACHABLE", "it is closed"));
		return pending.ask<Result>((id) => outgoing.put({ id, operation, args }, transfer));
	}

	return {
		write,
		health: { ping: () => write("ping", null), noteDamage: (what) => write("noteDamage", what) },
		onWritten(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async drain() {
			isClosed = true;
			await pending.settled();
			port.close();
		},
		breakOff: pending.end,
	};
}
