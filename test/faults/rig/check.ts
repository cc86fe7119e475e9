/** Compares a running server with a history: everything acknowledged is there once, and what was deleted or replaced is not found. */

import { compare, type History, type Known } from "./history.ts";
import { ask, attempt, type Served, settled } from "./talk.ts";

const patienceMs = 15_000;

export interface Checked {
	readonly documents: number;
	readonly memories: number;
	readonly faults: readonly string[];
}

/** @param all everything, else what was touched since the last check */
export async function check(server: Served, history: History, all = false): Promise<Checked> {
	await settled(server);
	const faults: string[] = [];
	const chosen = (kind: "documents" | "memories") => [...history[kind].values()].filter(({ isTouched }) => all || isTouched);
	const [documents, memories] = [chosen("documents"), chosen("memories")];
	for (const known of documents) faults.push(...(await checkDocument(server, known)));
	for (const tag of new Set(memories.map((known) => known.tag))) {
		const ofTag = memories.filter((known) => known.tag === tag);
		if (ofTag.length > 0) faults.push(...(await checkMemories(server, tag, ofTag)));
	}
	return { documents: documents.length, memories: memories.length, faults };
}

async function checkDocument(server: Served, known: Known): Promise<readonly string[]> {
	const answer = await attempt(server, "GET", `/v3/documents/${known.name}`);
	const document = answer?.status === 404 ? null : (answer?.body as { status: string; content: string } | null | undefined);
	if (document === undefined) return [`${known.name}: no answer`];
	const word = document === null ? null : (/says (\w+)\./.exec(document.content)?.[1] ?? document.content);
	const faults = [compare(known, word)];
	if (document !== null && document.status !== "done") faults.push(`${known.name} is ${document.status}`);
	const times = word === null ? 1 : await timesFound(server, word);
	if (times !== 1) faults.push(`${known.name} is found ${times} times by ${word}`);
	// Of a document with a long history the last words are the ones that could come back.
	for (const gone of [...known.gone].slice(-2)) if ((await chunksWith(server, gone)) !== 0) faults.push(`${known.name} is still found by ${gone}`);
	return faults.filter((fault) => fault !== null);
}

/** Looks again for a while: right after a start a busy machine answers by vectors alone. */
async function timesFound(server: Served, word: string): Promise<number> {
	const end = performance.now() + patienceMs;
	for (;;) {
		const times = await chunksWith(server, word);
		if (times === 1 || performance.now() > end) return times;
	}
}

async function chunksWith(server: Served, word: string): Promise<number> {
	const { results } = await ask<{ results: { chunks: { content: string }[] }[] }>(server, "POST", "/v3/search", {
		q: word,
		limit: 5,
		onlyMatchingChunks: true,
	});
	return results.flatMap(({ chunks }) => chunks).filter(({ content }) => content.includes(` ${word}.`)).length;
}

interface Entry {
	readonly id: string;
	readonly memory: string;
	readonly isLatest: boolean;
	readonly isForgotten: boolean;
}

async function checkMemories(server: Served, tag: string, knowns: readonly Known[]): Promise<readonly string[]> {
	const current = (await entriesOf(server, tag)).filter(({ isLatest, isForgotten }) => isLatest && !isForgotten);
	const faults: string[] = [];
	for (const known of knowns) {
		const own = current.filter(({ memory }) => memory.startsWith(`Slot ${known.name} `));
		if (own.length > 1) faults.push(`${known.name} has ${own.length} current versions: ${own.map(({ memory }) => memory).join(" ")}`);
		const word = own[0] === undefined ? null : (/holds (\w+)\./.exec(own[0].memory)?.[1] ?? own[0].memory);
		const fault = compare(known, word);
		if (fault !== null) faults.push(fault);
		known.id = own[0]?.id ?? known.id;
		for (const gone of [...known.gone].slice(-1)) if (await isRemembered(server, tag, gone)) faults.push(`${known.name} is still remembered as ${gone}`);
	}
	return faults;
}

async function entriesOf(server: Served, tag: string): Promise<readonly Entry[]> {
	const entries: Entry[] = [];
	for (let page = 1; ; page++) {
		const { memoryEntries } = await ask<{ memoryEntries: readonly Entry[] }>(server, "POST", "/v4/memories/list", { containerTags: [tag], limit: 100, page });
		entries.push(...memoryEntries);
		if (memoryEntries.length < 100) return entries;
	}
}

async function isRemembered(server: Served, containerTag: string, word: string): Promise<boolean> {
	const { results } = await ask<{ results: readonly { memory: string }[] }>(server, "POST", "/v4/search", { q: word, containerTag, limit: 5, threshold: 0 });
	return results.some(({ memory }) => memory.includes(` ${word}.`));
}
