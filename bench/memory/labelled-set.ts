/** The labelled sequences beside this file: documents line by line, each line with the facts that it states, or none. */

import { readFileSync } from "node:fs";

export interface LabelledFact {
	readonly id: string;
	/** What the memory must hold, each one of the ways to say it that a slash parts. */
	readonly has: readonly string[];
	readonly subject?: string;
	readonly isStatic?: boolean;
	/** The day of the event. */
	readonly at?: string;
	/** The day from which it is worth nothing. */
	readonly until?: string;
	/** An earlier fact of the sequence that it replaces, adds to or repeats. */
	readonly updates?: string;
	readonly extends?: string;
	readonly same?: string;
	/** Told by an older document after a newer one: it replaces nothing. */
	readonly isPast?: boolean;
}

export interface LabelledLine {
	readonly text: string;
	/** What parts it from the line before; a line break when absent. */
	readonly before?: string;
	readonly facts?: readonly LabelledFact[];
	/** May be remembered or not. */
	readonly isOptional?: boolean;
}

export interface LabelledDocument {
	readonly sequence: string;
	readonly kind: string;
	readonly date: string;
	readonly lines: readonly LabelledLine[];
}

export interface PlacedLine extends LabelledLine {
	readonly span: readonly [begin: number, end: number];
}

export function readLabelled(name: string): readonly LabelledDocument[] {
	const text = readFileSync(new URL(`labelled/${name}.jsonl`, import.meta.url), "utf8");
	return text
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as LabelledDocument);
}

/** The text of a document, and where each line stands in it. */
export function placeLines({ lines }: LabelledDocument): { readonly text: string; readonly lines: readonly PlacedLine[] } {
	let text = "";
	const placed: PlacedLine[] = [];
	for (const line of lines) {
		text += line.before ?? "\n";
		placed.push({ ...line, span: [text.length, text.length + line.text.length] });
		text += line.text;
	}
	return { text, lines: placed };
}
