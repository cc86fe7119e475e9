/** The client of S3 that blobs and backups share: keys of any characters, parts that grow, what is created once, and whom a request is for. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Fetched, ServiceError } from "cairn-memory";
import { openS3, type S3Client } from "../../plugins/s3-client/client.ts";
import { s3Location } from "../../plugins/s3-client/location.ts";
import { createConnectorHost } from "../doubles/connector-host.ts";
import { bytesIn, type S3Peer, startS3Peer } from "../doubles/s3-peer.ts";

let peer: S3Peer;
let client: S3Client;
const signal = new AbortController().signal;
const mib = 1024 * 1024;
const bytes = (text: string) => new TextEncoder().encode(text);
const open = (address: string, settings: object = {}) =>
	openS3(s3Location("X", address, { ...peer.env, AWS_REGION: "us-east-1", ...settings }), createConnectorHost([peer.host]));
async function* piecesOf(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
	yield* pieces;
}
const refusalOf = async (act: Promise<unknown>) => (await act.then(String, (thrown: ServiceError) => thrown)) as ServiceError;

beforeEach(async () => {
	peer = await startS3Peer();
	client = open(peer.address("a prefix/ü"));
});
afterEach(() => peer.close());

test("keys and prefixes have any characters", async () => {
	const key = "50% & <one>/+ü'(*)!.txt";
	await client.put(key, piecesOf(bytes("whole")), 5);
	expect([...peer.objects.keys()]).toEqual([`a prefix/ü/${key}`]);
	expect((await Array.fromAsync(client.list("50%"))).map(({ key: listed, byteLength }) => [listed, byteLength])).toEqual([[key, 5]]);
	expect(Buffer.concat(await Array.fromAsync((await client.read(key)) ?? [])).toString()).toBe("whole");
	await client.remove(key);
	expect(peer.objects.size).toBe(0);
	peer.uploads.set("left", { key: `a prefix/ü/${key}`, parts: new Map(), encryption: null, begunAt: "2026-01-01T00:00:00.000Z" });
	await client.abortUploads(new Date("2026-01-02"), signal);
	expect(peer.uploads.size).toBe(0);
});

test("a list that is not deep leaves out what is in folders, on every page", async () => {
	peer.pageMax = 2;
	for (const key of ["a", "b/1", "b/2", "c", "d", "e/1", "f"]) await client.put(key, piecesOf(bytes(key)), 10);
	const listed = async (below?: string, options?: { readonly isDeep: boolean }) => (await Array.fromAsync(client.list(below, options))).map(({ key }) => key);
	expect(await listed("", { isDeep: false })).toEqual(["a", "c", "d", "f"]);
	expect(await listed()).toEqual(["a", "b/1", "b/2", "c", "d", "e/1", "f"]);
	expect(await listed("b/")).toEqual(["b/1", "b/2"]);
});

test.each(["absent", "empty"] as const)("a list that goes on and whose token is %s is refused, not taken for the whole", async (hidden) => {
	Object.assign(peer, { pageMax: 1, hidesTokens: hidden });
	for (const key of ["a", "b"]) await client.put(key, piecesOf(bytes(key)), 10);
	expect(await refusalOf(Array.fromAsync(client.list()))).toMatchObject({ code: "BUCKET_UNAVAILABLE" });
});

test("parts grow with what may come, so that S3 takes all of them", async () => {
	const large = new Uint8Array(20 * mib).fill(7);
	await client.put("large", piecesOf(large.subarray(0, mib), large.subarray(mib)), 9_000 * 16 * mib);
	expect(peer.called.filter((call) => call.startsWith("PUT")).length).toBe(2);
	expect(bytesIn(peer, "a prefix/ü/large").equals(large)).toBe(true);
});

test("an object is created once, also if the response is lost", async () => {
	peer.faults.push(null, null, null, "lose");
	expect(await client.create("lock", bytes("one"))).toBe(true);
	expect(await client.create("lock", bytes("two"))).toBe(false);
	expect(bytesIn(peer, "a prefix/ü/lock").toString()).toBe("one");
	expect([...peer.objects.keys()]).toEqual(["a prefix/ü/lock"]);
});

for (const way of ["ignores conditions", "answers 501 to them"])
	test(`an object is created once by a service that ${way}, however many want it at one time`, async () => {
		peer.knowsConditions = false;
		const isRefused = new Set<string>();
		if (way === "answers 501 to them")
			peer.trouble = (method, key) => {
				// Only a conditional write names the object itself before it was refused once.
				if (method !== "PUT" || !key.endsWith("/lock") || isRefused.delete(key)) return null;
				isRefused.add(key);
				return 501;
			};
		for (let round = 0; round < 5; round++) {
			const texts = Array.from({ length: 3 }, (_, i) => `${round}-${i}`);
			const created = await Promise.all(texts.map((text) => client.create("lock", bytes(text))));
			const winners = texts.filter((_, i) => created[i]);
			expect([winners.length, bytesIn(peer, "a prefix/ü/lock").toString()]).toEqual([1, winners[0] ?? ""]);
			expect(await client.create("lock", bytes("late"))).toBe(false);
			await client.remove("lock");
		}
		expect(peer.objects.size).toBe(0);
	});

test("parts that the service does not put together are an error, and are removed", async () => {
	peer.trouble = (method) => {
		if (method === "POST") for (const { parts } of peer.uploads.values()) parts.delete(2);
		return null;
	};
	const refusal = await refusalOf(client.put("large", piecesOf(new Uint8Array(20 * mib)), 20 * mib));
	expect([refusal.code, refusal.message]).toEqual(["BUCKET_UNAVAILABLE", "the bucket documents cannot be used: it answered with status 200 (InvalidPart)"]);
	expect([peer.objects.size, peer.uploads.size]).toEqual([0, 0]);
});

test("a service without lists of uploads has none to abort", async () => {
	peer.trouble = (_method, _key, query) => (query.has("uploads") ? 501 : null);
	await client.abortUploads(new Date(), signal);
	expect(peer.called.length).toBe(1);
});

test("the service and the region of the settings serve an address that names none", async () => {
	const settings = { AWS_ENDPOINT_URL: peer.endpoint, AWS_REGION: peer.keys.region };
	await open("s3://documents", settings).put("here", piecesOf(bytes("x")), 1);
	expect([...peer.objects.keys()]).toEqual(["here"]);
	const { baseUrl, keys } = s3Location("X", "s3://documents?endpoint=https://other.example&region=eu-1", { ...peer.env, ...settings });
	expect([baseUrl, keys.region]).toEqual(["https://other.example/documents", "eu-1"]);
	expect(() => s3Location("X", "s3://documents", { ...peer.env, AWS_REGION: "no region" })).toThrow("in AWS_REGION");
});

test("a bucket elsewhere is refused with its region", async () => {
	const elsewhere: Fetched = {
		address: new URL(peer.endpoint),
		status: 301,
		headers: new Map([["x-amz-bucket-region", "eu-west-3"]]),
		claimedMediaType: null,
		charset: null,
		fileName: null,
		bytes: bytes("<Error><Code>PermanentRedirect</Code></Error>"),
	};
	const redirected = openS3(s3Location("X", "s3://documents", { ...peer.env, AWS_REGION: "eu-1" }), {
		...createConnectorHost([]),
		fetch: async () => elsewhere,
	});
	expect((await refusalOf(redirected.read("a"))).message).toBe(
		"the bucket documents cannot be used: it answered with status 301 (PermanentRedirect): it is in the region eu-west-3",
	);
});
