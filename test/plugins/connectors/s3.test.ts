import { afterEach, describe, expect, test } from "bun:test";
import { type Change, type Log, limits, ServiceError } from "cairn-memory";
import { itemKey } from "../../../plugins/connectors/item-key.ts";
import { openBucket } from "../../../plugins/connectors/s3/bucket.ts";
import { configure } from "../../../plugins/connectors/s3/config.ts";
import s3 from "../../../plugins/connectors/s3/index.ts";
import { isThere } from "../../../plugins/connectors/s3/survey.ts";
import { parseListPage } from "../../../plugins/s3-client/list-page.ts";
import { connectorContract } from "../../contract/connector-contract.ts";
import { kept } from "../../contract/connector-scene.ts";
import { pluginContract } from "../../contract/plugin-contract.ts";
import { createConnectorHost, startConnector } from "../../doubles/connector-host.ts";
import { startLocalPeer } from "../../doubles/local-peer.ts";
import { etagOf, type S3Peer, startS3Peer, textsOf } from "../../doubles/s3-peer.ts";
import { createStep } from "../../doubles/step.ts";

const peers: S3Peer[] = [];
afterEach(() => {
	for (const peer of peers.splice(0)) peer.close();
});

async function open(objects: Readonly<Record<string, string>> = {}): Promise<S3Peer> {
	const peer = await startS3Peer(objects);
	peers.push(peer);
	return peer;
}

const metadataFor = ({ keys, endpoint }: S3Peer, more: Record<string, unknown> = {}) => ({ ...keys, endpoint, ...more });
const refusalOf = async (run: () => unknown): Promise<ServiceError> => {
	try {
		await run();
	} catch (error) {
		if (error instanceof ServiceError) return error;
		throw error;
	}
	throw new Error("it was expected to be refused");
};

async function syncOnce(peer: S3Peer, more: Record<string, unknown> = {}, cursor: Parameters<typeof kept>[0] | null = null, documentsMax = 100) {
	const connector = await startConnector(s3(), createConnectorHost([peer.host]));
	const step = createStep();
	const changes: Change[] = [];
	for await (const change of connector.sync(connector.configure(metadataFor(peer, more), documentsMax), cursor, step)) changes.push(change);
	const puts = changes.flatMap((change) => (change.kind === "put" ? [change.item] : []));
	const removed = changes.flatMap((change) => (change.kind === "remove" ? [change.key] : []));
	return { changes, puts, removed, warnings: step.warnings.map(({ code }) => code), cursor: kept(changes.at(-1)?.cursor() ?? {}) };
}

async function scene() {
	const peer = await startS3Peer({ "a.txt": "words of a", "b/c d.txt": "words of c", "e+f&g.md": "# words of e", "folder/": "" });
	const there = () => new Map([...textsOf(peer)].filter(([key]) => !key.endsWith("/")));
	const good = metadataFor(peer);
	const without = (key: string) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== key));
	return {
		start: (log: Log) => startConnector(s3(), createConnectorHost([peer.host], log)),
		metadata: good,
		nonsense: [
			...["accessKeyId", "secretAccessKey", "bucket", "region"].map((key) => ({ metadata: without(key), key })),
			{ metadata: { ...good, bucket: "../other" }, key: "bucket" },
			{ metadata: { ...good, region: "eu.evil.example#" }, key: "region" },
			{ metadata: { ...good, endpoint: "file:///etc" }, key: "endpoint" },
			{ metadata: { ...good, endpoint: "https://user:password@minio.example" }, key: "endpoint" },
			{ metadata: { ...good, containerTagRegex: "users/(.*)" }, key: "containerTagRegex" },
			{ metadata: { ...good, containerTagRegex: `(?<userId>a)${"b".repeat(200)}` }, key: "containerTagRegex" },
			{ metadata: { ...good, containerTagRegex: "(?=x)(?<userId>a)" }, key: "containerTagRegex" },
			{ metadata: { ...good, prefix: 7 }, key: "prefix" },
		],
		refused: { ...good, secretAccessKey: "not-the-secret-of-the-peer" },
		there,
		change: async () => {
			peer.objects.set("a.txt", "other words");
			peer.objects.set("z.txt", "words of z");
			peer.objects.delete("b/c d.txt");
		},
		stall: () => {
			peer.isStalled = true;
		},
		close: async () => peer.close(),
	};
}

for (const contractTest of [...pluginContract(s3), ...connectorContract(scene)]) test(contractTest.name, contractTest.check);

describe("a bucket", () => {
	test("pages, blanks, signs and other alphabets come through, each as it stands", async () => {
		const names = [
			"a b.txt",
			"plus+plus.txt",
			"amp&less<.txt",
			"ümläut/日本.txt",
			"per%20cent.txt",
			"star*(1)'!.txt",
			"deep//double.txt",
			"q?x=1#y.txt",
			"__proto__",
		];
		const peer = await open(Object.fromEntries(names.map((name) => [name, `words of ${name}`])));
		peer.pageMax = 2;
		const { puts, cursor } = await syncOnce(peer);
		expect(new Map(puts.map(({ key, content }) => [key, content.kind === "file" ? new TextDecoder().decode(content.bytes) : ""]))).toEqual(textsOf(peer));
		expect(peer.asked.lists).toBe(5);
		peer.asked.gets.length = 0;
		expect((await syncOnce(peer, {}, cursor)).changes).toEqual([]);
		expect(peer.asked.gets).toEqual([]);
	});

	test("an object comes with its name, type and origin", async () => {
		const peer = await open({ "notes/day one.md": "# Day one" });
		const { puts } = await syncOnce(peer);
		expect(puts).toEqual([
			{
				key: "notes/day one.md",
				content: { kind: "file", bytes: expect.anything(), fileName: "day one.md", claimedMediaType: "text/markdown", charset: null, address: null },
				title: null,
				metadata: { bucket: "documents", objectKey: "notes/day one.md", lastModified: "2026-01-02T03:04:05.000Z" },
				containerTag: null,
			},
		]);
	});

	test("folders, empty, archived and dotted objects are no documents, and objects over the limit are not fetched", async () => {
		const peer = await open({
			"folder/": "",
			"empty.txt": "",
			"a/../b.txt": "dots",
			"cold.txt": "ice",
			"big.bin": "x".repeat(limits.fileBytesMax + 1),
			"fine.txt": "fine",
		});
		peer.storageClasses.set("cold.txt", "DEEP_ARCHIVE");
		const { puts, warnings } = await syncOnce(peer);
		expect(puts.map(({ key }) => key)).toEqual(["fine.txt"]);
		expect(peer.asked.gets).toEqual(["fine.txt"]);
		expect(warnings).toEqual(["S3_OBJECTS_SKIPPED"]);
	});

	test("a prefix narrows it", async () => {
		const peer = await open({ "in/a b.txt": "a", "out/b.txt": "b" });
		expect((await syncOnce(peer, { prefix: "in/a b" })).puts.map(({ key }) => key)).toEqual(["in/a b.txt"]);
	});

	test("names too long for a key become a key of their own, the same each time", async () => {
		const long = `${"ordner/".repeat(60)}name`;
		const peer = await open({ [`${long}1.txt`]: "one", [`${long}2.txt`]: "two" });
		const first = await syncOnce(peer);
		expect(new Set(first.puts.map(({ key }) => key)).size).toBe(2);
		for (const { key, metadata } of first.puts) {
			expect(key.length).toBeLessThanOrEqual(limits.connectorKeyCharactersMax);
			expect(String(metadata["objectKey"])).toStartWith(long);
		}
		expect((await syncOnce(peer, {}, first.cursor)).changes).toEqual([]);
	});

	test("an object whose name is too long for a key is found among others that begin alike, whatever prefix is chosen", async () => {
		const long = (i: number) => `${"x".repeat(155)}\u{1F30A}${"y".repeat(60)}${i}`;
		const peer = await open(Object.fromEntries(Array.from({ length: 9 }, (_, i) => [long(i), "words"])));
		peer.pageMax = 2;
		const host = createConnectorHost([peer.host]);
		const isFound = async (i: number, prefix = "") => {
			const config = configure(metadataFor(peer, { prefix }), 100);
			return isThere(itemKey(long(i)), prefix, openBucket(config, host), createStep());
		};
		expect([await isFound(8), await isFound(9), await isFound(8, "xx"), await isFound(8, `${long(0).slice(0, 190)}`), await isFound(8, "y")]).toEqual([
			...[true, false, true, true, false],
		]);
	});

	test("a new object never drives out an old one, and takes the place of one that goes", async () => {
		const peer = await open({ "m.txt": "m", "n.txt": "n" });
		const first = await syncOnce(peer, {}, null, 2);
		peer.objects.set("a.txt", "a");
		const second = await syncOnce(peer, {}, first.cursor, 2);
		expect(second.changes).toEqual([]);
		peer.objects.delete("n.txt");
		const third = await syncOnce(peer, {}, first.cursor, 2);
		expect([third.removed, third.puts.map(({ key }) => key)]).toEqual([["n.txt"], ["a.txt"]]);
	});

	test("an object that cannot be read is passed over and tried again; five in a row end the sync", async () => {
		const peer = await open({ "a.txt": "a", "b.txt": "b", "c.txt": "c" });
		peer.troubled.set("b.txt", 403);
		const first = await syncOnce(peer);
		expect([first.puts.map(({ key }) => key), first.warnings]).toEqual([["a.txt", "c.txt"], ["S3_OBJECT_FAILED"]]);
		peer.troubled.clear();
		expect((await syncOnce(peer, {}, first.cursor)).puts.map(({ key }) => key)).toEqual(["b.txt"]);
		for (let i = 0; i < 6; i += 1) {
			peer.objects.set(`t${i}.txt`, "trouble");
			peer.troubled.set(`t${i}.txt`, 503);
		}
		expect(await refusalOf(() => syncOnce(peer, {}, first.cursor))).toMatchObject({ code: "ADDRESS_FAILED", mayPass: true });
	});

	test("a clock that is wrong is told as that, and says nothing of the keys", async () => {
		const peer = await open({ "a.txt": "a" });
		const host = createConnectorHost([peer.host]);
		const late = { ...host, world: { ...host.world, now: () => new Date(Date.now() - 20 * 60_000) } };
		const connector = await startConnector(s3(), late);
		const refusal = await refusalOf(() => connector.check?.(connector.configure(metadataFor(peer), 10), createStep()));
		expect([refusal.code, refusal.mayPass, refusal.message]).toEqual(["ADDRESS_FAILED", true, expect.stringContaining("clock")]);
	});

	test("objects that may be listed and not read keep none of the others, however many there are", async () => {
		const peer = await open({ "z.txt": "z" });
		for (let i = 0; i < 6; i += 1) {
			peer.objects.set(`secret ${i}.txt`, "trouble");
			peer.troubled.set(`secret ${i}.txt`, 403);
		}
		const { puts, warnings } = await syncOnce(peer);
		expect([puts.map(({ key }) => key), warnings]).toEqual([["z.txt"], Array.from({ length: 6 }, () => "S3_OBJECT_FAILED")]);
	});

	test("a bucket in which only the marker of a folder is left is no empty one", async () => {
		const peer = await open({ "a/one.txt": "1", "a/": "" });
		const first = await syncOnce(peer);
		peer.objects.delete("a/one.txt");
		expect((await syncOnce(peer, {}, first.cursor)).removed).toEqual(["a/one.txt"]);
	});

	test.each(["absent", "empty"] as const)("a list that goes on and whose token is %s is not one that has ended", async (hidden) => {
		const peer = Object.assign(await open({ "a.txt": "a", "b.txt": "b", "c.txt": "c" }), { pageMax: 2 });
		const first = await syncOnce(peer);
		expect(first.puts).toHaveLength(3);
		peer.hidesTokens = hidden;
		expect(await refusalOf(() => syncOnce(peer, {}, first.cursor))).toMatchObject({ code: "CONNECTION_INVALID" });
	});

	test("one deleted between the list and its turn is removed", async () => {
		const peer = await open({ "a.txt": "a", "b.txt": "b" });
		peer.troubled.set("b.txt", 404);
		expect((await syncOnce(peer)).removed).toEqual(["b.txt"]);
	});

	test("ten thousand objects: the list is read once, the cursor stays bounded", async () => {
		const peer = await open();
		for (let i = 0; i < 10_000; i += 1) peer.objects.set(`folder/of/some/length/document-${String(i).padStart(5, "0")}.txt`, "same words");
		const known = Object.fromEntries([...peer.objects.keys()].map((key) => [key, etagOf("same words")]));
		const cursor = { version: 1, objects: known };
		peer.objects.set("folder/of/some/length/document-05000.txt", "other words");
		const { puts, cursor: after } = await syncOnce(peer, {}, cursor, 10_000);
		expect(puts).toHaveLength(1);
		expect(peer.asked.lists).toBe(10);
		expect(JSON.stringify(after).length).toBeLessThan(1_000_000);
	});
});

describe("containers by name", () => {
	test("the group userId names the container; where it finds nothing, the connection's is meant", async () => {
		const peer = await open({ "users/anna/a.txt": "a", "users/ünfit/b.txt": "b", "other/c.txt": "c" });
		const { puts, warnings } = await syncOnce(peer, { containerTagRegex: "^users/(?<userId>[^/]+)/" });
		expect(Object.fromEntries(puts.map(({ key, containerTag }) => [key, containerTag]))).toEqual({
			"users/anna/a.txt": "anna",
			"users/ünfit/b.txt": null,
			"other/c.txt": null,
		});
		expect(warnings).toEqual(["S3_CONTAINER_TAG_UNFIT"]);
	});

	test("a pattern that would take JavaScript's engine for ever takes no time", async () => {
		const peer = await open({ [`${"a".repeat(180)}!`]: "words" });
		expect((await syncOnce(peer, { containerTagRegex: "^(?<userId>(a+)+)+$" })).puts).toHaveLength(1);
	});
});

describe("what a bucket refuses", () => {
	const cases = [
		["an unknown key", { accessKeyId: "AKIAUNKNOWN" }, "CONNECTION_FORBIDDEN", "InvalidAccessKeyId"],
		["a wrong secret", { secretAccessKey: "another-secret" }, "CONNECTION_FORBIDDEN", "SignatureDoesNotMatch"],
		["a bucket that is not there", { bucket: "elsewhere" }, "CONNECTION_SOURCE_MISSING", "NoSuchBucket"],
		["another region", { region: "us-test-9" }, "CONNECTION_INVALID", "region"],
	] as const;
	for (const [name, wrong, code, word] of cases) {
		test(`${name} is told when the connection is made`, async () => {
			const peer = await open({ "a.txt": "a" });
			const connector = await startConnector(s3(), createConnectorHost([peer.host]));
			const error = await refusalOf(() => connector.check?.(connector.configure(metadataFor(peer, wrong), 10), createStep()));
			expect(error.code).toBe(code);
			expect(error.message).toContain(word);
			expect(error.message).not.toContain(peer.keys.secretAccessKey);
			expect(await refusalOf(() => syncOnce(peer, wrong))).toMatchObject({ code });
		});
	}

	test("the right keys pass", async () => {
		const peer = await open({ "a.txt": "a" });
		const connector = await startConnector(s3(), createConnectorHost([peer.host]));
		await connector.check?.(connector.configure(metadataFor(peer), 10), createStep());
		expect(peer.asked.lists).toBe(1);
	});

	test.each([302, 303, 308])("a redirect with status %i is not followed, to no other host", async (status) => {
		const [peer, other] = [await open({ "a.txt": "a" }), await startLocalPeer(() => ({ status: 200, body: "<ListBucketResult></ListBucketResult>" }))];
		const leading = await startLocalPeer(() => ({ status, headers: { location: `${other.origin}/` } }));
		try {
			const connector = await startConnector(s3(), createConnectorHost([leading.host, other.host]));
			const config = connector.configure(metadataFor(peer, { endpoint: leading.origin }), 10);
			expect([await refusalOf(() => connector.check?.(config, createStep())), other.asked]).toMatchObject([{ code: "CONNECTION_INVALID" }, []]);
		} finally {
			for (const one of [leading, other]) one.close();
		}
	});

	test("an endpoint inside is not reached unless the operator allows it", async () => {
		const peer = await open({ "a.txt": "a" });
		const connector = await startConnector(s3(), createConnectorHost([]));
		const error = await refusalOf(() => connector.check?.(connector.configure(metadataFor(peer), 10), createStep()));
		expect(error).toMatchObject({ code: "ADDRESS_BLOCKED" });
		expect(peer.asked.lists).toBe(0);
	});

	test("an ETag of any length is a short one in the cursor", () => {
		const etagIn = (etag: string) =>
			parseListPage(`<ListBucketResult><Contents><Key>a</Key><ETag>${etag}</ETag></Contents></ListBucketResult>`)?.objects[0]?.etag ?? "";
		expect(etagIn("&quot;abc-2&quot;")).toBe("abc-2");
		expect(etagIn("x".repeat(5_000)).length).toBeLessThan(64);
		expect(etagIn("x".repeat(5_000))).not.toBe(etagIn("x".repeat(4_999)));
	});

	test("what is no list is no bucket", () => {
		for (const text of [
			"<html></html>",
			"",
			"<ListBucketResult>",
			'<!DOCTYPE x [<!ENTITY a "b">]><ListBucketResult>&a;</ListBucketResult>',
			"<a>".repeat(99),
		]) {
			expect(parseListPage(text)).toBeNull();
		}
	});

	test("on AWS the bucket is in the host's name, unless its dots would not fit a certificate", async () => {
		const asked: string[] = [];
		const host = {
			...createConnectorHost([]),
			fetch: async (address: string) => {
				asked.push(address);
				throw new ServiceError("ADDRESS_FAILED", [address, "held back"]);
			},
		};
		const connector = await startConnector(s3(), host);
		for (const wrong of [{ bucket: "plain" }, { bucket: "with.dots" }, { bucket: "plain", region: "cn-north-1" }]) {
			const keys = { accessKeyId: "AKIA", secretAccessKey: "secret-of-nobody", region: "eu-west-1", ...wrong };
			await refusalOf(() => connector.check?.(connector.configure(keys, 10), createStep()));
		}
		// What fails for a moment is asked for twice.
		expect([...new Set(asked.map((address) => new URL(address).origin + new URL(address).pathname))]).toEqual([
			"https://plain.s3.eu-west-1.amazonaws.com/",
			"https://s3.eu-west-1.amazonaws.com/with.dots/",
			"https://plain.s3.cn-north-1.amazonaws.com.cn/",
		]);
	});
});
