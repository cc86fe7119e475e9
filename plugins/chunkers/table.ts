/** Splits documents that are mostly tables between rows, and repeats the header in every chunk. */

import {
	type Block,
	type ChunkDraft,
	type Chunker,
	definePlugin,
	type Place,
	packPieces,
	pieceCutter,
	rowLine,
	splitText,
	tableHeader,
	targetSize,
	unitePlaces,
	type World,
} from "cairn-memory";
import { z } from "zod";

type Row = Extract<Block, { kind: "row" }>;

/** Text is mostly a table when more than half of its blocks are rows. */
const rowShareMin = 0.5;
/** The headings and the sheet above a table may take this share of a chunk; the rest of them is left out. */
const aboveShare = 0.2;

/** So many blocks are cut without a pause: about 15 ms. */
const blocksPerTurn = 4_000;

function table({ sleep }: World): Chunker {
	return {
		name: "table",
		accepts: ["*/*"],
		recognizes: ({ blocks }) => blocks.reduce((rows, { kind }) => (kind === "row" ? rows + 1 : rows), 0) > blocks.length * rowShareMin,
		chunk: async ({ blocks, text }, { charactersMax, charactersWanted }, step) => {
			const target = targetSize(text, charactersMax, charactersWanted);
			const drafts: ChunkDraft[] = [];
			const textRun = () => {
				const run: Block[] = [];
				const pieces = () => run.flatMap(pieceCutter(charactersMax, text));
				return { add: (block: Block) => void run.push(block), end: () => void drafts.push(...packPieces(pieces(), target, charactersMax)) };
			};
			const keyOf = runKeys();
			let key = "";
			let open: Run = { add: () => undefined, end: () => undefined };
			for (const [i, block] of blocks.entries()) {
				step.signal.throwIfAborted();
				if (i > 0 && i % blocksPerTurn === 0) await sleep(1, step.signal);
				if (isBlank(block)) continue;
				const own = keyOf(block);
				if (own !== key) {
					open.end();
					open = block.kind === "row" ? rowRun(block, target, charactersMax, drafts) : textRun();
					key = own;
				}
				open.add(block);
			}
			open.end();
			return drafts;
		},
	};
}

export default definePlugin({
	name: "chunker-table",
	contract: 1,
	options: z.strictObject({}),
	start: (_options, { world }) => ({ chunker: [table(world)] }),
});

/** Blocks of one table or text, processed one by one: half a million rows are not kept as objects. */
interface Run {
	readonly add: (block: Block) => void;
	/** Writes what is left. */
	readonly end: () => void;
}

/** Groups neighbouring rows of one table on one sheet, and the blocks between two tables. */
function runKeys(): (block: Block) => string {
	let header: readonly string[] = [];
	let names = "";
	return (block) => {
		if (block.kind !== "row") return "text";
		if (block.header !== header) [header, names] = [block.header, block.header.join("\t")];
		return `${block.table}/${block.place.sheet ?? ""}/${names}`;
	};
}

/** Checks the cells first, since a row's text is built on each access. */
function isBlank(block: Block): boolean {
	return !(block.kind === "row" && block.cells.some((cell) => cell.trim() !== "")) && block.text.trim() === "";
}

function rowRun(first: Row, target: number, charactersMax: number, drafts: ChunkDraft[]): Run {
	const head = headOf(first, charactersMax);
	const room = charactersMax - head.above.length - head.header.length;
	for (const part of head.once) drafts.push(draftOf([first.place], [part], head));
	let places: Place[] = [];
	let lines: string[] = [];
	let size = 0;
	const end = () => {
		if (lines.length > 0) drafts.push(draftOf(places, lines, head));
		places = [];
		lines = [];
		size = 0;
	};
	const add = (row: Block) => {
		if (row.kind !== "row") return;
		const { cells, place } = row;
		const line = rowLine(cells, cells.length === 0 ? row.text : "");
		if (size > 0 && head.header.length + size + line.length + 1 > Math.min(target, head.header.length + room)) end();
		if (line.length > room) {
			for (const part of rowParts(row, room)) drafts.push(draftOf([place], [part], head));
			return;
		}
		places.push(place);
		lines.push(line);
		size += line.length + 1;
	};
	return { add, end };
}

interface Head {
	/** The headings and the sheet, for the index only. */
	readonly above: string;
	/** The header line and its rule, shown as well. */
	readonly header: string;
	/** A header that is too long to be repeated, in as many parts as it takes. */
	readonly once: readonly string[];
}

function headOf(first: Row, charactersMax: number): Head {
	const names = [...first.headings, ...(first.place.sheet === undefined ? [] : [first.place.sheet])];
	const path = fitted(names.join(" › "), charactersMax * aboveShare);
	const above = path === "" ? "" : `${path}\n\n`;
	const { lines, isRepeated } = tableHeader(first, charactersMax);
	if (isRepeated) return { above, header: `${lines}\n`, once: [] };
	return { above, header: "", once: splitText(lines, charactersMax - above.length, "lines").map(([begin, end]) => lines.slice(begin, end)) };
}

function fitted(text: string, charactersMax: number): string {
	const [span] = splitText(text, charactersMax);
	return span === undefined ? "" : text.slice(...span);
}

/** Joined at once: concatenation would keep the parts in memory. */
function draftOf(places: readonly Place[], lines: readonly string[], { above, header }: Head): ChunkDraft {
	const text = (header === "" ? lines : [header.slice(0, -1), ...lines]).join("\n");
	return { text, indexedText: above + text, place: unitePlaces(places) };
}

/** Splits a row that is longer than a chunk, between cells where possible, each with its column name. */
function rowParts(row: Row, room: number): readonly string[] {
	const named = row.cells.map((cell, i) => ((row.header[i] ?? "") === "" ? cell : `${row.header[i]}: ${cell}`));
	const text = (named.length === 0 ? row.text : named.filter((cell) => cell.trim() !== "").join("\n")).trim();
	return splitText(text, room, "lines").map(([begin, end]) => text.slice(begin, end));
}
