/** Backups in a bucket, and incremental ones in a folder or a bucket: what each adds and removes, and what troubles of the place and kills leave. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { asStartError } from "../../server/boot/start-error.ts";
import { runCommand } from "../../server/commands/run-command.ts";
import { bytesIn, type S3Peer, startS3Peer } from "../doubles/s3-peer.ts";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";
import { spawnBehind } from "./rig/run-cairn.ts";
import { ask, env, settled } from "./rig/talk.ts";

let folder: string;
let data: string;
let store: S3Peer;
let number = 0;
const newPath = (name: string) => join(folder, `${name}-${number++}`);
/** More than two parts of an upload. */
const largeFile = "embedder/large";

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-places-"));
	data = join(folder, "data");
	await mkdir(data);
	await serveWhile(data, async (server) => {
		await ask(server, "POST", "/v3/documents", { content: "The heron of the pond was seen at dawn.", customId: "heron" });
		for (const name of ["one", "two", "three"]) await upload(server, name);
	});
	await mkdir(join(data, "embedder"), { recursive: true });
	await writeFile(join(data, largeFile), randomBytes(20 * 1024 * 1024));
}, 120_000);
beforeEach(async () => {
	store?.close();
	store = await startS3Peer({}, "vault");
});
afterAll(async () => {
	store.close();
	await rm(folder, { recursive: true, force: true });
});

async function serveWhile(dataDir: string, act: (server: ServerProcess) => Promise<void>): Promise<void> {
	const server = await startServerProcess(dataDir, env);
	try {
		await act(server);
		await settled(server);
	} finally {
		await server.kill("SIGTERM");
	}
}

async function upload({ address }: ServerProcess, name: string): Promise<void> {
	const form = new FormData();
	form.append("file", new File([`The file ${name} says ${"so ".repeat(2_000)}.`], `${name}.txt`, { type: "text/plain" }));
	form.append("customId", name);
	const answer = await fetch(`${address}/v3/documents/file`, { method: "POST", headers: { authorization: `Bearer ${env.CAIRN_API_KEY}` }, body: form });
	expect(answer.status).toBeLessThan(300);
}

interface Ended {
	/** Null when it threw. */
	readonly code: number | null;
	readonly said: string;
}

async function run(dataDir: string, ...words: readonly string[]): Promise<Ended> {
	const printed: string[] = [];
	const tell = (text: string) => void printed.push(text);
	try {
		const code = await runCommand({ args: words, env: { CAIRN_DATA_DIR: dataDir, ...store.env }, write: tell, writeError: tell });
		return { code, said: printed.join("") };
	} catch (thrown) {
		return { code: null, said: (asStartError(thrown) ?? (thrown as Error)).message };
	}
}

async function runJson(dataDir: string, ...words: readonly string[]): Promise<Record<string, unknown>> {
	const { code, said } = await run(dataDir, ...words, "--json");
	expect([code, said]).toEqual([0, said]);
	return JSON.parse(said) as Record<string, unknown>;
}

/** Every file with its bytes, but for the database, whose copies differ. */
async function filesOf(root: string): Promise<ReadonlyMap<string, string>> {
	const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile() && !entry.name.includes("sqlite"));
	const read = files.map(
		async ({ parentPath, name }) => [join(parentPath, name).slice(root.length), Bun.hash(await readFile(join(parentPath, name))).toString()] as const,
	);
	return new Map((await Promise.all(read)).toSorted());
}

async function expectRestored(...words: readonly string[]): Promise<string> {
	const [target, expected] = [newPath("restored"), newPath("expected")];
	expect((await run(target, "restore", ...words)).code).toBe(0);
	expect((await run(target, "verify")).code).toBe(0);
	await run(data, "backup", `${expected}.tar`);
	await run(expected, "restore", `${expected}.tar`);
	expect(await filesOf(target)).toEqual(await filesOf(expected));
	expect((await filesOf(target)).size).toBeGreaterThan(5);
	return target;
}

const inBucket = (ending: string) => [...store.objects.keys()].filter((key) => key.endsWith(ending));

test("a full backup goes to a bucket in parts, and is verified and restored from there", async () => {
	const address = store.address("night/one.tar");
	expect(await runJson(data, "backup", address)).toMatchObject({ backup: "s3://vault/night/one.tar", kind: "full" });
	expect([...store.objects.keys()]).toEqual(["night/one.tar"]);
	expect(store.called.filter((line) => line === "PUT night/one.tar").length).toBeGreaterThan(2);
	expect((await run(data, "verify", address)).code).toBe(0);
	await expectRestored(address);
	expect((await run(data, "backup", address)).said).toContain("exists already");
	expect((await readdir(data)).filter((name) => name.startsWith("unfinished"))).toEqual([]);
	const bytes = bytesIn(store, "night/one.tar");
	store.objects.set("night/one.tar", bytes.subarray(0, bytes.byteLength / 2));
	expect((await run(newPath("cut"), "restore", address)).code).toBeNull();
}, 60_000);

describe.each(["folder", "bucket"])("incremental backups in a %s", (kind) => {
	const placed = () => (kind === "folder" ? `${newPath("kept")}/` : store.address("kept"));
	const names = async (place: string) =>
		kind === "bucket"
			? [...store.objects.keys()].map((key) => key.replace(/^kept\//, ""))
			: (await readdir(place, { recursive: true, withFileTypes: true }))
					.filter((entry) => entry.isFile())
					.map(({ parentPath, name }) => join(parentPath, name).slice(place.length));
	const manifests = async (place: string) => (await names(place)).filter((name) => /^cairn-.*\.json$/.test(name)).toSorted();
	const only = (place: string, name: string) => (kind === "folder" ? join(place, name) : store.address(`kept/${name}`));

	test("the first adds everything, another what is new, and what none needs is removed", async () => {
		const [place, live] = [placed(), newPath("live")];
		await run(data, "backup", `${live}.tar`);
		await run(live, "restore", `${live}.tar`);
		const first = await runJson(live, "backup", place);
		expect(first["bytesAdded"]).toBe(first["bytes"]);
		const second = await runJson(live, "backup", place);
		// Nothing was written meanwhile, so the copy of the database is the same too.
		expect(second["bytesAdded"]).toBe(0);
		await serveWhile(live, async (server) => {
			await upload(server, "four");
			await ask(server, "DELETE", "/v3/documents/one");
		});
		const third = await runJson(live, "backup", place);
		expect(Number(third["bytesAdded"])).toBeGreaterThan(0);
		expect(Number(third["bytesAdded"])).toBeLessThan(Number(third["bytes"]) - 20 * 1024 * 1024);
		expect((await manifests(place)).length).toBe(3);
		for (const name of await manifests(place)) expect((await run(live, "verify", only(place, name))).code).toBe(0);
		const [oldest = ""] = await manifests(place);
		const before = await names(place);
		expect((await run(live, "backup", place, "--keep", "1")).code).toBe(0);
		const left = await names(place);
		expect((await manifests(place)).length).toBe(1);
		// The first database and the deleted original are gone.
		expect(before.filter((name) => name.startsWith("objects/") && !left.includes(name)).length).toBeGreaterThanOrEqual(2);
		const restored = newPath("restored");
		expect((await run(restored, "restore", place)).code).toBe(0);
		await serveWhile(restored, async (server) => {
			expect(await ask(server, "GET", "/v3/documents/four")).toMatchObject({ status: "done" });
			expect(await ask(server, "GET", "/v3/documents/heron")).toMatchObject({ status: "done" });
		});
		expect((await run(newPath("gone"), "restore", only(place, oldest))).said).toContain("there is no");
	}, 120_000);

	test("one that was killed leaves no backup and no lock for long, and the next one is complete", async () => {
		const place = placed();
		await runJson(data, "backup", place);
		await writeFile(join(data, largeFile), randomBytes(20 * 1024 * 1024));
		store.trouble = (method, key) => (method === "PUT" && key.includes("objects/") ? "stall" : null);
		const child = spawnBehind([], data, ["backup", place], store.env);
		const isLocked = async () => {
			const locks = (await names(place)).filter((name) => name.startsWith("lock"));
			// A kill between the lock and the removal of its unfinished file leaves that for a day.
			return locks.length === 1 && locks[0] === "lock";
		};
		await until(async () => (await isLocked()) && (kind === "folder" || store.called.some((line) => line.startsWith("PUT kept/objects/"))));
		child.kill("SIGKILL");
		await child.exited;
		store.trouble = () => null;
		if (kind === "folder") {
			// The kill may have come before the copy of the tables was begun.
			await mkdir(join(place, "cairn-2026-01-01T00-00-00Z.json.unfinished-killed"), { recursive: true });
			await writeFile(join(place, "cairn-2026-01-01T00-00-00Z.json.unfinished-killed", "copy"), "half");
		}
		const killed = await manifests(place);
		expect(killed.length).toBeLessThanOrEqual(kind === "folder" ? 2 : 1);
		for (const name of killed) expect((await run(data, "verify", only(place, name))).code).toBe(0);
		expect((await run(data, "backup", place)).code).toBe(0);
		await expectRestored(place);
		expect((await readdir(data)).filter((name) => name.startsWith("unfinished"))).toEqual([]);
		expect((await names(place)).filter((name) => name.includes("unfinished") || name === "lock")).toEqual([]);
	}, 120_000);

	test("two at the same time do not mix; a lock whose holder lives is respected, one whose holder is gone is taken over", async () => {
		const place = placed();
		const both = await Promise.all([run(data, "backup", place), run(data, "backup", place)]);
		const succeeded = both.filter(({ code }) => code === 0);
		// The later one may get its turn just after the first one has ended.
		expect(succeeded.length).toBeGreaterThan(0);
		for (const { code, said } of both) if (code !== 0) expect(said).toContain("another backup to");
		const made = await manifests(place);
		expect(made.length).toBe(succeeded.length);
		for (const name of made) expect((await run(data, "verify", only(place, name))).code).toBe(0);
		const putLock = async (lock: object) =>
			kind === "bucket" ? void store.objects.set("kept/lock", Buffer.from(JSON.stringify(lock))) : writeFile(join(place, "lock"), JSON.stringify(lock));
		const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
		await putLock({ holder: "other", host: "elsewhere", process: 1, renewedAt: minutesAgo(1) });
		expect((await run(data, "backup", place)).said).toContain("process 1 of elsewhere");
		await putLock({ holder: "other", host: "elsewhere", process: 1, renewedAt: minutesAgo(31) });
		expect((await run(data, "backup", place)).code).toBe(0);
		await putLock({ holder: "other", host: hostname(), process: 2 ** 30, renewedAt: minutesAgo(1) });
		expect((await run(data, "backup", place)).code).toBe(0);
	}, 60_000);

	test("what is damaged, missing or hostile restores nothing", async () => {
		const place = placed();
		await runJson(data, "backup", place);
		const [name = ""] = await manifests(place);
		const at = (path: string) => (kind === "folder" ? join(place, path) : `kept/${path}`);
		const read = async (path: string) => (kind === "folder" ? readFile(at(path)) : bytesIn(store, at(path)));
		const write = async (path: string, bytes: Buffer) => (kind === "folder" ? writeFile(at(path), bytes) : void store.objects.set(at(path), bytes));
		const manifest = JSON.parse((await read(name)).toString()) as { files: { path: string; sha256: string; bytes: number }[] };
		const [file] = manifest.files;
		const object = `objects/${file?.sha256.slice(0, 2)}/${file?.sha256}`;
		const whole = await read(object);
		const refused = async (words: string) => {
			const target = newPath("target");
			expect(await run(target, "restore", place)).toEqual({ code: null, said: expect.stringContaining(words) });
			expect((await readdir(folder)).filter((entry) => join(folder, entry).startsWith(target))).toEqual([]);
		};
		const flipped = Buffer.from(whole);
		flipped[10] = (flipped[10] ?? 0) ^ 1;
		await write(object, flipped);
		await refused("does not match the manifest");
		await write(object, whole.subarray(0, 100));
		await refused("does not match the manifest");
		// The next backup stores it again, because its size is wrong.
		expect((await run(data, "backup", place)).code).toBe(0);
		expect((await run(data, "verify", place)).code).toBe(0);
		await write(name, Buffer.from(JSON.stringify({ ...manifest, files: [{ ...file, path: "../outside" }] })));
		for (const other of await manifests(place)) if (other !== name) await (kind === "folder" ? rm(at(other)) : void store.objects.delete(at(other)));
		await refused("not a regular file of a data folder");
		await write(name, Buffer.from(JSON.stringify({ ...manifest, files: [{ ...file, sha256: "0".repeat(64) }] })));
		await refused("is missing");
		await write(name, Buffer.from("{"));
		await refused("its manifest cannot be read");
		// Nothing is removed while it is not known what is needed.
		const before = (await names(place)).filter((path) => path.startsWith("objects/"));
		expect((await run(data, "backup", place)).said).toContain("its manifest cannot be read");
		expect((await names(place)).filter((path) => path.startsWith("objects/"))).toEqual(expect.arrayContaining(before));
	}, 60_000);
});

const disk = join(tmpdir(), `cairn-places-disk-${process.pid}`);
const isMounted = process.platform === "linux" && mountSmall();
if (!isMounted) console.log("not tested: this user cannot mount a file system of its own");
afterAll(async () => {
	if (isMounted) Bun.spawnSync(["umount", "-l", disk]);
	await rm(disk, { recursive: true, force: true });
});

function mountSmall(): boolean {
	mkdirSync(disk, { recursive: true });
	return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk], { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
}

test.skipIf(!isMounted)(
	"a full disk is said in a sentence, and nothing is left on it",
	async () => {
		await run(data, "backup", store.address("one.tar"));
		for (const words of [
			["backup", join(disk, "one.tar")],
			["backup", `${disk}/`],
		])
			expect(await run(data, ...words)).toEqual({ code: null, said: "the disk is full" });
		expect(await run(join(disk, "restored"), "restore", store.address("one.tar"))).toEqual({ code: null, said: "the disk is full" });
		const left = (await readdir(disk, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);
		// Of the incremental one what fitted, for the next one.
		expect(left.filter((name) => !/^[0-9a-f]{64}$/.test(name))).toEqual([]);
	},
	60_000,
);

describe("troubles of a bucket", () => {
	test("what may pass is tried again: errors of the server, cut answers", async () => {
		const seen = new Map<string, number>();
		store.trouble = (method, key, query) => {
			const name = `${method} ${key} ${query.get("partNumber")}`;
			seen.set(name, (seen.get(name) ?? 0) + 1);
			if (seen.get(name) !== 1 || seen.size % 3 !== 0) return null;
			return seen.size % 2 === 0 ? 503 : "cut";
		};
		store.pageMax = 3;
		expect((await run(data, "backup", store.address("kept"))).code).toBe(0);
		await expectRestored(store.address("kept"));
		expect([...seen.values()].some((times) => times > 1)).toBe(true);
	}, 60_000);

	test("what will not pass is said in a sentence without secrets, and leaves nothing half", async () => {
		store.trouble = (method, key, query) => (method === "PUT" && key.endsWith(".tar") && query.get("partNumber") === "2" ? 403 : null);
		const forbidden = await run(data, "backup", store.address("one.tar"));
		expect(forbidden).toEqual({ code: null, said: "the backup target s3://vault cannot be used: it answered with status 403 (Troubled)" });
		expect([store.objects.size, store.uploads.size]).toEqual([0, 0]);
		store.trouble = (method, key) => (method === "PUT" && key.endsWith(".json") ? 403 : null);
		expect((await run(data, "backup", store.address("kept"))).code).toBeNull();
		expect([inBucket(".json"), inBucket("lock")]).toEqual([[], []]);
		store.trouble = () => null;
		const wrong = await run(data, "backup", store.address("kept"), "--aws-secret-access-key=another-secret-of-somebody");
		expect(wrong.said).toContain("SignatureDoesNotMatch");
		expect(wrong.said).not.toContain("another-secret");
		expect((await run(data, "backup", store.address("kept").replace("vault", "other"))).said).toContain("NoSuchBucket");
		expect((await run(data, "backup", "s3://x")).said).toContain("begin with s3:// and the name of a bucket, such as s3://bucket/prefix");
		expect((await run(data, "restore", store.address("nothing-here"))).said).toContain("there is none in s3://vault/nothing-here");
		expect((await run(data, "backup", store.address("kept/cairn-2026-11-22T21-00-00Z.json"))).said).toContain("name its folder");
		expect((await run(data, "backup", store.address("kept"), "--keep", "0")).said).toContain("--keep is");
		expect((await readdir(data)).filter((name) => name.startsWith("unfinished"))).toEqual([]);
	}, 60_000);
});
