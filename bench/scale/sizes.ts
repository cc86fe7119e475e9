/**
 * What a chunk takes on the disk of PostgreSQL: `bun bench/scale/sizes.ts --data FOLDER --url postgres://… [--minutes 20]`, a folder of
 * collections in the form of BEIR and an empty database. Documents of some 20 kilobytes, made of texts that a seed draws from the
 * collections, are added for as long as it is told; then the sizes of the tables and of their indexes are printed per chunk.
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import postgres from "postgres";
import { wholeText } from "../../server/evaluation/collection.ts";
import { isCollection, readCollection } from "../../server/evaluation/read-collection.ts";
import { seededRandom } from "../../test/contract/samples.ts";
import { key, startServer, temporaryFolder } from "../server.ts";

const { values: given } = parseArgs({ options: { data: { type: "string" }, url: { type: "string" }, minutes: { type: "string", default: "20" } } });
const { data, url } = given;
if (data === undefined || url === undefined) {
	console.error("usage: bun bench/scale/sizes.ts --data FOLDER --url postgres://user@host/database [--minutes 20]");
	process.exit(1);
}
const seed = 20_261_123;
const charactersEach = 20_000;
const documentsPerRequest = 20;
/** So many wait at most, so that adding ends when the time does. */
const waitingMax = 100;
const lookMs = 15_000;

const random = seededRandom(seed);
const names = readdirSync(data).filter((name) => isCollection(join(data, name)));
const collections = await Promise.all(names.map((name) => readCollection(join(data, name))));
const texts = collections.flatMap(({ documents }) => documents.map(wholeText).filter((text) => text.trim() !== ""));
const database = postgres(url, { max: 1 });
await using folder = await temporaryFolder();
const server = await startServer(folder.path, [], { CAIRN_STORAGE_URL: url }, undefined, false);
try {
	const began = performance.now();
	while (performance.now() - began < Number(given.minutes) * 60_000) {
		if ((await waiting()) >= waitingMax) {
			await Bun.sleep(200);
			continue;
		}
		await add(Array.from({ length: documentsPerRequest }, content));
	}
	while ((await waiting()) > 0) await Bun.sleep(500);
	const seconds = (performance.now() - began) / 1_000;
	await settled();
	await database`VACUUM ANALYZE`;
	await report(seconds);
} finally {
	await database.end();
	await server.stop();
}

function content(): string {
	let text = "";
	while (text.length < charactersEach) text += `${texts[Math.floor(random() * texts.length)]}\n\n`;
	return text;
}

async function add(contents: readonly string[]): Promise<void> {
	const response = await fetch(`${server.address}/v3/documents/batch`, {
		method: "POST",
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		body: JSON.stringify({ documents: contents.map((each) => ({ content: each, taskType: "superrag" })) }),
	});
	if (!response.ok) throw new Error(`adding answered ${response.status}: ${await response.text()}`);
}

async function waiting(): Promise<number> {
	const [row] = await database`SELECT count(*)::int AS count FROM jobs WHERE task = 'ingest'`;
	return Number(row?.["count"]);
}

/** Waits until both indexes hold every chunk. */
async function settled(): Promise<void> {
	for (;;) {
		const rows = await database`SELECT kind, entries, (SELECT count(*) FROM chunks) AS chunks FROM index_collections WHERE name LIKE 'chunk-%'`;
		if (rows.length === 2 && rows.every((row) => Number(row["entries"]) >= Number(row["chunks"]))) return;
		console.error(rows.map((row) => `${row["kind"]}: ${row["entries"]} of ${row["chunks"]}`).join(", "));
		await Bun.sleep(lookMs);
	}
}

/** Sizes in bytes for each chunk; the table's own with what it keeps aside of long values (TOAST). */
async function report(seconds: number): Promise<void> {
	const [counted] = await database`SELECT (SELECT count(*) FROM chunks)::int AS chunks, (SELECT count(*) FROM documents)::int AS documents,
		(SELECT avg(length(text)) FROM chunks)::int AS characters`;
	const chunks = Number(counted?.["chunks"]);
	console.log(
		`${counted?.["documents"]} documents, ${chunks} chunks of ${counted?.["characters"]} characters on average, ${(chunks / seconds).toFixed(0)} chunks/s\n`,
	);
	console.log("| table | rows | table, bytes per chunk | indexes, bytes per chunk |\n|---|---:|---:|---:|");
	const rows = await database`SELECT relname AS name, reltuples::bigint AS rows, pg_table_size(oid)::bigint AS own, pg_indexes_size(oid)::bigint AS indexes
		FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(oid) DESC`;
	const sum = { own: 0, indexes: 0 };
	for (const row of rows) {
		const [own, indexes] = [Number(row["own"]) / chunks, Number(row["indexes"]) / chunks];
		sum.own += own;
		sum.indexes += indexes;
		if (own + indexes >= 1) console.log(`| \`${row["name"]}\` | ${row["rows"]} | ${own.toFixed(0)} | ${indexes.toFixed(0)} |`);
	}
	console.log(`| all | | ${sum.own.toFixed(0)} | ${sum.indexes.toFixed(0)} |`);
}
