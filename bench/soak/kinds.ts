/** The kinds of work of a server, each for itself: what grows in a loop of one kind grows because of it. Each turn undoes what it has done. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { WebhookReceiver } from "../../test/doubles/webhook-receiver.ts";
import { drained, until, upload } from "../client.ts";
import { createWriter } from "../notes.ts";
import { key, type Server } from "../server.ts";

export interface Kind {
	/** Done once, before the first turn. */
	readonly begin?: () => Promise<void>;
	/** @param lane turns of different lanes run beside each other */
	readonly turn: (lane: number) => Promise<void>;
}

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const root = resolve(import.meta.dir, "../..");
/** How many documents the searches look through. */
const standing = 200;
const fileBytesMax = 60_000;

export function kindsOf(server: Server, receiver: WebhookReceiver): Readonly<Record<string, Kind>> {
	const writer = createWriter(7);
	const files = smallFiles();
	let turns = 0;

	const ask = async (method: string, path: string, body?: unknown, more: Readonly<Record<string, string>> = {}) => {
		const response = await fetch(`${server.address}${path}`, {
			method,
			headers: { ...headers, ...more },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok && response.status !== 404 && response.status !== 409) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
		return text === "" ? {} : JSON.parse(text);
	};
	const add = async (fields: object) => ((await ask("POST", "/v3/documents", { ...writer.note(), ...fields })) as { readonly id: string }).id;
	const remove = (id: string) => ask("DELETE", `/v3/documents/${id}`);
	const ended = (id: string) => until(async () => /done|failed/.test((await ask("GET", `/v3/documents/${id}`)).status), 20, 60_000);
	let isFilled = false;
	const fill = async () => {
		if (isFilled) return;
		isFilled = true;
		for (let i = 0; i < standing; i++) await add({});
		await drained(server, 120_000);
	};
	const remember = async (containerTag: string, more = {}) => {
		const { memories } = (await ask("POST", "/v4/memories", { containerTag, memories: [{ content: writer.note().content.slice(0, 200) }] }, more)) as {
			readonly memories: readonly { readonly id: string }[];
		};
		await ask("DELETE", "/v4/memories", { containerTag, id: memories[0]?.id });
	};
	const tool = (name: string, args: object) =>
		ask(
			"POST",
			"/mcp",
			{ jsonrpc: "2.0", id: ++turns, method: "tools/call", params: { name, arguments: args } },
			{ accept: "application/json, text/event-stream" },
		);

	return {
		plain: { turn: async () => void (await ask("POST", "/", writer.note())) },
		notes: {
			turn: async (lane) => {
				const id = await add({ customId: `note-${lane}`, containerTag: `lane-${lane}` });
				await ended(id);
				await remove(id);
			},
		},
		"notes and searches": {
			turn: async (lane) => {
				const id = await add({ customId: `note-${lane}`, containerTag: `lane-${lane}` });
				await ended(id);
				await ask("POST", "/v3/search", { q: writer.question() });
				await ask("POST", "/v4/search", { q: writer.question(), containerTag: `lane-${lane}` });
				await remove(id);
			},
		},
		files: {
			turn: async () => {
				const { name, bytes } = files[turns++ % files.length] as (typeof files)[number];
				const id = await upload(server, `${turns}-${name}`, bytes);
				await ended(id);
				await remove(id);
			},
		},
		"search documents": { begin: fill, turn: async () => void (await ask("POST", "/v3/search", { q: writer.question() })) },
		"search memories": {
			begin: fill,
			turn: async () => void (await ask("POST", "/v4/search", { q: writer.question(), containerTag: writer.containerTag(), searchMode: "hybrid" })),
		},
		profile: { begin: fill, turn: async () => void (await ask("POST", "/v4/profile", { containerTag: writer.containerTag(), q: writer.question() })) },
		memories: { turn: (lane) => remember(`lane-${lane}`) },
		"idempotent posts": {
			turn: async (lane) => {
				const number = ++turns;
				for (let again = 0; again < 2; again++)
					await ask("PATCH", `/v3/container-tags/lane-${lane}`, { name: `name ${number}` }, { "idempotency-key": `key-${number}` });
			},
		},
		containers: {
			turn: async () => {
				const tag = `tag-${++turns}`;
				await ask("PATCH", `/v3/container-tags/${tag}`, { name: tag, entityContext: writer.note().content.slice(0, 300) });
				await ask("DELETE", `/v3/container-tags/${tag}`);
			},
		},
		"event streams": { turn: () => openAndLeave(server) },
		mcp: {
			begin: fill,
			turn: async () => {
				await ask("POST", "/mcp", { jsonrpc: "2.0", id: ++turns, method: "tools/list" }, { accept: "application/json, text/event-stream" });
				await tool("search_memory", { query: writer.question() });
			},
		},
		webhooks: {
			begin: async () => {
				await fetch(`${server.address}/v3/webhooks`, { method: "POST", headers, body: JSON.stringify({ url: receiver.url }) });
			},
			turn: async (lane) => {
				await remember(`lane-${lane}`);
				(receiver.received as unknown[]).length = 0;
			},
		},
		pages: {
			turn: async () => {
				for (const path of ["/", "/docs", "/health", "/ready"])
					await (await fetch(`${server.address}${path}`, { headers: { accept: "text/html" } })).arrayBuffer();
			},
		},
	};
}

/** Reads the first heartbeat and leaves. */
async function openAndLeave({ address }: Server): Promise<void> {
	const leaving = new AbortController();
	const { body } = await fetch(`${address}/v3/events`, { headers, signal: leaving.signal });
	await body?.getReader().read();
	leaving.abort();
}

/** One or more of each kind, without those that are read by OCR. */
function smallFiles() {
	return [join(root, "examples/documents"), join(root, "test/fixtures/extractors")].flatMap((folder) =>
		readdirSync(folder)
			.filter((name) => /\.(pdf|md|csv|tsv|html|json|ndjson|txt)$/.test(name) && !/scan|README|mixed|blank|encrypted/.test(name))
			.map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }))
			.filter(({ bytes }) => bytes.length < fileBytesMax),
	);
}
