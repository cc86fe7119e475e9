/** An export brought into another store makes the same export: across stores, and after a failure of any single write. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Chunk, Memory } from "cairn-memory";
import { attachmentsPrefix, type Document, type Storage, wholeOrganisation } from "cairn-memory/stores";
import type { Parts } from "../../../core/parts.ts";
import { changeSettings } from "../../../core/settings/settings.ts";
import { ramStorage } from "../../../plugins/stores/ram/storage.ts";
import { writeExport } from "../../../server/export/export-folder.ts";
import { importFile } from "../../../server/export/import-file.ts";
import { readStore } from "../../../server/export/read-store.ts";
import { createSamples, edgeBetween, evidenceIn, sampleOrganisation } from "../../contract/samples.ts";
import { createTestParts, lettersEmbedder } from "../../doubles/parts.ts";
import { createTestWorld } from "../../doubles/world.ts";
import { openSqlite } from "../../plugins/stores/sqlite/open-sqlite.ts";

const world = createTestWorld();
const samples = createSamples(7);

let folder: string;
let file: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-round-trip-"));
	file = await exported("source", await filled());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function partsOver(storage: Storage): Parts {
	return createTestParts(world, { storage });
}

async function exported(name: string, storage: Storage): Promise<string> {
	const path = join(folder, `${name}.jsonl`);
	await rm(path, { force: true });
	await writeExport(
		path,
		readStore(storage.organisation(sampleOrganisation), world.now(), () => undefined),
		world.now(),
	);
	return path;
}

async function bodyOf(path: string): Promise<string> {
	const text = await readFile(path, "utf8");
	return text.slice(text.indexOf("\n"));
}

const silent = { onChecked: () => undefined, onImported: () => undefined };
const bring = (storage: Storage) => importFile(file, async () => ({ parts: partsOver(storage), organisation: sampleOrganisation }), silent);

/** One of everything that an export tells apart. */
async function filled(): Promise<Storage> {
	const storage = ramStorage(world.now);
	const tenant = storage.organisation(sampleOrganisation);
	await storage.accounts.addOrganisation({ id: sampleOrganisation, name: "Default", slug: "default", createdAt: world.now() });
	await changeSettings({ filterPrompt: "boats", chunkSize: 100, notionClientSecret: "sealed" }, tenant.records, world);
	const note = await addRead(
		storage,
		{ customId: "note", metadata: JSON.parse(`{"a":1,"__proto__":"odd","0":"zero","tags":["x","y"],"isGood":true}`), containerTags: ["team", "other"] },
		700,
	);
	await addFile(storage, { revision: 3 }, "The original bytes.");
	const box = await addRead(storage, { customId: null }, 1);
	await addRead(storage, { customId: `${attachmentsPrefix(box.document)}inner.txt` }, 2);
	await addRead(storage, { taskType: "superrag", dreamingStatus: "done", extractedBy: "rules 1" }, 0);
	const waiting = samples.makeDocument({ customId: "waiting", filepath: "/a/b" });
	await tenant.documents.add(waiting, samples.makeJob(waiting));
	const broken = samples.makeDocument({ metadata: { odd: '\u2028 é \\ "' } });
	await tenant.documents.add(broken, samples.makeJob(broken));
	const failure = { code: "FILE_BROKEN", message: "it says so", stage: "extracting", hint: null, retryAt: null } as const;
	await tenant.documents.fail(broken.id, 1, failure, "failed", samples.nextTime());
	await remember(storage, note.chunks);
	await tenant.containers.change("team", { name: "Team", entityContext: "Boats", profileBuckets: [{ key: "b", description: "Boats" }] }, samples.nextTime());
	return storage;
}

interface Read {
	readonly document: Document;
	readonly chunks: readonly Chunk[];
}

async function addRead(storage: Storage, overrides: Partial<Document>, count: number): Promise<Read> {
	const { documents } = storage.organisation(sampleOrganisation);
	const document = samples.makeDocument(overrides);
	await documents.add(document, samples.makeJob(document));
	const chunks = Array.from({ length: count }, (_, position) =>
		samples.makeChunk(document, { position, text: `piece ${position} of it`, place: { page: position + 1 } }),
	);
	const vectors = await lettersEmbedder.embed(
		chunks.map(({ text }) => text),
		"document",
		undefined as never,
	);
	await documents.stage(
		document.id,
		document.revision,
		lettersEmbedder.space,
		chunks.map((chunk, i) => ({ chunk, vector: vectors[i] as Float32Array })),
	);
	await documents.describe(document.id, document.revision, {
		title: "Title",
		warnings: [{ code: "ODD", message: "odd", place: { row: 2 } }],
		about: { author: "Ada" },
	});
	await documents.publish(document.id, document.revision, samples.nextTime());
	await documents.move(document.id, document.revision, ["queued"], "done", samples.nextTime());
	return { document, chunks };
}

async function addFile(storage: Storage, overrides: Partial<Document>, text: string): Promise<void> {
	const blob = samples.makeDocument().id;
	const pieces = (async function* () {
		yield new TextEncoder().encode(text);
	})();
	const kept = await storage.organisation(sampleOrganisation).blobs.put(blob, pieces, 1_000);
	await addRead(storage, { ...overrides, content: { kind: "file", blob, fileName: "a.txt", claimedMediaType: "text/plain", ...kept } }, 3);
}

async function remember(storage: Storage, chunks: readonly Chunk[]): Promise<void> {
	const { memories } = storage.organisation(sampleOrganisation);
	const make = (overrides: Partial<Memory>) => samples.makeMemory({ evidence: chunks.slice(0, 2).map(evidenceIn), extractor: "rules", ...overrides });
	const old = make({ text: "Ana lives in Ulm" });
	const now = make({ text: "Ana lives in Bonn", version: 2, parent: old.id, root: old.id, saidAt: samples.nextTime(), indexedText: "Ana: lives in Bonn" });
	const gone = make({ text: "Ana has a cat", extractor: null, metadata: { reviewStatus: "approved" } });
	const inferred = make({ text: "Ana moved", isInference: true, reviewAfter: samples.nextTime() });
	const vector = new Float32Array(27).fill(0.2);
	const edges = [edgeBetween(now, "updates", old), edgeBetween(inferred, "derives", now), edgeBetween(inferred, "derives", old)];
	await memories.save(
		lettersEmbedder.space,
		[old, now, gone, inferred].map((memory) => ({ memory, vector })),
		edges,
	);
	await memories.forget([gone.id], "it ran away", samples.nextTime());
}

test("from store to store and back it stays the same, byte by byte", async () => {
	const ram = ramStorage(world.now);
	const first = await bring(ram);
	expect(first).toMatchObject({ documents: 7, memories: 4, known: 0, refused: [] });
	expect(await bodyOf(await exported("ram", ram))).toBe(await bodyOf(file));
	const sqlite = await openSqlite();
	try {
		await sqlite.storage.migrate();
		await bring(sqlite.storage);
		expect(await bodyOf(await exported("sqlite", sqlite.storage))).toBe(await bodyOf(file));
	} finally {
		await sqlite.dispose();
	}
	const body = await bodyOf(file);
	expect(body).not.toContain("sealed");
	expect(body).toContain('"filterPrompt":"boats"');
});

test("what waits to be read waits, and nothing else is read again; searches find the rest", async () => {
	const ram = ramStorage(world.now);
	await bring(ram);
	const tenant = ram.organisation(sampleOrganisation);
	expect(await ram.jobs.depth()).toEqual({ waiting: 1, leased: 0 });
	const [vector] = await lettersEmbedder.embed(["piece 2 of it"], "query", undefined as never);
	const hits = await tenant.vectors(lettersEmbedder.space).nearestChunks(vector as Float32Array, wholeOrganisation, 3);
	expect(hits.length).toBe(3);
	expect((await tenant.documents.byCustomId("note", [], 1))[0]?.extractedBy).toBeUndefined();
});

/** The `n`th write fails, as a process that is killed before it leaves the store. @returns how many writes there were */
function failingAt(storage: Storage, n: number): { readonly storage: Storage; readonly writes: () => number } {
	const names = new Set(["add", "stage", "publish", "move", "fail", "save", "forget", "change", "put", "remove"]);
	let writes = 0;
	const spoiled = <Store extends object>(store: Store): Store =>
		new Proxy(store, {
			get: (target, name) => {
				const method: unknown = Reflect.get(target, name);
				if (typeof method !== "function" || !names.has(String(name))) return method;
				return async (...args: readonly unknown[]) => {
					if (++writes === n) throw new Error("killed");
					return method.apply(target, args);
				};
			},
		});
	const organisation: Storage["organisation"] = (id) =>
		Object.fromEntries(Object.entries(storage.organisation(id)).map(([name, store]) => [name, typeof store === "function" ? store : spoiled(store)])) as never;
	return { storage: { ...storage, organisation }, writes: () => writes };
}

test("broken off before any of its writes and started again, it ends as one that was not", async () => {
	const counting = failingAt(ramStorage(world.now), 0);
	await bring(counting.storage);
	const all = counting.writes();
	expect(all).toBeGreaterThan(30);
	for (let n = 1; n <= all; n++) {
		const ram = ramStorage(world.now);
		const said = await bring(failingAt(ram, n).storage).then(
			() => "ended",
			(thrown: Error) => thrown.message,
		);
		expect([n, said]).toEqual([n, "killed"]);
		await bring(ram);
		expect([n, await bodyOf(await exported("again", ram))]).toEqual([n, await bodyOf(file)]);
	}
}, 120_000);

test("a file whose bytes are not those of its checksum is refused, and its document is not there", async () => {
	const lines = (await readFile(file, "utf8"))
		.replace(Buffer.from("The original bytes.").toString("base64"), Buffer.from("Other bytes, longer").toString("base64"))
		.split("\n");
	const body = `${lines.slice(1, -2).join("\n")}\n`;
	const { counts } = JSON.parse(lines.at(-2) ?? "") as { readonly counts: object };
	const end = { type: "end", counts, sha256: createHash("sha256").update(body).digest("hex") };
	const forged = join(folder, "forged.jsonl");
	await writeFile(forged, `${lines[0]}\n${body}${JSON.stringify(end)}\n`);
	const ram = ramStorage(world.now);
	const open = async () => ({ parts: partsOver(ram), organisation: sampleOrganisation });
	const said = await importFile(forged, open, silent).then(
		() => "nothing",
		(thrown: Error) => thrown.message,
	);
	expect(said).toMatch(/the file of document \w+ does not match its checksum/);
});
