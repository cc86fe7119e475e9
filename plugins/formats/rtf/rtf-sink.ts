/** Collects the text of an RTF file as paragraphs, list items and table rows. Notes and headers have sinks of their own. */

import { joinPieces, type Piece } from "../blocks/inline-text.ts";
import { hasNamedQuantities } from "../blocks/looks-like-header.ts";
import { createOutline, type Outline } from "../blocks/outline.ts";

/** Properties of a paragraph. */
export interface ParagraphForm {
	/** 1 to 6; null for body text. */
	readonly headingLevel: number | null;
	readonly listDepth: number;
	readonly isTitle: boolean;
	readonly isInTable: boolean;
}

export interface RowForm {
	readonly isHeader: boolean;
	/** How each cell is merged, from the left. */
	readonly merges: readonly ("none" | "left" | "above")[];
}

export interface Sink {
	readonly outline: Outline;
	readonly titles: readonly string[];
	readonly add: (piece: Piece) => void;
	/** The list marker in the file; one without letters or digits is a bullet. */
	readonly mark: (text: string) => void;
	readonly endParagraph: (form: ParagraphForm) => void;
	readonly endCell: () => void;
	readonly endRow: (form: RowForm) => void;
	readonly endInnerCell: () => void;
	readonly endInnerRow: () => void;
	/** Ends an unfinished paragraph or table. */
	readonly close: () => void;
	/** All text, as lines. */
	readonly flat: () => string;
}

const plain: ParagraphForm = { headingLevel: null, listDepth: 0, isTitle: false, isInTable: false };

interface Row {
	readonly cells: readonly string[];
	readonly isHeader: boolean;
}

export function createSink(): Sink {
	const outline = createOutline();
	const titles: string[] = [];
	let pieces: Piece[] = [];
	let marker: string | null = null;
	let lines: string[] = [];
	let cells: string[] = [];
	let innerCells: string[] = [];
	let rows: Row[] = [];

	const takeLine = () => {
		const inline = joinPieces(pieces);
		pieces = [];
		return inline;
	};
	const endTable = () => {
		const [first] = rows;
		if (first === undefined) return;
		const marked = rows.findIndex(({ isHeader }) => !isHeader);
		const count = marked > 0 ? marked : Number(hasNamedQuantities(rows.map((row) => row.cells)));
		const header = count === 0 ? [] : first.cells.map((cell) => cell.replace(/\s+/g, " "));
		outline.table(header, count === 0 ? rows : rows.slice(1));
		rows = [];
	};
	const endParagraph = (form: ParagraphForm) => {
		const { text, markdown } = takeLine();
		const label = marker;
		marker = null;
		if (form.isInTable) {
			if (text !== "") lines.push(text);
			return;
		}
		if (text === "") return;
		endTable();
		if (form.isTitle) titles.push(text);
		const words = label === null || !/[\p{L}\p{N}]/u.test(label) ? "" : `${label} `;
		if (form.headingLevel !== null) outline.heading(form.headingLevel, `${words}${text.replace(/\s+/g, " ")}`);
		else if (label !== null) outline.item(form.listDepth, text, { markdown, ...(words === "" ? {} : { marker: label }) });
		else outline.paragraph(text, { markdown });
	};
	const endCell = () => {
		endParagraph({ ...plain, isInTable: true });
		cells.push(lines.join("\n"));
		lines = [];
	};

	return {
		outline,
		titles,
		add: (piece) => {
			pieces.push(piece);
		},
		mark(text) {
			marker = text.replace(/\s+/g, " ").trim();
		},
		endParagraph,
		endCell,
		endRow({ isHeader, merges }) {
			if (pieces.length > 0 || lines.length > 0) endCell();
			const above = rows.at(-1)?.cells ?? [];
			const filled: string[] = [];
			for (const [column, cell] of cells.entries()) {
				if (merges[column] === "left") filled.push(filled.at(-1) ?? "");
				else filled.push(merges[column] === "above" && cell === "" ? (above[column] ?? "") : cell);
			}
			if (filled.length > 0) rows.push({ cells: filled, isHeader });
			cells = [];
		},
		endInnerCell() {
			innerCells.push(takeLine().text);
		},
		endInnerRow() {
			const said = innerCells.filter((cell) => cell !== "");
			if (said.length > 0) lines.push(said.join("; "));
			innerCells = [];
		},
		close() {
			if (cells.length > 0) this.endRow({ isHeader: false, merges: [] });
			for (const line of lines) pieces.push({ text: `${line}\n` });
			lines = [];
			endParagraph(plain);
			endTable();
		},
		flat: () => outline.blocks.map(({ text }) => text).join("\n"),
	};
}
