/** A whole server that is used in every ordinary way, seen by strace: it and its processes connect to nothing outside of this machine. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startServerProcess } from "../doubles/server-process.ts";
import { until } from "../doubles/until.ts";
import { hasStrace, untilStill } from "./rig/power/trace.ts";

const key = "no-connections-test-key-01";
const samples = resolve(import.meta.dir, "../../examples/documents");

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "cairn-connections-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

if (!hasStrace) console.log("not tested: there is no strace, or it may not trace");

/** The words before a command whose calls that send to an address are written to the folder, one file for each thread. */
async function tracing(name: string): Promise<{ readonly words: readonly string[]; readonly calls: () => Promise<readonly string[]> }> {
	const traces = join(folder, name);
	await mkdir(traces);
	const words = ["strace", "-D", "-ff", "-qq", "--seccomp-bpf", "-o", join(traces, "t"), "-e", "trace=connect,sendto,sendmsg,sendmmsg"];
	const calls = async () => {
		await untilStill(traces);
		const texts = await Promise.all((await readdir(traces)).map((file) => readFile(join(traces, file), "latin1")));
		return texts.join("\n").split("\n");
	};
	return { words, calls };
}

/** Those that go to another machine: by address, names of other machines being asked for at one as well. */
function leaving(calls: readonly string[]): readonly string[] {
	return calls.filter((call) => /AF_INET6?\b/.test(call) && !/"127\.|"::1"|"::ffff:127\./.test(call));
}

test.skipIf(!hasStrace)(
	"the count sees a connection, and a name that is asked for",
	async () => {
		const { words, calls } = await tracing("control");
		const code = 'await fetch("http://192.0.2.1:9/", { signal: AbortSignal.timeout(200) }).catch(() => 0);';
		await Bun.spawn([...words, process.execPath, "-e", code], { stdout: "ignore", stderr: "ignore" }).exited;
		expect(leaving(await calls()).join("\n")).toContain("192.0.2.1");
	},
	120_000,
);

test.skipIf(!hasStrace)(
	"adding, reading, searching, changing, forgetting and deleting, and the pages, connect to nothing outside",
	async () => {
		const { words, calls } = await tracing("server");
		const data = join(folder, "data");
		await mkdir(data);
		const server = await startServerProcess(data, { CAIRN_API_KEY: key }, undefined, words);
		const ask = async (method: string, path: string, body?: unknown) => {
			const headers = { authorization: `Bearer ${key}`, ...(body instanceof FormData ? {} : { "content-type": "application/json" }) };
			const sent = body instanceof FormData ? body : JSON.stringify(body);
			const answer = await fetch(`${server.address}${path}`, { method, headers, ...(body === undefined ? {} : { body: sent }) });
			expect([path, answer.status < 300]).toEqual([path, true]);
			return answer;
		};
		try {
			const note = "# Lamps\n\nAda works at the lighthouse. See https://example.com/lamps and write to ada@example.com. ![lamp](https://example.com/lamp.png)";
			const { id } = (await (await ask("POST", "/v3/documents", { content: note, containerTag: "home" })).json()) as { id: string };
			for (const name of ["letter-scan.pdf", ...(await readdir(samples)).filter((file) => /\.(docx|html|eml|xlsx|epub)$/.test(file)).slice(0, 4)]) {
				const form = new FormData();
				form.append("containerTag", "home");
				form.append("file", new File([await readFile(join(samples, name))], name));
				await ask("POST", "/v3/documents/file", form);
			}
			await until(async () => ((await (await ask("GET", "/v3/documents/processing")).json()) as { total: number }).total === 0);
			await ask("POST", "/v3/search", { q: "lighthouse", rerank: true, rewriteQuery: true });
			await ask("POST", "/v4/search", { q: "where does Ada work", containerTag: "home" });
			await ask("POST", "/v4/profile", { containerTag: "home" });
			await ask("PATCH", `/v3/documents/${id}`, { metadata: { kind: "note" } });
			for (const page of ["/", "/docs", "/openapi.json", "/health", "/ready", "/metrics"]) await (await fetch(`${server.address}${page}`)).arrayBuffer();
			await ask("DELETE", "/v3/documents/bulk", { containerTags: ["home"] });
		} finally {
			await server.kill("SIGTERM");
		}
		const seen = await calls();
		expect(seen.length).toBeGreaterThan(0);
		expect(leaving(seen)).toEqual([]);
	},
	600_000,
);
