/** Whose the blobs are: no database removes those of another one, whatever it is pointed at, and none loses its own for good. */

import { expect, test } from "bun:test";
import { asId, type BlobStorePlugin, type OrganisationId, searchable } from "cairn-memory";
import type { Storage } from "cairn-memory/stores";
import { createBlobOwner } from "../../../core/runtime/blob-owner.ts";
import { ramBlobs } from "../../../plugins/stores/ram/blobs.ts";
import { ramRecords } from "../../../plugins/stores/ram/storage.ts";
import { createTestWorld } from "../../doubles/world.ts";

const organisation = asId<OrganisationId>("organisationAAAAAAAAAA");
const hourMs = 60 * 60_000;
const signal = new AbortController().signal;

async function* bytes() {
	yield new TextEncoder().encode("original");
}

/** A bucket that any database may be pointed at. */
function scene() {
	const world = createTestWorld();
	const ram = ramBlobs(world);
	let mark: string | null = null;
	let isReadOnly = false;
	const bucket: BlobStorePlugin = {
		...ram,
		sweepEveryMs: hourMs,
		owner: {
			read: async () => mark,
			write: async (text) => {
				if (isReadOnly) throw new Error("the bucket is read-only");
				mark = text;
			},
		},
	};
	/** A database with the rows of the blobs that it knows. @param record a copy of the record that another one had when it was copied */
	const open = async (known: readonly string[] = [], claim: string | null = null, record: unknown = null): Promise<Storage> => {
		const rows = ramRecords(world.now);
		await rows.migrate();
		if (record !== null)
			await rows.organisation(installation).records.put("blob-owner", "blobs", record as never, { expected: null, expiresAt: null, now: world.now() });
		const blobsNeeded = async (_: OrganisationId, keys: readonly string[]) => new Set(keys.filter((key) => known.includes(key)));
		return searchable({ ...rows, blobsNeeded }, bucket, world, claim);
	};
	const put = async (database: Storage, ...keys: readonly string[]) => {
		for (const key of keys) await database.organisation(organisation).blobs.put(key, bytes(), 100);
	};
	const keys = async () => (await Array.fromAsync(bucket.list())).map(({ key }) => key);
	/** Time for many sweeps of the database. */
	const sweep = async (database: Storage, hours = 48) => {
		for (let hour = 0; hour < hours; hour++) {
			world.advance(hourMs);
			await database.maintain(signal);
		}
	};
	const recordOf = async (database: Storage) => (await database.organisation(installation).records.get("blob-owner", "blobs", world.now()))?.value ?? null;
	const kept = async (database: Storage) => (await database.statistics?.(world.now()))?.blobsKeptBecause ?? null;
	return {
		world,
		bucket,
		open,
		put,
		keys,
		sweep,
		recordOf,
		kept,
		mark: () => mark,
		setMark: (text: string | null) => {
			mark = text;
		},
		setReadOnly: (value: boolean) => {
			isReadOnly = value;
		},
	};
}

const installation = asId<OrganisationId>("installation");

test("an empty database that is pointed at a bucket removes nothing from it, by sweeps or deletions, and says so once", async () => {
	const { world, open, put, keys, sweep, kept } = scene();
	const production = await open(["one", "two"]);
	await put(production, "one", "two", "needless");
	const other = await open();
	await sweep(other);
	await other.organisation(organisation).blobs.remove("one");
	expect(await keys()).toEqual(["one", "two", "needless"]);
	expect(await kept(other)).toContain("they are of another server");
	expect(world.lines.filter(({ level }) => level === "warn").length).toBe(1);
	await sweep(production);
	expect([await keys(), await kept(production)]).toEqual([["one", "two"], null]);
});

test("a copy of the database of last night removes nothing, and neither does the database until the operator has said whose the blobs are", async () => {
	const { open, put, keys, sweep, recordOf, kept, mark } = scene();
	const production = await open(["old", "new"]);
	await put(production, "old");
	await sweep(production, 3);
	const record = await recordOf(production);
	await sweep(production, 3);
	await put(production, "new", "needless");
	const copy = await open(["old"], null, record);
	await sweep(copy);
	expect([await keys(), await kept(copy)]).toEqual([["old", "new", "needless"], expect.stringContaining("a copy of this database has been there")]);
	await sweep(production);
	await production.organisation(organisation).blobs.remove("old");
	expect([await keys(), await kept(production)]).toEqual([["old", "new", "needless"], expect.stringContaining("a copy of this database has been there")]);
	const claimed = await open(["old", "new"], mark(), await recordOf(production));
	await sweep(claimed, 1);
	await sweep(copy, 1);
	await sweep(claimed);
	expect([await keys(), await kept(claimed), await kept(copy)]).toEqual([["old", "new"], null, expect.stringContaining("of another server")]);
});

/** The copy sweeps before the database does, in every round, and may be started anew before it. */
for (const isRestarted of [false, true])
	test(`a copy that always sweeps before the database does${isRestarted ? ", and is started anew," : ""} removes nothing that came since`, async () => {
		const { world, open, put, keys, sweep, recordOf, kept } = scene();
		const production = await open(["old", "new", "newer"]);
		await put(production, "old");
		await sweep(production, 5);
		let copy = await open(["old"], null, await recordOf(production));
		await put(production, "new");
		// A round less than the sweeps of the original are apart: it has had no say yet.
		await sweep(copy, 1);
		if (isRestarted) world.advance(10 * hourMs);
		if (isRestarted) copy = await open(["old"], null, await recordOf(copy));
		await sweep(copy, 1);
		expect(await keys()).toEqual(["old", "new"]);
		await put(production, "newer");
		await sweep(production, 1);
		await sweep(copy);
		await sweep(production);
		await copy.organisation(organisation).blobs.remove("old");
		expect(await keys()).toEqual(["old", "new", "newer"]);
		for (const database of [copy, production]) expect(await kept(database)).toContain("a copy of this database has been there");
	});

test("a database that finds its mark ahead at a deletion contests it at once", async () => {
	const { open, put, keys, sweep, recordOf, kept } = scene();
	const production = await open(["old"]);
	await put(production, "old", "mine");
	await sweep(production, 5);
	const copy = await open(["old"], null, await recordOf(production));
	await put(production, "needless");
	await sweep(copy, 1);
	await production.organisation(organisation).blobs.remove("needless");
	await sweep(copy);
	expect([await keys(), await kept(copy)]).toEqual([["old", "needless"], expect.stringContaining("a copy of this database has been there")]);
});

test("blobs from before there were marks become those of a database that needs most of them, and of no other", async () => {
	const { open, put, keys, sweep, setMark, mark, kept } = scene();
	await put(await open(), "one", "two", "needless");
	setMark(null);
	const other = await open(["one"]);
	await sweep(other);
	expect([await keys(), mark(), await kept(other)]).toEqual([["one", "two", "needless"], null, expect.stringContaining("most of them belong to no document")]);
	const own = await open(["one", "two"]);
	await sweep(own);
	expect([await keys(), await kept(own)]).toEqual([["one", "two"], null]);
});

test("of blobs without a mark the young ones do not count, and they are not listed with every sweep", async () => {
	const { world, bucket, open, put, setMark } = scene();
	const rows = ramRecords(world.now);
	await rows.migrate();
	await put(await open(), "one", "two");
	setMark(null);
	let lists = 0;
	const counted: BlobStorePlugin = {
		...bucket,
		list: () => {
			lists++;
			return bucket.list();
		},
	};
	const storage = { ...rows, blobsNeeded: async (_: OrganisationId, keys: readonly string[]) => new Set(keys.filter((key) => key === "one")) };
	const { takeTurn } = createBlobOwner({ storage, blobs: counted, world, claim: null });
	for (let i = 0; i < 5; i++) expect(await takeTurn()).toBeNull();
	expect(lists).toBe(1);
	world.advance(6 * hourMs);
	await put(await open(), "young", "younger");
	setMark(null);
	expect(await takeTurn()).not.toBeNull();
	expect(lists).toBe(2);
});

test("a folder that no other program reaches, from before there were marks, is claimed without asking", async () => {
	const { world, bucket, open, put, keys, setMark } = scene();
	await put(await open(), "one", "needless", "left");
	setMark(null);
	const rows = ramRecords(world.now);
	await rows.migrate();
	const { sweepEveryMs: _, ...folder } = bucket;
	const storage = { ...rows, blobsNeeded: async (_organisation: OrganisationId, asked: readonly string[]) => new Set(asked.filter((key) => key === "one")) };
	const database = searchable(storage, folder, world);
	expect(await database.claimBlobs()).toBe(true);
	// As at every first start, which has nothing to tell.
	expect(world.lines.filter(({ level }) => level !== "debug")).toEqual([]);
	world.advance(2 * hourMs);
	await database.maintain(signal);
	expect(await keys()).toEqual(["one"]);
});

test("a harmed mark is none: whoever needs most of the blobs has them again, and an empty database has not", async () => {
	const { open, put, keys, sweep, mark, setMark, kept } = scene();
	const production = await open(["one", "two"]);
	await put(production, "one", "two", "needless");
	setMark("\u0000c8fdd\u0001");
	const other = await open();
	await sweep(other);
	expect([await keys(), await kept(other)]).toEqual([["one", "two", "needless"], expect.stringContaining("most of them belong to no document")]);
	await sweep(production);
	expect([await keys(), await kept(production)]).toEqual([["one", "two"], null]);
	expect(mark()).toMatch(/^[0-9a-f]{24}-\d+$/);
});

test("the operator makes them those of another database by the mark, once", async () => {
	const { open, put, keys, sweep, mark, kept } = scene();
	await put(await open(["one"]), "one", "two");
	const restored = await open(["one"]);
	await sweep(restored, 1);
	const claim = /CAIRN_BLOBS_CLAIM=(\S+)/.exec((await kept(restored)) ?? "")?.[1] ?? "";
	expect(claim).toBe(mark() ?? "");
	await sweep(await open(["one"], claim));
	expect(await keys()).toEqual(["one"]);
	const third = await open([], claim);
	await sweep(third);
	expect([await keys(), await kept(third)]).toEqual([["one"], expect.stringContaining("of another server")]);
});

test("without a mark the claim is the database's own, so that no other database with the same settings has it", async () => {
	const { open, put, keys, sweep, recordOf, setMark } = scene();
	await put(await open(), "one", "two");
	setMark(null);
	const database = await open();
	await sweep(database, 1);
	const record = (await recordOf(database)) as { readonly id: string };
	await sweep(await open([], record.id));
	expect(await keys()).toEqual(["one", "two"]);
	await sweep(await open([], record.id, record));
	expect(await keys()).toEqual([]);
});

test("a mark that cannot be written stops no upload and no later sweep", async () => {
	const { open, put, keys, sweep, setReadOnly } = scene();
	const database = await open(["one"]);
	setReadOnly(true);
	await put(database, "one");
	await expect(sweep(database, 1)).rejects.toThrow("read-only");
	setReadOnly(false);
	await put(database, "two");
	await sweep(database, 3);
	setReadOnly(true);
	await expect(sweep(database, 1)).rejects.toThrow("read-only");
	setReadOnly(false);
	await sweep(database, 3);
	expect(await keys()).toEqual(["one"]);
});

test("programs that share a database take turns without taking each other for a copy", async () => {
	const { world, bucket, kept } = scene();
	const rows = ramRecords(world.now);
	await rows.migrate();
	const programs = Array.from({ length: 4 }, () => createBlobOwner({ storage: rows, blobs: bucket, world, claim: null }));
	for (let round = 0; round < 20; round++) {
		world.advance(hourMs);
		expect((await Promise.all(programs.map(({ takeTurn }) => takeTurn()))).every((since) => since !== null)).toBe(true);
		world.advance(hourMs);
		const answers = await Promise.all(programs.flatMap(({ takeTurn, mayRemove }) => [mayRemove(), takeTurn(), mayRemove()]));
		expect(answers.every((answer) => answer !== null && answer !== false)).toBe(true);
	}
	expect(await kept(searchable(rows, bucket, world))).toBeNull();
});

test("it hesitates for three days, also after a restart, and not once it would remove few again", async () => {
	const { world, bucket } = scene();
	const rows = ramRecords(world.now);
	await rows.migrate();
	const open = () => createBlobOwner({ storage: rows, blobs: bucket, world, claim: null });
	await open().takeTurn();
	expect(await open().hasHesitated(true)).toBe(false);
	world.advance(71 * hourMs);
	expect(await open().hasHesitated(true)).toBe(false);
	expect(await open().hasHesitated(false)).toBe(true);
	expect(await open().hasHesitated(true)).toBe(false);
	world.advance(72 * hourMs);
	expect(await open().hasHesitated(true)).toBe(true);
	expect(world.lines.filter(({ level }) => level === "warn").length).toBe(2);
});
