/** `cairn migrate-store`: a whole store moves, with its files and secrets, and what is in the way is named. */

import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rowTools } from "../../../plugins/stores/sqlite/rows.ts";
import { runCommand } from "../../../server/commands/run-command.ts";
import { endMove } from "../../../server/move/move-rows.ts";
import { seededRandom } from "../../contract/samples.ts";
import { writeAtRandom } from "../../doubles/random-contents.ts";
import { startS3Peer } from "../../doubles/s3-peer.ts";
import { endedStart } from "../../doubles/server-process.ts";
import { startTestServer, type TestClient } from "../../doubles/test-server.ts";
import { until } from "../../doubles/until.ts";
import { spawnCommand } from "../../faults/rig/run-cairn.ts";
import { contentsIn } from "../move/databases.ts";

const patienceMs = 120_000;
const folders: string[] = [];
afterAll(async () => {
	for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-migrate-"));
	folders.push(folder);
	return folder;
}

interface Outcome {
	/** Of `--json`. */
	readonly json: Readonly<Record<string, unknown>>;
	/** Null if it was not refused. */
	readonly refused: string | null;
}

async function migrate(dataDir: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
	const printed: string[] = [];
	const call = {
		args: ["migrate-store", ...words],
		env: { CAIRN_DATA_DIR: dataDir, ...env },
		write: (text: string) => printed.push(text),
		writeError: () => undefined,
	};
	try {
		expect(await runCommand(call)).toBe(0);
		return { json: words.includes("--json") ? JSON.parse(printed.join("")) : {}, refused: null };
	} catch (thrown) {
		return { json: {}, refused: (thrown as Error).message };
	}
}

/** @returns a key of the store */
async function fill(folder: string, count = 20): Promise<string> {
	const server = await startTestServer([], {}, { folder });
	const client = await server.client();
	await writeAtRandom(client, seededRandom(11), count);
	await finish(client);
	await server.dispose();
	return client.key;
}

/** Waits until nothing is processed any more. */
async function finish(client: TestClient): Promise<void> {
	await until(async () => {
		const { totalCount } = (await (await client.send("GET", "/v3/documents/processing")).json()) as { readonly totalCount: number };
		return totalCount === 0;
	});
}

async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
	const entries = await readdir(join(folder, "sqlite", "blobs"), { recursive: true, withFileTypes: true });
	// The mark of their owner stays where it is.
	const files = entries.filter((entry) => entry.isFile() && entry.name !== "owner");
	return Object.fromEntries(await Promise.all(files.map(async ({ name, parentPath }) => [name, await readFile(join(parentPath, name), "hex")])));
}

test(
	"a store moves to another folder with its files and secrets, and a server goes on there",
	async () => {
		const [folder, to] = [await newFolder(), await newFolder()];
		const key = await fill(folder);
		const first = await startTestServer([], {}, { folder });
		const sealed = first.parts.vault.seal("the key of a connection", "connection");
		await first.dispose();
		const before = contentsIn(folder);
		const { json } = await migrate(folder, ["--to", to, "--json"]);
		expect(json).toMatchObject({ isEnded: true, tables: { organisations: { rows: 1 } } });
		expect(contentsIn(to)).toEqual(before);
		expect(Object.keys(await filesIn(to)).length).toBeGreaterThan(0);
		expect(await filesIn(to)).toEqual(await filesIn(folder));

		const server = await startTestServer([], {}, { folder: to });
		const client = server.clientWith(key);
		expect(server.parts.vault.open(sealed, "connection")).toBe("the key of a connection");
		const { results } = (await (await client.send("POST", "/v3/search", { q: "Ben plays the oboe" })).json()) as { readonly results: readonly unknown[] };
		expect(results.length).toBeGreaterThan(0);
		const { id } = (await (await client.send("POST", "/v3/documents", { content: "A note after the move." })).json()) as { readonly id: string };
		expect(await client.finished(id)).toMatchObject({ status: "done" });
		await server.dispose();
		expect((await migrate(folder, ["--to", to])).refused).toMatch(/^the target is not empty: its table \w+ has rows/);
	},
	patienceMs,
);

test(
	"files move to S3 and back",
	async () => {
		const [folder, to, back] = [await newFolder(), await newFolder(), await newFolder()];
		await fill(folder);
		const peer = await startS3Peer();
		const files = await filesIn(folder);
		const { json } = await migrate(folder, ["--to", to, "--blobs", peer.address("originals"), "--json"], peer.env);
		expect(json).toMatchObject({ isEnded: true, blobs: { blobs: Object.keys(files).length, copied: Object.keys(files).length } });
		expect([...peer.objects.keys()].every((name) => name.startsWith("originals/"))).toBe(true);
		const env = { ...peer.env, CAIRN_BLOBS_URL: peer.address("originals") };
		expect((await migrate(to, ["--to", back, "--blobs=folder"], env)).refused).toBeNull();
		expect(await filesIn(back)).toEqual(files);
		// A bucket stays where it is unless another place is named.
		expect((await migrate(to, ["--to", await newFolder(), "--json"], env)).json).toMatchObject({ isEnded: true, blobs: null });
		peer.close();
	},
	patienceMs,
);

test(
	"while a server runs everything is copied, and the end comes when it has stopped",
	async () => {
		const [folder, to] = [await newFolder(), await newFolder()];
		const server = await startTestServer([], {}, { folder });
		const client = await server.client();
		await writeAtRandom(client, seededRandom(12), 15);
		expect((await migrate(folder, ["--to", to, "--json"])).json).toMatchObject({ isEnded: false });
		// No server takes the copy for a store.
		expect(await endedStart(to)).toMatchObject({ code: 1, printed: expect.stringContaining("a move that has not ended") });
		await writeAtRandom(client, seededRandom(13), 15);
		await finish(client);
		await server.dispose();
		expect((await migrate(folder, ["--to", to, "--json"])).json).toMatchObject({ isEnded: true });
		expect(contentsIn(to)).toEqual(contentsIn(folder));
		expect(await filesIn(to)).toEqual(await filesIn(folder));
	},
	patienceMs,
);

/** Moves everything, up to a kill right after the target has become a store. @returns the bytes of the target that were not in its database yet */
async function killedAtEnd(folder: string, to: string): Promise<number> {
	const server = await startTestServer([], {}, { folder });
	expect((await migrate(folder, ["--to", to, "--json"])).json).toMatchObject({ isEnded: false });
	await server.dispose();
	const place = (dataDir: string) => ({ folder: join(dataDir, "sqlite"), options: {} });
	const [source, target] = [await rowTools.openSource(place(folder)), await rowTools.openTarget(place(to))];
	let unsafe = -1;
	const endLog = async () => {
		unsafe = Bun.file(join(to, "sqlite", "cairn.sqlite-wal")).size;
		throw new Error("killed");
	};
	await expect(endMove({ source: { ...source, endLog }, target })).rejects.toThrow("killed");
	await target.close();
	await source.close();
	return unsafe;
}

const movePartsOf = (contents: Readonly<Record<string, readonly string[]>>) => [
	...Object.keys(contents).filter((name) => name.startsWith("move_")),
	...(contents["schema"] ?? []).filter((text) => text.includes("move_")),
];

test(
	"a command that was killed when the target was a store already is given again, and frees the source of its log",
	async () => {
		const [folder, to] = [await newFolder(), await newFolder()];
		const key = await fill(folder);
		expect(await killedAtEnd(folder, to)).toBe(0);
		expect(movePartsOf(contentsIn(folder)).length).toBeGreaterThan(2);
		// What a server has done on the target meanwhile stays.
		const server = await startTestServer([], {}, { folder: to });
		const client = server.clientWith(key);
		await client.finished(((await (await client.send("POST", "/v3/documents", { content: "A note after the move." })).json()) as { readonly id: string }).id);
		await server.dispose();
		const served = contentsIn(to)["documents"];
		const other = await newFolder();
		await fill(other, 5);
		expect((await migrate(other, ["--to", to])).refused).toBe(
			"the target is not empty: a move to it has ended. If it was that of this store, start servers on the target",
		);
		const files = Object.keys(await filesIn(to)).length;
		const { json } = await migrate(folder, ["--to", to, "--json"]);
		expect(json).toMatchObject({ isEnded: true, blobs: { blobs: files, copied: 0 }, tables: { organisations: { rows: 1 } } });
		expect(contentsIn(to)["documents"]).toEqual(served);
		expect([...movePartsOf(contentsIn(folder)), ...movePartsOf(contentsIn(to))]).toEqual([]);
		expect((await migrate(folder, ["--to", to])).refused).toMatch(/^the target is not empty: its table \w+ has rows/);
	},
	patienceMs,
);

test(
	"a source that was used after its move had ended keeps its log, and says so",
	async () => {
		const [folder, to] = [await newFolder(), await newFolder()];
		await fill(folder);
		await killedAtEnd(folder, to);
		const server = await startTestServer([], {}, { folder });
		const refused = /^the source was used after the move to this target had ended/;
		expect((await migrate(folder, ["--to", to])).refused).toMatch(refused);
		await writeAtRandom(await server.client(), seededRandom(14), 5);
		await server.dispose();
		expect((await migrate(folder, ["--to", to])).refused).toMatch(refused);
		expect((await migrate(folder, ["--cancel"])).refused).toBeNull();
		expect((await migrate(folder, ["--to", await newFolder(), "--json"])).json).toMatchObject({ isEnded: true });
	},
	patienceMs,
);

test(
	"a command that was killed is given again",
	async () => {
		const [folder, to] = [await newFolder(), await newFolder()];
		await fill(folder);
		const before = contentsIn(folder);
		for (const file of ["cairn.sqlite", "cairn.sqlite.made"]) {
			const command = spawnCommand(folder, "migrate-store", "--to", to);
			await until(async () => command.exitCode !== null || (await readdir(join(to, "sqlite")).catch((): string[] => [])).includes(file));
			command.kill("SIGKILL");
			await command.exited;
		}
		const again = await migrate(folder, ["--to", to]);
		// The second one may have been quicker than its death.
		if (again.refused !== null) expect(again.refused).toContain("not empty");
		expect(contentsIn(to)).toEqual(before);
	},
	patienceMs,
);

test(
	"what is in the way is named, and nothing is changed",
	async () => {
		const [folder, other, to] = [await newFolder(), await newFolder(), await newFolder()];
		await fill(folder, 3);
		await fill(other, 3);
		const [before, beforeOther] = [contentsIn(folder), contentsIn(other)];
		const refused = async (...words: readonly string[]) => (await migrate(folder, words)).refused;
		expect(await refused()).toContain("usage: cairn migrate-store");
		expect(await refused("--to")).toContain("--to needs a value");
		expect(await refused("--to", to, "--cancel")).toContain("usage:");
		expect(await refused("--to", other)).toContain("the target is not empty");
		expect(await refused("--to", folder)).toContain("is in use by another");
		expect(await refused("--to", "postgres://nobody@127.0.0.1:9/nowhere")).toContain("the storage does not respond");
		expect(await refused("--to", "mysql://nobody@127.0.0.1/nowhere")).toContain("postgres");
		expect((await migrate(to, ["--to", other])).refused).toContain("there is nothing to move");
		expect([contentsIn(folder), contentsIn(other)]).toEqual([before, beforeOther]);

		// Another store's secrets would not open what moves.
		await writeFile(join(to, "vault-key"), "of another");
		expect(await refused("--to", to)).toContain("is of another store");
		// That target has an unfinished move now, which no other store goes on with.
		expect((await migrate(other, ["--to", to])).refused).toContain("an unfinished move of another store");
		expect((await migrate(folder, ["--cancel"])).refused).toBeNull();
		expect(contentsIn(folder)).toEqual(before);
		expect(await refused("--to", to)).toContain("whose log was given up");

		const database = new Database(join(folder, "sqlite", "cairn.sqlite"));
		database.run("DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)");
		database.close();
		expect(await refused("--to", await newFolder())).toContain("of an older version");
	},
	patienceMs,
);
