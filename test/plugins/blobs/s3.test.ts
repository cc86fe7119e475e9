/** Blobs in a bucket: every promise of a blob store against a service that checks signatures, and what the network does to them. */

import { afterEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BlobStorePlugin, ServiceError } from "cairn-memory";
import { openBlobs as openFolder } from "../../../plugins/blobs/folder/index.ts";
import s3, { openBlobs } from "../../../plugins/blobs/s3/index.ts";
import { openS3, type S3Client } from "../../../plugins/s3-client/client.ts";
import { s3Location } from "../../../plugins/s3-client/location.ts";
import { readSettings } from "../../../server/settings/read-settings.ts";
import { blobStoreContract } from "../../contract/blob-store-contract.ts";
import { sampleOrganisation } from "../../contract/samples.ts";
import { createConnectorHost } from "../../doubles/connector-host.ts";
import { type S3Peer, startS3Peer } from "../../doubles/s3-peer.ts";
import { startTestServer } from "../../doubles/test-server.ts";

const peers: S3Peer[] = [];
afterEach(() => {
	for (const peer of peers.splice(0)) peer.close();
});

async function startPeer(sessionToken?: string): Promise<S3Peer> {
	const peer = await startS3Peer();
	peers.push(peer);
	return sessionToken === undefined ? peer : Object.assign(peer, { keys: { ...peer.keys, sessionToken } });
}

const urlOf = ({ keys, endpoint }: S3Peer, more = "") => `s3://${keys.bucket}/some/cairn?endpoint=${endpoint}&region=${keys.region}${more}`;
const settingsOf = ({ keys }: S3Peer) => ({
	AWS_ACCESS_KEY_ID: keys.accessKeyId,
	AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
	AWS_SESSION_TOKEN: keys.sessionToken ?? null,
	AWS_REGION: "us-east-1",
});

function open(
	peer: S3Peer,
	more = "",
	settings: Record<string, unknown> = {},
): { readonly client: S3Client; readonly store: BlobStorePlugin; readonly pauses: readonly number[] } {
	const host = createConnectorHost([peer.host]);
	const client = openS3(s3Location("CAIRN_BLOBS_URL", urlOf(peer, more), { ...settingsOf(peer), ...settings }), host);
	return { client, store: openBlobs(client, host.world), pauses: host.pauses };
}

async function* piecesOf(bytes: Uint8Array, pieceBytes = 1_000_000): AsyncGenerator<Uint8Array> {
	for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}

const bytesOf = (byteLength: number) => Uint8Array.from({ length: byteLength }, (_, i) => (i * 31 + (i >> 13)) % 251);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const mib = 1024 * 1024;
const signal = new AbortController().signal;

async function refusalOf(promise: Promise<unknown>): Promise<ServiceError> {
	const thrown = await promise.then(
		() => null,
		(error: unknown) => error,
	);
	if (thrown instanceof ServiceError) return thrown;
	throw new Error(`expected a ServiceError and got ${thrown}`);
}

const contractTests = blobStoreContract(async () => {
	const peer = await startPeer();
	return { store: open(peer).store, reopen: async () => open(peer).store, dispose: async () => peer.close() };
});
for (const contractTest of contractTests) test(contractTest.name, contractTest.check);

test("a large blob goes up in parts and comes back in ranges, the same bytes", async () => {
	const peer = await startPeer();
	const blobs = open(peer).store.organisation(sampleOrganisation);
	const bytes = bytesOf(20 * mib + 7);
	expect(await blobs.put("large", piecesOf(bytes), bytes.length)).toEqual({ byteLength: bytes.length, sha256: sha256(bytes) });
	expect(peer.requests.filter((request) => request.includes("partNumber=")).length).toBe(3);
	expect(peer.uploads.size).toBe(0);
	const back = await blobs.get("large");
	expect(back === null ? "" : sha256(back)).toBe(sha256(bytes));
	expect(peer.asked.gets.length).toBe(3);
});

test("a blob of exactly one part, and of exactly two", async () => {
	const blobs = open(await startPeer()).store.organisation(sampleOrganisation);
	for (const byteLength of [8 * mib, 16 * mib]) {
		const bytes = bytesOf(byteLength);
		await blobs.put("even", piecesOf(bytes, 3 * mib), byteLength);
		expect(sha256((await blobs.get("even")) ?? new Uint8Array())).toBe(sha256(bytes));
	}
});

test("a large blob whose source breaks off leaves neither an object nor parts", async () => {
	const peer = await startPeer();
	const blobs = open(peer).store.organisation(sampleOrganisation);
	async function* breaking() {
		yield bytesOf(20 * mib);
		throw new Error("the line went dead");
	}
	const thrown = await blobs.put("half", breaking(), 100 * mib).catch((error: unknown) => error);
	expect(String(thrown)).toContain("the line went dead");
	expect((await refusalOf(blobs.put("half", piecesOf(bytesOf(20 * mib)), 17 * mib))).code).toBe("FILE_TOO_LARGE");
	expect([peer.objects.size, peer.uploads.size]).toEqual([0, 0]);
	expect(peer.requests.some((request) => request.includes("partNumber="))).toBe(true);
});

test("what fails for a moment is repeated, after pauses that grow", async () => {
	const peer = await startPeer();
	const { store, pauses } = open(peer);
	const blobs = store.organisation(sampleOrganisation);
	peer.faults.push(503, "drop", "lose", 500);
	await blobs.put("a", piecesOf(bytesOf(10)), 10);
	expect(await blobs.get("a")).toEqual(Buffer.from(bytesOf(10)));
	expect(pauses.length).toBe(4);
	expect(pauses.every((pause, i) => pause >= 100 * 2 ** i && pause <= 200 * 2 ** i)).toBe(true);
});

test("an upload in parts whose last response is lost is complete", async () => {
	const peer = await startPeer();
	const blobs = open(peer).store.organisation(sampleOrganisation);
	const bytes = bytesOf(9 * mib);
	// The upload begins, two parts are sent, and the response to its end is lost.
	peer.faults.push(null, null, null, "lose");
	await blobs.put("large", piecesOf(bytes), bytes.length);
	expect(sha256((await blobs.get("large")) ?? new Uint8Array())).toBe(sha256(bytes));
});

test("an outage is reported as one, and so is a bucket that does not exist", async () => {
	const peer = await startPeer();
	const blobs = open(peer).store.organisation(sampleOrganisation);
	peer.faults.push(...Array.from({ length: 5 }, () => 503));
	const outage = await refusalOf(blobs.get("a"));
	expect([outage.code, outage.mayPass, outage.retryAfterMs]).toEqual(["BUCKET_UNAVAILABLE", true, 5_000]);
	expect(peer.requests.length).toBe(5);
	const host = createConnectorHost([peer.host]);
	const elsewhere = openS3(s3Location("X", urlOf(peer).replace(peer.keys.bucket, "elsewhere"), settingsOf(peer)), host);
	expect((await refusalOf(elsewhere.read("a"))).message).toContain("NoSuchBucket");
});

test("wrong keys are refused at once, and the message has no secret", async () => {
	const peer = await startPeer();
	const wrong = { AWS_SECRET_ACCESS_KEY: "not-the-secret-of-the-peer" };
	const refusal = await refusalOf(
		open(peer, "", wrong)
			.store.organisation(sampleOrganisation)
			.put("a", piecesOf(bytesOf(1)), 1),
	);
	expect(refusal.message).toBe("the bucket documents cannot be used: it answered with status 403 (SignatureDoesNotMatch)");
	expect([peer.requests.length, peer.objects.size]).toEqual([1, 0]);
	expect(JSON.stringify(refusal.args)).not.toContain(peer.keys.secretAccessKey);
});

test("temporary keys, and encryption by the service", async () => {
	const peer = await startPeer("a-session-token");
	expect((await refusalOf(open(peer, "", { AWS_SESSION_TOKEN: null }).store.organisation(sampleOrganisation).get("a"))).message).toContain("InvalidToken");
	const blobs = open(peer, "&sse=aws:kms&kms_key=arn:aws:kms:eu-test-1:1:key/2").store.organisation(sampleOrganisation);
	await blobs.put("small", piecesOf(bytesOf(1)), 1);
	await blobs.put("large", piecesOf(bytesOf(9 * mib)), 9 * mib);
	expect([...peer.encryption.values()]).toEqual(Array.from({ length: 2 }, () => "aws:kms arn:aws:kms:eu-test-1:1:key/2"));
});

test("lists of several pages, without what is no blob", async () => {
	const peer = await startPeer();
	peer.pageMax = 3;
	const { store } = open(peer);
	for (let i = 0; i < 10; i++) await store.organisation(sampleOrganisation).put(`blob-${i}`, piecesOf(bytesOf(i)), 10);
	peer.objects.set("some/cairn/notes.txt", "no blob");
	peer.objects.set("some/cairn-other/organisationAAAAAAAAAA/ab/x", "not below the prefix");
	const keys = (await Array.fromAsync(store.list())).map(({ key }) => key).toSorted();
	expect(keys).toEqual(Array.from({ length: 10 }, (_, i) => `blob-${i}`));
});

test("the mark of a folder that a console made is neither a blob nor an object that is read", async () => {
	const peer = await startPeer();
	const { store } = open(peer);
	await store.organisation(sampleOrganisation).put("blob", piecesOf(bytesOf(3)), 3);
	const [path = ""] = [...peer.objects.keys()];
	peer.objects.set("some/cairn/", "");
	expect((await Array.fromAsync(store.list())).map(({ key }) => key)).toEqual(["blob"]);
	if (store.read === undefined) throw new Error("its objects can be read");
	expect((await Array.fromAsync(store.read())).map(({ name }) => `some/cairn/${name}`)).toEqual([path]);
});

test("parts of interrupted uploads are removed after a day, and those under way are not", async () => {
	const peer = await startPeer();
	const { store } = open(peer);
	const upload = (key: string, ageHours: number) => ({
		key,
		parts: new Map(),
		encryption: null,
		begunAt: new Date(Date.now() - ageHours * 3_600_000).toISOString(),
	});
	peer.uploads.set("old", upload("some/cairn/x/ab/old", 25)).set("new", upload("some/cairn/x/ab/new", 1)).set("foreign", upload("another/old", 25));
	await store.maintain?.(signal);
	expect([...peer.uploads.keys()]).toEqual(["new", "foreign"]);
});

test("an object that changes while it is read is an error and not a mixture", async () => {
	const peer = await startPeer();
	const { client } = open(peer);
	await client.put("changing", piecesOf(bytesOf(20 * mib)), 20 * mib);
	const pieces = await client.read("changing");
	const read = Array.fromAsync(pieces ?? [], async (piece) => {
		peer.objects.set("some/cairn/changing", bytesOf(20 * mib));
		peer.etags.delete("some/cairn/changing");
		return piece;
	});
	expect((await refusalOf(read)).message).toContain("changed while it was read");
});

test("the files of the folder store can be copied into the bucket as they are", async () => {
	const folder = join(tmpdir(), `cairn-blobs-${crypto.randomUUID()}`);
	try {
		await openFolder(folder, { now: () => new Date() })
			.organisation(sampleOrganisation)
			.put("moved", piecesOf(bytesOf(100)), 100);
		const peer = await startPeer();
		const home = join(folder, "blobs");
		const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
		for (const file of files) {
			const path = join(file.parentPath, file.name);
			peer.objects.set(`some/cairn/${path.slice(home.length + 1).replaceAll("\\", "/")}`, await readFile(path));
		}
		expect(await open(peer).store.organisation(sampleOrganisation).get("moved")).toEqual(Buffer.from(bytesOf(100)));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

test("the setting chooses the store, unless another is named, and its mistakes are named", async () => {
	const env = { CAIRN_BLOBS_URL: "s3://documents" };
	expect(readSettings({ env: {}, flags: [] }).use.blobStore).toBeNull();
	expect(readSettings({ env, flags: [] }).use.blobStore).toBe("s3");
	expect(readSettings({ env, flags: ["--use-blob-store=folder"] }).use.blobStore).toBe("folder");
	const keys = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "the-secret", AWS_SESSION_TOKEN: null, AWS_REGION: "us-east-1" };
	const mistakes: readonly (readonly [string, string])[] = [
		["https://documents", "begin with s3://"],
		["s3://ab", "begin with s3://"],
		["s3://id:secret@documents", "contain no keys"],
		["s3://documents/up/..%2Fdown", "neither empty nor dots"],
		["s3://documents/a//b", "neither empty nor dots"],
		["s3://documents/%zz", "escapes such as %20"],
		["s3://documents/%0A", "escapes such as %20"],
		["s3://documents#x", "without #"],
		["s3://documents?endpoint=ftp://x", "endpoint that is an http"],
		["s3://documents?endpoints=https://x", "no parameter endpoints"],
		["s3://documents?sse=none", "sse=AES256"],
		["s3://documents?kms_key=1", "sse=aws:kms"],
		["s3://documents?region=!", "a region"],
	];
	for (const [url, words] of mistakes) expect(() => s3Location("CAIRN_BLOBS_URL", url, keys), url).toThrow(words);
	expect(() => s3Location("CAIRN_BLOBS_URL", "s3://documents", { ...keys, AWS_SECRET_ACCESS_KEY: null })).toThrow("it needs AWS_SECRET_ACCESS_KEY");
	expect(s3Location("CAIRN_BLOBS_URL", "s3://documents/a/b/", keys)).toMatchObject({ prefix: "a/b/", baseUrl: "https://documents.s3.us-east-1.amazonaws.com" });
	expect(s3().configure?.({}, { settings: { CAIRN_BLOBS_URL: null }, modelsDir: "", modelTimeoutMs: 1, use: {} })).toBeNull();
});

test("a server keeps uploads in the bucket, and sweeps there what nothing needs", async () => {
	const peer = await startPeer();
	const flags = [`--blobs-url=${urlOf(peer)}`, `--aws-access-key-id=${peer.keys.accessKeyId}`, `--aws-secret-access-key=${peer.keys.secretAccessKey}`];
	const server = await startTestServer(flags);
	try {
		const client = await server.client();
		const form = new FormData();
		form.append("file", new File(["The tide table of Gullhaven hangs in the net loft."], "tide.txt"));
		const { id } = (await (await client.send("POST", "/v3/documents/file", undefined, { body: form })).json()) as { readonly id: string };
		expect((await client.finished(id))["status"]).toBe("done");
		expect(peer.objects.size).toBeGreaterThan(0);
		const { url } = (await (await client.send("GET", `/v3/documents/${id}/file-url`)).json()) as { readonly url: string };
		expect(await (await client.send("GET", url.slice(new URL(url).origin.length))).text()).toContain("hangs in the net loft");
		await server.maintain();
		expect([...peer.objects.keys()].some((key) => key.startsWith("some/cairn/"))).toBe(true);
		await client.send("DELETE", `/v3/documents/${id}`);
	} finally {
		await server.dispose();
	}
});
