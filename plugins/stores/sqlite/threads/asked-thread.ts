/** A thread that answers requests. When it ends, pending requests are rejected. */

import { type Transferable, Worker } from "node:worker_threads";
import { fail, type ServiceError } from "cairn-memory";
import { type Answer, asStorageError } from "../writer/writer-protocol.ts";
import { requireFileHandles } from "./file-handles.ts";
import { type PendingRequests, pendingRequests } from "./pending-requests.ts";

export interface AskedThread extends Pick<PendingRequests, "ask"> {
	readonly post: (message: unknown, transfer?: readonly Transferable[]) => void;
	/** Resolves when the thread runs, or has ended. */
	readonly online: Promise<void>;
	/** Resolves with the reason when the thread has ended. */
	readonly ended: Promise<ServiceError>;
	/** Ends the thread at once, whatever it is doing. */
	readonly terminate: () => Promise<void>;
}

export interface AskedThreadOptions {
	readonly script: URL;
	readonly data: unknown;
	/** For error messages: `the writer`. */
	readonly name: string;
	/** Called for messages that are not answers. */
	readonly onNotice?: (notice: unknown) => void;
	readonly onIdle?: () => void;
}

/** @throws the system's `EMFILE` if no file handles are left. */
export function askedThread({ script, data, name, onNotice, onIdle }: AskedThreadOptions): AskedThread {
	requireFileHandles();
	const worker = new Worker(script, { workerData: data });
	const pending = pendingRequests(onIdle);
	const online = Promise.withResolvers<void>();
	const ended = Promise.withResolvers<ServiceError>();

	function end(why: ServiceError): void {
		pending.end(why);
		online.resolve();
		ended.resolve(why);
	}

	worker.once("online", () => online.resolve());
	worker.on("message", (message: unknown) => (isAnswer(message) ? pending.settle(message) : onNotice?.(message)));
	// An answer could not be read, and it is unknown which request it is for.
	worker.on("messageerror", () => giveUp(new Error("an answer could not be read")));
	worker.on("error", giveUp);
	worker.on("exit", () => end(fail("STORAGE_UNREACHABLE", `${name} has ended`)));

	function giveUp(thrown: unknown): void {
		const error = asStorageError(thrown);
		const reason = thrown instanceof Error ? thrown.message : String(thrown);
		end(error.code === "INTERNAL" ? fail("STORAGE_UNREACHABLE", `${name} failed: ${reason}`).because(thrown) : error);
		void worker.terminate();
	}

	return {
		ask: pending.ask,
		post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
		online: online.promise,
		ended: ended.promise,
		terminate: async () => {
			await worker.terminate();
		},
	};
}

function isAnswer(message: unknown): message is Answer {
	return typeof message === "object" && message !== null && "id" in message && "ok" in message;
}
