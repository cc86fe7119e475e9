/** `cairn login`: what it keeps, who may read it, and to whom it is sent. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loginCommand } from "../../../server/commands/login.ts";
import { runCommand } from "../../../server/commands/run-command.ts";
import { type ServerProcess, startServerProcess } from "../../doubles/server-process.ts";

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-login-"));
	await mkdir(join(folder, "data"));
	server = await startServerProcess(join(folder, "data"));
}, 60_000);
afterAll(async () => {
	await server.kill("SIGTERM");
	await rm(folder, { recursive: true, force: true });
});

async function run(words: readonly string[], more: Readonly<Record<string, string>> = {}) {
	const printed: string[] = [];
	const call = { write: (text: string) => printed.push(text), writeError: (text: string) => printed.push(text) };
	const code = await runCommand({ args: words, env: { XDG_CONFIG_HOME: folder, ...more }, ...call }).catch((error: Error) => printed.push(error.message) && 1);
	return { code, printed: printed.join("") };
}

async function login(key: string) {
	const printed: string[] = [];
	const call = { args: [], env: { XDG_CONFIG_HOME: folder }, write: (text: string) => printed.push(text), writeError: (text: string) => printed.push(text) };
	return { code: await loginCommand([server.address], call, async () => `${key}\n`), printed: printed.join("") };
}

test("a key that is valid is kept for nobody else, serves the commands, and is deleted again", async () => {
	expect(await run(["status"])).toMatchObject({ code: 1, printed: expect.stringContaining("cairn login") });
	expect(await login(server.key ?? "")).toMatchObject({ code: 0, printed: expect.stringContaining(`logged in to ${server.address}`) });
	expect((await stat(join(folder, "cairn", "login.json"))).mode & 0o777).toBe(0o600);
	expect(await run(["status"])).toMatchObject({ code: 0, printed: expect.stringContaining(`${server.address}: ready`) });
	expect((await run(["open", "--print"])).printed).toBe(`${server.address}\n`);
	expect((await run(["logout"])).code).toBe(0);
	expect((await run(["status"])).code).toBe(1);
	expect((await run(["logout"])).code).toBe(0);
});

test("a key that is not valid is not kept", async () => {
	const { code, printed } = await login("sm_wrong");
	expect([code, printed]).toEqual([1, expect.stringContaining("nothing was saved")]);
	expect((await run(["status"])).code).toBe(1);
});

test("a kept key is sent to no other server, and a damaged file is told", async () => {
	await login(server.key ?? "");
	let authorization: string | null = null;
	const other = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: (request) => {
			authorization = request.headers.get("authorization");
			return Response.json({});
		},
	});
	expect((await run(["status"], { CAIRN_URL: other.url.origin })).printed).toContain(`there is no API key for ${other.url.origin}`);
	expect(authorization).toBeNull();
	await other.stop(true);
	await writeFile(join(folder, "cairn", "login.json"), "{");
	expect((await run(["status"])).printed).toContain("cairn logout");
	await run(["logout"]);
});

test("connections are listed, made, synced and removed", async () => {
	const env = { CAIRN_URL: server.address, CAIRN_API_KEY: server.key ?? "" };
	expect((await run(["connections"], env)).printed).toBe("there are no connections\n");
	expect((await run(["connections", "add", "web-crawler", "startUrl=ftp://x", "--container", "site"], env)).code).toBe(1);
	expect((await run(["connections", "add", "web-crawler", "nothing"], env)).printed).toContain("usage: cairn connections");
	expect((await run(["connections", "sync", "web-crawler"], env)).code).toBe(1);
	expect((await run(["connections", "remove", "1pAPtLvmbYh9gSwYyK8Ha3"], env)).code).toBe(1);
});
