/** Builds an extraction block by block in packed form, so that it needs little more memory than its text. */

import { fail } from "../errors/fail.ts";
import type { Block, BlockKind, Place, Warning } from "../model/extraction.ts";
import { limits } from "../model/limits.ts";
import { cellsOfLine, marksPerBlock, type PackedExtraction, type PackedRun, plainKinds, rowText } from "./packed-extraction.ts";
import { completeFacts, createBlockRenderer, type DraftFacts, type ReadableBlock, type Rendered, withoutMarks } from "./readable.ts";

/** A row of a table. Its text is computed from its cells. */
export type WrittenRow = Omit<Extract<Block, { kind: "row" }>, "kind" | "text">;

export interface ExtractionWriter {
	readonly add: (block: ReadableBlock) => void;
	readonly addRow: (row: WrittenRow) => void;
	/** The number of blocks so far. */
	readonly count: () => number;
	/** Records that the source has more content, which was not read. */
	readonly leaveOut: () => void;
	/** Whether the limits of a document are reached: later blocks are counted and left out. */
	readonly isFull: () => boolean;
	/** A warning if content was left out. */
	readonly warnings: () => readonly Warning[];
	/** @throws CONTENT_EMPTY if all blocks are blank, OUTPUT_TOO_LARGE if even the first one exceeds the limits. */
	readonly complete: (facts: DraftFacts) => PackedExtraction;
}

/** So many short strings are joined into one long string, which needs less memory. */
const piecesPerJoin = 2_000;

interface OpenRun extends PackedRun {
	/** The marks so far, as an array that can grow. */
	readonly growing: number[];
	readonly odd: Map<number, string>;
}

export function createExtractionWriter(): ExtractionWriter {
	const renderNext = createBlockRenderer();
	const joined: string[] = [];
	const parts: (Block | PackedRun)[] = [];
	let pieces: string[] = [];
	let currentRun: OpenRun | null = null;
	let length = 0;
	let count = 0;
	let leftOut = 0;
	let lastPlace: Place | null = null;

	/** @returns the span of the words, or null if a limit is exceeded. */
	const write = ({ before, words, after }: Rendered): readonly [number, number] | null => {
		if (leftOut > 0 || count >= limits.blocksMax || length + before.length + words.length + after.length > limits.extractedCharactersMax) {
			leftOut++;
			return null;
		}
		pieces.push(before + words + after);
		if (pieces.length >= piecesPerJoin) joinPieces();
		const begin = length + before.length;
		length = begin + words.length + after.length;
		count++;
		return [begin, begin + words.length];
	};
	const joinPieces = () => {
		joined.push(pieces.join(""));
		pieces = [];
	};
	const close = () => {
		if (currentRun === null) return;
		const { growing, ...run } = currentRun;
		parts.push({ ...run, marks: Uint32Array.from(growing) });
		currentRun = null;
	};
	const runFor = (headings: readonly string[], place: Place, table: PackedRun["table"]): OpenRun => {
		const sheet = place.sheet ?? null;
		const continuesRun = currentRun !== null && currentRun.headings === headings && currentRun.sheet === sheet && isSameTable(currentRun.table, table);
		if (currentRun !== null && continuesRun) return currentRun;
		close();
		currentRun = { headings, sheet, table, marks: noMarks, growing: [], odd: new Map() };
		return currentRun;
	};
	const addMarks = ({ growing }: OpenRun, [begin, end]: readonly [number, number], { row = 0 }: Place, last: number) => growing.push(begin, end, row, last);

	return {
		add(block) {
			if (block.text.trim() === "") return;
			const rendered = renderNext(block);
			const span = write(rendered);
			if (span === null) return;
			lastPlace = block.place;
			const kind = kinds.indexOf(block.kind);
			if (kind >= 0 && rendered.words === block.text && isPlain(block.place)) addMarks(runFor(block.headings, block.place, null), span, block.place, kind);
			else {
				close();
				parts.push({ ...withoutMarks(block), place: { ...block.place, span } });
			}
		},
		addRow(row) {
			const rendered = renderNext({ ...row, kind: "row", text: "" });
			const span = write(rendered);
			if (span === null) return;
			lastPlace = row.place;
			const { cells, header, headings, place, table } = row;
			if (!isPlain(place)) {
				close();
				parts.push({ ...row, kind: "row", text: rowText(header, cells), place: { ...place, span } });
				return;
			}
			const run = runFor(headings, place, { number: table, header });
			if (!isSame(cells, cellsOfLine(rendered.words, cells.length))) run.odd.set(run.growing.length / marksPerBlock, JSON.stringify(cells));
			addMarks(run, span, place, cells.length);
		},
		count: () => count,
		leaveOut: () => {
			leftOut++;
		},
		isFull: () => leftOut > 0,
		warnings: () => (leftOut === 0 ? [] : [{ code: "CONTENT_CUT", message: cutMessage(count, length), ...(lastPlace !== null && { place: lastPlace }) }]),
		complete(facts) {
			close();
			joinPieces();
			if (count === 0) throw leftOut > 0 ? fail("OUTPUT_TOO_LARGE", `${limits.extractedCharactersMax} characters`) : fail("CONTENT_EMPTY");
			return { parts, text: joined.join(""), ...completeFacts(facts) };
		},
	};
}

const noMarks = new Uint32Array();
const kinds: readonly BlockKind[] = plainKinds;

function isSameTable(a: PackedRun["table"], b: PackedRun["table"]): boolean {
	return a === b || (a !== null && b !== null && a.number === b.number && a.header === b.header);
}

/** Whether a run can store all of this place. */
function isPlain(place: Place): boolean {
	for (const name in place) if (name !== "sheet" && name !== "row") return false;
	return true;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
	return a.length === b.length && a.every((cell, column) => cell === b[column]);
}

function cutMessage(count: number, characters: number): string {
	const bounds = `${limits.extractedCharactersMax / 1e6} million characters or ${limits.blocksMax / 1e6} million rows and paragraphs`;
	return `a document may have at most ${bounds}; the first ${count} rows and paragraphs, ${characters} characters, were read, and the rest was left out`;
}
