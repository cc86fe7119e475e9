/** Splits documents that are mostly tables between rows, and repeats the header in every chunk. */

import { type Block, type ChunkDraft, type Chunker, definePlugin, type Place, type World } from "cairn-memory";
import { mergePlaces, packPieces, pieceSplitter, rowLine, splitText, tableHeader, targetSize } from "cairn-memory/words";

type Row = Extract<Block, { kind: "row" }>;

/** Text is mostly a table when more than half of its blocks are rows. */
const rowShareMin = 0.5;
/** The headings and the sheet name above a table may take this share of a chunk, and so may its caption; if they are longer, they are cut off. */
const contextShare = 0.2;

/** How many blocks are processed before other work may run: about 15 ms. */
const blocksPerTurn = 4_000;

function table({ sleep }: World): Chunker {
	return {
		name: "table",
		accepts: ["*/*"],
		recognizes: ({ blocks }) => blocks.reduce((rows, { kind }) => (kind === "row" ? rows + 1 : rows), 0) > blocks.length * rowShareMin,
		chunk: async ({ blocks, text }, { charactersMax, charactersWanted }, step) => {
			const target = targetSize(text, charactersMax, charactersWanted);
			const drafts: ChunkDraft[] = [];
			const startText = (): BlockGroup => {
				const group: Block[] = [];
				const pieces = () => group.flatMap(pieceSplitter(charactersMax, text));
				return { add: (block: Block) => void group.push(block), end: () => void drafts.push(...packPieces(pieces(), target, charactersMax)) };
			};
			const keyOf = groupKeys();
			let key = "";
			let current: BlockGroup = { add: () => undefined, end: () => undefined };
			const add = (block: Block, caption: Block | null) => {
				const blockKey = keyOf(block);
				if (blockKey !== key) {
					current.end();
					current = block.kind === "row" ? startTable(block, caption, target, charactersMax, drafts) : startText();
					key = blockKey;
				}
				current.add(block);
			};
			// A caption waits for the block after it: before a table it belongs to the table's first chunk.
			let caption: Block | null = null;
			for (const [i, block] of blocks.entries()) {
				step.signal.throwIfAborted();
				if (i > 0 && i % blocksPerTurn === 0) await sleep(1, step.signal);
				if (isBlank(block)) continue;
				if (caption !== null && (block.kind !== "row" || keyOf(block) === key)) {
					add(caption, null);
					caption = null;
				}
				if (block.kind !== "caption") add(block, caption);
				caption = block.kind === "caption" ? block : null;
			}
			if (caption !== null) add(caption, null);
			current.end();
			return drafts;
		},
	};
}

export default definePlugin({
	name: "chunker-table",
	contract: 1,
	start: (_options, { world }) => ({ chunker: [table(world)] }),
});

/** The blocks of one table, or between two tables. They are processed one by one, so that half a million rows are not held in memory. */
interface BlockGroup {
	readonly add: (block: Block) => void;
	/** Adds the last chunk to the drafts. */
	readonly end: () => void;
}

/** Returns a function from a block to the key of its group: neighbouring blocks with the same key form a group. */
function groupKeys(): (block: Block) => string {
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

function startTable(first: Row, caption: Block | null, target: number, charactersMax: number, drafts: ChunkDraft[]): BlockGroup {
	const head = headOf(first, caption, charactersMax);
	const rowsMax = charactersMax - head.context.length - head.header.length;
	let isFirst = true;
	const addDraft = (chunkPlaces: readonly Place[], chunkLines: readonly string[]) => {
		const hasCaption = isFirst && caption !== null;
		isFirst = false;
		drafts.push(draftOf(hasCaption ? [caption.place, ...chunkPlaces] : chunkPlaces, chunkLines, head, hasCaption));
	};
	for (const part of head.headerChunks) addDraft([first.place], [part]);
	let places: Place[] = [];
	let lines: string[] = [];
	let size = 0;
	const end = () => {
		if (lines.length > 0) addDraft(places, lines);
		places = [];
		lines = [];
		size = 0;
	};
	const add = (row: Block) => {
		if (row.kind !== "row") return;
		const { cells, place } = row;
		const line = rowLine(cells, cells.length === 0 ? row.text : "");
		if (size > 0 && head.header.length + size + line.length + 1 > Math.min(target, head.header.length + rowsMax)) end();
		if (line.length > rowsMax) {
			for (const part of rowParts(row, rowsMax)) addDraft([place], [part]);
			return;
		}
		places.push(place);
		lines.push(line);
		size += line.length + 1;
	};
	return { add, end };
}

interface Head {
	/** The headings, the sheet name and the caption. They are indexed; of these only the caption is part of a text, that of the first chunk. */
	readonly context: string;
	readonly caption: string;
	/** The header line and the rule below it, which begin the text of every chunk; empty if they are too long for that. */
	readonly header: string;
	/** A header that is too long to be repeated, split into chunks. */
	readonly headerChunks: readonly string[];
}

function headOf(first: Row, captionBlock: Block | null, charactersMax: number): Head {
	const names = [...first.headings, ...(first.place.sheet === undefined ? [] : [first.place.sheet])];
	const path = truncate(names.join(" › "), charactersMax * contextShare);
	const caption = truncate(captionBlock?.text.trim() ?? "", charactersMax * contextShare);
	const context = [path, caption].map((line) => (line === "" ? "" : `${line}\n\n`)).join("");
	const { lines, isRepeated } = tableHeader(first, charactersMax);
	if (isRepeated) return { context, caption, header: `${lines}\n`, headerChunks: [] };
	return {
		context,
		caption,
		header: "",
		headerChunks: splitText(lines, charactersMax - context.length, "lines").map(([begin, end]) => lines.slice(begin, end)),
	};
}

function truncate(text: string, charactersMax: number): string {
	const [span] = splitText(text, charactersMax);
	return span === undefined ? "" : text.slice(...span);
}

/** The text is joined in one call, because repeated concatenation would keep all parts in memory. */
function draftOf(places: readonly Place[], lines: readonly string[], { context, caption, header }: Head, hasCaption: boolean): ChunkDraft {
	const rows = (header === "" ? lines : [header.slice(0, -1), ...lines]).join("\n");
	return { text: hasCaption ? `${caption}\n\n${rows}` : rows, indexedText: context + rows, place: mergePlaces(places) };
}

/** Splits a row that is longer than a chunk, between cells where possible, each with its column name. */
function rowParts(row: Row, charactersMax: number): readonly string[] {
	const named = row.cells.map((cell, i) => ((row.header[i] ?? "") === "" ? cell : `${row.header[i]}: ${cell}`));
	const text = (named.length === 0 ? row.text : named.filter((cell) => cell.trim() !== "").join("\n")).trim();
	return splitText(text, charactersMax, "lines").map(([begin, end]) => text.slice(begin, end));
}
