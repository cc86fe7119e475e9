/**
 * Two servers that take requests and two that work, on one PostgreSQL database. Documents are added at both while one process after the
 * other is killed and started again, and the database is restarted in the middle. In the end each document that was acknowledged must be
 * done once, be found once from both, and have its memories once.
 */

import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { freePort } from "../../doubles/free-port.ts";
import { spawnServer } from "../../doubles/server-process.ts";

export interface NodesOptions {
	/** Of a PostgreSQL server on which databases may be created. */
	readonly url: string;
	readonly documents: number;
	readonly seed: number;
	/** A command that restarts the database; null leaves it running. */
	readonly restartDatabase: string | null;
	readonly tell: (line: string) => void;
}

export interface NodesResult {
	readonly counts: Readonly<Record<string, number>>;
	readonly faults: readonly string[];
}

interface Node {
	readonly role: "api" | "worker";
	readonly address: string;
	readonly start: () => void;
	readonly kill: () => Promise<void>;
}

const key = "sm_nodes_0123456789abcdef";
const containers = 20;
const clientsAtOnce = 8;
const killsAfterMs = 60_000;
/** The share of servers that are still starting. */
const killedWhileStarting = 0.2;
/** Longer than the longest pause of a document whose worker was killed. */
const patienceMs = 10 * 60_000;
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

export async function runNodes({ url, documents, seed, restartDatabase, tell }: NodesOptions): Promise<NodesResult> {
	const folder = await mkdtemp(join(tmpdir(), "cairn-nodes-run-"));
	const name = `cairn_nodes_${randomUUID().replaceAll("-", "")}`;
	const admin = postgres(url, { max: 1, onnotice: () => undefined });
	await admin.unsafe(`CREATE DATABASE ${name}`);
	const database = new URL(url);
	database.pathname = `/${name}`;
	const nodes = await Promise.all((["api", "api", "worker", "worker"] as const).map((role) => createNode(role, folder, database.href)));
	const apis = nodes.filter(({ role }) => role === "api");
	const faults: string[] = [];
	const counts = {
		acknowledged: 0,
		"read at the other server at once": 0,
		"answered 503": 0,
		"connections that broke": 0,
		kills: 0,
		"database restarts": 0,
		searches: 0,
	};
	const random = randomOf(seed);
	const ids = new Map<number, string>();

	for (const node of nodes) node.start();
	for (const node of nodes) await ready(node);
	tell("four servers are ready");
	const over = new AbortController();
	const killing = kill();
	const restarting = restartInTheMiddle();
	const searching = search();
	let next = 0;
	await Promise.all(Array.from({ length: clientsAtOnce }, addAll));
	tell("all are acknowledged");
	// Killing goes on for a while in which the workers work.
	await Promise.race([waitForJobs(documents / 4), Bun.sleep(killsAfterMs)]);
	over.abort();
	await Promise.all([killing, restarting, searching]);
	for (const node of nodes) await ready(node);
	await waitForJobs(0);
	tell("no job is left");
	await check();
	for (const node of nodes) await node.kill();
	await admin.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
	await admin.end();
	await rm(folder, { recursive: true, force: true });
	return { counts, faults };

	async function addAll(): Promise<void> {
		while (next < documents) await addOne(next++);
	}

	/** Until it is acknowledged, at one server or the other; the customId makes it the same document each time. */
	async function addOne(number: number): Promise<void> {
		const body = { content: textOf(number), customId: `doc-${number}`, containerTag: containerOf(number) };
		for (;;) {
			const here = Math.floor(random() * apis.length);
			const answer = await ask(apis[here], "POST", "/v3/documents", body);
			if (answer === null) {
				await Bun.sleep(100 + random() * 200);
				continue;
			}
			ids.set(number, String(answer["id"]));
			if (++counts.acknowledged % 100 === 0) tell(`${counts.acknowledged} are acknowledged`);
			const elsewhere = await ask(apis[1 - here], "GET", `/v3/documents/doc-${number}`);
			if (elsewhere === null) return;
			counts["read at the other server at once"]++;
			if (elsewhere["id"] !== answer["id"]) faults.push(`doc-${number} is ${String(answer["id"])} at one server and ${JSON.stringify(elsewhere)} at the other`);
			return;
		}
	}

	/** @returns null if the server was gone or said that it could not answer now; another answer that is no success is a fault. */
	async function ask(node: Node | undefined, method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>> | null> {
		const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(60_000) };
		const response = await fetch(`${node?.address}${path}`, init).catch(() => null);
		const json = await response?.json().catch(() => null);
		if (response === null || json === null) {
			counts["connections that broke"]++;
			return null;
		}
		if (response.ok) return json as Readonly<Record<string, unknown>>;
		if (response.status === 503 && response.headers.has("retry-after")) counts["answered 503"]++;
		else faults.push(`${method} ${path}: ${response.status} ${JSON.stringify(json)}`);
		return null;
	}

	/**
	 * Every few seconds one of the four, which comes back a moment later. One that is still starting is killed now and then: where a start
	 * takes longer than the time between kills, nothing would ever be done.
	 */
	async function kill(): Promise<void> {
		while (!over.signal.aborted) {
			await sleepUnlessOver(2_000 + random() * 3_000);
			const node = nodes[Math.floor(random() * nodes.length)];
			const isSpared = random() > killedWhileStarting && !(await isReady(node));
			if (over.signal.aborted) return;
			if (isSpared) continue;
			await node?.kill();
			counts.kills++;
			await Bun.sleep(500 + random() * 1_500);
			node?.start();
		}
	}

	async function restartInTheMiddle(): Promise<void> {
		while (counts.acknowledged < documents / 2 && !over.signal.aborted) await sleepUnlessOver(100);
		if (restartDatabase === null) return;
		tell("the database is restarted");
		const code = await Bun.spawn(["sh", "-c", restartDatabase], { stdout: "ignore", stderr: "inherit" }).exited;
		if (code !== 0) faults.push(`the database could not be restarted (${code})`);
		counts["database restarts"]++;
	}

	/** What is done is found, whoever is killed. */
	async function search(): Promise<void> {
		while (!over.signal.aborted) {
			await sleepUnlessOver(500);
			const number = [...ids.keys()][Math.floor(random() * ids.size)];
			const node = apis[Math.floor(random() * apis.length)];
			if (number === undefined) continue;
			const document = await ask(node, "GET", `/v3/documents/doc-${number}`);
			if (document?.["status"] === "done") await demandFound(number, node);
		}
	}

	async function demandFound(number: number, node: Node | undefined): Promise<boolean> {
		const answer = await ask(node, "POST", "/v3/search", { q: wordOf(number), containerTags: [containerOf(number)], limit: 5, onlyMatchingChunks: true });
		if (answer === null) return false;
		counts.searches++;
		const hits = (answer["results"] as readonly { documentId: string; chunks: readonly { content: string }[] }[]).filter(({ chunks }) =>
			chunks.some(({ content }) => content.includes(wordOf(number))),
		);
		if (hits.length !== 1 || hits[0]?.documentId !== ids.get(number)) faults.push(`doc-${number} is found ${hits.length} times at ${node?.address}`);
		return true;
	}

	/** Gives up when nothing has got on for long: one job draws the memories of a whole container, so documents are counted as well. */
	async function waitForJobs(most: number): Promise<void> {
		const sql = postgres(database.href, { max: 1 });
		let fewest = Number.POSITIVE_INFINITY;
		let until = performance.now() + patienceMs;
		for (let tries = 0, left = Number.POSITIVE_INFINITY; left > most; await Bun.sleep(1_000)) {
			const queue = (await ask(apis[tries++ % apis.length], "GET", "/ready"))?.["queue"] as { readonly waiting: number; readonly leased: number } | undefined;
			left = queue === undefined ? Number.POSITIVE_INFINITY : queue.waiting + queue.leased;
			const [row] = await sql<{ unfinished: number }[]>`SELECT count(*)::int AS unfinished FROM documents WHERE status <> 'done' OR dreaming_status <> 'done'`;
			const unfinished = left + (row?.unfinished ?? 0);
			if (unfinished < fewest) {
				fewest = unfinished;
				until = performance.now() + patienceMs;
			}
			if (performance.now() > until) {
				faults.push(`${left} jobs were left, and nothing got on for ${patienceMs / 60_000} minutes`);
				break;
			}
		}
		await sql.end();
	}

	/** From the tables and from both servers. */
	async function check(): Promise<void> {
		const sql = postgres(database.href, { max: 1 });
		const demandNone = async (what: string, query: string) => {
			const rows = await sql.unsafe(query);
			if (rows.length > 0) faults.push(`${what}: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
		};
		const rows = await sql<{ id: string; custom_id: string }[]>`SELECT id, custom_id FROM documents`;
		const stored = new Map(rows.map((row) => [row.custom_id, row.id]));
		for (const [number, id] of ids)
			if (stored.get(`doc-${number}`) !== id) faults.push(`doc-${number} was acknowledged as ${id} and is ${stored.get(`doc-${number}`)}`);
		if (rows.length !== ids.size) faults.push(`${rows.length} documents for ${ids.size} that were acknowledged`);
		await demandNone("documents that are not done", "SELECT custom_id, status, failure FROM documents WHERE status <> 'done' OR dreaming_status <> 'done'");
		await demandNone(
			"documents done more than once, or never",
			"SELECT subject, count(*) FROM events WHERE type = 'document.done' GROUP BY subject HAVING count(*) <> 1",
		);
		await demandNone(
			"chunks not once",
			"SELECT d.custom_id, count(c.id) FROM documents d LEFT JOIN chunks c ON c.document = d.id AND c.edition = d.published_edition GROUP BY 1 HAVING count(c.id) <> 1",
		);
		await demandNone(
			"memories twice",
			"SELECT container_tag, text, count(*) FROM memories WHERE is_latest = 1 AND is_forgotten = 0 GROUP BY 1, 2 HAVING count(*) > 1",
		);
		await demandNone(
			"documents without a memory",
			"SELECT custom_id FROM documents d WHERE NOT EXISTS (SELECT 1 FROM memory_evidence e WHERE e.document = d.id)",
		);
		await sql.end();
		const step = Math.max(1, Math.floor(documents / 200));
		let found = 0;
		for (const node of apis) for (let number = 0; number < documents; number += step) if (await demandFound(number, node)) found++;
		Object.assign(counts, { documents: rows.length, "found in the end, at either server": found });
	}

	async function sleepUnlessOver(ms: number): Promise<void> {
		for (const end = performance.now() + ms; !over.signal.aborted && performance.now() < end; ) await Bun.sleep(50);
	}
}

async function createNode(role: Node["role"], folder: string, database: string): Promise<Node> {
	const port = await freePort();
	const env = { CAIRN_ROLE: role, PORT: String(port), CAIRN_API_KEY: key, CAIRN_STORAGE_URL: database, CAIRN_LOG_LEVEL: "error" };
	let child: ReturnType<typeof spawnServer> | null = null;
	return {
		role,
		address: `http://127.0.0.1:${port}`,
		start: () => {
			child = spawnServer(folder, env);
			for (const stream of [child.stdout, child.stderr]) void new Response(stream).text().catch(() => undefined);
		},
		kill: async () => {
			child?.kill("SIGKILL");
			await child?.exited;
		},
	};
}

async function isReady(node: Node | undefined): Promise<boolean> {
	return (await fetch(`${node?.address}/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => null))?.ok === true;
}

/** A server that ends, because the database was away when it started, is started again. */
async function ready(node: Node): Promise<void> {
	const until = performance.now() + patienceMs;
	for (let tries = 1; performance.now() < until; tries++) {
		const answer = await fetch(`${node.address}/ready`).catch(() => null);
		if (answer?.ok) return;
		if (answer === null && tries % 300 === 0) {
			await node.kill();
			node.start();
		}
		await Bun.sleep(100);
	}
	throw new Error(`${node.role} at ${node.address} was not ready in time`);
}

/** Each document has a word that no other has. */
function wordOf(number: number): string {
	return `zq${number.toString(36)}xk`;
}

function textOf(number: number): string {
	return `Keeper ${number} of the harbour has a boat called ${wordOf(number)}, which lies at pier ${number % 37}.`;
}

function containerOf(number: number): string {
	return `box-${number % containers}`;
}

/** The same numbers from 0 to 1 for a seed. */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}
