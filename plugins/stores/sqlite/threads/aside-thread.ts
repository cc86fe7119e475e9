/**
 * Starts, uses and ends the thread for long reads, so that they do not block the thread that answers requests: parts of very long
 * texts, which SQLite reads as a whole (40 ms for 32 MB on the disk), and scans of all rows of a large organisation.
 */

import { fail } from "cairn-memory";
import type { LongReads, Question } from "../../sql/executor.ts";
import { type AskedThread, askedThread } from "./asked-thread.ts";

export interface AsideReaderData {
	/** The path of the database. */
	readonly file: string;
}

export type AsideRequest = { readonly id: number; readonly want: "part" | "rows" } & Question;
export interface AsideThread extends LongReads {
	readonly close: () => Promise<void>;
}

/** The thread is used rarely and takes 20 MB, so it ends after this time without a request. */
const idleMs = 10_000;

export function asideThread(data: AsideReaderData): AsideThread {
	let reader: AskedThread | null = null;
	let idleTimer: ReturnType<typeof setTimeout> | undefined;
	let isClosed = false;

	function start(): AskedThread {
		const started = askedThread({
			script: new URL("./aside-reader.ts", import.meta.url),
			data,
			name: "the thread for long reads",
			onIdle: () => reader === started && endWhenIdle(),
		});
		started.ended.then(() => {
			if (reader === started) reader = null;
		});
		return started;
	}

	function endWhenIdle(): void {
		clearTimeout(idleTimer);
		idleTimer = setTimeout(() => void end(), idleMs);
		idleTimer.unref();
	}

	/** Ends the thread after its pending requests. Later requests start a new one. */
	async function end(): Promise<void> {
		clearTimeout(idleTimer);
		const ending = reader;
		reader = null;
		ending?.post("close");
		await ending?.ended;
	}

	/** The result is bytes for a part, and JSON for rows, because posting JSON takes half the time of posting objects. */
	async function ask<Found>(want: AsideRequest["want"], { sql, params }: Question): Promise<Found> {
		if (isClosed) throw fail("STORAGE_UNREACHABLE", "it is closed");
		clearTimeout(idleTimer);
		reader ??= start();
		const thread = reader;
		return thread.ask<Found>((id) => thread.post({ id, want, sql, params } satisfies AsideRequest));
	}

	return {
		read: (asked) => ask<Uint8Array | null>("part", asked),
		all: async <Row>(asked: Question) => JSON.parse(await ask<string>("rows", asked)) as readonly Row[],
		async close() {
			isClosed = true;
			await end();
		},
	};
}
