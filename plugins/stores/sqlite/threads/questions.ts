/**
 * What was asked of another thread and is not answered yet. A thread that ends answers nothing more: whoever waits is told
 * why, and so is whoever asks afterwards. Every thread of this storage is asked through this, so that none can keep anybody for ever.
 */

import type { ServiceError } from "cairn-memory";
import { type Answer, receiveFailure } from "../writer/writer-protocol.ts";

export interface Questions {
	/** Sends a question under a number of its own. @returns its answer: nothing else has the number. */
	readonly ask: <Result>(send: (id: number) => void) => Promise<Result>;
	readonly settle: (answer: Answer) => void;
	/** For a question that could not be sent. */
	readonly refuse: (id: number, why: unknown) => void;
	/** There will be no more answers. The first reason stays. */
	readonly end: (why: ServiceError) => void;
	/** Resolves as soon as nothing waits for an answer. */
	readonly settled: () => Promise<void>;
}

interface Waiting {
	readonly resolve: (result: unknown) => void;
	readonly reject: (reason: unknown) => void;
}

/** @param onIdle called each time that the last open question was answered */
export function questions(onIdle: () => void = () => undefined): Questions {
	const waiting = new Map<number, Waiting>();
	let lastId = 0;
	let ended: ServiceError | null = null;
	let idle = Promise.withResolvers<void>();

	function take(id: number): Waiting | undefined {
		const found = waiting.get(id);
		waiting.delete(id);
		return found;
	}

	function tellIfIdle(): void {
		if (waiting.size > 0) return;
		idle.resolve();
		idle = Promise.withResolvers();
		onIdle();
	}

	return {
		ask(send) {
			if (ended !== null) return Promise.reject(ended);
			const id = ++lastId;
			return new Promise((resolve, reject) => {
				waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
				send(id);
			});
		},
		settle(answer) {
			const asker = take(answer.id);
			if (answer.ok) asker?.resolve(answer.result);
			else asker?.reject(receiveFailure(answer.failure));
			tellIfIdle();
		},
		refuse(id, why) {
			take(id)?.reject(why);
			tellIfIdle();
		},
		end(why) {
			ended ??= why;
			for (const { reject } of waiting.values()) reject(ended);
			waiting.clear();
			tellIfIdle();
		},
		settled: async () => (waiting.size > 0 ? idle.promise : undefined),
	};
}
