/**
 * Searches over HTTP on PostgreSQL beside the same on SQLite: `bun bench/postgres-search.ts --data FOLDER --url postgres://… [--documents
 * 400]`, a folder of collections in the form of BEIR and an empty database. Both servers get the same documents, fifty texts each, and are
 * asked the same questions in turn, so that both are measured on the same machine at the same load. At the end the indexes in PostgreSQL are
 * emptied and fed anew from the records.
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { wholeText } from "../server/evaluation/collection.ts";
import { isCollection, readCollection } from "../server/evaluation/read-collection.ts";
import { key, type Server, startServer, temporaryFolder } from "./server.ts";
import { shown, timesOf } from "./times.ts";

const { values: given } = parseArgs({ options: { data: { type: "string" }, url: { type: "string" }, documents: { type: "string", default: "400" } } });
if (given.data === undefined || given.url === undefined) {
	console.error("usage: bun bench/postgres-search.ts --data FOLDER --url postgres://user@host/database [--documents 400]");
	process.exit(1);
}
const textsEach = 50;
const asked = 200;
const warmUp = 40;
const top = 10;
const settledMs = 15_000;
const lookMs = 100;
/** Of the processor time in `/proc`. */
const tickMs = 10;
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

const names = readdirSync(given.data).filter((name) => isCollection(join(given.data ?? "", name)));
const collections = await Promise.all(names.map((name) => readCollection(join(given.data ?? "", name))));
const texts = collections.flatMap(({ documents }) => documents.map(wholeText).filter((text) => text.trim() !== ""));
const questions = collections.flatMap((each) => each.questions.slice(0, Math.ceil((asked + warmUp) / collections.length)).map(({ text }) => text));
const contents = Array.from({ length: Math.min(Number(given.documents), Math.ceil(texts.length / textsEach)) }, (_, i) =>
	texts.slice(i * textsEach, (i + 1) * textsEach).join("\n\n"),
);

const database = postgres(given.url, { max: 1 });
await using folders = new AsyncDisposableStack();
const start = (settings: Readonly<Record<string, string>>, folder: string) => startServer(folder, [], settings, undefined, false);
const onPostgres = { settings: { CAIRN_STORAGE_URL: given.url }, folder: folders.use(await temporaryFolder()).path };
const servers = {
	SQLite: await start({}, folders.use(await temporaryFolder()).path),
	PostgreSQL: await start(onPostgres.settings, onPostgres.folder),
};
try {
	for (const [name, server] of Object.entries(servers)) {
		const began = performance.now();
		await fill(server);
		console.log(`${name}: ${contents.length} documents in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
	}
	const chunks = await indexed();
	console.log(`${chunks} chunks`);
	const took = new Map(Object.keys(servers).map((name) => [name, [] as number[]]));
	const processor = new Map(Object.keys(servers).map((name) => [name, 0]));
	let alike = 0;
	for (const [i, q] of questions.slice(0, asked + warmUp).entries()) {
		const found: string[] = [];
		for (const [name, server] of Object.entries(servers)) {
			// What asks for the processor time is no part of the search.
			const used = processorMs(await pidsOf(name, server));
			const began = performance.now();
			found.push(await search(server, q));
			const ended = performance.now();
			if (i < warmUp) continue;
			took.get(name)?.push(ended - began);
			processor.set(name, (processor.get(name) ?? 0) + processorMs(await pidsOf(name, server)) - used);
		}
		if (i >= warmUp && found[0] === found[1]) alike++;
	}
	for (const [name, times] of took) {
		const each = shown((processor.get(name) ?? 0) / times.length);
		console.log(`${name}: p50 ${shown(timesOf(times).p50)}, p99 ${shown(timesOf(times).p99)}, processor time ${each} a question, ${times.length} questions`);
	}
	const [sqlite, other] = [...took.values()].map((times) => timesOf(times).p50);
	console.log(`p50 ${((other ?? 0) / (sqlite ?? 1)).toFixed(2)}×, the first result is the same for ${alike}`);
	await feedAnew(chunks);
} finally {
	await database.end();
	for (const server of Object.values(servers)) await server.stop();
}

/** The server and, where the database is on this machine, its processes. */
async function pidsOf(name: string, { pid }: Server): Promise<readonly number[]> {
	if (name === "SQLite") return [pid];
	const rows = await database`SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
	return [pid, ...rows.map((row) => Number(row["pid"]))];
}

/** Of processes of this machine on Linux; 0 elsewhere. Linux counts in hundredths of a second, so only sums over many questions mean something. */
function processorMs(pids: readonly number[]): number {
	return pids.reduce((sum, pid) => {
		const file = `/proc/${pid}/stat`;
		if (!existsSync(file)) return sum;
		const fields = readFileSync(file, "utf8").split(") ")[1]?.split(" ") ?? [];
		return sum + (Number(fields[11]) + Number(fields[12])) * tickMs;
	}, 0);
}

async function send(server: Server, path: string, body: unknown): Promise<unknown> {
	const response = await fetch(`${server.address}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
	if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
	return response.json();
}

async function fill(server: Server): Promise<void> {
	for (const [i, content] of contents.entries()) await send(server, "/v3/documents", { content, customId: `d${i}`, taskType: "superrag" });
	for (;;) {
		const { pagination } = (await send(server, "/v3/documents/list", { status: ["done"], limit: 1 })) as { pagination: { totalItems: number } };
		if (pagination.totalItems >= contents.length) return;
		await Bun.sleep(500);
	}
}

/** Prints what it takes to feed both indexes from the records. The graph of a large collection is made beside it, and is not waited for. */
async function feedAnew(chunks: number): Promise<void> {
	await servers.PostgreSQL.stop();
	await database`TRUNCATE index_collections, index_feeders, word_entries, word_terms, word_spellings, vector_entries`;
	servers.PostgreSQL = await start(onPostgres.settings, onPostgres.folder);
	const used = async () => processorMs(await pidsOf("PostgreSQL", servers.PostgreSQL));
	const [usedBefore, began] = [await used(), performance.now()];
	const isFed = async () => {
		const rows = await database`SELECT entries FROM index_collections WHERE name LIKE 'chunk-%'`;
		return rows.length === 2 && rows.every((row) => Number(row["entries"]) >= chunks);
	};
	while (!(await isFed())) await Bun.sleep(lookMs);
	const [tookMs, usedMs] = [performance.now() - began, (await used()) - usedBefore];
	console.log(`fed anew: ${((1_000 * chunks) / tookMs).toFixed(0)} texts a second, ${(usedMs / chunks).toFixed(2)} ms of processor time each`);
}

/** Waits until the indexes stand still. @returns how many chunks they hold. */
async function indexed(): Promise<number> {
	for (let before = ""; ; await Bun.sleep(settledMs)) {
		const rows = await database`SELECT kind, position, entries, graph FROM index_collections WHERE name LIKE 'chunk-%' ORDER BY kind`;
		const now = JSON.stringify(rows);
		if (now === before) return Math.max(...rows.map((row) => Number(row["entries"])));
		before = now;
	}
}

/** @returns the first result. */
async function search(server: Server, q: string): Promise<string> {
	const { results } = (await send(server, "/v3/search", { q, limit: top })) as {
		results: readonly { customId?: string; documentId: string; title?: string }[];
	};
	return results[0]?.title ?? "";
}
