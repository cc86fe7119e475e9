/** Several threads for long reads, so that the rows of a page do not wait behind a count over a whole organisation. */

import type { Question } from "../../sql/executor.ts";
import type { AsideThread } from "./aside-thread.ts";

/** A read goes to the first of the threads that has the fewest to answer, so the later ones are started only when those before are busy. */
export function asideThreads(threads: readonly AsideThread[]): AsideThread {
	const workers = threads.map((thread) => ({ thread, pending: 0 }));

	async function withLeastBusy<Found>(read: (thread: AsideThread) => Promise<Found>): Promise<Found> {
		const chosen = workers.reduce((best, worker) => (worker.pending < best.pending ? worker : best));
		chosen.pending++;
		try {
			return await read(chosen.thread);
		} finally {
			chosen.pending--;
		}
	}

	return {
		read: (asked) => withLeastBusy((thread) => thread.read(asked)),
		all: <Row>(asked: Question) => withLeastBusy((thread) => thread.all<Row>(asked)),
		close: async () => {
			await Promise.all(threads.map((thread) => thread.close()));
		},
	};
}
