/** The storage as a whole: threads that share it, a process that is killed, large documents, leftovers. */

import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type Document, type EmbeddedChunk, type JobId, type Storage, wholeOrganisation } from "cairn-memory/stores";
import { indexWords } from "cairn-memory/words";
import { createSamples, sampleOrganisation, sampleSpace } from "../../../contract/samples.ts";
import { until } from "../../../doubles/until.ts";
import { startSqlite } from "./open-sqlite.ts";

const opened: Storage[] = [];
const folders: string[] = [];

afterEach(async () => {
	for (const storage of opened.splice(0)) await storage.close();
	for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-sqlite-"));
	folders.push(folder);
	return folder;
}

async function open(folder: string): Promise<Storage> {
	const storage = await startSqlite(folder);
	opened.push(storage);
	await storage.migrate();
	return storage;
}

const samples = createSamples(2);

async function addDocument(storage: Storage, overrides: Partial<Document> = {}): Promise<Document> {
	const document = samples.makeDocument(overrides);
	expect(await storage.organisation(sampleOrganisation).documents.add(document, samples.makeJob(document))).toBe(true);
	return document;
}

function embedded(document: Document, count: number): readonly EmbeddedChunk[] {
	return Array.from({ length: count }, (_, position) => ({
		chunk: samples.makeChunk(document, { position, text: `walnut ferry number${position}` }),
		vector: samples.makeVector(),
	}));
}

function countRows(folder: string, table: string): number {
	const db = new Database(join(folder, "cairn.sqlite"), { readonly: true });
	try {
		return db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? -1;
	} finally {
		db.close();
	}
}

test("a second server on one folder is refused, and may start once the first has closed", async () => {
	const folder = await newFolder();
	const first = await open(folder);
	await expect(startSqlite(folder)).rejects.toMatchObject({ code: "STORAGE_BUSY" });
	await first.close();
	await open(folder);
});

test("a folder of a newer version is refused by its name", async () => {
	const folder = await newFolder();
	await (await open(folder)).close();
	const db = new Database(join(folder, "cairn.sqlite"));
	db.run("INSERT INTO migrations VALUES (99, '9999_future', 'x', 0)");
	db.close();
	const storage = await startSqlite(folder);
	opened.push(storage);
	await expect(storage.migrate()).rejects.toMatchObject({ code: "STORAGE_NEWER" });
});

test("another thread writes and reads through what it inherits", async () => {
	const folder = await newFolder();
	const storage = await open(folder);
	const shared = storage.share?.();
	const document = samples.makeDocument();
	const worker = new Worker(new URL("./inheritor.ts", import.meta.url), {
		workerData: { folder, inherited: shared?.value, document, job: samples.makeJob(document) },
		transferList: [...(shared?.transfer ?? [])] as never,
	});
	const told = await new Promise((resolve, reject) => {
		worker.on("message", resolve);
		worker.on("error", reject);
	});
	expect(told).toEqual({ added: true, seen: document.id, refused: "STORAGE_UNREACHABLE", hasShare: false });
	expect((await storage.organisation(sampleOrganisation).documents.get(document.id))?.id).toBe(document.id);
	await worker.terminate();
	await addDocument(storage); // the writer outlives the thread
});

test("who listens is told of changes, whoever makes them, and not of a look that changed nothing", async () => {
	const folder = await newFolder();
	const storage = await open(folder);
	const other = await startSqlite(folder, { inherited: storage.share?.().value });
	opened.unshift(other);
	let told = 0;
	const stop = storage.onWritten?.(() => told++);
	await addDocument(other);
	await until(() => told === 1);
	expect(await storage.jobs.claim("w", ["sync"], 1, new Date(), 1_000)).toEqual([]);
	await addDocument(storage);
	await until(() => told === 2);
	stop?.();
	let another = 0;
	storage.onWritten?.(() => another++);
	await addDocument(storage);
	await until(() => another === 1);
	expect(told).toBe(2);
});

test("what was acknowledged survives a kill", async () => {
	const folder = await newFolder();
	const writer = Bun.spawn([process.execPath, join(import.meta.dir, "add-for-ever.ts"), folder], { stdout: "pipe", stderr: "inherit" });
	let told = "";
	try {
		for await (const text of writer.stdout.pipeThrough(new TextDecoderStream())) {
			told += text;
			if (told.split("\n").length > 50) break;
		}
	} finally {
		writer.kill("SIGKILL");
	}
	await writer.exited;
	const acknowledged = told.split("\n").slice(0, -1);
	const storage = await open(folder);
	const { documents } = storage.organisation(sampleOrganisation);
	for (const customId of acknowledged) expect((await documents.byCustomId(customId, [], 1))[0] ?? null).not.toBeNull();
	const { total } = await documents.list(wholeOrganisation, ["queued"], { offset: 0, limit: 1, sort: "createdAt", order: "desc" }, false);
	expect((await storage.jobs.depth()).waiting).toBe(total);
});

test("closing lets everything finish that was begun, and refuses what comes later", async () => {
	const storage = await open(await newFolder());
	const { documents } = storage.organisation(sampleOrganisation);
	const added = Array.from({ length: 300 }, () => samples.makeDocument()).map((document) => documents.add(document, samples.makeJob(document)));
	const closed = storage.close();
	expect(await Promise.all(added)).toEqual(added.map(() => true));
	await closed;
	const late = samples.makeDocument();
	await expect(documents.add(late, samples.makeJob(late))).rejects.toMatchObject({ code: "STORAGE_UNREACHABLE" });
	await expect(storage.check()).rejects.toMatchObject({ kind: expect.stringMatching(/unavailable|internal/) });
});

test("the chunks of a large document are unseen at once and deleted soon", async () => {
	const folder = await newFolder();
	const storage = await open(folder);
	const { documents, words } = storage.organisation(sampleOrganisation);
	const document = await addDocument(storage);
	const all = embedded(document, 2_000);
	expect(await documents.stage(document.id, 1, sampleSpace, all)).toBe(true);
	await documents.publish(document.id, 1, samples.nextTime());
	expect((await words.matchChunks(indexWords("walnut"), wholeOrganisation, 5_000)).hits).toHaveLength(2_000);
	await documents.remove(document.id, samples.nextTime());
	expect((await words.matchChunks(indexWords("walnut"), wholeOrganisation, 5_000)).hits).toEqual([]);
	// The edition goes after the last of its chunks.
	await until(() => countRows(folder, "chunks") + countRows(folder, "discarded_editions") === 0);
	for (const table of ["chunk_vectors", "document_texts", "document_tags", "jobs"]) expect([table, countRows(folder, table)]).toEqual([table, 0]);
});

test("recovery adds the jobs that are missing, each once, and none for what is finished", async () => {
	const folder = await newFolder();
	const storage = await open(folder);
	await addDocument(storage, { status: "extracting" });
	await addDocument(storage, { status: "done", dreamingStatus: "done" });
	const dreaming = await addDocument(storage, { containerTags: ["a", "b"] });
	const { documents } = storage.organisation(sampleOrganisation);
	await documents.stage(dreaming.id, 1, sampleSpace, embedded(dreaming, 1));
	await documents.publish(dreaming.id, 1, samples.nextTime());
	await documents.move(dreaming.id, 1, ["queued"], "done", samples.nextTime());
	const now = samples.nextTime();
	for (const job of await storage.jobs.claim("worker", ["ingest"], 10, now, 1_000)) await storage.jobs.finish(job);
	expect(await storage.jobs.recover(null, now, () => samples.newId<JobId>())).toEqual({ leases: 0, jobs: 3 });
	expect(await storage.jobs.recover(null, now, () => samples.newId<JobId>())).toEqual({ leases: 0, jobs: 0 });
	const jobs = await storage.jobs.claim("worker", ["ingest", "remember"], 10, now, 1_000);
	expect(jobs.map(({ task, subject }) => (task === "remember" ? subject : task)).toSorted()).toEqual(["a", "b", "ingest"]);
	expect(await storage.jobs.recover(null, now, () => samples.newId<JobId>())).toEqual({ leases: 3, jobs: 0 });
});

test("tending removes old blobs that nothing points to, and nothing else", async () => {
	const folder = await newFolder();
	const storage = await open(folder);
	const tenant = storage.organisation(sampleOrganisation);
	const waiting = await addDocument(storage);
	const done = await addDocument(storage, { status: "done" });
	const extraction = (document: Document) => `extraction-${document.id}-1`;
	const content = { kind: "file", blob: "pointed", fileName: null, claimedMediaType: null, byteLength: 1, sha256: "0" } as const;
	await addDocument(storage, { content, status: "done" });
	const keys = ["pointed", "orphan", extraction(waiting), extraction(done), "young"];
	for (const key of keys) await tenant.blobs.put(key, onePiece("x"), 10);
	await mkdir(join(folder, "blobs", "unfinished"), { recursive: true });
	await writeFile(join(folder, "blobs", "unfinished", "half"), "x");
	// The clock of the tests' host stands in January 2026: what is older than an hour then, is old.
	const [old, young] = [new Date("2026-01-01T10:00:00Z"), new Date("2026-01-01T11:30:00Z")];
	for (const path of await filesUnder(join(folder, "blobs"))) await utimes(path, old, path.endsWith("young") ? young : old);
	const outside = join(await newFolder(), "aa");
	await mkdir(outside);
	await writeFile(join(outside, "stranger"), "x");
	await utimes(join(outside, "stranger"), old, old);
	await symlink(join(outside, ".."), join(folder, "blobs", "link"));
	await storage.maintain(AbortSignal.timeout(5_000));
	expect(await readdir(outside)).toEqual(["stranger"]);
	await rm(join(folder, "blobs", "link"));
	const left = (await filesUnder(join(folder, "blobs"))).map((path) => path.split("/").at(-1));
	expect(left.toSorted()).toEqual(["owner", "pointed", extraction(waiting), "young"].toSorted());
});

test("a blob's key is a name and never a path, and a link is not followed", async () => {
	const folder = await newFolder();
	const { blobs } = (await open(folder)).organisation(sampleOrganisation);
	for (const key of ["", ".", "..", "../x", "a/b", "a\\b", "\0", ".hidden", "x".repeat(300)]) {
		await expect(blobs.put(key, onePiece("x"), 10)).rejects.toMatchObject({ code: "INPUT_INVALID" });
		await expect(blobs.get(key)).rejects.toMatchObject({ code: "INPUT_INVALID" });
	}
	await blobs.put("real", onePiece("x"), 10);
	const [path] = await filesUnder(join(folder, "blobs", sampleOrganisation));
	await rm(path ?? "");
	await symlink("/etc/hostname", path ?? "");
	expect(await blobs.get("real")).toBeNull();
});

async function* onePiece(text: string): AsyncGenerator<Uint8Array> {
	yield new TextEncoder().encode(text);
}

async function filesUnder(folder: string): Promise<readonly string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
