/** Sends writes to the writer thread from any other thread, and waits for their commit. */

import type { MessagePort } from "node:worker_threads";
import { fail, type ServiceError } from "cairn-memory";
import type { Write } from "../../sql/executor.ts";
import { questions } from "../threads/questions.ts";
import { mailbox } from "./mailbox.ts";
import type { Answer, Request } from "./writer-protocol.ts";

export interface WriterClient {
	/** Resolves once it is committed. */
	readonly write: Write;
	/** See `healthOperations`. */
	readonly health: {
		readonly ping: () => Promise<void>;
		readonly noteDamage: (what: string) => Promise<boolean>;
	};
	/** See `Storage`. */
	readonly onWritten: (listener: () => void) => () => void;
	/** Refuses what comes after and resolves when all that came before is answered. */
	readonly drain: () => Promise<void>;
	/** Rejects whatever waits for an answer that will not come. */
	readonly breakOff: (why: ServiceError) => void;
}

export function writerClient(port: MessagePort): WriterClient {
	const open = questions();
	const listeners = new Set<() => void>();
	let isClosed = false;
	const outgoing = mailbox<Request>(port, ({ id }, why) => open.refuse(id, why));

	port.on("message", (answers: readonly Answer[]) => {
		if (answers.length === 0) for (const listener of listeners) listener();
		for (const answer of answers) open.settle(answer);
	});
	// The other end is in the writer thread, and goes with it: in a thread that did not start it nothing else tells.
	port.on("close", () => open.end(fail("STORAGE_UNREACHABLE", "the writer has ended")));

	function write<Result>(operation: string, args: unknown, transfer?: readonly ArrayBuffer[]): Promise<Result> {
		if (isClosed) return Promise.reject(fail("STORAGE_UNREACHABLE", "it is closed"));
		return open.ask<Result>((id) => outgoing.put({ id, operation, args }, transfer));
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
			await open.settled();
			port.close();
		},
		breakOff: open.end,
	};
}
