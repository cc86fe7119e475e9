/** The server as process 1 of a container: a signal ends it in order, also in the middle of its start, and it asks how orphans have ended. */

import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listening, spawnServer } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";

const key = "process-one-test-key-0001";
const folder = await mkdtemp(join(tmpdir(), "cairn-process-one-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The program after it becomes process 1 of a system of processes of its own, and ends together with `unshare`. */
const alone = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
const mayUnshare = process.platform === "linux" && Bun.spawnSync([...alone, "true"]).exitCode === 0;
const env = { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" };

/** The pids as this system sees them. */
function childrenOf(pid: number): readonly number[] {
	return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean).map(Number);
}

const isZombie = (pid: number) => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
/** Of all threads: a child belongs to the one that has started it. */
const zombiesOf = (pid: number) =>
	Bun.spawnSync(["ps", "--ppid", String(pid), "-o", "pid=,stat="])
		.stdout.toString()
		.split("\n")
		.filter((line) => / Z/.test(line));

test.skipIf(!mayUnshare)(
	"SIGTERM ends it in order, with its work stored and its children gone",
	async () => {
		const data = await mkdtemp(join(folder, "ended-"));
		const outer = spawnServer(data, env, undefined, alone);
		const { address } = await listening(outer);
		const [server = 0] = childrenOf(outer.pid);
		const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
		const form = new FormData();
		form.set("file", new File(["# A file\n\nread in a child."], "file.md"));
		await fetch(`${address}/v3/documents/file`, { method: "POST", headers: { authorization: headers.authorization }, body: form });
		await fetch(`${address}/v3/documents`, { method: "POST", headers, body: JSON.stringify({ content: "Kept.", customId: "kept" }) });
		process.kill(server, "SIGTERM");
		expect(await outer.exited).toBe(0);
		// The log of writes is in the database: nobody was cut off.
		expect(
			await Bun.file(join(data, "sqlite/cairn.sqlite-wal"))
				.exists()
				.then(async (is) => is && (await Bun.file(join(data, "sqlite/cairn.sqlite-wal")).size)),
		).toBeFalsy();
		const next = await listening(spawnServer(data, env));
		expect(await (await fetch(`${next.address}/v3/documents/kept`, { headers })).json()).toMatchObject({ content: "Kept." });
		expect(await next.kill("SIGTERM")).toBe(0);
	},
	240_000,
);

test.skipIf(!mayUnshare)(
	"a signal in the middle of the start ends it as well",
	async () => {
		const data = await mkdtemp(join(folder, "starting-"));
		const outer = spawnServer(data, env, undefined, alone);
		const [server = 0] = await until(() => childrenOf(outer.pid).length > 0 && childrenOf(outer.pid));
		// The database is made in the middle of the start; the server listens later.
		await until(() => Bun.file(join(data, "sqlite/cairn.sqlite")).exists());
		process.kill(server, "SIGTERM");
		const code = await Promise.race([outer.exited, Bun.sleep(20_000).then(() => "still running")]);
		expect([0, 143]).toContain(code as number);
		outer.kill("SIGKILL");
	},
	240_000,
);

test.skipIf(!mayUnshare || Bun.which("nsenter") === null)(
	"orphans that end do not pile up",
	async () => {
		const data = await mkdtemp(join(folder, "orphans-"));
		const outer = spawnServer(data, env, undefined, alone);
		const { address } = await listening(outer);
		const [server = 0] = childrenOf(outer.pid);
		// Each shell ends at once, and the system gives what it has begun to process 1.
		for (let i = 0; i < 5; i++) Bun.spawnSync(["nsenter", "--target", String(server), "--pid", "sh", "-c", "sleep 0.2 &"]);
		await until(() => zombiesOf(server).length === 5);
		await until(() => zombiesOf(server).length === 0);
		expect(isZombie(server)).toBe(false);
		expect((await fetch(`${address}/health`)).status).toBe(200);
		process.kill(server, "SIGTERM");
		expect(await outer.exited).toBe(0);
	},
	240_000,
);
