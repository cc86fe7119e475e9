/** `cairn watch`: the documents of a container are what the files of a folder are, whatever happens to either while it runs or rests. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../../server/commands/run-command.ts";
import { type ServerProcess, startServerProcess } from "../../doubles/server-process.ts";

const program = join(import.meta.dir, "../../../server/main.ts");

let folder: string;
let server: ServerProcess;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-watch-"));
	await mkdir(join(folder, "data"));
	server = await startServerProcess(join(folder, "data"));
	env = { CAIRN_URL: server.address, CAIRN_API_KEY: server.key ?? "", XDG_CONFIG_HOME: folder };
}, 60_000);
afterAll(async () => {
	await server.kill("SIGTERM");
	await rm(folder, { recursive: true, force: true });
});

async function once(path: string, container: string, as = env) {
	const [printed, complained]: [string[], string[]] = [[], []];
	const call = { write: (text: string) => printed.push(text), writeError: (text: string) => complained.push(text) };
	const code = await runCommand({ args: ["watch", path, "--once", "--container", container], env: as, ...call });
	return { code, lines: printed.join("").split("\n").filter(Boolean).toSorted(), complained: complained.join("") };
}

interface Listed {
	readonly memories: readonly { readonly metadata: { readonly watchedFile: string }; readonly content: string | null }[];
}

async function stored(container: string): Promise<Readonly<Record<string, string>>> {
	const body = JSON.stringify({ containerTags: [container], includeContent: true });
	const headers = { authorization: `Bearer ${server.key}`, "content-type": "application/json" };
	const response = await fetch(`${server.address}/v3/documents/list`, { method: "POST", headers, body });
	const { memories } = (await response.json()) as Listed;
	return Object.fromEntries(memories.map(({ metadata, content }) => [metadata.watchedFile, (content ?? "").trim()]));
}

async function untilStored(container: string, expected: Readonly<Record<string, string>>): Promise<void> {
	let now = await stored(container);
	for (let attempt = 0; attempt < 600 && !Bun.deepEquals(now, expected); attempt++) {
		await Bun.sleep(50);
		now = await stored(container);
	}
	expect(now).toEqual(expected);
}

test("what happened while nothing watched is made up for, and what did not change is not sent again", async () => {
	const notes = join(folder, "notes");
	await mkdir(join(notes, "deep"), { recursive: true });
	await mkdir(join(notes, ".git"));
	await writeFile(join(notes, ".git", "config"), "hidden");
	await writeFile(join(notes, "a.txt"), "The ferry sails at nine.");
	await writeFile(join(notes, "deep", "b.txt"), "The harbour closes at six.");
	expect(await once(notes, "once")).toEqual({ code: 0, lines: ["sent  a.txt", "sent  deep/b.txt"], complained: "" });
	expect(await once(notes, "once")).toEqual({ code: 0, lines: [], complained: "" });
	await writeFile(join(notes, "a.txt"), "The ferry sails at ten.");
	await utimes(join(notes, "a.txt"), new Date(), new Date(Date.now() + 5_000));
	await rename(join(notes, "deep", "b.txt"), join(notes, "c.txt"));
	expect((await once(notes, "once")).lines).toEqual(["removed  deep/b.txt", "sent  a.txt", "sent  c.txt"]);
	await untilStored("once", { "a.txt": "The ferry sails at ten.", "c.txt": "The harbour closes at six." });
}, 60_000);

test("two folders of one name, and one folder in two containers, do not meet", async () => {
	for (const parent of ["one", "two"]) {
		await mkdir(join(folder, parent, "docs"), { recursive: true });
		await writeFile(join(folder, parent, "docs", "x.txt"), `This is of ${parent}.`);
		await once(join(folder, parent, "docs"), parent);
	}
	await once(join(folder, "one", "docs"), "two-as-well");
	await rm(join(folder, "one", "docs", "x.txt"));
	expect((await once(join(folder, "one", "docs"), "one")).lines).toEqual(["removed  x.txt"]);
	await untilStored("one", {});
	await untilStored("two", { "x.txt": "This is of two." });
	await untilStored("two-as-well", { "x.txt": "This is of one." });
}, 60_000);

test("what the server refuses is named, and ends with 1", async () => {
	const refused = join(folder, "refused");
	await mkdir(refused);
	await writeFile(join(refused, "a.txt"), "Kept back.");
	const made: string[] = [];
	const call = { write: (text: string) => made.push(text), writeError: (text: string) => made.push(text) };
	await runCommand({ args: ["keys", "make", "reader", "--container", "refused", "--read-only"], env, ...call });
	const reading = { ...env, CAIRN_API_KEY: made.join("").trim() };
	const { code, lines, complained } = await once(refused, "refused", reading);
	expect([code, lines]).toEqual([1, []]);
	expect(complained).toStartWith("cairn watch: a.txt: ");
	expect(await once(join(folder, "nowhere"), "refused").catch((error: Error) => error.message)).toContain("is no folder");
});

const isRoot = process.getuid?.() === 0;
if (isRoot) console.log("not tested, nothing is forbidden to root: a file that may not be read");
test.skipIf(isRoot)("a file that may not be read is named, and does not stop the others", async () => {
	const locked = join(folder, "locked");
	await mkdir(locked);
	await writeFile(join(locked, "a.txt"), "Mine alone.", { mode: 0o000 });
	await writeFile(join(locked, "b.txt"), "For everybody.");
	const { code, lines, complained } = await once(locked, "locked");
	expect([code, lines, complained.startsWith("cairn watch: a.txt: EACCES")]).toEqual([1, ["sent  b.txt"], true]);
});

test("what the server has no time for is sent again", async () => {
	const patient = join(folder, "patient");
	await mkdir(patient);
	await writeFile(join(patient, "a.txt"), "In the end.");
	let refusals = 0;
	const busy = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: (request) => {
			const isUpload = request.url.endsWith("/v3/documents/file");
			if (isUpload && refusals++ === 0) return Response.json({ error: "busy" }, { status: 503 });
			return fetch(new URL(new URL(request.url).pathname, server.address), request);
		},
	});
	expect(await once(patient, "patient", { ...env, CAIRN_URL: busy.url.origin })).toEqual({ code: 0, lines: ["sent  a.txt"], complained: "" });
	await busy.stop(true);
	await untilStored("patient", { "a.txt": "In the end." });
}, 60_000);

test("while it runs the container follows the folder, until it is stopped", async () => {
	const live = join(folder, "live");
	await mkdir(live);
	await writeFile(join(live, "a.txt"), "First.");
	const child = Bun.spawn([process.execPath, "--no-install", program, "watch", live, "--container", "live"], {
		env: { ...env, PATH: process.env["PATH"] ?? "" },
		stdout: "pipe",
		stderr: "inherit",
	});
	await untilStored("live", { "a.txt": "First." });
	await writeFile(join(live, "b.txt"), "Second.");
	await untilStored("live", { "a.txt": "First.", "b.txt": "Second." });
	await rm(join(live, "a.txt"));
	await untilStored("live", { "b.txt": "Second." });
	child.kill("SIGTERM");
	expect(await child.exited).toBe(0);
	expect((await new Response(child.stdout).text()).trim().split("\n")).toEqual(["sent  a.txt", "sent  b.txt", "removed  a.txt"]);
}, 60_000);
