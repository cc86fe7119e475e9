/**
 * The pending requests to another thread. When the thread ends, pending and later requests are rejected with the reason. Every thread
 * of this storage is used through this, so that no request can wait for ever.
 */

import type { ServiceError } from "cairn-memory";
import { type Answer, receiveFailure } from "../writer/writer-protocol.ts";

export interface PendingRequests {
	/** Sends a request with a unique id. @returns the result in the answer with that id. */
	readonly ask: <Result>(send: (id: number) => void) => Promise<Result>;
	/** Resolves or rejects the request of an answer. */
	readonly settle: (answer: Answer) => void;
	/** Rejects a request that could not be sent. */
	readonly refuse: (id: number, why: unknown) => void;
	/** Rejects all requests, because there will be no more answers. If it is called again, the first reason stays. */
	readonly end: (why: ServiceError) => void;
	/** Resolves as soon as no request is pending. */
	readonly settled: () => Promise<void>;
}

interface Pending {
	readonly resolve: (result: unknown) => void;
	readonly reject: (reason: unknown) => void;
}

/** @param onIdle called each time when the last pending request was answered. */
export function pendingRequests(onIdle: () => void = () => undefined): PendingRequests {
	const pending = new Map<number, Pending>();
	let lastId = 0;
	let ended: ServiceError | null = null;
	let idle = Promise.withResolvers<void>();

	function take(id: number): Pending | undefined {
		const found = pending.get(id);
		pending.delete(id);
		return found;
	}

	function notifyIfIdle(): void {
		if (pending.size > 0) return;
		idle.resolve();
		idle = Promise.withResolvers();
		onIdle();
	}

	return {
		ask(send) {
			if (ended !== null) return Promise.reject(ended);
			const id = ++lastId;
			return new Promise((resolve, reject) => {
				pending.set(id, { resolve: resolve as Pending["resolve"], reject });
				send(id);
			});
		},
		settle(answer) {
			const request = take(answer.id);
			if (answer.ok) request?.resolve(answer.result);
			else request?.reject(receiveFailure(answer.failure));
			notifyIfIdle();
		},
		refuse(id, why) {
			take(id)?.reject(why);
			notifyIfIdle();
		},
		end(why) {
			ended ??= why;
			for (const { reject } of pending.values()) reject(ended);
			pending.clear();
			notifyIfIdle();
		},
		settled: async () => (pending.size > 0 ? idle.promise : undefined),
	};
}
