/** Word files in use: built by upkeep, searched, overtaken by writes, damaged, of another database. Scores are the same throughout. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "cairn-memory";
import { type RemovalId, type Storage, wholeOrganisation } from "cairn-memory/stores";
import { indexWords, queryTermsOf } from "cairn-memory/words";
import { createSamples, evidenceIn, sampleOrganisation, sampleSpace } from "../../../../contract/samples.ts";
import { addPublished, everything, idsOf, later, type Published, saveExtracted } from "../../../../contract/storage/ground.ts";
import { startSqlite } from "../open-sqlite.ts";

let folder: string;
let warnings: string[];
let opened: Storage[];
const samples = createSamples(1);

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-word-files-"));
	warnings = [];
	opened = [];
});

afterEach(async () => {
	for (const storage of opened) await storage.close();
	await rm(folder, { recursive: true, force: true });
});

const log: Log = (level, message, facts) => {
	if (level === "warn") warnings.push(`${message}: ${JSON.stringify(facts)}`);
};

async function open(from = folder): Promise<Storage> {
	const storage = await startSqlite(from, { log }, { rebuildAfter: 20 });
	await storage.migrate();
	opened.push(storage);
	return storage;
}

const groundOf = (storage: Storage) => ({ tenant: storage.organisation(sampleOrganisation), samples });
const maintain = (storage: Storage) => storage.maintain(new AbortController().signal);
const wordFiles = async (from = folder) => (await readdir(join(from, "words"))).toSorted();

function fill(storage: Storage, texts: readonly string[]): Promise<Published> {
	return addPublished(groundOf(storage), texts);
}

function manyTexts(count: number, word = "walnut"): readonly string[] {
	return Array.from({ length: count }, (_, i) => `${word} ferry number${i} ${"stone ".repeat(i % 6)}${i % 9 === 0 ? " neben den Häusern und der Tür" : ""}`);
}

async function answers(storage: Storage): Promise<unknown> {
	const { words } = storage.organisation(sampleOrganisation);
	const asked = ["walnut", "ferry stone", "number7 number11 walnut"];
	const queries = [...asked.map(indexWords), ...[...asked, "wlanut", "ferries", "Haus"].map((query) => queryTermsOf(query, 64))];
	return Promise.all(queries.map(async (query) => (await words.matchChunks(query, wholeOrganisation, 1_000)).hits));
}

/** A storage that has no file and reads everything from the tables. */
async function answersAnew(): Promise<unknown> {
	const copy = await mkdtemp(join(tmpdir(), "cairn-word-files-copy-"));
	try {
		for (const name of await readdir(folder)) if (name.startsWith("cairn.sqlite")) await copyFile(join(folder, name), join(copy, name));
		const storage = await open(copy);
		const found = await answers(storage);
		await storage.close();
		return found;
	} finally {
		await rm(copy, { recursive: true, force: true });
	}
}

test("upkeep builds a file, which answers like the tables, before and after a start", async () => {
	const first = await open();
	await fill(first, manyTexts(60));
	const before = await answers(first);
	await maintain(first);
	expect(await wordFiles()).toEqual([expect.stringMatching(/^chunk-\w+-\w+\.words$/), expect.stringMatching(/^chunk-\w+\.json$/)]);
	await first.close();
	const second = await open();
	expect(await answers(second)).toEqual(before);
	expect(warnings).toEqual([]);
});

test("what is added and removed after a file was built is known, and the next file knows it too", async () => {
	const first = await open();
	const gone = await fill(first, manyTexts(30));
	await fill(first, manyTexts(60, "copper"));
	await maintain(first);
	const [manifest] = (await wordFiles()).filter((name) => name.endsWith(".json"));
	await first.organisation(sampleOrganisation).documents.remove(gone.document.id, later);
	await fill(first, manyTexts(5, "amber"));
	await first.close();
	const second = await open();
	expect(await answers(second)).toEqual(await answersAnew());
	await fill(second, manyTexts(25));
	await maintain(second);
	const files = await wordFiles();
	expect(files).toContain(manifest ?? "");
	expect(files).toHaveLength(2);
	await second.close();
	const third = await open();
	expect(await answers(third)).toEqual(await answersAnew());
	expect(warnings).toEqual([]);
});

test("memories that come back after a file was built without them are found again, and score as before", async () => {
	const first = await open();
	const { tenant } = groundOf(first);
	const { document, chunks } = await fill(first, ["Ada keeps the lighthouse"]);
	const [chunk] = chunks;
	if (chunk === undefined) throw new Error("there is no chunk");
	const memory = await saveExtracted(groundOf(first), chunk, { text: "Ada keeps the lighthouse" });
	const other = await fill(first, ["The harbour is deep"]);
	for (let i = 0; i < 40; i++) {
		const evidence = other.chunks.map(evidenceIn);
		const saved = samples.makeMemory({ text: `The harbour log tells of wind ${i}`, evidence, extractor: "sentences-1" });
		await tenant.memories.save(sampleSpace, [{ memory: saved, vector: samples.makeVector() }], []);
	}
	const match = async (storage: Storage) =>
		(await storage.organisation(sampleOrganisation).words.matchMemories(["lighthous", "harbour"], everything, 100)).hits;
	const before = await match(first);
	const removal = samples.newId<RemovalId>();
	const hour = 3_600_000;
	expect(await tenant.removals.setAside(document.id, removal, new Date(later.getTime() + hour), later)).toBe(true);
	expect(idsOf(await match(first))).not.toContain(memory.id);
	await maintain(first);
	expect((await wordFiles()).some((name) => name.startsWith("memory-"))).toBe(true);
	await first.close();
	const second = await open();
	expect(idsOf(await match(second))).not.toContain(memory.id);
	await second.organisation(sampleOrganisation).removals.bringBack(removal, document.id, samples.makeJob(document), later);
	const byId = (hits: readonly { id: string }[]) => hits.toSorted((a, b) => (a.id < b.id ? -1 : 1));
	expect(byId(await match(second))).toEqual(byId(before));
	await rm(join(folder, "words"), { recursive: true });
	await maintain(second);
	await second.close();
	expect(byId(await match(await open()))).toEqual(byId(before));
	expect(warnings).toEqual([]);
});

const harms: readonly [string, (path: string) => Promise<unknown>][] = [
	["deleted", (path) => rm(path)],
	["cut", async (path) => truncate(path, Math.floor((await stat(path)).size / 2))],
	["emptied", (path) => truncate(path, 0)],
	["flipped in a bit at the head", (path) => flip(path, 0)],
	["flipped in a bit in the middle", (path) => flip(path, 0.5)],
	["flipped in a bit at the end", (path) => flip(path, 0.9999)],
	["of a newer format", (path) => renumber(path, 1)],
	["of the format before", (path) => renumber(path, -1)],
];

async function renumber(path: string, by: number): Promise<void> {
	const text = await readFile(path, "latin1");
	const other = text.replace(/"version":(\d+)/, (_, version: string) => `"version":${Number(version) + by}`);
	expect(other).not.toBe(text);
	await writeFile(path, other, "latin1");
}

describe("a file that is harmed is thrown away and made anew", () => {
	for (const [name, harm] of harms) {
		for (const kind of [".json", ".words"]) {
			if (name.startsWith("of ") && kind === ".words") continue;
			test(`${kind} ${name}`, async () => {
				const first = await open();
				await fill(first, manyTexts(60));
				const before = await answers(first);
				await maintain(first);
				await first.close();
				for (const file of await wordFiles()) if (file.endsWith(kind)) await harm(join(folder, "words", file));
				const second = await open();
				expect(await answers(second)).toEqual(before);
				await maintain(second);
				expect(await wordFiles()).toHaveLength(2);
				await second.close();
				const told = warnings.length;
				const third = await open();
				expect(await answers(third)).toEqual(before);
				expect(warnings.length).toBe(told);
			});
		}
	}
});

test("a file of a time that never was, after a database was put back from a copy, is not believed", async () => {
	const first = await open();
	await fill(first, manyTexts(10));
	await first.close();
	const copy = await mkdtemp(join(tmpdir(), "cairn-word-files-old-"));
	const databases = (await readdir(folder)).filter((name) => name.startsWith("cairn.sqlite"));
	for (const name of databases) await copyFile(join(folder, name), join(copy, name));
	const second = await open();
	await fill(second, manyTexts(60));
	await maintain(second);
	await second.close();
	for (const name of databases) await copyFile(join(copy, name), join(folder, name));
	await rm(copy, { recursive: true });
	const third = await open();
	await fill(third, manyTexts(60, "copper"));
	expect(await answers(third)).toEqual(await answersAnew());
	expect(warnings.join()).toContain("not those of the tables");
});

test("upkeep that is asked for twice runs once, and closing stops it", async () => {
	const storage = await open();
	await fill(storage, manyTexts(60));
	await Promise.all([maintain(storage), maintain(storage)]);
	expect(await wordFiles()).toHaveLength(2);
	await rm(join(folder, "words"), { recursive: true });
	// What upkeep has still to write finds the storage closed.
	const stopped = maintain(storage).catch(() => undefined);
	while (!existsSync(join(folder, "words"))) await Bun.sleep(1);
	await storage.close();
	await stopped;
	expect((await wordFiles()).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("an organisation without texts keeps no file, and unfinished ones are swept away", async () => {
	const storage = await open();
	const { document } = await fill(storage, manyTexts(60));
	await maintain(storage);
	expect(await wordFiles()).toHaveLength(2);
	await writeFile(join(folder, "words", "chunk-half.words.tmp"), "half");
	await storage.organisation(sampleOrganisation).documents.remove(document.id, later);
	await maintain(storage);
	expect(await wordFiles()).toEqual([]);
});

async function flip(path: string, share: number): Promise<void> {
	const bytes = await readFile(path);
	const place = Math.floor(bytes.length * share);
	bytes[place] = (bytes[place] ?? 0) ^ 4;
	await writeFile(path, bytes);
}
