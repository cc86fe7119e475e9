/**
 * Indexes alone, side by side at a million passages, and on the way at a tenth and at half of them: `npm run bench million`. Cairn's are
 * asked in this process, by both indexes and core's fusion; the records of what they find are in SQLite with either. `BENCH_POSTGRES` is the
 * address of a server with pgvector, for Cairn's tables and for plain SQL, `BENCH_CHROMA` the port of a Chroma server that runs already.
 * `BENCH_PASSAGES`, `BENCH_TEXTS` and `BENCH_QUESTIONS` are as for `peers`. Cairn's tables are fed for `BENCH_FEED_MINUTES` (35) in all, and
 * a size that they cannot reach in that time is measured without them.
 */

import { readdir, stat } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import type { ListedIndexes } from "../../core/indexes/with-indexes.ts";
import staticTable from "../../plugins/embedders/static/index.ts";
import postgresql from "../../plugins/stores/postgres/index.ts";
import { quietHost } from "../../test/contract/quiet-host.ts";
import { partOf, start } from "../../test/contract/start.ts";
import type { Measure } from "../measure.ts";
import { type Row, told } from "../row.ts";
import { temporaryFolder } from "../server.ts";
import { openChroma } from "./chroma.ts";
import { createDatabase, type Database } from "./database.ts";
import { indexesIn, log, type Searches } from "./indexes.ts";
import { packageOf } from "./packages.ts";
import { countOf, everything, passagesOf, questionsOf, wordsPerPassage } from "./passages.ts";
import type { Passage, Peer, Question } from "./peer.ts";
import { openPgvector } from "./pgvector.ts";
import { recallAmong } from "./recall.ts";
import { runRounds, shownFigures } from "./run-rounds.ts";

const count = countOf(1_000_000);
const sizes = [count / 10, count / 2, count];
/** Fewer than the words of a passage, so that less text is enough. */
const stride = 23;
const feedMsMax = Number(process.env["BENCH_FEED_MINUTES"] ?? 35) * 60_000;
/** As many collections as are looked for: one of words and one of vectors. */
const collections = 2;
/** Up to so many vectors PostgreSQL makes no graph. */
const exactMax = 10_000;
const { BENCH_POSTGRES: postgres, BENCH_CHROMA: chroma } = process.env;

interface Engine extends Searches {
	readonly name: string;
	/** What it takes once it was asked. */
	readonly cost: () => Promise<Cost>;
}

/** Null for what cannot be seen from here. */
interface Cost {
	readonly diskBytes: number | null;
	readonly memory: string | null;
}

interface Tables {
	readonly database: Database;
	readonly listed: ListedIndexes;
}

export const million: Measure = async () => {
	const rows: Row[] = [];
	const report = (measure: string, value: string) => {
		console.error(`${measure}: ${value}`);
		rows.push(told(measure, value));
	};
	const embedder = await partOf(staticTable(), "embedder");
	const passages = await passagesOf(embedder, count, stride);
	const questions = await questionsOf(embedder);
	report("passages", `${shownCount(count)} of ${wordsPerPassage} words, each ${stride} words behind the one before, so that they overlap`);
	await using rooms = new AsyncDisposableStack();
	const folder = rooms.use(await temporaryFolder()).path;
	const tables = postgres === undefined ? null : await openTables(rooms, postgres);
	const open = indexesIn(folder, embedder, tables?.listed ?? {});
	const filled = (name: string, more: number, ms: number) =>
		report(`${name}: ${shownCount(more)} more, until they are found`, `${((1_000 * more) / ms).toFixed(0)}/s, ${atLoad()}`);

	let feedMsLeft = feedMsMax;
	/** As the last size took it; a larger one takes no less. */
	let feedMsEach = 0;
	let fed = 0;
	for (const [step, size] of sizes.entries()) {
		const from = sizes[step - 1] ?? 0;
		const storeMs = await timed(async () => {
			await using indexes = await open();
			await indexes.store(passages.slice(from, size));
		});
		filled("Cairn, files", size - from, storeMs);
		const memory = memoryOf(folder);
		await using indexes = await open();
		const engines: Engine[] = [{ name: "Cairn, files", ...indexes.files, cost: async () => ({ diskBytes: await indexBytes(folder), memory }) }];
		if (tables !== null && feedMsEach * (size - fed) <= feedMsLeft) {
			const feedMs = await timed(() => indexes.feed(() => haveAll(tables.database, size), feedMsLeft));
			feedMsLeft -= feedMs;
			if (feedMsLeft > 0) {
				feedMsEach = feedMs / (size - fed);
				filled("Cairn, tables", size - fed, feedMs);
				fed = size;
				engines.push({ name: "Cairn, tables", ...indexes.tables, cost: () => costOf(tables.database) });
			}
		}
		if (tables !== null && fed < size) report("Cairn, tables", `not fed to ${shownCount(size)}: ${shownMinutes(feedMsMax)} minutes are not enough`);
		if (size === count) {
			for (const { peer, cost } of await openPeers(rooms, folder)) {
				filled(peer.name, size, await timed(() => peer.fill(passages)));
				engines.push({ name: peer.name, hybrid: peer.hybrid, nearest: peer.nearest, cost });
			}
		}
		await compare(engines, passages.slice(0, size), questions, report);
	}
	return rows;
};

async function compare(
	engines: readonly Engine[],
	passages: readonly Passage[],
	questions: readonly Question[],
	report: (measure: string, value: string) => void,
): Promise<void> {
	const load = { clients: 1, filterOf: everything };
	const figures = await runRounds(new Map(engines.map(({ name, hybrid }) => [name, hybrid])), questions, load);
	const loaded = atLoad();
	const recallOf = recallAmong(passages, questions, everything);
	for (const { name, nearest, cost } of engines) {
		const found = figures.get(name);
		if (found === undefined) throw new Error(`${name} has no figures`);
		const { diskBytes, memory } = await cost();
		const disk = diskBytes === null ? "" : `, ${(diskBytes / passages.length).toFixed(0)} bytes each on disk`;
		const held = memory === null ? "" : `, ${memory}`;
		const value = `${shownFigures(found)}, ${loaded}; recall@10 of vectors ${(await recallOf(nearest)).toFixed(4)}${disk}${held}`;
		report(`${name}: hybrid among ${shownCount(passages.length)}`, value);
	}
}

/** Cairn's own plugin, of which only the indexes are used. */
async function openTables(rooms: AsyncDisposableStack, address: string): Promise<Tables> {
	const database = rooms.use(await createDatabase(address));
	const { storage, vectorIndex, wordIndex, stop } = await start(postgresql({ url: database.address }), { ...quietHost(), log });
	rooms.defer(async () => stop?.());
	await storage?.[0]?.migrate();
	return { database, listed: { vectorIndex: vectorIndex?.[0], wordIndex: wordIndex?.[0] } };
}

async function haveAll({ sql }: Database, size: number): Promise<boolean> {
	const rows = await sql`SELECT 1 FROM index_collections c WHERE name LIKE 'chunk-%' AND entries >= ${size} AND (kind = 'words' OR entries <= ${exactMax}
		OR graph IS NOT NULL AND NOT EXISTS (SELECT 1 FROM vector_entries v WHERE v.organisation = c.organisation AND v.collection = c.number AND v.part > c.graph_part))`;
	return rows.length === collections;
}

async function openPeers(rooms: AsyncDisposableStack, folder: string): Promise<readonly { readonly peer: Peer; readonly cost: Engine["cost"] }[]> {
	const opened: { readonly peer: Peer; readonly cost: Engine["cost"] }[] = [];
	if (postgres !== undefined) {
		const database = rooms.use(await createDatabase(postgres));
		opened.push({ peer: rooms.use(await openPgvector(database.address)), cost: () => costOf(database) });
	}
	if (chroma !== undefined) {
		const peer = rooms.use(await openChroma(await packageOf("chromadb"), join(folder, "chroma"), Number(chroma)));
		opened.push({ peer, cost: async () => ({ diskBytes: null, memory: null }) });
	}
	return opened;
}

async function costOf(database: Database): Promise<Cost> {
	const bytes = await database.residentBytes();
	return { diskBytes: await database.bytes(), memory: bytes === null ? null : `${shownMegabytes(bytes)} in memory` };
}

/** In a process of its own, because this one holds all passages. */
function memoryOf(folder: string): string {
	const { stdout } = Bun.spawnSync([process.execPath, join(import.meta.dir, "resident.ts"), folder], { stderr: "inherit" });
	const { anonymous, mapped } = JSON.parse(stdout.toString());
	return `${shownMegabytes(anonymous)} in memory and ${shownMegabytes(mapped)} of mapped files`;
}

/** Of the files of words and of vectors, without the database beside them. */
async function indexBytes(folder: string): Promise<number> {
	const entries = await Promise.all(["words", "indexes"].map((name) => readdir(join(folder, "sqlite", name), { recursive: true, withFileTypes: true })));
	const files = entries.flat().filter((entry) => entry.isFile());
	const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
	return sizes.reduce((sum, size) => sum + size, 0);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const began = performance.now();
	await work();
	return performance.now() - began;
}

function shownCount(some: number): string {
	return some.toLocaleString("en");
}

function shownMegabytes(bytes: number): string {
	return `${(bytes / 2 ** 20).toFixed(0)} MB`;
}

function shownMinutes(ms: number): string {
	return (ms / 60_000).toFixed(0);
}

function atLoad(): string {
	return `load ${(loadavg()[0] ?? 0).toFixed(1)}`;
}
