/**
 * A first sync of many files, with searches meanwhile: `bun bench/first-sync.ts 100000`. Prints memory and time as a table, and the times of
 * the same searches before, meanwhile, and after. `bun bench/first-sync.ts 100000 stored` leaves the pipeline out: what is brought
 * is stored and waits. `bun bench/first-sync.ts 100000 alone` runs the connector without the rest of the server.
 */

import { drained, post, queued, send } from "./client.ts";
import { drivesOf, startLibraries } from "./first-sync-peer.ts";
import { createWriter } from "./notes.ts";
import { questions } from "./questions.ts";
import { key, type Server, startServer, temporaryFolder } from "./server.ts";
import { memoryMb } from "./soak/resources.ts";
import { syncAlone } from "./sync-alone.ts";
import { intoCore, nowhere } from "./sync-target.ts";
import { shown, timesOf } from "./times.ts";

const total = Number(process.argv[2] ?? 100_000);
const notesBefore = 1_000;
/** A person's pace, and enough of them for a p99. */
const [asked, everyMs] = [200, 25];
const patienceMs = 4 * 3_600_000;
/** Seen at any look. */
let mostMb = 0;

if (process.argv[3] === "alone") await syncAlone(total, nowhere);
else if (process.argv[3] === "stored") await syncAlone(total, await intoCore());
else await run();

async function run(): Promise<void> {
	const peer = await startLibraries(total);
	await using folder = await temporaryFolder();
	const settings = {
		...{ CAIRN_OAUTH_MICROSOFT_ID: peer.clientId, CAIRN_OAUTH_MICROSOFT_SECRET: peer.clientSecret, CAIRN_OAUTH_MICROSOFT_URL: peer.origin },
	};
	const server = await startServer(folder.path, [], settings);
	try {
		const writer = createWriter(1);
		await send(
			server,
			Array.from({ length: notesBefore }, () => writer.note()),
			16,
		);
		await drained(server, patienceMs);
		await search(server);
		console.log(`${total} files in ${drivesOf(total).length} connections, beside ${notesBefore} notes\n`);
		console.log(
			"| | Time | Documents brought | Searchable | Memory of its own | Most until then | Processor time | Search p50 | p99 |\n|---|---|---|---|---|---|---|---|---|",
		);
		const began = performance.now();
		await row("before", began, server);
		for (const drive of drivesOf(total)) await connect(server, drive);
		for (let share = 1; share <= 10; share++) {
			await until(async () => ownMb(server) > 0 && (await progressOf(server)).brought >= (total * share) / 10);
			await row(share === 10 ? "all brought" : `${share * 10} %`, began, server);
		}
		// The next sync of each connection waits in the queue, for hours.
		await until(async () => (await queued(server)) <= drivesOf(total).length);
		await row("all searchable", began, server);
		await search(server);
		await row("idle", began, server);
		const { brought, failed } = await progressOf(server);
		if (brought !== total || failed > 0) throw new Error(`${brought} of ${total} documents, ${failed} syncs that failed`);
	} finally {
		await server.stop();
		peer.stop();
	}
}

/** What nobody else has: not the pages of the database, which the system takes back. */
function ownMb({ pid }: Server): number {
	const mb = Math.round(memoryMb(pid, "RssAnon") + memoryMb(pid, "VmSwap"));
	mostMb = Math.max(mostMb, mb);
	return mb;
}

async function row(when: string, began: number, server: Server): Promise<void> {
	const seconds = Math.round((performance.now() - began) / 1_000);
	const { brought } = await progressOf(server);
	const mb = ownMb(server);
	const searchable = (await count(server)) - notesBefore;
	const cpu = await processorSeconds(server);
	const { p50, p99 } = timesOf(await search(server));
	console.log(`| ${[when, `${seconds} s`, brought, searchable, `${mb} MiB`, `${mostMb} MiB`, `${cpu} s`, shown(p50), shown(p99)].join(" | ")} |`);
}

async function search(server: Server): Promise<readonly number[]> {
	const took: number[] = [];
	for (const { body } of questions(asked, 4)) {
		const ms = await post(server, "/v3/search", body);
		took.push(ms);
		await Bun.sleep(Math.max(0, everyMs - ms));
	}
	return took;
}

async function ask<Answer>(server: Server, method: string, path: string, body?: unknown): Promise<Answer> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const response = await fetch(`${server.address}${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as Answer;
}

async function connect(server: Server, drive: string): Promise<void> {
	const metadata = { folders: drive };
	const { authLink } = await ask<{ readonly authLink: string }>(server, "POST", "/v3/connections/onedrive", { containerTag: "library", metadata });
	const consent = await fetch(authLink, { redirect: "manual" });
	await (await fetch(consent.headers.get("location") ?? "")).text();
}

interface Shown {
	readonly lastSyncRun?: { readonly status: string; readonly documentsSynced: number };
}

async function progressOf(server: Server): Promise<{ readonly brought: number; readonly failed: number }> {
	const runs = (await ask<readonly Shown[]>(server, "POST", "/v3/connections/list", {})).flatMap(({ lastSyncRun }) => lastSyncRun ?? []);
	return {
		brought: runs.reduce((sum, { documentsSynced }) => sum + documentsSynced, 0),
		failed: runs.filter(({ status }) => status === "failed").length,
	};
}

async function count(server: Server): Promise<number> {
	const { pagination } = await ask<{ readonly pagination: { readonly totalItems: number } }>(server, "POST", "/v3/documents/list", {
		limit: 1,
		status: "done",
	});
	return pagination.totalItems;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
	const end = performance.now() + patienceMs;
	while (!(await isSo())) {
		if (performance.now() > end) throw new Error("it took too long");
		await Bun.sleep(500);
	}
}

/** Of the process with its threads, in user and system mode, as Linux counts it in hundredths of a second. */
async function processorSeconds({ pid }: Server): Promise<number> {
	const fields = (await Bun.file(`/proc/${pid}/stat`).text()).split(") ").at(-1)?.split(" ") ?? [];
	return Math.round((Number(fields[11]) + Number(fields[12])) / 100);
}
