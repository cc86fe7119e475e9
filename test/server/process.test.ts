/** The program as its user starts it: what it prints works when pasted, and what is wrong is said at once. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-process-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const refused = async (env: Record<string, string>): Promise<string> => {
	const outcome = await startServerProcess(folder, env).catch((error: unknown) => String(error));
	if (typeof outcome === "string") return outcome;
	await outcome.kill("SIGKILL");
	return "started";
};

test("the printed lines work when pasted: add, then find", async () => {
	const server = await startServerProcess(folder);
	expect(server.printed()).toContain(`data folder      ${folder}`);
	expect(server.printed()).toContain(`${server.address}/swagger`);
	const [add = "", find = ""] = server.printed().match(/curl .*/g) ?? [];
	const paste = (line: string) => JSON.parse(Bun.spawnSync(["sh", "-c", line]).stdout.toString()) as Record<string, unknown>;
	expect(paste(add)).toMatchObject({ status: "queued" });
	const found = await until(() => {
		const answer = paste(find);
		return answer["total"] !== 0 && answer;
	});
	expect(found).toMatchObject({ total: 1, results: [{ chunks: [{ content: "Ada Lovelace wrote the first program in 1843." }] }] });
	expect(await server.kill("SIGTERM")).toBe(0);
}, 120_000);

test("the key is shown once and works after a restart; it is nowhere in the folder", async () => {
	const first = await startServerProcess(folder);
	expect(first.key).not.toBeNull();
	await first.kill("SIGTERM");
	const second = await startServerProcess(folder);
	expect(second.key).toBeNull();
	const answer = await fetch(`${second.address}/v3/documents/processing`, { headers: { authorization: `Bearer ${first.key}` } });
	expect(answer.status).toBe(200);
	await second.kill("SIGTERM");
	expect(Bun.spawnSync(["grep", "-r", "-a", "-l", first.key ?? "?", folder]).stdout.toString()).toBe("");
}, 120_000);

test("an operator's key is accepted, and replaces the one the operator set before", async () => {
	const asks = async (address: string, key: string) => (await fetch(`${address}/v3/documents/processing`, { headers: { "x-api-key": key } })).status;
	const first = await startServerProcess(folder, { CAIRN_API_KEY: "first-key-of-the-operator" });
	expect(await asks(first.address, "first-key-of-the-operator")).toBe(200);
	await first.kill("SIGTERM");
	const second = await startServerProcess(folder, { CAIRN_API_KEY: "second-key-of-the-operator" });
	expect([await asks(second.address, "first-key-of-the-operator"), await asks(second.address, "second-key-of-the-operator")]).toEqual([401, 200]);
	await second.kill("SIGTERM");
}, 120_000);

test("an unknown setting is a start-up error that names its nearest neighbour", async () => {
	expect(await refused({ CAIRN_DATA_DIRR: "/x" })).toMatch(/exit code 1.*CAIRN_DATA_DIRR; did you mean CAIRN_DATA_DIR\?/s);
});

test("a second server on one folder is refused, and the first goes on", async () => {
	const first = await startServerProcess(folder);
	expect(await refused({})).toMatch(/in use by another server/);
	expect((await fetch(`${first.address}/ready`)).status).toBe(200);
	await first.kill("SIGKILL");
	const next = await startServerProcess(folder);
	await next.kill("SIGTERM");
}, 120_000);

test("a port that is taken, a host of another machine, a wrong setting and a folder that cannot be written are said clearly", async () => {
	const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
	expect(await refused({ PORT: String(taken.port) })).toMatch(/PORT_TAKEN/);
	await taken.stop(true);
	// Nor does another of our own share it, though the system would let two of them.
	await mkdir(join(folder, "other"));
	const own = await startServerProcess(join(folder, "other"));
	expect(await refused({ PORT: new URL(own.address).port })).toMatch(/PORT_TAKEN/);
	await own.kill("SIGTERM");
	expect(await refused({ HOST: "300.1.1.1" })).toMatch(/HOST should be an address of this machine.*PORT_TAKEN/s);
	expect(await refused({ CAIRN_ROLE: "boss" })).toMatch(/"boss" should be one of all, api, worker.*SETTING_INVALID/s);
	const file = join(folder, "file");
	await Bun.write(file, "");
	await mkdir(join(folder, "cwd"));
	expect(await refused({ CAIRN_DATA_DIR: join(file, "below") })).toMatch(/DATA_DIR_UNUSABLE/);
}, 120_000);
