/** The single-file executable, alone in an empty folder: no Bun, no Node, no packages, and nothing written outside of its data folder. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { oneOfEach } from "../doubles/one-of-each.ts";
import { listening, type ServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const clone = resolve(import.meta.dir, "../..");
const key = "key-of-the-operator";
const patienceMs = 180_000;
/** From the folder of the examples, two of them read by OCR. */
const examples = ["handbook.pdf", "letter-scan.pdf", "sign.png"];

let outside: string;
let folder: string;
let executable: string;
let server: ServerProcess;
beforeAll(async () => {
	outside = await realpath(await mkdtemp(join(tmpdir(), "cairn-executable-")));
	folder = join(outside, "folder");
	executable = join(outside, "cairn");
	await mkdir(folder);
	const made = Bun.spawn([process.execPath, "--no-install", join(clone, "scripts/make-executable.ts"), executable], { stdio: ["ignore", "ignore", "pipe"] });
	if ((await made.exited) !== 0) throw new Error(await new Response(made.stderr).text());
	server = await listening(start([], { PORT: "0", CAIRN_API_KEY: key }));
}, patienceMs);
afterAll(async () => {
	await server?.kill("SIGKILL");
	await rm(outside, { recursive: true, force: true });
}, patienceMs);

const start = (words: readonly string[], env: Readonly<Record<string, string>>, cwd = folder) =>
	Bun.spawn([executable, ...words], { cwd, env: { HOME: join(outside, "home"), TMPDIR: join(outside, "tmp"), ...env }, stdio: ["ignore", "pipe", "pipe"] });

async function run(words: readonly string[], cwd = folder) {
	const child = start(words, { CAIRN_URL: server.address, CAIRN_API_KEY: key }, cwd);
	const [out, error, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
	return { code, printed: out + error };
}

describe.skipIf(process.platform === "win32")("the executable", () => {
	test(
		"adds files of every kind by its own command, reads all of them and finds what they say",
		async () => {
			const made = join(outside, "made");
			await mkdir(made);
			for (const { name, bytes } of oneOfEach) await writeFile(join(made, name), bytes);
			const files = [...examples.map((name) => join(clone, "examples/documents", name)), ...oneOfEach.map(({ name }) => join(made, name))];
			expect(await run(["add", ...files, "--container", "all"])).toMatchObject({ code: 0 });
			const ask = async (path: string, body?: object) => {
				const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
				return (await fetch(`${server.address}${path}`, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) })).json();
			};
			interface Listed {
				readonly status: string;
				readonly content: string | null;
				readonly metadata: { readonly filename?: string; readonly memberPath?: string };
			}
			const ended = await until(async () => {
				const { memories } = (await ask("/v3/documents/list", { containerTags: ["all"], limit: 100, includeContent: true })) as { memories: readonly Listed[] };
				const own = memories.filter(({ metadata }) => metadata.memberPath === undefined);
				return own.length === files.length && own.every(({ status }) => ["done", "failed"].includes(status)) ? own : null;
			});
			const unread = oneOfEach.filter(({ name, words }) => !ended.some(({ metadata, content }) => metadata.filename === name && content?.includes(words)));
			expect([ended.filter(({ status }) => status !== "done"), unread.map(({ name }) => name)]).toEqual([[], []]);
			const found = await run(["search", "what does the handbook say", "--container", "all", "--json"]);
			expect([found.code, found.printed.includes("handbook")]).toEqual([0, true]);
		},
		patienceMs,
	);

	test("serves the web console, Swagger UI and the documentation with its pictures", async () => {
		expect((await fetch(`${server.address}/docs/images/console-search-dark.webp`)).status).toBe(200);
		for (const path of ["/", "/swagger", "/docs", "/docs/search"]) {
			const response = await fetch(`${server.address}${path}`, { headers: { accept: "text/html" } });
			expect([path, response.status, response.headers.get("content-type")?.split(";")[0]]).toEqual([path, 200, "text/html"]);
		}
	});

	test("a command that only talks to a server writes nothing where it is called", async () => {
		const elsewhere = join(outside, "elsewhere");
		await mkdir(elsewhere);
		expect((await run(["status"], elsewhere)).code).toBe(0);
		expect(await readdir(elsewhere)).toEqual([]);
	});

	test("wrong words end with one line and not with a trace", async () => {
		const { code, printed } = await run(["serach"]);
		expect(code).toBe(1);
		expect(printed.trim().split("\n").length).toBeLessThan(4);
	});

	test(
		"it is unpacked once, and ends in order",
		async () => {
			expect(await server.kill("SIGTERM")).toBe(0);
			const programs = async () => (await readdir(join(folder, ".cairn/program"))).toSorted();
			const before = await programs();
			server = await listening(start([], { PORT: "0", CAIRN_API_KEY: key }));
			expect(await programs()).toEqual(before);
			expect(before.filter((name) => /^[0-9a-f]+$/.test(name))).toHaveLength(1);
		},
		patienceMs,
	);

	test("few files are unpacked, since each costs time at the first start, and the licences of what is bundled are among them", async () => {
		const files = (await readdir(join(folder, ".cairn/program"), { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
		expect(files.filter(({ parentPath }) => !parentPath.includes(".compiled")).length).toBeLessThan(2_500);
		const licences = files.find(({ name }) => name === "THIRD-PARTY-LICENSES.txt");
		expect(await Bun.file(join(licences?.parentPath ?? "", licences?.name ?? "")).text()).toContain("\nelysia 1.");
	});

	test("nothing lies outside of its data folder", async () => {
		expect((await readdir(folder)).map((name) => basename(name))).toEqual([".cairn"]);
		expect((await readdir(outside)).toSorted()).toEqual(["cairn", "elsewhere", "folder", "made"]);
	});
});
