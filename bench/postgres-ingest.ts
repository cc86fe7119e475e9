/**
 * How many notes of one organisation PostgreSQL takes, while a client shares the cores: `bun bench/postgres-ingest.ts --url postgres://…
 * [--notes 4000] [--checkout FOLDER]`, an empty database, and a clone of another version to compare with.
 */

import { parseArgs } from "node:util";
import { send, unfinished, until } from "./client.ts";
import { createWriter } from "./notes.ts";
import { startServer, temporaryFolder } from "./server.ts";

const { values: given } = parseArgs({ options: { url: { type: "string" }, notes: { type: "string", default: "4000" }, checkout: { type: "string" } } });
if (given.url === undefined) {
	console.error("usage: bun bench/postgres-ingest.ts --url postgres://user@host/database [--notes 4000] [--checkout FOLDER]");
	process.exit(1);
}
const connections = 16;
const lookMs = 1_000;
const patienceMs = 3_600_000;
const seed = 1;

const writer = createWriter(seed);
// Without memories, which are extracted after a note can be found.
const notes = Array.from({ length: Number(given.notes) }, () => ({ ...writer.note(), taskType: "superrag" }));
await using folder = await temporaryFolder();
const server = await startServer(folder.path, [], { CAIRN_STORAGE_URL: given.url }, given.checkout, false);
try {
	const began = performance.now();
	await send(server, notes, connections);
	const acceptedMs = performance.now() - began;
	await until(async () => (await unfinished(server)) === 0, lookMs, patienceMs);
	const doneMs = performance.now() - began;
	const rate = (ms: number) => `${((notes.length * 1_000) / ms).toFixed(0)}/s`;
	console.log(`${notes.length} notes: accepted ${rate(acceptedMs)}, done ${rate(doneMs)}`);
} finally {
	await server.stop();
}
