/** Sends writes to the writer thread from any other thread, and waits for their commit. */

import type { MessagePort, Transferable } from "node:worker_threads";
import { fail } from "cairn";
import { mailbox } from "./mailbox.ts";
import type { ArgsOf, ResultOf } from "./operation.ts";
import type { AllOperations } from "./operations.ts";
import { type Answer, type Request, receiveFailure } from "./writer-protocol.ts";

export interface WriterClient {
	/** Resolves once it is committed. */
	readonly write: <Name extends keyof AllOperations>(
		operation: Name,
		args: ArgsOf<AllOperations, Name>,
		transfer?: readonly Transferable[],
	) => Promise<ResultOf<AllOperations, Name>>;
	/** See `Storage`. */
	readonly onWritten: (listener: () => void) => () => void;
	/** Refuses what comes after and resolves when all that came before is answered. */
	readonly drain: () => Promise<void>;
	/** Rejects whatever waits for an answer that will not come. */
	readonly breakOff: (why: string) => void;
}

interface Waiting {
	readonly resolve: (result: unknown) => void;
	readonly reject: (reason: Error) => void;
}

export function writerClient(port: MessagePort): WriterClient {
	const waiting = new Map<number, Waiting>();
	const listeners = new Set<() => void>();
	let lastId = 0;
	let ended: string | null = null;
	let drained: (() => void) | null = null;

	const outgoing = mailbox<Request>(port, ({ id }, why) => {
		waiting.get(id)?.reject(why instanceof Error ? why : new Error(String(why)));
		waiting.delete(id);
		if (waiting.size === 0) drained?.();
	});

	port.on("message", (answers: readonly Answer[]) => {
		if (answers.length === 0) for (const listener of listeners) listener();
		for (const answer of answers) {
			const asker = waiting.get(answer.id);
			waiting.delete(answer.id);
			if (answer.ok) asker?.resolve(answer.result);
			else asker?.reject(receiveFailure(answer.failure));
		}
		if (waiting.size === 0) drained?.();
	});

	return {
		write(operation, args, transfer) {
			if (ended !== null) return Promise.reject(fail("STORAGE_UNREACHABLE", ended));
			const id = ++lastId;
			return new Promise((resolve, reject) => {
				// The answer to this id is the result of this operation: nothing else has the number.
				waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
				outgoing.put({ id, operation, args }, transfer);
			});
		},
		onWritten(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async drain() {
			ended ??= "it is closed";
			if (waiting.size > 0) await new Promise<void>((resolve) => (drained = resolve));
			port.close();
		},
		breakOff(why) {
			ended = why;
			for (const { reject } of waiting.values()) reject(fail("STORAGE_UNREACHABLE", why));
			waiting.clear();
			drained?.();
		},
	};
}
