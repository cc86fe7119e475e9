/** Everything that a server shows, to be compared with what it showed before its folder was harmed. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { attempt, type Served } from "./talk.ts";

/** By a name that says what it is. A value that could not be read is its answer. */
export type Contents = ReadonlyMap<string, string>;

/** For as long a search is repeated: right after a start a busy machine answers by vectors alone. */
const patienceMs = 15_000;

/** @param words that are searched for. @param before what is expected; null the first time */
export async function contentsOf(server: Served, folder: string, words: readonly string[], before: Contents | null = null): Promise<Contents> {
	const all = new Map<string, string>();
	const read = async (name: string, path: string, body: object, take: (body: Readonly<Record<string, unknown>>) => void) => {
		const answer = await attempt(server, "POST", path, body);
		if (answer?.status === 200 && answer.body !== null) take(answer.body);
		else all.set(name, `answered ${answer?.status ?? "nothing"} ${String(answer?.body?.["code"] ?? "")}`);
	};
	await read("the list of documents", "/v3/documents/list", { limit: 200, includeContent: true }, ({ memories }) => {
		for (const { customId, content, metadata, containerTags, status, title } of memories as readonly Readonly<Record<string, unknown>>[])
			all.set(`document ${customId}`, JSON.stringify({ content, metadata, containerTags, status, title }));
	});
	for (const tag of ["zoo", "pond"])
		await read(`the memories of ${tag}`, "/v4/memories/list", { containerTags: [tag], limit: 100 }, ({ memoryEntries }) => {
			const entries = memoryEntries as readonly { id: string; memory: string; isLatest: boolean; isForgotten: boolean }[];
			for (const { id, memory, isLatest, isForgotten } of entries) all.set(`memory ${id}`, JSON.stringify({ memory, isLatest, isForgotten }));
		});
	for (const word of words) {
		const name = `the search for ${word}`;
		const end = performance.now() + patienceMs;
		do {
			await read(name, "/v3/search", { q: word, limit: 1, onlyMatchingChunks: true }, ({ results }) => {
				const [first] = results as readonly { customId: string; chunks: readonly { content: string }[] }[];
				all.set(name, JSON.stringify([first?.customId, first?.chunks.map(({ content }) => content)]));
			});
		} while (before !== null && before.get(name) !== all.get(name) && performance.now() < end);
	}
	for (const [name, bytes] of await originalsIn(join(folder, "sqlite", "blobs"))) all.set(`original ${name}`, bytes);
	return all;
}

async function originalsIn(folder: string): Promise<readonly (readonly [string, string])[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
	// The mark of their owner is none.
	const files = entries.filter((entry) => entry.isFile() && entry.name !== "owner" && !entry.parentPath.endsWith("unfinished"));
	return Promise.all(files.map(async (entry): Promise<[string, string]> => [entry.name, await readFile(join(entry.parentPath, entry.name), "hex")]));
}

/** What is not there any more, and what is otherwise than before. */
export function difference(before: Contents, after: Contents): { readonly lost: readonly string[]; readonly altered: readonly string[] } {
	const lost: string[] = [];
	const altered: string[] = [];
	for (const [name, value] of before) {
		const now = after.get(name);
		if (now === undefined) lost.push(name);
		else if (now !== value) altered.push(`${name}: ${now.slice(0, 300)}`);
	}
	return { lost, altered };
}
