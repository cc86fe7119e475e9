/**
 * Makes the data folders that `compare.ts` searches, with the server of an older checkout, so that both versions open the
 * same folders: `bun bench/before-after/make-folders.ts FOLDER --checkout OLD [--texts FILE] [name …]`. FILE holds text of any
 * kind; without it the texts are made up. A folder that is there is left as it is.
 */

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { drained, post, send, unfinished, until } from "../client.ts";
import { createWriter } from "../notes.ts";
import { type Server, startServer } from "../server.ts";

const chunks = 100_000;
const tags = 1_000;
const categories = 20;
const batch = 200;
const connections = 4;
const notes = 10_000;
const longDocuments = [3, 3.5, 4, 4.5, 5];
const wordsPerChunk = 91;
const hourMs = 3_600_000;

const { values, positionals } = parseArgs({
	args: process.argv.slice(2),
	options: { checkout: { type: "string" }, texts: { type: "string" } },
	allowPositionals: true,
});
const [folder, ...wanted] = positionals;
if (folder === undefined || values.checkout === undefined) throw new Error("say the folder to make, and --checkout for the version that makes it");
const paragraphs = values.texts === undefined ? generated() : cutTo(readFileSync(values.texts, "utf8").split(/\s+/), wordsPerChunk);

await make("memories", async (server) => {
	const writer = createWriter(1);
	await send(
		server,
		Array.from({ length: notes }, () => writer.note()),
		16,
	);
});
await make("long", async (server) => {
	for (const [at, megabytes] of longDocuments.entries()) {
		const content = longText(at, megabytes * 1e6);
		await post(server, "/v3/documents", { content, customId: `long-${at}`, taskType: "superrag" });
	}
});
await make("chunks", async (server) => {
	let next = 0;
	const connection = async () => {
		for (let start = next++ * batch; start < chunks; start = next++ * batch) {
			const documents = Array.from({ length: Math.min(batch, chunks - start) }, (_, i) => document(start + i));
			await post(server, "/v3/documents/batch", { documents, taskType: "superrag" });
		}
	};
	await Promise.all(Array.from({ length: connections }, connection));
});

async function make(name: string, fill: (server: Server) => Promise<void>): Promise<void> {
	const path = resolve(folder ?? "", name);
	if (existsSync(path) || (wanted.length > 0 && !wanted.includes(name))) return;
	const server = await startServer(path, [], {}, resolve(values.checkout ?? ""));
	try {
		await fill(server);
		await until(async () => (await unfinished(server)) === 0, 1_000, hourMs);
		await drained(server, hourMs);
		// The index files are made in the background, and a search reads what they lack.
		await Bun.sleep(30_000);
		console.error(`${name}: made`);
	} finally {
		await server.stop();
	}
}

function document(at: number) {
	return {
		content: paragraphs[at % paragraphs.length] ?? "",
		customId: `chunk-${at}`,
		containerTag: `tag-${at % tags}`,
		metadata: { category: `c${at % categories}`, number: at },
		taskType: "superrag",
	};
}

function longText(seed: number, characters: number): string {
	let text = "";
	for (let at = seed * 15_000; text.length < characters; at++) text += `${paragraphs[at % paragraphs.length]}\n\n`;
	return text;
}

function generated(): readonly string[] {
	const writer = createWriter(7);
	const words: string[] = [];
	while (words.length < chunks * wordsPerChunk) words.push(...writer.note().content.split(/\s+/));
	return cutTo(words, wordsPerChunk);
}

function cutTo(words: readonly string[], length: number): readonly string[] {
	const cut: string[] = [];
	for (let start = 0; start + length <= words.length && cut.length < chunks; start += length) cut.push(words.slice(start, start + length).join(" "));
	return cut;
}
