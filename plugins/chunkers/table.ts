/** Cuts what is mostly a table between its rows, and repeats the header for every chunk. */

import { type Block, blockPieces, type ChunkDraft, type Chunker, definePlugin, packPieces, rowLine, splitText, targetSize, unitePlaces } from "cairn";
import { z } from "zod";

type Row = Extract<Block, { kind: "row" }>;

/** Text is mostly a table when more than half of its blocks are rows. */
const rowShareMin = 0.5;
/** A header that would take more than this share of a chunk is shortened. */
const headerShare = 0.4;

const table: Chunker = {
	name: "table",
	accepts: ["*/*"],
	recognizes: ({ blocks }) => blocks.filter((block) => block.kind === "row").length > blocks.length * rowShareMin,
	chunk: async ({ blocks, text }, { charactersMax, charactersWanted }, step) => {
		const target = targetSize(text, charactersMax, charactersWanted);
		return runs(blocks).flatMap((run) => {
			step.signal.throwIfAborted();
			const rows = run.filter((block) => block.kind === "row");
			if (rows.length > 0) return rowChunks(rows, target, charactersMax);
			return packPieces(
				run.flatMap((block) => blockPieces(block, charactersMax, text)),
				target,
				charactersMax,
			);
		});
	},
};

export default definePlugin({
	name: "chunker-table",
	contract: 1,
	options: z.strictObject({}),
	start: () => ({ chunker: [table] }),
});

/** Neighbouring rows of one table on one sheet belong together, and so does what stands between two tables. */
function runs(blocks: readonly Block[]): readonly (readonly Block[])[] {
	const done: Block[][] = [];
	let key = "";
	let header: readonly string[] = [];
	let names = "";
	for (const block of blocks) {
		if (isBlank(block)) continue;
		if (block.kind === "row" && block.header !== header) [header, names] = [block.header, block.header.join("\t")];
		const own = block.kind === "row" ? `${block.table}/${block.place.sheet ?? ""}/${names}` : "text";
		const open = done.at(-1);
		if (open === undefined || own !== key) done.push([block]);
		else open.push(block);
		key = own;
	}
	return done;
}

/** The cells of a row are looked at first: what a row reads as is made anew each time. */
function isBlank(block: Block): boolean {
	return !(block.kind === "row" && block.cells.some((cell) => cell.trim() !== "")) && block.text.trim() === "";
}

function rowChunks(rows: readonly Row[], target: number, charactersMax: number): readonly ChunkDraft[] {
	const head = headOf(rows, Math.floor(charactersMax * headerShare));
	const room = charactersMax - head.above.length - head.header.length;
	const drafts: ChunkDraft[] = [];
	let open: Row[] = [];
	let lines: string[] = [];
	let size = 0;
	const close = () => {
		if (open.length > 0) drafts.push(draftOf(open, lines.join("\n"), head));
		open = [];
		lines = [];
		size = 0;
	};
	for (const row of rows) {
		const { cells } = row;
		const line = rowLine(cells, cells.length === 0 ? row.text : "");
		if (size > 0 && head.header.length + size + line.length + 1 > Math.min(target, head.header.length + room)) close();
		if (line.length > room) {
			for (const part of rowParts(row, room)) drafts.push(draftOf([row], part, head));
			continue;
		}
		open.push(row);
		lines.push(line);
		size += line.length + 1;
	}
	close();
	return drafts;
}

interface Head {
	/** The headings and the sheet, for the index only. */
	readonly above: string;
	/** The header line and its rule, shown as well. */
	readonly header: string;
}

function headOf(rows: readonly Row[], charactersMax: number): Head {
	const [first] = rows;
	if (first === undefined) return { above: "", header: "" };
	const names = [...first.headings, ...(first.place.sheet === undefined ? [] : [first.place.sheet])];
	const above = fitted(names.join(" › "), charactersMax / 2);
	const isNamed = first.header.some((name) => name.trim() !== "");
	const rule = `|${" --- |".repeat(first.header.length)}`;
	const whole = `${rowLine(first.header)}\n${rule}\n`;
	const header = whole.length <= charactersMax / 2 ? whole : `${fitted(rowLine(first.header), charactersMax / 2 - 1)}\n`;
	return { above: above === "" ? "" : `${above}\n\n`, header: isNamed ? header : "" };
}

function fitted(text: string, charactersMax: number): string {
	const [span] = splitText(text, charactersMax);
	return span === undefined ? "" : text.slice(...span);
}

function draftOf(rows: readonly Row[], body: string, { above, header }: Head): ChunkDraft {
	const text = header + body;
	return { text, indexedText: above + text, place: unitePlaces(rows.map((row) => row.place)) };
}

/** A row that alone is longer than a chunk: cut between cells where possible, each named by its column. */
function rowParts(row: Row, room: number): readonly string[] {
	const named = row.cells.map((cell, i) => ((row.header[i] ?? "") === "" ? cell : `${row.header[i]}: ${cell}`));
	const text = (named.length === 0 ? row.text : named.filter((cell) => cell.trim() !== "").join("\n")).trim();
	return splitText(text, room, "lines").map(([begin, end]) => text.slice(begin, end));
}
