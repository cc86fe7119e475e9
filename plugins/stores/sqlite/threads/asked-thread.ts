/** Questions to another thread, from the side that asks. When the thread ends, pending questions are rejected. */

import { type Transferable, Worker } from "node:worker_threads";
import { fail, type ServiceError } from "cairn-memory";
import { type Answer, asStorageError } from "../writer/writer-protocol.ts";
import { type Questions, questions } from "./questions.ts";
import { demandSpareFiles } from "./spare-files.ts";

export interface AskedThread extends Pick<Questions, "ask"> {
	readonly post: (message: unknown, transfer?: readonly Transferable[]) => void;
	/** Resolves when it has begun, or ended instead. */
	readonly online: Promise<void>;
	/** Resolves when it has ended, with the reason. */
	readonly ended: Promise<ServiceError>;
	/** Ends it, whatever it does. */
	readonly terminate: () => Promise<void>;
}

export interface AskedThreadOptions {
	readonly script: URL;
	readonly data: unknown;
	/** `the writer`, for the error when it has ended. */
	readonly name: string;
	/** What it says without being asked. */
	readonly onNotice?: (notice: unknown) => void;
	readonly onIdle?: () => void;
}

/** @throws the system's `EMFILE` where no files are left */
export function askedThread({ script, data, name, onNotice, onIdle }: AskedThreadOptions): AskedThread {
	demandSpareFiles();
	const worker = new Worker(script, { workerData: data });
	const open = questions(onIdle);
	const online = Promise.withResolvers<void>();
	const ended = Promise.withResolvers<ServiceError>();

	function end(why: ServiceError): void {
		open.end(why);
		online.resolve();
		ended.resolve(why);
	}

	worker.once("online", () => online.resolve());
	worker.on("message", (message: unknown) => (isAnswer(message) ? open.settle(message) : onNotice?.(message)));
	// One of these answers cannot be read, and it is unknown whose it is.
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
		ask: open.ask,
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
