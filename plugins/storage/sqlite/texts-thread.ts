/**
 * Starts the thread that reads parts of very long texts, asks it, and ends it. SQLite takes a whole text in hand for any part
 * of it, 40 ms for 32 MB that lie on the disk: nobody who is answered here meanwhile shall wait for that.
 */

import { Worker } from "node:worker_threads";
import { fail } from "cairn";
import { type PostedFailure, receiveFailure } from "./writer-protocol.ts";

export interface TextPart {
	readonly sql: string;
	readonly params: readonly (string | number)[];
}

export interface TextsReaderData {
	/** The database. */
	readonly file: string;
}

export type AskedPart = TextPart & { readonly id: number };
export type PartAnswer =
	| { readonly id: number; readonly ok: true; readonly part: Uint8Array | null }
	| { readonly id: number; readonly ok: false; readonly failure: PostedFailure };

export interface TextsThread {
	/** Null where the statement answers no row. */
	readonly read: (asked: TextPart) => Promise<Uint8Array | null>;
	readonly close: () => Promise<void>;
}

interface Waiting {
	readonly resolve: (part: Uint8Array | null) => void;
	readonly reject: (reason: Error) => void;
}

/** Few ever ask for such a text, and it takes 20 MB: it ends when nobody has for so long. */
const idleMs = 10_000;

export function textsThread(data: TextsReaderData): TextsThread {
	const waiting = new Map<number, Waiting>();
	let reader: Worker | null = null;
	let resting: ReturnType<typeof setTimeout> | undefined;
	let lastId = 0;
	let isClosed = false;

	function start(): Worker {
		const started = new Worker(new URL("./texts-reader.ts", import.meta.url), { workerData: data });
		started.on("message", (answer: PartAnswer) => {
			const asker = waiting.get(answer.id);
			waiting.delete(answer.id);
			if (answer.ok) asker?.resolve(answer.part);
			else asker?.reject(receiveFailure(answer.failure));
			if (waiting.size === 0) rest();
		});
		started.on("error", (thrown) => giveUp(started, `reading a text failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`));
		started.on("exit", () => giveUp(started, "the thread that reads texts has ended"));
		return started;
	}

	function giveUp(ended: Worker, why: string): void {
		if (reader !== ended) return;
		reader = null;
		for (const { reject } of waiting.values()) reject(fail("STORAGE_UNREACHABLE", why));
		waiting.clear();
	}

	function rest(): void {
		resting = setTimeout(() => {
			const ended = end();
			reader = null;
			return ended;
		}, idleMs);
		resting.unref();
	}

	/** What was asked before is answered first. */
	async function end(): Promise<void> {
		clearTimeout(resting);
		const ended = reader;
		if (ended === null) return;
		const gone = new Promise<void>((resolve) => ended.once("exit", () => resolve()));
		ended.postMessage("close");
		await gone;
	}

	return {
		read: (asked) => {
			if (isClosed) return Promise.reject(fail("STORAGE_UNREACHABLE", "it is closed"));
			clearTimeout(resting);
			const id = ++lastId;
			reader ??= start();
			reader.postMessage({ id, ...asked } satisfies AskedPart);
			return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
		},
		async close() {
			isClosed = true;
			await end();
		},
	};
}
