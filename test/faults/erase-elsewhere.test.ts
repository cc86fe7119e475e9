/**
 * What is deleted for good is in no table of a PostgreSQL database and in no object of a bucket, and `cairn erase --prove` sees it there:
 * on a database in this process, and on a real server where `CAIRN_TEST_POSTGRES_URL` names one.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, definePlugin } from "cairn-memory";
import { z } from "zod";
import { openBlobs } from "../../plugins/blobs/s3/index.ts";
import { openS3 } from "../../plugins/s3-client/client.ts";
import { s3Location } from "../../plugins/s3-client/location.ts";
import type { PostgresConnection } from "../../plugins/stores/postgres/connection.ts";
import { pgvectorIndex } from "../../plugins/stores/postgres/indexes/vectors.ts";
import { postgresWordIndex } from "../../plugins/stores/postgres/indexes/words.ts";
import { outsideTables } from "../../plugins/stores/postgres/outside-tables.ts";
import { postgresStorage } from "../../plugins/stores/postgres/storage.ts";
import { type EraseOptions, eraseCommand } from "../../server/commands/erase.ts";
import { readSettings } from "../../server/settings/read-settings.ts";
import { createConnectorHost } from "../doubles/connector-host.ts";
import { type S3Peer, startS3Peer } from "../doubles/s3-peer.ts";
import { startTestServer, type TestClient } from "../doubles/test-server.ts";
import { type Databases, databasesHere, databasesOn } from "../doubles/two-nodes.ts";
import { until } from "../doubles/until.ts";

/** One word for each place that a document has: letters alone, and in no other word. */
const places = ["text", "title", "metadatakey", "metadatavalue", "customid", "filepath", "filename", "filebytes", "memory", "answer", "removed"] as const;
const wordOf = (place: (typeof places)[number], name: string) => `zqx${name}${place}vw`;
const log = () => undefined;
/** Some hundred steps, each of which a busy machine does in a second. */
const patienceMs = 600_000;

type Database = Awaited<ReturnType<Databases["create"]>>;

/** The database and the bucket of one server. */
interface Ground {
	readonly folder: string;
	readonly database: Database;
	readonly connection: PostgresConnection;
	readonly peer: S3Peer;
}

/** @param mayWrite asked before each transaction: from the first `false` on nothing is written, as after a kill */
function configOf({ connection, peer }: Ground, mayWrite: () => boolean = () => true): Config {
	const host = createConnectorHost([peer.host]);
	const settings = { AWS_ACCESS_KEY_ID: peer.keys.accessKeyId, AWS_SECRET_ACCESS_KEY: peer.keys.secretAccessKey, AWS_SESSION_TOKEN: null, AWS_REGION: "x" };
	const blobs = openBlobs(openS3(s3Location("CAIRN_BLOBS_URL", peer.address("cairn"), settings), host), host.world);
	const killed = <Args extends readonly unknown[], Result>(run: (...args: Args) => Promise<Result>) => {
		return async (...args: Args) => {
			if (!mayWrite()) throw new Error("killed");
			return run(...args);
		};
	};
	const used: PostgresConnection = {
		...connection,
		transaction: killed(connection.transaction) as PostgresConnection["transaction"],
		alone: killed(connection.alone),
		close: async () => undefined,
	};
	const plugin = definePlugin({
		name: "test-postgres",
		contract: 1,
		options: z.strictObject({}),
		start: async () => {
			const vectorIndex = [pgvectorIndex(used, { exactMax: 1_000, buildMegabytes: 64, log })];
			const wordIndex = [postgresWordIndex(used)];
			const storage = postgresStorage({ connection: used, hasVectors: true, now: () => new Date() });
			const outside = outsideTables({ connection: used, indexes: [...vectorIndex, ...wordIndex], log });
			return { storage: [{ ...storage, name: "test-postgres", outside }], vectorIndex, wordIndex, blobStore: [{ ...blobs, name: "test-s3" }] };
		},
	});
	return { plugins: [plugin({})], use: { storage: "test-postgres", blobStore: "test-s3" } };
}

const flags = ["--use-embedder=hashing", "--undo-days=0"];

async function erase(ground: Ground, words: readonly string[], mayWrite?: () => boolean, more: Partial<EraseOptions> = {}) {
	const options = { withProof: true, isGone: false, textFile: null, organisation: null, ...more };
	const config = configOf(ground, mayWrite);
	const settings = readSettings({ env: {}, flags: [`--data-dir=${ground.folder}`, ...flags] }, config.use);
	const said: string[] = [];
	const write = (text: string) => void said.push(text);
	const code = await eraseCommand(words, { settings, config, write, writeError: write, isTerminal: false, isJson: false }, options);
	return { code, said: said.join("") };
}

/** Three documents of the container with all of its words, and one that stays. */
async function fill(client: TestClient, container: string): Promise<void> {
	const word = (place: (typeof places)[number]) => wordOf(place, container);
	const ids: string[] = [];
	const add = async (body: object) => {
		const answer = await client.send("POST", "/v3/documents", body);
		if (!answer.ok) throw new Error(await answer.text());
		ids.push(((await answer.json()) as { id: string }).id);
	};
	for (let i = 0; i < 2; i++)
		await add({
			content: `${word("title")} number ${i}\n\nThis tells of ${word("text")} and a tapir. Ada ${word("memory")} works at the zoo.`,
			customId: `${word("customid")}-${i}`,
			containerTag: container,
			metadata: { [word("metadatakey")]: word("metadatavalue"), serial: i },
			filepath: `/${word("filepath")}/${i}`,
		});
	await add({ content: `The quagga grazes beside the kudu, says the keeper of ${container}.`, customId: `kept-${container}`, containerTag: "kept" });
	const form = new FormData();
	form.append("containerTag", container);
	form.append("file", new File([`# A file\n\nIt tells of ${word("filebytes")} and of an okapi.`], `${word("filename")}.md`));
	const uploaded = await client.send("POST", "/v3/documents/file", undefined, { method: "POST", body: form });
	ids.push(((await uploaded.json()) as { id: string }).id);
	for (const id of ids) expect(await client.finished(id)).toMatchObject({ status: "done" });
}

/** What the model once said of a text, and a document that can still be brought back. */
async function addRemains(ground: Ground, container: string): Promise<void> {
	const { query } = ground.connection;
	const [row] = (await query("SELECT organisation FROM documents LIMIT 1", [])).rows as readonly { readonly organisation: string }[];
	const owner = row?.organisation ?? "";
	const later = Date.now() + 30 * 86_400_000;
	const sql = "INSERT INTO records (organisation, kind, id, value, version, expires_at) VALUES ($1, 'model-answer', $2, $3, 1, $4)";
	await query(sql, [owner, `answer-${container}`, JSON.stringify({ text: wordOf("answer", container) }), later]);
	const removed = JSON.stringify({ title: wordOf("removed", container) });
	const copy =
		'INSERT INTO removed_documents (organisation, removal, document, row, blob, memories, expires_at) VALUES ($1, $2, $3, $4, NULL, \'{"memories":[],"relinked":[]}\', $5)';
	await query(copy, [owner, `removal-${container}`, `removed-${container}`, removed, later]);
}

/** Read by this test itself, with nothing of what it tests: the words in any row of any table, and in any object or its name. */
async function held({ connection: { query }, peer }: Ground, container: string): Promise<readonly string[]> {
	const listed = await query(
		"SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables WHERE table_type = 'BASE TABLE'",
		[],
	);
	const texts: string[] = [];
	for (const { name } of listed.rows as readonly { readonly name: string }[]) {
		const rows = (await query(`SELECT row_to_json(t)::text AS row FROM ${name} t`, [])).rows as readonly { readonly row: unknown }[];
		texts.push(...rows.map(({ row }) => JSON.stringify(row)));
	}
	for (const [key, bytes] of peer.objects) texts.push(key, Buffer.from(bytes).toString("latin1"));
	return wordsIn(texts, container);
}

function wordsIn(texts: readonly string[], container: string): readonly string[] {
	const all = texts.join("\n").toLowerCase();
	return places.filter((place) => all.includes(wordOf(place, container)));
}

/** The bytes of the files of all tables and indexes, and of what belongs to them beside their rows. */
async function heldInFiles({ connection: { query, alone } }: Ground, container: string): Promise<readonly string[]> {
	await alone("CHECKPOINT");
	const sql = `SELECT c.relname AS name, encode(pg_read_binary_file(pg_relation_filepath(c.oid)), 'escape') AS bytes
		FROM pg_class c WHERE c.relkind IN ('r', 'i', 't') AND pg_relation_filepath(c.oid) IS NOT NULL AND NOT c.relisshared`;
	return wordsIn(
		(await query(sql, [])).rows.map((row) => (row as { readonly bytes: string }).bytes),
		container,
	);
}

const url = process.env["CAIRN_TEST_POSTGRES_URL"];
describe("a database in this process and a bucket", () => holdsOn(databasesHere));
describe.skipIf(url === undefined)("a PostgreSQL server and a bucket", () => holdsOn(() => databasesOn(url ?? "")));

function holdsOn(open: () => Promise<Databases>): void {
	let databases: Databases;
	let ground: Ground;
	let key = "";
	const killed = ["killeda", "killedb", "killedc"];

	beforeAll(async () => {
		databases = await open();
		const database = await databases.create();
		const folder = await mkdtemp(join(tmpdir(), "cairn-erase-elsewhere-"));
		ground = { folder, database, connection: database.connect(), peer: await startS3Peer() };
	}, 120_000);
	afterAll(async () => {
		await ground.connection.close();
		ground.peer.close();
		await ground.database.drop();
		await databases.close();
		await rm(ground.folder, { recursive: true, force: true });
	});

	/** With a server that runs until the function ends. */
	async function withServer(run: (client: TestClient, maintain: () => Promise<void>) => Promise<void>): Promise<void> {
		const server = await startTestServer(flags, configOf(ground), { folder: ground.folder });
		const client = key === "" ? await server.client() : server.clientWith(key);
		key = client.key;
		try {
			await run(client, server.maintain);
		} finally {
			await server.dispose();
		}
	}
	async function withRemains(container: string): Promise<void> {
		await addRemains(ground, container);
		expect(await held(ground, container)).toEqual(places);
	}
	const spelled = async (container: string) =>
		(await ground.connection.query("SELECT 1 AS one FROM word_spellings WHERE word LIKE $1 LIMIT 1", [`%${wordOf("text", container)}%`])).rows.length > 0;
	const indexed = (container: string) => until(() => spelled(container));

	test(
		"a deletion that is final leaves nothing in tables and objects once the server has tidied up",
		async () => {
			await withServer(async (client, maintain) => {
				for (const container of ["calm", "erased", "refused", "left", ...killed]) await fill(client, container);
				for (const container of ["calm", "erased", "refused", "left", ...killed]) await indexed(container);
				const before = await held(ground, "calm");
				expect(before).toEqual(places.filter((place) => place !== "answer" && place !== "removed"));
				expect((await client.send("DELETE", "/v3/documents/bulk", { containerTags: ["calm"] })).status).toBe(200);
				await maintain();
				await until(async () => (await held(ground, "calm")).length === 0);
			});
		},
		patienceMs,
	);

	test(
		"an erasure leaves nothing in rows, in the files of the tables and in objects, and says where it looked",
		async () => {
			await withRemains("erased");
			expect((await heldInFiles(ground, "erased")).length).toBeGreaterThan(0);
			const { code, said } = await erase(ground, ["erased"]);
			expect([code, said]).toEqual([
				0,
				expect.stringMatching(/erased: 3 documents and \d+ memories erased\nsearched \d+ files, tables and blobs for \d{2,} pieces/),
			]);
			expect(said).toMatch(/ {2}table public\.chunks, .*: nothing\n/);
			expect(said).toMatch(/ {2}table pg_stats, .*: nothing\n/);
			expect(said).toMatch(/ {2}table public\.documents, .*: nothing\n/);
			expect(await held(ground, "erased")).toEqual([]);
			expect(await heldInFiles(ground, "erased")).toEqual([]);
			// What stays is found, through indexes that were made anew.
			await withServer(async (client) => {
				await until(async () => {
					const { results } = (await (await client.send("POST", "/v3/search", { q: "quagga kudu" })).json()) as { results: readonly unknown[] };
					return results.length > 0;
				});
			});
		},
		patienceMs,
	);

	test(
		"killed anywhere and started again, nothing is left",
		async () => {
			for (const [i, container] of killed.entries()) {
				await withRemains(container);
				let left = 1 + 4 * i;
				const began = await erase(ground, [container], () => left-- > 0).catch((thrown: unknown) => String(thrown));
				expect(began).toContain("killed");
				expect(await held(ground, container)).not.toEqual([]);
				expect((await erase(ground, [container])).code).toBe(0);
				expect(await held(ground, container)).toEqual([]);
			}
		},
		patienceMs,
	);

	test(
		"an original whose removal failed is removed by the next try",
		async () => {
			await withRemains("refused");
			ground.peer.trouble = (method) => (method === "DELETE" ? 403 : null);
			await erase(ground, ["refused"]).catch(() => undefined);
			ground.peer.trouble = () => null;
			expect(await held(ground, "refused")).toContain("filebytes");
			expect((await erase(ground, ["refused"])).code).toBe(0);
			expect(await held(ground, "refused")).toEqual([]);
		},
		patienceMs,
	);

	test(
		"what somebody has left in a table or an object is named",
		async () => {
			await withRemains("left");
			const { query } = ground.connection;
			await query("CREATE SCHEMA IF NOT EXISTS elsewhere", []);
			await query("CREATE TABLE elsewhere.forgotten (note BYTEA)", []);
			await query("INSERT INTO elsewhere.forgotten VALUES ($1)", [new TextEncoder().encode(`the zoo and ${wordOf("text", "left").toUpperCase()}`)]);
			const original = [...ground.peer.objects].find(([, bytes]) => Buffer.from(bytes).includes(wordOf("filebytes", "left")))?.[0] ?? "";
			const copy = "cairn/other/2c/copy";
			ground.peer.objects.set(copy, ground.peer.objects.get(original) ?? "");
			const { code, said } = await erase(ground, ["left"]);
			expect([code, said]).toEqual([1, expect.stringMatching(/table elsewhere\.forgotten, .*: 1 found, the first a word at byte 12\n/)]);
			expect(said).toMatch(/ {2}table public\.documents, .*: nothing\n/);
			await query("DROP SCHEMA elsewhere CASCADE", []);
			ground.peer.objects.delete(copy);
		},
		patienceMs,
	);

	test(
		"texts that were deleted over HTTP are in no table and no object, and what somebody has left of them is named",
		async () => {
			const textFile = join(ground.folder, "..", `${crypto.randomUUID()}.texts`);
			await writeFile(textFile, places.map((place) => wordOf(place, "calm")).join("\n"));
			const look = () => erase(ground, [], undefined, { isGone: true, textFile });
			const before = await look();
			expect([before.code, before.said]).toEqual([0, expect.stringMatching(/^searched \d+ files, tables and blobs for \d{2,} pieces of what was deleted/)]);
			expect(before.said).toMatch(/ {2}table public\.documents, .*: nothing\n/);

			const { query } = ground.connection;
			await query("CREATE TABLE forgotten (note TEXT)", []);
			await query("INSERT INTO forgotten VALUES ($1)", [`the zoo and ${wordOf("title", "calm").toUpperCase()}`]);
			// Not a name that Cairn gives.
			const copy = "cairn/copies/of an original";
			ground.peer.objects.set(copy, `tells of ${wordOf("filebytes", "calm")}`);
			const { code, said } = await look();
			expect([code, said]).toEqual([1, expect.stringMatching(/ {2}table public\.forgotten, .*: \d+ found, .*: line 2\n/)]);
			expect(said).toMatch(/ {2}blob copies\/of an original, .*: \d+ found, .*: line 8\n/);
			await query("DROP TABLE forgotten", []);
			ground.peer.objects.delete(copy);
			await rm(textFile);
		},
		patienceMs,
	);
}
