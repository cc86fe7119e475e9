/**
 * Sixteen writers tell one container contradicting things, as documents, as memories and as new versions, while the server
 * is killed again and again. In the end nothing that was acknowledged is missing, and every chain of versions is whole:
 * numbered from one without a gap, each version behind the one before, and exactly one of them the latest.
 */

import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "../doubles/server-process.ts";

const key = "memory-writers-test-key-01";
const tag = "town";
const writers = 16;
const kills = 5;

const folder = await mkdtemp(join(tmpdir(), "cairn-writers-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

let seed = 20_26;
const random = () => {
	seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
	return seed / 0x80000000;
};
const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;

const people = ["Ada", "Ben", "Cleo", "Dora", "Emil", "Gina"];
const towns = ["Ulm", "Bonn", "Jena", "Kiel", "Trier", "Mainz", "Essen", "Lisbon", "Porto", "Faro"];

interface Row {
	readonly id: string;
	readonly memory: string;
	readonly version: number;
	readonly isLatest: boolean;
	readonly isForgotten: boolean;
	readonly parentMemoryId: string | null;
	readonly rootMemoryId: string | null;
}

/** What the server has said yes to. */
const documents = new Map<string, string>();
const written: string[] = [];
const revised: string[] = [];

let server: ServerProcess;
let isOver = false;

async function ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
	const answer = await fetch(`${server.address}${path}`, {
		method,
		headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const value = (await answer.json()) as Record<string, unknown>;
	if (!answer.ok) throw new Error(`${answer.status} ${JSON.stringify(value)}`);
	return value;
}

/** A broken connection is the kill, and what was asked may have been done or not. A conflict is an honest answer. Anything else is a fault. */
async function attempt(act: () => Promise<void>): Promise<void> {
	try {
		await act();
	} catch (thrown) {
		const words = thrown instanceof Error ? thrown.message : String(thrown);
		if (/^\d{3} /.test(words) && !words.includes("MEMORY_CONTESTED")) throw thrown;
		await Bun.sleep(20);
	}
}

let names = 0;

async function write(shared: readonly string[]): Promise<void> {
	while (!isOver) {
		const chance = random();
		const number = names++;
		if (chance < 0.5) {
			const content = `${pick(people)} lives in ${pick(towns)}.`;
			await attempt(async () => {
				const { id } = await ask("POST", "/v3/documents", { content, customId: `note-${number}`, containerTag: tag, dreaming: "instant" });
				documents.set(String(id), content);
			});
		} else if (chance < 0.7) {
			const content = `Note ${number} is about ${pick(people)}`;
			await attempt(async () => {
				await ask("POST", "/v4/memories", { containerTag: tag, memories: [{ content }] });
				written.push(content);
			});
		} else {
			const newContent = `The door has the number ${number}`;
			await attempt(async () => {
				await ask("PATCH", "/v4/memories", { containerTag: tag, id: pick(shared), newContent });
				revised.push(newContent);
			});
		}
		await Bun.sleep(10 + random() * 60);
	}
}

async function start(): Promise<void> {
	server = await startServerProcess(folder, { CAIRN_API_KEY: key, CAIRN_LOG_LEVEL: "error" });
}

/** Every memory in the container, of every version, with the documents that it comes from. */
async function everything(): Promise<{ readonly rows: ReadonlyMap<string, Row>; readonly sources: ReadonlyMap<string, Record<string, unknown>> }> {
	const rows = new Map<string, Row>();
	const sources = new Map<string, Record<string, unknown>>();
	for (let page = 1, pages = 1; page <= pages; page++) {
		const answer = (await ask("POST", "/v3/documents/documents", { containerTags: [tag], page, limit: 200 })) as {
			readonly documents: readonly (Record<string, unknown> & { readonly id: string; readonly memoryEntries: readonly Row[] })[];
			readonly pagination: { readonly totalPages: number };
		};
		pages = answer.pagination.totalPages;
		for (const document of answer.documents) {
			sources.set(document.id, document);
			for (const row of document.memoryEntries) rows.set(row.id, row);
		}
	}
	return { rows, sources };
}

function demandWhole(chain: readonly Row[]): void {
	const inOrder = chain.toSorted((a, b) => a.version - b.version);
	const told = JSON.stringify(inOrder.map(({ memory, version, isLatest, parentMemoryId, id }) => ({ memory, version, isLatest, parentMemoryId, id })));
	expect(
		inOrder.map(({ version }) => version),
		told,
	).toEqual(inOrder.map((_, i) => i + 1));
	expect(
		inOrder.map(({ parentMemoryId }) => parentMemoryId),
		told,
	).toEqual([null, ...inOrder.slice(0, -1).map(({ id }) => id)]);
	expect(inOrder.filter(({ isLatest }) => isLatest).length, told).toBe(1);
	expect(inOrder.at(-1)?.isLatest, told).toBe(true);
}

test(`${writers} writers and ${kills} kills: one latest in each chain, and nothing lost`, async () => {
	await start();
	const made = await ask("POST", "/v4/memories", { containerTag: tag, memories: [1, 2, 3, 4].map((door) => ({ content: `Door ${door} has no number` })) });
	const shared = (made["memories"] as readonly { readonly id: string }[]).map(({ id }) => id);
	const writing = Promise.all(Array.from({ length: writers }, () => write(shared)));
	for (let kill = 0; kill < kills; kill++) {
		await Bun.sleep(500 + random() * 700);
		await server.kill("SIGKILL");
		await start();
	}
	await Bun.sleep(300);
	isOver = true;
	await writing;
	while ((await ask("GET", "/v3/documents/processing"))["total"] !== 0) await Bun.sleep(20);
	// Memories may still come between two pages of a list: it is read once more when all documents have theirs, also those whose
	// response was lost in a kill.
	const unfinishedOf = ({ sources: read }: Awaited<ReturnType<typeof everything>>) =>
		[...new Set([...documents.keys(), ...read.keys()])].filter((id) => read.get(id)?.["status"] !== "done" || read.get(id)?.["dreamingStatus"] !== "done");
	while (unfinishedOf(await everything()).length > 0) await Bun.sleep(20);
	const { rows, sources } = await everything();
	const toldBy = (id: string) => ((sources.get(id)?.["memoryEntries"] ?? []) as readonly Row[]).map(({ memory }) => memory);
	const untold = [...documents].filter(([id, content]) => !toldBy(id).includes(content)).map(([id, content]) => [content, toldBy(id)]);
	expect(untold).toEqual([]);
	const texts = new Set([...rows.values()].map(({ memory }) => memory));
	expect([...written, ...revised].filter((content) => !texts.has(content))).toEqual([]);

	const chains = Map.groupBy(rows.values(), ({ id, rootMemoryId }) => rootMemoryId ?? id);
	for (const chain of chains.values()) demandWhole(chain);
	for (const who of people) {
		const homes = [...rows.values()].filter(({ memory, isLatest, isForgotten }) => isLatest && !isForgotten && memory.startsWith(`${who} lives`));
		expect([who, homes.length]).toEqual([who, 1]);
	}
	console.log(`${documents.size} documents, ${written.length} memories, ${revised.length} new versions, ${chains.size} chains, ${rows.size} memories in all`);
	expect(Math.min(documents.size, written.length, revised.length)).toBeGreaterThan(kills);
	await server.kill("SIGKILL");
}, 600_000);
