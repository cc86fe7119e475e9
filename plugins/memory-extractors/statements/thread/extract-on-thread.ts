/** The thread that reads documents beside another one, see `createExtraction`. It reads one after another, so that it holds what one needs. */

import { parentPort, workerData } from "node:worker_threads";
import type { MemoryDraft } from "cairn-memory";
import { extractMemories } from "../extract-memories.ts";
import type { Options } from "../options.ts";
import type { Answer, Request } from "./extraction.ts";

const chosenOptions: Options = workerData;
const stopping = new Map<number, AbortController>();
let turn = Promise.resolve();

parentPort?.on("message", (request: Request) => {
	if (request === "close") turn = turn.then(() => parentPort?.close());
	else if ("stop" in request) stopping.get(request.stop)?.abort();
	else {
		stopping.set(request.id, new AbortController());
		turn = turn.then(() => answer(request));
	}
});

async function answer({ id, input }: Extract<Request, { readonly input: unknown }>): Promise<void> {
	const { signal } = stopping.get(id) ?? new AbortController();
	let drafts: readonly MemoryDraft[] | null = null;
	try {
		signal.throwIfAborted();
		drafts = await extractMemories(input, chosenOptions, signal);
	} catch {
		// Whoever asked reads the document itself, and gets the error.
	}
	stopping.delete(id);
	parentPort?.postMessage({ id, drafts } satisfies Answer);
}
