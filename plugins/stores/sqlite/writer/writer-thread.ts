/** Starts, controls and ends the writer thread. */

import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { ServiceError } from "cairn-memory";
import { askedThread } from "../threads/asked-thread.ts";
import type { Control, WriterData } from "./writer-protocol.ts";

export interface WriterThread {
	/** A new port to the writer. It may be passed to another thread. */
	readonly connect: () => MessagePort;
	readonly migrate: () => Promise<void>;
	/** Copies the whole write-ahead log into the database and truncates it. @returns false if a reader prevented that. */
	readonly emptyLog: () => Promise<boolean>;
	/** Has the writer read every page anew that it wants next. */
	readonly dropCache: () => Promise<void>;
	/** Ends the thread when everything that was sent before is written. */
	readonly close: () => Promise<void>;
	/** Resolves with the reason when the thread has ended. */
	readonly ended: Promise<ServiceError>;
}

export function startWriter(data: WriterData): WriterThread {
	const thread = askedThread({ script: new URL("./writer.ts", import.meta.url), data, name: "the writer" });

	function ask<Result = void>(kind: "migrate" | "close" | "empty-log" | "drop-cache"): Promise<Result> {
		return thread.ask((id) => thread.post({ kind, id } satisfies Control));
	}

	return {
		connect() {
			const { port1, port2 } = new MessageChannel();
			thread.post({ kind: "connect", port: port2 } satisfies Control, [port2]);
			return port1;
		},
		migrate: () => ask("migrate"),
		emptyLog: () => ask("empty-log"),
		dropCache: () => ask("drop-cache"),
		async close() {
			await Promise.race([ask("close"), thread.ended]).catch(() => undefined);
			await thread.terminate();
		},
		ended: thread.ended,
	};
}
