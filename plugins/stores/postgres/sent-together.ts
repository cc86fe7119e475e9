/**
 * Sends statements that are asked in the same turn of the event loop on one connection, without waiting for the answers in between. That is
 * one message and one process that wakes up, and a statement is prepared on few connections.
 */

import type { Answer, Query } from "./connection.ts";

/**
 * @param alone runs a statement on any connection
 * @param onOne calls `send` with a connection that runs nothing else until `send` has ended; it rejects if there is none
 */
export function sentTogether(alone: Query, onOne: (send: (query: Query) => Promise<unknown>) => Promise<void>): Query {
	let waiting: ((query: Query) => Promise<void>)[] = [];

	function send(): void {
		const together = waiting;
		waiting = [];
		const [only, ...others] = together;
		if (only !== undefined && others.length === 0) return void only(alone);
		// A statement that fails is told so itself. This failure is that there is no connection.
		onOne((query) => Promise.all(together.map((ask) => ask(query)))).catch((thrown: unknown) => {
			for (const ask of together) void ask(() => Promise.reject(thrown));
		});
	}

	return (sql, params) => {
		const { promise, resolve, reject } = Promise.withResolvers<Answer>();
		if (waiting.push((query) => query(sql, params).then(resolve, reject)) === 1) setImmediate(send);
		return promise;
	};
}
