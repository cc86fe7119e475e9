/**
 * Notes of words that are nowhere else, which are found and deleted again: caches of words are full afterwards. By ordinary work they fill
 * for days, since a language's rare words come one by one, and until then each hour would look like growth.
 */

import { post, waitUntilDone } from "../client.ts";
import { key, type Server } from "../server.ts";

/** The largest of these caches has some 20,000 words, and a search does not ask for all of its words. */
const wordsWanted = 60_000;
const wordsPerNote = 500;
/** A search has vectors made for its own words and for those of what it finds. */
const wordsPerSearch = 30;

const syllables = "bam cel dor fex gil hun jov kas lum mip nar oph pez qua rin sob tul vax wen yog zid".split(" ");

export async function fillCaches(server: Server): Promise<void> {
	const notes = Array.from({ length: wordsWanted / wordsPerNote }, (_, note) =>
		Array.from({ length: wordsPerNote }, (_word, i) => rareWord(note * wordsPerNote + i)),
	);
	const ids = await Promise.all(notes.map((words) => add(server, words.join(" "))));
	for (const id of ids) await waitUntilDone(server, id);
	for (const words of notes)
		for (let at = 0; at < wordsPerNote; at += wordsPerSearch) await post(server, "/v3/search", { q: words.slice(at, at + wordsPerSearch).join(" "), limit: 5 });
	for (const id of ids) await fetch(`${server.address}/v3/documents/${id}`, { method: "DELETE", headers: { authorization: `Bearer ${key}` } });
}

function rareWord(number: number): string {
	const { length } = syllables;
	return [number, Math.floor(number / length), Math.floor(number / length ** 2), Math.floor(number / length ** 3)]
		.map((digit) => syllables[digit % length])
		.join("");
}

async function add({ address }: Server, content: string): Promise<string> {
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const response = await fetch(`${address}/v3/documents`, { method: "POST", headers, body: JSON.stringify({ content, taskType: "superrag" }) });
	if (!response.ok) throw new Error(`a note was refused: ${response.status} ${await response.text()}`);
	return ((await response.json()) as { readonly id: string }).id;
}
