/**
 * Chroma as a server of its own over HTTP, from its package. It ranks no words: texts that hold a word of the question are ranked by their
 * vectors, and fused with the nearest of all, which is how its documentation combines `where_document` with a query.
 * Its server starts here unless one runs already: its package needs glibc 2.39, and no other peer does.
 */

import { createServer } from "node:net";
import { join } from "node:path";
import { batchesOf, best, candidates, type Filter, fused, type Peer, type Question, wordsOf } from "./peer.ts";

interface QueryOptions {
	readonly queryEmbeddings: readonly (readonly number[])[];
	readonly nResults: number;
	readonly include: readonly string[];
	readonly where?: object;
	readonly whereDocument?: object;
}
interface Collection {
	readonly add: (rows: {
		readonly ids: readonly string[];
		readonly documents: readonly string[];
		readonly embeddings: readonly (readonly number[])[];
		readonly metadatas: readonly object[];
	}) => Promise<void>;
	readonly query: (options: QueryOptions) => Promise<{ readonly ids: readonly (readonly string[])[] }>;
}
interface Client {
	readonly heartbeat: () => Promise<number>;
	readonly createCollection: (options: object) => Promise<Collection>;
	readonly deleteCollection: (options: { readonly name: string }) => Promise<void>;
}
interface Chroma {
	readonly ChromaClient: new (options: { readonly host: string; readonly port: number; readonly ssl: false }) => Client;
}

const batch = 1_000;
const patienceMs = 60_000;

/** @param running the port of a server on this machine that runs already */
export async function openChroma(module: unknown, folder: string, running: number | null): Promise<Peer> {
	const port = running ?? (await freePort());
	const server = running === null ? startServer(folder, port) : null;
	const client = new (module as Chroma).ChromaClient({ host: "127.0.0.1", port, ssl: false });
	await answers(client);
	const name = `passages-${process.pid}`;
	const collection = await client.createCollection({ name, embeddingFunction: null, configuration: { hnsw: { space: "cosine" } } });
	const query = async ({ vector }: Question, filter: Filter, nResults: number, words: readonly string[] = []): Promise<readonly string[]> => {
		const { ids } = await collection.query({
			queryEmbeddings: [Array.from(vector)],
			nResults,
			include: ["distances"],
			...(filter === null ? {} : { where: filter }),
			...(words.length === 0 ? {} : { whereDocument: containing(words) }),
		});
		return ids[0] ?? [];
	};
	return {
		name: "Chroma",
		fill: async (passages) => {
			for (const rows of batchesOf(passages, batch))
				await collection.add({
					ids: rows.map(({ id }) => id),
					documents: rows.map(({ text }) => text),
					embeddings: rows.map(({ vector }) => Array.from(vector)),
					metadatas: rows.map(({ tag, category }) => ({ tag, category })),
				});
		},
		hybrid: async (question, filter) =>
			fused(...(await Promise.all([query(question, filter, candidates), query(question, filter, candidates, wordsOf(question.text))]))),
		nearest: (question, filter) => query(question, filter, best),
		[Symbol.asyncDispose]: async () => {
			await client.deleteCollection({ name });
			server?.kill();
			await server?.exited;
		},
	};
}

function startServer(folder: string, port: number) {
	const program = join(import.meta.dir, "node_modules/chromadb/dist/cli.mjs");
	return Bun.spawn([process.execPath, program, "run", "--path", folder, "--host", "127.0.0.1", "--port", String(port)], {
		stdout: "ignore",
		stderr: "inherit",
	});
}

function containing(words: readonly string[]): object {
	const each = words.map((word) => ({ $contains: word }));
	return each.length === 1 ? (each[0] ?? {}) : { $or: each };
}

async function answers(client: Client): Promise<void> {
	for (const end = performance.now() + patienceMs; ; await Bun.sleep(100)) {
		try {
			await client.heartbeat();
			return;
		} catch (cause) {
			if (performance.now() > end) throw new Error("Chroma did not start", { cause });
		}
	}
}

/** Chroma has no way to say which port it took. */
async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
	const address = server.address();
	await new Promise((closed) => server.close(closed));
	if (address === null || typeof address === "string") throw new Error("no port is free");
	return address.port;
}
