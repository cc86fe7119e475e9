/**
 * Fills a server as one that has been used for long: documents in many containers, some that failed, and memories, most of them in one
 * container. It adds what is missing, so a folder may be filled again, or already hold documents of its own.
 */

import { key, type Server } from "../server.ts";

export interface Wanted {
	readonly documents: number;
	readonly memories: number;
}

/** The container with most of the memories: a list of few is no test. */
export const fullest = "everyone";
export const graphed = "graph";
export const graphNodes = 5_000;

const containers = 1_000;
const failed = 200;
/** Each is an act in the audit log too. */
const keys = 300;
const documentsPerRequest = 500;
const memoriesPerRequest = 100;
/** Of ten requests with memories this many go to the fullest container; the others go to containers of their own. */
const toFullest = 8;
const connections = 4;
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const towns = "Aachen Bergen Coimbra Dresden Esbjerg Ferrara Ghent Haarlem Innsbruck Jena Krakow Leuven".split(" ");

export async function fill(server: Server, { documents, memories }: Wanted): Promise<void> {
	const { total, statuses } = await ask<{ readonly total: number; readonly statuses: Readonly<Record<string, number>> }>(
		server,
		"/v3/documents/documents/facets",
		{},
	);
	await inParallel(documents - total, documentsPerRequest, (from, count) => addDocuments(server, total + from, count));
	await inParallel(failed - (statuses["failed"] ?? 0), documentsPerRequest, (from, count) => addUnreadable(server, from, count));
	await inParallel(memories - (await countMemories(server, fullest)) / (toFullest / 10), memoriesPerRequest, (from, count) =>
		addMemories(server, (from / memoriesPerRequest) % 10 < toFullest ? fullest : tagOf(from / memoriesPerRequest), from, count),
	);
	const { keys: before } = await ask<{ readonly keys: readonly unknown[] }>(server, "/v3/auth/keys");
	for (let i = before.length; i < keys; i++) await ask(server, "/v3/auth/agent-key", { name: `program ${i}`, permission: "read" });
	if ((await countMemories(server, graphed)) < graphNodes / 2) await addGraph(server);
	while ((await ask<{ readonly total: number }>(server, "/v3/documents/processing")).total > 0) await Bun.sleep(500);
}

function addDocuments(server: Server, from: number, count: number): Promise<unknown> {
	const note = (i: number) => ({
		content: `Note ${i}: the ferry to ${towns[i % towns.length]} leaves at ${i % 24}:${String(i % 60).padStart(2, "0")} from pier ${i % 97}.`,
		containerTag: tagOf(i),
		customId: `console-note-${i}`,
	});
	return ask(server, "/v3/documents/batch", { documents: range(from, count).map(note), taskType: "superrag" });
}

/** Only public addresses are read, so these fail at once, and nothing is asked of anybody. */
function addUnreadable(server: Server, from: number, count: number): Promise<unknown> {
	const documents = range(from, count).map((i) => ({ content: `http://127.0.0.1:9/page-${i}`, containerTag: tagOf(i) }));
	return ask(server, "/v3/documents/batch", { documents, taskType: "superrag" });
}

function addMemories(server: Server, containerTag: string, from: number, count: number): Promise<unknown> {
	const memories = range(from, count).map((i) => ({ content: `Person ${i} lives in ${towns[i % towns.length]} and keeps boat ${i % 997} at pier ${i % 97}.` }));
	return ask(server, "/v4/memories", { containerTag, memories });
}

/** Half of the nodes are older versions, so that there are lines between them. */
async function addGraph(server: Server): Promise<void> {
	const half = graphNodes / 2;
	await inParallel(half, memoriesPerRequest, async (from, count) => {
		const memories = range(from, count).map((i) => ({ content: `Box ${i} stands on shelf ${i % 97}` }));
		const { memories: added } = await ask<{ readonly memories: readonly { readonly id: string }[] }>(server, "/v4/memories", {
			containerTag: graphed,
			memories,
		});
		for (const [i, { id }] of added.entries())
			await ask(server, "/v4/memories", { containerTag: graphed, id, newContent: `Box ${from + i} stands on shelf ${(from + i) % 89} now` }, "PATCH");
	});
}

async function countMemories(server: Server, containerTag: string): Promise<number> {
	const { pagination } = await ask<{ readonly pagination: { readonly totalItems: number } }>(server, "/v4/memories/list", {
		containerTags: [containerTag],
		limit: 1,
	});
	return pagination.totalItems;
}

async function inParallel(count: number, perRequest: number, add: (from: number, count: number) => Promise<unknown>): Promise<void> {
	let next = 0;
	const connection = async () => {
		for (let from = next; from < count; from = next) {
			next += perRequest;
			await add(from, Math.min(perRequest, count - from));
		}
	};
	await Promise.all(Array.from({ length: connections }, connection));
}

async function ask<Answer>({ address }: Server, path: string, body?: object, method = body === undefined ? "GET" : "POST"): Promise<Answer> {
	const response = await fetch(`${address}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as Answer;
}

function range(from: number, count: number): readonly number[] {
	return Array.from({ length: count }, (_, i) => from + i);
}

function tagOf(i: number): string {
	return `tag-${i % containers}`;
}
