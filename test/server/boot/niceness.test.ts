/** A server that an operator has started with a low priority still keeps its own threads and processes behind the thread that answers. */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { startServerProcess } from "../../doubles/server-process.ts";
import { until } from "../../doubles/until.ts";

const folder = await mkdtemp(join(tmpdir(), "cairn-niceness-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const nicer = 7;

/** The niceness of each thread: the 19th field, of which the second may have spaces. */
async function nicenessOf(pid: number): Promise<readonly number[]> {
	const threads = await readdir(`/proc/${pid}/task`);
	const stats = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, "utf8").catch(() => null)));
	return stats.flatMap((text) => (text === null ? [] : [Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[16])]));
}

async function childrenOf(pid: number): Promise<readonly number[]> {
	const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
	const stats = await Promise.all(processes.map((name) => readFile(`/proc/${name}/stat`, "utf8").catch(() => "")));
	return processes.flatMap((name, i) => (Number(stats[i]?.slice(stats[i].lastIndexOf(")") + 2).split(" ")[1]) === pid ? [Number(name)] : []));
}

test.skipIf(process.platform !== "linux" || Bun.which("nice") === null)(
	"the thread that reads documents and the processes of extractors are nicer than the server, whatever its own niceness is",
	async () => {
		const own = getPriority(process.pid) + nicer;
		const env = { CAIRN_API_KEY: "niceness-test-key-0001", CAIRN_LOG_LEVEL: "error" };
		const server = await startServerProcess(folder, env, undefined, ["nice", "-n", String(nicer)]);
		try {
			expect(getPriority(server.pid)).toBe(own);
			await until(async () => (await nicenessOf(server.pid)).includes(own + 5));
			const headers = { authorization: `Bearer ${env.CAIRN_API_KEY}`, "content-type": "application/json" };
			await fetch(`${server.address}/v3/documents`, { method: "POST", headers, body: JSON.stringify({ content: "# A heron\n\nIt was seen at dawn." }) });
			await until(async () => (await childrenOf(server.pid)).some((pid) => getPriority(pid) === own + 5));
			for (const pid of await childrenOf(server.pid)) await until(() => getPriority(pid) > own);
		} finally {
			await server.kill("SIGKILL");
		}
	},
	120_000,
);
