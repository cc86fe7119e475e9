/**
 * A mixed day of a server, again and again: notes and files are added, changed, searched and deleted, memories are forgotten, streams
 * of events opened and closed, pages looked at, and a webhook receives every event. The number of documents stays the same, so that
 * nothing has a reason to grow.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { upload } from "../client.ts";
import { createWriter, type Writer } from "../notes.ts";
import { key, type Server } from "../server.ts";

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const examples = resolve(import.meta.dir, "../../examples/documents");
/** From here on each new document takes the place of the oldest. */
const keptMax = 200;
const streamMs = 4_000;

export interface Work {
	/** How often each thing was done. */
	readonly counts: ReadonlyMap<string, number>;
	/** How many documents were added so far. */
	readonly added: () => number;
	/** Whether the number of documents is steady. */
	readonly isSteady: () => boolean;
	/** Resolves when the last call has ended. */
	readonly stop: () => Promise<void>;
}

export interface Pace {
	/** The pause between two calls, asked before each. */
	readonly everyMs: () => number;
	readonly seed: number;
}

export function startWork(server: Server, { everyMs, seed }: Pace): Work {
	const counts = new Map<string, number>();
	const kept: string[] = [];
	const writer = createWriter(seed);
	const stopping = new AbortController();
	const deeds = deedsOf(server, writer, kept, stopping.signal);
	const working = (async () => {
		for (let turn = 0; !stopping.signal.aborted; turn++) {
			const [name, act] = deeds[turn % deeds.length] as Deed;
			await act();
			counts.set(name, (counts.get(name) ?? 0) + 1);
			await Bun.sleep(everyMs());
		}
	})();
	return {
		counts,
		added: () => (counts.get("add a note") ?? 0) + (counts.get("upload a file") ?? 0),
		isSteady: () => kept.length >= keptMax,
		stop: async () => {
			stopping.abort();
			await working;
		},
	};
}

type Deed = readonly [name: string, act: () => Promise<void>];

function deedsOf(server: Server, writer: Writer, kept: string[], signal: AbortSignal): readonly Deed[] {
	const files = readdirSync(examples)
		// Pictures and scans are read by OCR, which takes most of a core for seconds.
		.filter((name) => /\.(pdf|md|csv|html|json|txt)$/.test(name) && !/scan|README/.test(name))
		.map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(examples, name))) }));
	let uploads = 0;

	async function add(): Promise<void> {
		const { id } = (await call(server, "POST", "/v3/documents", writer.note())) as { readonly id: string };
		await keep(id);
	}

	async function addFile(): Promise<void> {
		const { name, bytes } = files[uploads++ % files.length] as (typeof files)[number];
		await keep(await upload(server, `${uploads}-${name}`, bytes));
	}

	async function keep(id: string): Promise<void> {
		kept.push(id);
		if (kept.length > keptMax) await call(server, "DELETE", `/v3/documents/${kept.shift()}`);
	}

	async function change(): Promise<void> {
		const id = kept[Math.floor(kept.length / 2)];
		if (id !== undefined) await call(server, "PATCH", `/v3/documents/${id}`, { content: writer.note().content });
	}

	async function forget(): Promise<void> {
		const containerTag = writer.containerTag();
		const { memoryEntries = [] } = (await call(server, "POST", "/v4/memories/list", { containerTags: [containerTag], limit: 1 })) as Listed;
		const [memory] = memoryEntries;
		if (memory !== undefined) await call(server, "DELETE", "/v4/memories", { containerTag, id: memory.id });
	}

	const search = async () => void (await call(server, "POST", "/v3/search", { q: writer.question() }));
	const recall = async () =>
		void (await call(server, "POST", "/v4/search", { q: writer.question(), containerTag: writer.containerTag(), searchMode: "hybrid" }));
	const profile = async () => void (await call(server, "POST", "/v4/profile", { containerTag: writer.containerTag() }));
	const pages = async () => {
		for (const path of ["/", "/docs", "/swagger", "/health", "/ready"])
			await (await fetch(`${server.address}${path}`, { headers: { accept: "text/html" } })).arrayBuffer();
	};
	const listen = async () => listenAwhile(server, signal);
	const one: readonly Deed[] = [
		["add a note", add],
		["search documents", search],
		["search memories", recall],
		["change a document", change],
		["upload a file", addFile],
		["search documents", search],
		["add a note", add],
		["forget a memory", forget],
		["read a profile", profile],
		["look at pages", pages],
		["listen to events", listen],
	];
	return one;
}

interface Listed {
	readonly memoryEntries?: readonly { readonly id: string }[];
}

/** Opens a stream and leaves it in the middle, as clients do. It is not waited for. */
async function listenAwhile({ address }: Server, signal: AbortSignal): Promise<void> {
	const leaving = AbortSignal.any([signal, AbortSignal.timeout(streamMs)]);
	const { body } = await fetch(`${address}/v3/events`, { headers, signal: leaving });
	void (async () => {
		for await (const _piece of body ?? []);
	})().catch(() => undefined);
}

/** @throws when the answer is no success; a document that is being processed may refuse a change, and what was just deleted is gone */
async function call({ address }: Server, method: string, path: string, body?: unknown): Promise<unknown> {
	const response = await fetch(`${address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
	const text = await response.text();
	if (!response.ok && response.status !== 404 && response.status !== 409) throw new Error(`${method} ${path}: ${response.status} ${text}`);
	return text === "" ? {} : JSON.parse(text);
}
