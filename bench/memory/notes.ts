/**
 * Notes that a model might take of a document, true and untrue ones, by somebody who did not know the rules: how many of which are
 * kept. `bun bench/memory/notes.ts [FILE] [--half odd|even]`, FILE as described in `strangers/README.md`. Nothing is asked of a model.
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { isFaithful, isInstruction, isSupported, sentenceSpans } from "cairn-memory/words";

interface Note {
	readonly id: string;
	readonly source: string;
	readonly quote: string;
	readonly text: string;
	readonly about: string;
	readonly faithful: boolean;
	readonly fault: string;
}

interface Count {
	notes: number;
	supported: number;
	kept: number;
}

const { values, positionals } = parseArgs({ options: { half: { type: "string" } }, allowPositionals: true });
const file = positionals[0] ?? join(import.meta.dir, "strangers/notes.jsonl");
const all = (await Bun.file(file).text())
	.trim()
	.split("\n")
	.map((line): Note => JSON.parse(line));
const isOdd = (id: string) => Number(id.slice(1)) % 2 === 1;
const notes = all.filter(({ id }) => values.half === undefined || isOdd(id) === (values.half === "odd"));

const counts = new Map<string, Count>();
for (const note of notes) {
	const { text, quote, source, about } = note;
	const around = `${about}\n${source}`;
	const isBelieved = !isInstruction(quote) && isSupported({ text, quote, context: around, dates: text.match(/\d{4}-\d\d-\d\d/g) ?? [] });
	const isKept = isBelieved && isFaithful({ text, quote, line: lineOf(note), context: around, about });
	for (const name of note.faithful ? ["all true ones"] : [note.fault, "all untrue ones"]) {
		const count = counts.get(name) ?? { notes: 0, supported: 0, kept: 0 };
		count.notes += 1;
		count.supported += Number(isBelieved);
		count.kept += Number(isKept);
		counts.set(name, count);
	}
}
console.log("| notes | how many | words are there | kept |\n|---|---|---|---|");
for (const [name, { notes: many, supported, kept }] of [...counts].sort()) console.log(`| ${name} | ${many} | ${supported} | ${kept} |`);

/** From the beginning of the quote's line to the end of its sentence. */
function lineOf({ source, quote }: Note): string {
	const begin = source.indexOf(quote);
	const end = begin + quote.length;
	const sentence = sentenceSpans(source).findLast(([from, to]) => from < end && to > begin);
	return source.slice(source.lastIndexOf("\n", begin) + 1, Math.max(end, sentence?.[1] ?? end));
}
