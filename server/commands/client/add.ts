/** `cairn add` adds files, folders, URLs or standard input, and waits until all of them can be found. */

import { realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { WireError } from "../../client/wire-api.ts";
import { type ClientCall, type ClientCommand, failWithUsage } from "./client-command.ts";
import { type Receipt, sendFile } from "./file-document.ts";
import { filesBelow } from "./files-below.ts";
import { createProgressLine } from "./progress-line.ts";

const concurrentRequestsMax = 4;
const pollEveryMs = 250;

interface Source {
	readonly name: string;
	readonly send: () => Promise<Receipt>;
}

interface AddResult {
	readonly name: string;
	readonly id: string | null;
	readonly status: string;
	readonly error: string | null;
}

const addResponse = z.object({ id: z.string() });
const statusResponse = z.object({ status: z.string(), error: z.object({ code: z.string(), message: z.string() }).nullish() });

export const add: ClientCommand = {
	usage: "FILE|DIR|URL|- …",
	description: "adds files, folders, URLs or standard input, and waits until they can be found; a file that was added before is changed, or left as it is",
	options: {
		"no-wait": { type: "boolean", description: "ends as soon as everything is stored" },
		anew: { type: "boolean", description: "adds a document of its own for each file, also for one that was added before" },
	},
	run: async (call) => {
		if (call.args.length === 0) failWithUsage("add", add);
		const sources = (await Promise.all(call.args.map((source) => sourcesOf(source, call)))).flat();
		const progress = createProgressLine(sources.length, call.isTerminal);
		const results = await mapConcurrently(sources, concurrentRequestsMax, async (source) => {
			const result = await addOne(source, call, call.options["no-wait"] !== true);
			progress.step(result.error !== null);
			return result;
		});
		progress.end();
		const failed = results.filter(({ error }) => error !== null);
		for (const { name, error } of failed) call.writeError(`${name}: ${error}`);
		const accepted = results.filter(({ error }) => error === null);
		call.print(
			results,
			accepted.map(({ id, status, name }) => `${id}  ${status}  ${name}`),
		);
		return failed.length === 0 ? 0 : 1;
	},
};

async function sourcesOf(source: string, call: ClientCall): Promise<readonly Source[]> {
	if (source === "-") return [{ name: "standard input", send: async () => sendText(await Bun.stdin.text(), call) }];
	if (/^https?:\/\//.test(source)) return [{ name: source, send: () => sendText(source, call) }];
	const stats = await stat(source).catch(() => null);
	if (stats === null) return [{ name: source, send: () => Promise.reject(new WireError(0, "there is no such file")) }];
	const path = await realpath(source);
	const { api, container, options } = call;
	const isAnew = options["anew"] === true;
	if (!stats.isDirectory()) return [{ name: source, send: () => sendFile({ path, name: basename(source), container, isAnew }, api) }];
	return (await filesBelow(path)).map((name) => ({
		name: join(source, name),
		send: () => sendFile({ path: join(path, name), name, container, isAnew }, api),
	}));
}

async function sendText(content: string, { api, container }: ClientCall): Promise<Receipt> {
	return addResponse.parse(await api.ask("POST", "/v3/documents", { content, ...(container === null ? {} : { containerTag: container }) }));
}

/** Adds one document. If the server rejects it, or ends meanwhile, the error is returned instead of thrown, so that the others are still added. */
async function addOne({ name, send }: Source, call: ClientCall, waitsForEnd: boolean): Promise<AddResult> {
	let id: string | null = null;
	try {
		const receipt = await send();
		id = receipt.id;
		// What was sent now waits in the queue.
		if (receipt.status === "done") return { name, id, status: "unchanged", error: null };
		const { status, error } = waitsForEnd ? await waitUntilFinished(id, call) : { status: "queued", error: null };
		return { name, id, status, error: error == null ? null : `${error.code}: ${error.message}` };
	} catch (thrown) {
		if (!(thrown instanceof WireError)) throw thrown;
		return id === null
			? { name, id, status: "refused", error: thrown.message }
			: { name, id, status: "unknown", error: `stored as ${id}, but not followed: ${thrown.message}` };
	}
}

async function waitUntilFinished(id: string, { api }: ClientCall): Promise<z.output<typeof statusResponse>> {
	for (;;) {
		const document = statusResponse.parse(await api.ask("GET", `/v3/documents/${id}`));
		if (document.status === "done" || document.status === "failed") return document;
		await Bun.sleep(pollEveryMs);
	}
}

async function mapConcurrently<Item, Result>(items: readonly Item[], concurrency: number, work: (item: Item) => Promise<Result>): Promise<readonly Result[]> {
	const results: Result[] = [];
	let next = 0;
	const worker = async () => {
		for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as Item);
	};
	await Promise.all(Array.from({ length: concurrency }, worker));
	return results;
}
