/** What backups of a folder with 1,000 files take: bytes and seconds of the first and the second one, full and incremental. `bun bench/backup.ts [files]` */

import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../server/commands/run-command.ts";
import { startServerProcess } from "../test/doubles/server-process.ts";
import { ask, env, settled } from "../test/faults/rig/talk.ts";

const files = Number(process.argv[2] ?? 1_000);
const fileBytes = 20_000;
const uploadsAtOnce = 8;
const folder = await mkdtemp(join(tmpdir(), "cairn-bench-backup-"));
const data = join(folder, "data");
await mkdir(data);

async function serveWhile(act: (address: string) => Promise<void>): Promise<void> {
	const server = await startServerProcess(data, env);
	await act(server.address);
	await settled(server);
	await server.kill("SIGTERM");
}

async function upload(address: string, number: number): Promise<void> {
	const form = new FormData();
	const sentence = `Page ${number} of the harbour book tells of ship ${(number * 7_919) % 10_007}. `;
	form.append("file", new File([sentence.repeat(Math.ceil(fileBytes / sentence.length)).slice(0, fileBytes)], `page-${number}.txt`, { type: "text/plain" }));
	form.append("taskType", "superrag");
	const answer = await fetch(`${address}/v3/documents/file`, { method: "POST", headers: { authorization: `Bearer ${env.CAIRN_API_KEY}` }, body: form });
	if (!answer.ok) throw new Error(await answer.text());
}

async function sizeOf(path: string): Promise<number> {
	const entries = await readdir(path, { recursive: true, withFileTypes: true });
	const sizes = await Promise.all(entries.filter((entry) => entry.isFile()).map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
	return sizes.reduce((sum, size) => sum + size, 0);
}

async function measure(what: string, target: string, inside: string): Promise<void> {
	const before = await sizeOf(inside);
	const [began, cpu] = [performance.now(), process.cpuUsage()];
	const code = await runCommand({ args: ["backup", target], env: { CAIRN_DATA_DIR: data }, write: () => undefined, writeError: () => undefined });
	const { user, system } = process.cpuUsage(cpu);
	if (code !== 0) throw new Error(`${what} ended with ${code}`);
	const added = ((await sizeOf(inside)) - before) / 1e6;
	console.log(`| ${what} | ${added.toFixed(1)} MB | ${((performance.now() - began) / 1_000).toFixed(2)} s | ${((user + system) / 1e6).toFixed(2)} s |`);
}

await serveWhile(async (address) => {
	let next = 0;
	const some = async () => {
		while (next < files) await upload(address, next++);
	};
	await Promise.all(Array.from({ length: uploadsAtOnce }, some));
});
const [full, incremental] = [join(folder, "full"), join(folder, "incremental")];
await Promise.all([mkdir(full), mkdir(incremental)]);
console.log("| Backup | Added | Seconds | Of the processor |\n|---|---|---|---|");
await measure("full, first", join(full, "first.tar"), full);
await measure("incremental, first", incremental, incremental);
await serveWhile(async (address) => {
	await ask({ address }, "POST", "/v3/documents", { content: "A note of the second day." });
	for (let number = files; number < files + 10; number++) await upload(address, number);
});
await measure("full, after 10 more files", join(full, "second.tar"), full);
await measure("incremental, after 10 more files", incremental, incremental);
await measure("incremental, after nothing", incremental, incremental);
await rm(folder, { recursive: true, force: true });
