/**
 * Starts the thread that reads what takes long, asks it, and ends it: parts of very long texts, of which SQLite takes the
 * whole in hand, 40 ms for 32 MB that lie on the disk; and what goes through all rows of a large organisation. Nobody who is
 * answered here meanwhile shall wait for that.
 */

import type { SQLQueryBindings } from "bun:sqlite";
import { Worker } from "node:worker_threads";
import { fail } from "cairn";
import { type PostedFailure, receiveFailure } from "./writer-protocol.ts";

export interface Question {
	readonly sql: string;
	readonly params: readonly SQLQueryBindings[];
}

export interface AsideReaderData {
	/** The database. */
	readonly file: string;
}

export type Asked = { readonly id: number; readonly want: "part" | "rows" } & Question;
export type AsideAnswer =
	/** Rows as JSON: it is handed from thread to thread in half the time that its objects take. */
	| { readonly id: number; readonly ok: true; readonly found: Uint8Array | string | null }
	| { readonly id: number; readonly ok: false; readonly failure: PostedFailure };

export interface AsideThread {
	/** The bytes in `part` of the first row. Null where the statement answers no row. */
	readonly read: (asked: Question) => Promise<Uint8Array | null>;
	/** All rows, of texts and numbers only. */
	readonly all: <Row>(asked: Question) => Promise<readonly Row[]>;
	readonly close: () => Promise<void>;
}

interface Waiting {
	readonly resolve: (found: Uint8Array | string | null) => void;
	readonly reject: (reason: Error) => void;
}

/** It is asked seldom, and takes 20 MB: it ends when nobody has for so long. */
const idleMs = 10_000;

export function asideThread(data: AsideReaderData): AsideThread {
	const waiting = new Map<number, Waiting>();
	let reader: Worker | null = null;
	let resting: ReturnType<typeof setTimeout> | undefined;
	let lastId = 0;
	let isClosed = false;

	function start(): Worker {
		const started = new Worker(new URL("./aside-reader.ts", import.meta.url), { workerData: data });
		started.on("message", (answer: AsideAnswer) => {
			const asker = waiting.get(answer.id);
			waiting.delete(answer.id);
			if (answer.ok) asker?.resolve(answer.found);
			else asker?.reject(receiveFailure(answer.failure));
			if (waiting.size === 0) rest();
		});
		started.on("error", (thrown) => giveUp(started, `reading aside failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`));
		started.on("exit", () => giveUp(started, "the thread that reads aside has ended"));
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

	function ask(want: Asked["want"], { sql, params }: Question): Promise<Uint8Array | string | null> {
		if (isClosed) return Promise.reject(fail("STORAGE_UNREACHABLE", "it is closed"));
		clearTimeout(resting);
		const id = ++lastId;
		reader ??= start();
		reader.postMessage({ id, want, sql, params } satisfies Asked);
		return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
	}

	return {
		read: async (asked) => {
			const part = await ask("part", asked);
			return typeof part === "string" ? null : part;
		},
		all: async <Row>(asked: Question) => JSON.parse(String(await ask("rows", asked))) as readonly Row[],
		async close() {
			isClosed = true;
			await end();
		},
	};
}
