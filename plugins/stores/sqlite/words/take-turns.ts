/** Schedules requests round-robin by caller: a caller with many requests delays others by one of its requests at most. */

export interface Turns<Request> {
	readonly put: (caller: string, request: Request) => void;
}

/** @param begin starts a request. Its synchronous part is one turn; while it waits, others have their turns. */
export function takeTurns<Request>(begin: (request: Request) => void): Turns<Request> {
	/** Waiting requests by caller. The caller whose turn is next comes first. */
	const waiting = new Map<string, Request[]>();
	let isRunning = false;

	function next(): void {
		const [turn] = waiting;
		if (turn === undefined) {
			isRunning = false;
			return;
		}
		const [caller, queue] = turn;
		const request = queue.shift();
		waiting.delete(caller);
		if (queue.length > 0) waiting.set(caller, queue);
		// Messages that have arrived in the meantime are queued before the next turn.
		setImmediate(next);
		if (request !== undefined) begin(request);
	}

	return {
		put: (caller, request) => {
			const queue = waiting.get(caller);
			if (queue === undefined) waiting.set(caller, [request]);
			else queue.push(request);
			if (isRunning) return;
			isRunning = true;
			next();
		},
	};
}
