/**
 * Starts the thread that reads what takes long, asks it, and ends it: parts of very long texts, of which SQLite takes the
 * whole in hand, 40 ms for 32 MB that lie on the disk; and what goes through all rows of a large organisation. Nobody who is
 * answered here meanwhile shall wait for that.
 */

import { fail } from "cairn-memory";
import type { LongReads, Question } from "../../sql/executor.ts";
import { type AskedThread, askedThread } from "./asked-thread.ts";

export interface AsideReaderData {
	/** The database. */
	readonly file: string;
}

export type Asked = { readonly id: number; readonly want: "part" | "rows" } & Question;
export interface AsideThread extends LongReads {
	readonly close: () => Promise<void>;
}

/** It is used rarely and takes 20 MB, so it ends after this long without a question. */
const idleMs = 10_000;

export function asideThread(data: AsideReaderData): AsideThread {
	let reader: AskedThread | null = null;
	let resting: ReturnType<typeof setTimeout> | undefined;
	let isClosed = false;

	function start(): AskedThread {
		const started = askedThread({
			script: new URL("./aside-reader.ts", import.meta.url),
			data,
			name: "the thread that reads aside",
			onIdle: () => reader === started && rest(),
		});
		started.ended.then(() => {
			if (reader === started) reader = null;
		});
		return started;
	}

	function rest(): void {
		clearTimeout(resting);
		resting = setTimeout(() => void end(), idleMs);
		resting.unref();
	}

	/** Earlier questions are answered first; later ones go to another thread. */
	async function end(): Promise<void> {
		clearTimeout(resting);
		const ending = reader;
		reader = null;
		ending?.post("close");
		await ending?.ended;
	}

	/** Bytes for a part; rows as JSON: they are handed from thread to thread in half the time that their objects take. */
	async function ask<Found>(want: Asked["want"], { sql, params }: Question): Promise<Found> {
		if (isClosed) throw fail("STORAGE_UNREACHABLE", "it is closed");
		clearTimeout(resting);
		reader ??= start();
		const thread = reader;
		return thread.ask<Found>((id) => thread.post({ id, want, sql, params } satisfies Asked));
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
