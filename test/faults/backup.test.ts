/** A backup taken while others write, restored elsewhere, holds what was acknowledged before it; one that is damaged restores nothing. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "tar-stream";
import { runCommand } from "../../server/commands/run-command.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

interface Ended {
	/** Null when it threw. */
	readonly code: number | null;
	readonly said: string;
}

const run = (dataDir: string, ...words: readonly string[]) => runWith({ CAIRN_DATA_DIR: dataDir }, ...words);

async function runWith(env: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<Ended> {
	const printed: string[] = [];
	const tell = (text: string) => printed.push(text);
	try {
		const code = await runCommand({ args: words, env, write: tell, writeError: tell });
		return { code, said: printed.join("") };
	} catch (thrown) {
		return { code: null, said: (thrown as Error).message };
	}
}

interface Talk {
	readonly ask: (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;
}

function talkTo({ address }: ServerProcess, key: string): Talk {
	return {
		ask: async (method, path, body) => {
			const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
			const answer = await fetch(`${address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
			if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
			return (await answer.json()) as Record<string, unknown>;
		},
	};
}

const note = (i: number) => ({
	content: `Note ${i}: the heron of pond ${i} was seen at dawn.`,
	customId: `note-${i}`,
	containerTag: `tag-${i % 3}`,
	metadata: { i },
});

async function upload({ address }: ServerProcess, key: string, name: string, text: string): Promise<void> {
	const form = new FormData();
	form.append("file", new Blob([text], { type: "text/markdown" }), name);
	const answer = await fetch(`${address}/v3/documents/file`, { method: "POST", headers: { authorization: `Bearer ${key}` }, body: form });
	if (!answer.ok) throw new Error(await answer.text());
}

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-backup-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("what was acknowledged before it is in it, with originals, memories and keys, whatever is written meanwhile", async () => {
	const [data, copy, file] = [join(folder, "data"), join(folder, "copy"), join(folder, "one.tar")];
	await mkdir(data);
	const server = await startServerProcess(data);
	const key = server.key ?? "";
	const { ask } = talkTo(server, key);
	for (let i = 0; i < 12; i++) await ask("POST", "/v3/documents", note(i));
	await upload(server, key, "pond.md", "# The pond\n\nAna: I live in Lisbon.\n");
	await until(async () => ((await ask("GET", "/ready"))["queue"] as { waiting: number; leased: number }).waiting === 0 && (await settledIn(ask)) === 13);
	const before = await contents(ask);
	let writes = true;
	let wrote = 0;
	const writers = Array.from({ length: 4 }, async (_, writer) => {
		for (let i = 0; writes; i++, wrote++) await ask("POST", "/v3/documents", note(1_000 + writer * 1_000 + i));
	});
	await until(() => wrote > 20);
	// What lies beside it under names alike is somebody's.
	await mkdir(join(folder, "one.tar.copy"));
	const { code, said } = await run(data, "backup", file);
	writes = false;
	await Promise.all(writers);
	expect([code, said]).toEqual([0, expect.stringContaining("MB, as of")]);
	await server.kill("SIGTERM");
	expect(await run(data, "verify", file)).toMatchObject({ code: 0, said: expect.stringContaining("all matching the manifest") });
	expect((await readdir(folder)).toSorted()).toEqual(["data", "one.tar", "one.tar.copy"]);

	expect((await run(copy, "restore", file)).code).toBe(0);
	expect((await run(copy, "verify")).code).toBe(0);
	const restored = await startServerProcess(copy);
	expect(restored.key).toBeNull();
	const again = talkTo(restored, key);
	const after = await contents(again.ask);
	for (const [customId, content] of before) expect([customId, after.get(customId)]).toEqual([customId, content]);
	const found = (await again.ask("POST", "/v3/search", { q: "heron of pond 7", limit: 1 }))["results"] as readonly {
		readonly metadata: { readonly i: number };
	}[];
	expect(found[0]?.metadata.i).toBe(7);
	const remembered = (await again.ask("POST", "/v4/search", { q: "Lisbon", threshold: 0 }))["results"] as readonly { readonly memory: string }[];
	expect(remembered[0]?.memory).toContain("Lisbon");
	await restored.kill("SIGTERM");
}, 240_000);

async function settledIn(ask: Talk["ask"]): Promise<number> {
	const { memories } = (await ask("POST", "/v3/documents/list", { limit: 100 })) as { memories: readonly { status: string; dreamingStatus: string }[] };
	return memories.filter(({ status, dreamingStatus }) => status === "done" && dreamingStatus === "done").length;
}

async function contents(ask: Talk["ask"]): Promise<ReadonlyMap<string, unknown>> {
	const all = new Map<string, unknown>();
	for (let page = 1; ; page++) {
		const { memories } = (await ask("POST", "/v3/documents/list", { limit: 100, page, includeContent: true })) as {
			memories: readonly { id: string; customId: string | null; content: string | null; metadata: unknown; containerTags: unknown }[];
		};
		for (const { id, content, metadata, containerTags } of memories) all.set(id, { content, metadata, containerTags });
		if (memories.length < 100) return all;
	}
}

describe("is refused with a sentence, and leaves nothing behind", () => {
	const tarOf = async (name: string, entries: readonly (readonly [string, string, object?])[]) => {
		const packed = pack();
		for (const [path, text, header] of entries) packed.entry({ name: path, ...header }, text);
		packed.finalize();
		const pieces: Uint8Array[] = [];
		for await (const piece of packed) pieces.push(piece as Uint8Array);
		const file = join(folder, name);
		await writeFile(file, Buffer.concat(pieces));
		return file;
	};
	const manifest = (files: readonly object[]) => JSON.stringify({ format: 1, version: "0", createdAt: "2026-01-01T00:00:00Z", storage: "sqlite", files });
	const cases: readonly (readonly [string, RegExp, () => Promise<string>])[] = [
		["nothing at all", /incomplete: there is no manifest/, async () => tarOf("a.tar", [])],
		[
			"a text",
			/this is not a complete backup/,
			async () => {
				await writeFile(join(folder, "b.tar"), "x".repeat(2_000));
				return join(folder, "b.tar");
			},
		],
		["no manifest", /incomplete/, () => tarOf("c.tar", [["vault-key", "x"]])],
		["another format", /newer version/, () => tarOf("d.tar", [["manifest.json", JSON.stringify({ format: 2 })]])],
		[
			"a path out of it",
			/not a regular file of a data folder/,
			() =>
				tarOf("e.tar", [
					["../outside", "x"],
					["manifest.json", manifest([])],
				]),
		],
		[
			"an absolute path",
			/not a regular file of a data folder/,
			() =>
				tarOf("f.tar", [
					["/outside", "x"],
					["manifest.json", manifest([])],
				]),
		],
		[
			"a link",
			/not a regular file of a data folder/,
			() =>
				tarOf("g.tar", [
					["vault-key", "", { type: "symlink", linkname: "/etc/passwd" }],
					["manifest.json", manifest([])],
				]),
		],
		[
			"a file twice",
			/it contains .* twice/,
			() =>
				tarOf("h.tar", [
					["a", "x"],
					["a", "y"],
					["manifest.json", manifest([])],
				]),
		],
		[
			"one that is not listed",
			/does not match the manifest/,
			() =>
				tarOf("i.tar", [
					["a", "x"],
					["manifest.json", manifest([])],
				]),
		],
		[
			"one that is listed and not there",
			/does not match the manifest/,
			() => tarOf("j.tar", [["manifest.json", manifest([{ path: "a", bytes: 1, sha256: "0" }])]]),
		],
		[
			"something behind the manifest",
			/after the manifest/,
			() =>
				tarOf("k.tar", [
					["manifest.json", manifest([])],
					["a", "x"],
				]),
		],
	];
	for (const [what, words, make] of cases)
		test(what, async () => {
			const [file, target] = [await make(), join(folder, "target")];
			const { code, said } = await run(target, "restore", file);
			expect([code, said]).toEqual([null, expect.stringMatching(words)]);
			const left = (await readdir(folder)).filter((name) => name.startsWith("target") || name === "outside");
			expect(left).toEqual([]);
		});
});

test("a changed byte of an archive is found, and a folder with data is left alone", async () => {
	const file = join(folder, "one.tar");
	const bytes = await readFile(file);
	const target = join(folder, "flipped");
	let refused = 0;
	for (let at = 700; at < bytes.length - 10_240; at += Math.ceil(bytes.length / 12)) {
		const changed = Uint8Array.from(bytes);
		changed[at] = (changed[at] ?? 0) ^ 0x55;
		await writeFile(join(folder, "flipped.tar"), changed);
		const { code } = await run(target, "restore", join(folder, "flipped.tar"));
		// A byte of the padding between two files is nobody's.
		if (code === 0) await rm(target, { recursive: true });
		else expect([code, existsSync(target)]).toEqual([null, false]);
		if (code === null) refused += 1;
	}
	expect(refused).toBeGreaterThan(8);
	const kept = await run(join(folder, "data"), "restore", file);
	expect([kept.code, kept.said]).toEqual([null, expect.stringContaining("restored into an empty folder")]);
	expect((await run(join(folder, "data"), "backup", file)).said).toContain("exists already");
	expect((await run(join(folder, "data"), "backup", join(folder, "missing", "x.tar"))).said).toContain("there is no folder");
	// A folder that is misspelt must not be called sound.
	for (const words of [["backup", join(folder, "x.tar")], ["verify"]])
		expect(await run(join(folder, "nowhere"), ...words)).toEqual({ code: null, said: expect.stringContaining("it holds no data of a server") });
});

test("where the settings name a database, each command says what it does and what to do instead", async () => {
	const target = join(folder, "beside-a-database");
	const env = { CAIRN_DATA_DIR: target, CAIRN_STORAGE_URL: "postgres://nobody@127.0.0.1:1/nothing" };
	const file = join(folder, "one.tar");
	expect(await runWith(env, "verify", file)).toEqual({ code: 0, said: expect.stringContaining("original files: ") });
	expect((await runWith(env, "verify")).said).toContain("the storage postgresql keeps its data outside the data folder: its database has tools for that");
	expect((await runWith(env, "backup", join(folder, "database.tar"))).said).toMatch(/outside the data folder: back up its database .*"cairn export FILE"/);
	const { code, said } = await runWith(env, "restore", file);
	expect([code, said]).toEqual([
		0,
		expect.stringMatching(/of the storage sqlite, and the settings name postgresql: .*"cairn migrate-store" with CAIRN_USE_STORAGE=sqlite/),
	]);
	// Beside these settings the restored folder can be read, and so exported for another server too.
	const copy = join(folder, "for-a-database.jsonl");
	expect(await runWith({ ...env, CAIRN_USE_STORAGE: "sqlite" }, "export", copy)).toEqual({
		code: 0,
		said: expect.stringMatching(/\d+ documents, \d+ memories/),
	});
});
