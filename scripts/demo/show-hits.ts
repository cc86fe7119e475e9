/** Prints what a search has found: how well it fits, where it stands, and the words themselves. */

import type { Answer, MemoryHit, Passage } from "./client.ts";

const lineCharacters = 110;

export function showPassages(question: string, { results, timing }: Answer<Passage>): void {
	console.log(`  ? ${question}  (${timing.toFixed(1)} ms)`);
	if (results.length === 0) console.log("    nothing was found");
	for (const { metadata, chunks } of results) {
		const [best] = chunks;
		if (best === undefined) continue;
		console.log(`    ${best.score.toFixed(2)}  ${[metadata.filename, placeOf(best.place)].filter(Boolean).join(", ")}`);
		console.log(`          ${excerpt(best.content, question)}`);
	}
	console.log("");
}

export function showMemories(question: string, { results, timing }: Answer<MemoryHit>): void {
	console.log(`  ? ${question}  (${timing.toFixed(1)} ms)`);
	if (results.length === 0) console.log("    nothing was found");
	for (const { memory, similarity, version, context } of results) {
		console.log(`    ${similarity.toFixed(2)}  ${memory}${version > 1 ? `  (version ${version})` : ""}`);
		for (const { memory: parent, relation } of context?.parents ?? []) console.log(`          ${relation}: ${parent}`);
	}
	console.log("");
}

function placeOf({ page, row, seconds }: Passage["chunks"][number]["place"]): string {
	if (page !== undefined) return `page ${page}`;
	if (row !== undefined) return `row ${row}`;
	return seconds === undefined ? "" : timeOf(seconds[0] ?? 0);
}

/** Within a recording, `00:02:10`. A chat takes days: `day 76`. */
function timeOf(seconds: number): string {
	const days = Math.floor(seconds / 86_400);
	return days > 0 ? `day ${days + 1}` : new Date(seconds * 1_000).toISOString().slice(11, 19);
}

/** The line that shares the most letters-in-a-row with the question: enough to recognize the answer. */
function excerpt(content: string, question: string): string {
	const words = question.toLowerCase().match(/[a-z]{4,}/g) ?? [];
	const lines = content
		.split(/\n+|(?<=[.!?])\s+/)
		.map((line) => line.trim())
		.filter((line) => line !== "");
	const scored = lines.map((line) => ({ line, shared: words.filter((word) => line.toLowerCase().includes(word.slice(0, 5))).length }));
	const best = scored.reduce((a, b) => (b.shared > a.shared ? b : a), scored[0] ?? { line: content, shared: 0 });
	return best.line.length > lineCharacters ? `${best.line.slice(0, lineCharacters - 1)}…` : best.line;
}
