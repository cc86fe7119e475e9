/**
 * Memories of words that are nowhere else, which are found and deleted again, to fill the caches of words. By ordinary work these fill
 * for days, since a language's rare words come one by one, and until then each hour would look like growth.
 */

import { drained, post } from "../client.ts";
import { key, type Server } from "../server.ts";

/** More than any of these caches holds: 32,768 words of statements, and some 46,000 of five letters that the hashing embedder knows. */
export const wordsWanted = 50_000;
/** The most statements of a text that all become memories are 150. */
const sentencesPerNote = 100;
/** A search of memories has vectors made for its own words and for those of what it finds. */
const wordsPerSearch = 20;
const patienceMs = 20 * 60_000;

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const containerTag = "rare-words";
const [consonants, vowels] = ["bcdfghjklmnpqrtvwxz", "aiou"];

export async function fillCaches(server: Server): Promise<void> {
	const words = Array.from({ length: wordsWanted }, (_, number) => rareWord(number));
	const sentences = Array.from({ length: wordsWanted / 2 }, (_, i) => `Ada's ${words[2 * i]} is kept in ${words[2 * i + 1]}.`);
	for (let at = 0; at < sentences.length; at += sentencesPerNote) await add(server, sentences.slice(at, at + sentencesPerNote).join("\n"));
	// A document is done before its memories are drawn.
	await drained(server, patienceMs);
	for (let at = 0; at < wordsWanted; at += wordsPerSearch)
		await post(server, "/v4/search", { q: words.slice(at, at + wordsPerSearch).join(" "), containerTag, threshold: 0, limit: 5 });
	await fetch(`${server.address}/v3/container-tags/${containerTag}`, { method: "DELETE", headers });
}

/**
 * Five letters, as many as the codes in the notes have, which are their rare words: a cache that is bounded in bytes has room for twice
 * as many words of five letters as of twelve, and would have more and more of them. Without s and e at the end the word is its own stem.
 */
export function rareWord(number: number): string {
	let rest = number;
	return [consonants, vowels, consonants, vowels, consonants]
		.map((letters) => {
			const letter = letters[rest % letters.length];
			rest = Math.floor(rest / letters.length);
			return letter;
		})
		.join("");
}

async function add({ address }: Server, content: string): Promise<void> {
	const response = await fetch(`${address}/v3/documents`, { method: "POST", headers, body: JSON.stringify({ content, containerTag }) });
	if (!response.ok) throw new Error(`a note was refused: ${response.status} ${await response.text()}`);
}
