/** Starts the writer thread and speaks to it: connects ports to it, migrates by it, ends it. */

import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { fail } from "cairn";
import { type Answer, type Control, receiveFailure, type WriterData } from "./writer-protocol.ts";

export interface WriterThread {
	/** A new line to the writer. It may be handed to another thread. */
	readonly connect: () => MessagePort;
	readonly migrate: () => Promise<void>;
	/** After everything that was sent before is written. */
	readonly close: () => Promise<void>;
	/** Resolves with the reason should the thread end by itself. */
	readonly broken: Promise<string>;
}

export function startWriter(data: WriterData): WriterThread {
	const worker = new Worker(new URL("./writer.ts", import.meta.url), { workerData: data });
	const waiting = new Map<number, { readonly resolve: () => void; readonly reject: (reason: Error) => void }>();
	let lastId = 0;

	const broken = new Promise<string>((resolve) => {
		worker.on("error", (error) => resolve(`the writer failed: ${error instanceof Error ? error.message : String(error)}`));
		worker.on("exit", () => resolve("the writer has ended"));
	});
	broken.then((why) => {
		for (const { reject } of waiting.values()) reject(fail("STORAGE_UNREACHABLE", why));
		waiting.clear();
	});

	worker.on("message", (answer: Answer) => {
		const asker = waiting.get(answer.id);
		waiting.delete(answer.id);
		if (answer.ok) asker?.resolve();
		else asker?.reject(receiveFailure(answer.failure));
	});

	function ask(kind: "migrate" | "close"): Promise<void> {
		const id = ++lastId;
		const control: Control = { kind, id };
		return new Promise((resolve, reject) => {
			waiting.set(id, { resolve, reject });
			worker.postMessage(control);
		});
	}

	return {
		connect() {
			const { port1, port2 } = new MessageChannel();
			const control: Control = { kind: "connect", port: port2 };
			worker.postMessage(control, [port2]);
			return port1;
		},
		migrate: () => ask("migrate"),
		async close() {
			await ask("close");
			await worker.terminate();
		},
		broken,
	};
}
