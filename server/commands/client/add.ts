/** `cairn add`: files, folders, addresses, or what comes on standard input; waits until all can be found. */

import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { WireError } from "../../client/wire-api.ts";
import { type ClientCall, type ClientCommand, wronglyCalled } from "./client-command.ts";
import { filesBelow } from "./files-below.ts";
import { createProgressLine } from "./progress-line.ts";

/** Concurrent requests. */
const atOnce = 4;
const pollEveryMs = 250;

interface Source {
	readonly name: string;
	readonly send: () => Promise<string>;
}

interface Added {
	readonly name: string;
	readonly id: string | null;
	readonly status: string;
	readonly error: string | null;
}

const receipt = z.object({ id: z.string() });
const state = z.object({ status: z.string(), error: z.object({ code: z.string(), message: z.string() }).nullish() });

export const add: ClientCommand = {
	words: "FILE|DIR|URL|- …",
	meaning: "adds files, folders, web addresses or standard input, and waits until they can be found",
	options: { "no-wait": { type: "boolean", meaning: "ends as soon as all is stored" } },
	run: async (call) => {
		if (call.words.length === 0) wronglyCalled("add", add);
		const sources = (await Promise.all(call.words.map((word) => sourcesOf(word, call)))).flat();
		const progress = createProgressLine(sources.length, call.isTerminal);
		const added = await inTurns(sources, atOnce, async (source) => {
			const ended = await addOne(source, call, call.options["no-wait"] !== true);
			progress.step(ended.error !== null);
			return ended;
		});
		progress.end();
		const failed = added.filter(({ error }) => error !== null);
		for (const { name, error } of failed) call.writeError(`${name}: ${error}`);
		const kept = added.filter(({ error }) => error === null);
		call.print(
			added,
			kept.map(({ id, status, name }) => `${id}  ${status}  ${name}`),
		);
		return failed.length === 0 ? 0 : 1;
	},
};

async function sourcesOf(word: string, call: ClientCall): Promise<readonly Source[]> {
	if (word === "-") return [{ name: "standard input", send: async () => sendText(await Bun.stdin.text(), call) }];
	if (/^https?:\/\//.test(word)) return [{ name: word, send: () => sendText(word, call) }];
	const found = await stat(word).catch(() => null);
	if (found === null) return [{ name: word, send: () => Promise.reject(new WireError(0, "there is no such file")) }];
	if (!found.isDirectory()) return [fileSource(word, basename(word), call)];
	return (await filesBelow(word)).map((name) => fileSource(join(word, name), name, call));
}

/** @param name relative to the given folder; the rest of the path is not sent */
function fileSource(path: string, name: string, { api, container }: ClientCall): Source {
	const send = async () => {
		const form = new FormData();
		if (container !== null) form.append("containerTag", container);
		form.append("filepath", `/${name}`);
		form.append("file", Bun.file(path), basename(path));
		return receipt.parse(await api.ask("POST", "/v3/documents/file", form)).id;
	};
	return { name: path, send };
}

async function sendText(content: string, { api, container }: ClientCall): Promise<string> {
	return receipt.parse(await api.ask("POST", "/v3/documents", { content, ...(container === null ? {} : { containerTag: container }) })).id;
}

/** A refused document does not stop the others. */
async function addOne({ name, send }: Source, call: ClientCall, waits: boolean): Promise<Added> {
	try {
		const id = await send();
		const { status, error } = waits ? await finished(id, call) : { status: "queued", error: null };
		return { name, id, status, error: error == null ? null : `${error.code}: ${error.message}` };
	} catch (thrown) {
		if (!(thrown instanceof WireError)) throw thrown;
		return { name, id: null, status: "refused", error: thrown.message };
	}
}

async function finished(id: string, { api }: ClientCall): Promise<z.output<typeof state>> {
	for (;;) {
		const seen = state.parse(await api.ask("GET", `/v3/documents/${id}`));
		if (seen.status === "done" || seen.status === "failed") return seen;
		await Bun.sleep(pollEveryMs);
	}
}

async function inTurns<Item, Result>(items: readonly Item[], most: number, work: (item: Item) => Promise<Result>): Promise<readonly Result[]> {
	const results: Result[] = [];
	let next = 0;
	const turn = async () => {
		for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as Item);
	};
	await Promise.all(Array.from({ length: most }, turn));
	return results;
}
