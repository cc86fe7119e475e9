/** A place in a bucket, by itself: pages, conditions, silence, uploads that were left, and the memory that a large file takes. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { parseS3Address } from "../../../../plugins/s3-client/address.ts";
import { s3Location } from "../../../../plugins/s3-client/location.ts";
import { type BackupPlace, readText, writeText } from "../../../../server/backup/places/place.ts";
import { s3Place } from "../../../../server/backup/places/s3-place.ts";
import { createWorld } from "../../../../server/boot/world.ts";
import { readSettings } from "../../../../server/settings/read-settings.ts";
import { bytesIn, type S3Peer, startS3Peer } from "../../../doubles/s3-peer.ts";

let store: S3Peer;
let place: BackupPlace;
beforeEach(async () => {
	store = await startS3Peer({}, "vault");
	const { plugins } = readSettings({ env: store.env, flags: [] });
	const world = { ...createWorld({ log: () => undefined }), sleep: async () => undefined };
	place = s3Place(s3Location("CAIRN_BACKUP_DIR", store.address("a prefix/ü"), plugins), world, 300);
});
afterEach(() => store.close());

const said = async (act: Promise<unknown>) => act.then(String, (thrown: Error) => thrown.message);

test("files are listed page by page, those below a folder only with it", async () => {
	store.pageMax = 2;
	for (const name of ["b.tar", "a.tar", "objects/00/x", "objects/01/y", "c&<d>.tar"]) await writeText(place, name, name);
	expect((await place.list("")).map(({ name }) => name)).toEqual(["a.tar", "b.tar", "c&<d>.tar"]);
	expect(await place.list("objects/")).toEqual([
		{ name: "objects/00/x", bytes: 12 },
		{ name: "objects/01/y", bytes: 12 },
	]);
	expect(await readText(place, "c&<d>.tar")).toBe("c&<d>.tar");
	expect(await place.read("nothing")).toBeNull();
	await place.remove("b.tar");
	await place.remove("b.tar");
	expect((await place.list("")).length).toBe(2);
	await writeText(place, "empty", "");
	expect(await readText(place, "empty")).toBe("");
});

test("a file is created once, also by a service without conditions", async () => {
	expect(await place.create("lock", "one")).toBe(true);
	expect(await place.create("lock", "two")).toBe(false);
	expect(await readText(place, "lock")).toBe("one");
	let refused = 0;
	store.trouble = (method, key) => (method === "PUT" && key.endsWith("/other") && refused++ === 0 ? 501 : null);
	expect(await place.create("other", "three")).toBe(true);
});

test("silence, a dead host and endless errors end with a sentence", async () => {
	store.trouble = () => "stall";
	expect(await said(place.list(""))).toMatch(/^the backup target s3:\/\/vault cannot be used: .*: it took longer than 0\.3 seconds$/);
	store.trouble = () => 503;
	store.called.length = 0;
	expect(await said(place.list(""))).toContain("status 503");
	expect(store.called.length).toBe(5);
	store.close();
	expect(await said(place.list(""))).toContain("the backup target s3://vault cannot be used");
}, 20_000);

const megabyte = 1024 * 1024;
async function* filler(megabytes: number): AsyncGenerator<Uint8Array> {
	for (let i = 0; i < megabytes; i++) yield new Uint8Array(megabyte).fill(i);
}

test("a large file is written in parts, or not at all, and uploads that were left are removed", async () => {
	await place.write("large", filler(21), 21 * megabyte);
	expect(bytesIn(store, "a prefix/ü/large").byteLength).toBe(21 * megabyte);
	const pieces = await place.read("large");
	let at = 0;
	for await (const piece of pieces ?? [])
		for (const start = at; at < start + piece.byteLength; at += megabyte / 2) expect(piece[at - start]).toBe(Math.floor(at / megabyte));
	expect(at).toBe(21 * megabyte);
	const broken = async function* () {
		yield* filler(12);
		throw new Error("the disk is gone");
	};
	expect(await said(place.write("broken", broken(), 100 * megabyte))).toBe("the disk is gone");
	expect([store.objects.size, store.uploads.size]).toEqual([1, 0]);
	store.uploads.set("left", { key: "a prefix/ü/left", begunAt: "2026-01-01T00:00:00.000Z", encryption: null, parts: new Map() });
	store.uploads.set("others", { key: "elsewhere", begunAt: "2026-01-01T00:00:00.000Z", encryption: null, parts: new Map() });
	store.uploads.set("running", { key: "a prefix/ü/running", begunAt: new Date().toISOString(), encryption: null, parts: new Map() });
	await place.removeUnfinished(new Date(Date.now() - 60_000), false);
	expect([...store.uploads.keys()]).toEqual(["others", "running"]);
}, 30_000);

test("an address names bucket, prefix, service and region, or is none", () => {
	expect(parseS3Address("s3://b-1/x/y%20z/?endpoint=http://h:9000/&region=eu-1")).toEqual({
		bucket: "b-1",
		prefix: "x/y z/",
		endpoint: "http://h:9000/",
		region: "eu-1",
		encryption: {},
	});
	expect(parseS3Address("s3://bucket")).toEqual({ bucket: "bucket", prefix: "", endpoint: null, region: null, encryption: {} });
	for (const text of ["s3://", "s3://a/../b", "s3://bucket?other=1", "s3://bucket?endpoint=ftp://x", "s3://bucket#x", "s3://bucket/%zz", "http://bucket"])
		expect([text, parseS3Address(text)]).toEqual([text, { expected: expect.any(String) }]);
});
