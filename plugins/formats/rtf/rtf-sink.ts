/** Collects the text of an RTF file as paragraphs, list items and table rows. There is a separate sink for each note, header and footer. */

import { joinPieces, type Piece } from "../blocks/inline-text.ts";
import { hasNamedQuantities } from "../blocks/looks-like-header.ts";
import { createOutline, type Outline } from "../blocks/outline.ts";

/** Properties of a paragraph. */
export interface ParagraphProperties {
	/** 1 to 6; null for body text. */
	readonly headingLevel: number | null;
	readonly listDepth: number;
	readonly isTitle: boolean;
	readonly isInTable: boolean;
}

export interface RowProperties {
	readonly isHeader: boolean;
	/** How each cell is merged, from left to right: not, with the cell to its left, or with the one above. */
	readonly merges: readonly ("none" | "left" | "above")[];
}

export interface Sink {
	readonly outline: Outline;
	readonly titles: readonly string[];
	readonly add: (piece: Piece) => void;
	/** Sets the list marker of the current paragraph. A marker without letters or digits is a bullet. */
	readonly setMarker: (text: string) => void;
	readonly endParagraph: (properties: ParagraphProperties) => void;
	readonly endCell: () => void;
	readonly endRow: (properties: RowProperties) => void;
	readonly endNestedCell: () => void;
	readonly endNestedRow: () => void;
	/** Ends an unfinished paragraph or table. */
	readonly close: () => void;
	/** All text, as lines. */
	readonly toText: () => string;
}

const defaultProperties: ParagraphProperties = { headingLevel: null, listDepth: 0, isTitle: false, isInTable: false };

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
	let nestedCells: string[] = [];
	let rows: Row[] = [];

	const takeLine = () => {
		const inline = joinPieces(pieces);
		pieces = [];
		return inline;
	};
	const endTable = () => {
		const [first] = rows;
		if (first === undefined) return;
		const headerRowCount = rows.findIndex(({ isHeader }) => !isHeader);
		const count = headerRowCount > 0 ? headerRowCount : Number(hasNamedQuantities(rows.map((row) => row.cells)));
		const header = count === 0 ? [] : first.cells.map((cell) => cell.replace(/\s+/g, " "));
		outline.table(header, count === 0 ? rows : rows.slice(1));
		rows = [];
	};
	const endParagraph = (properties: ParagraphProperties) => {
		const { text, markdown } = takeLine();
		const listMarker = marker;
		marker = null;
		if (properties.isInTable) {
			if (text !== "") lines.push(text);
			return;
		}
		if (text === "") return;
		endTable();
		if (properties.isTitle) titles.push(text);
		const markerPrefix = listMarker === null || !/[\p{L}\p{N}]/u.test(listMarker) ? "" : `${listMarker} `;
		if (properties.headingLevel !== null) outline.heading(properties.headingLevel, `${markerPrefix}${text.replace(/\s+/g, " ")}`);
		else if (listMarker !== null) outline.item(properties.listDepth, text, { markdown, ...(markerPrefix === "" ? {} : { marker: listMarker }) });
		else outline.paragraph(text, { markdown });
	};
	const endCell = () => {
		endParagraph({ ...defaultProperties, isInTable: true });
		cells.push(lines.join("\n"));
		lines = [];
	};

	return {
		outline,
		titles,
		add: (piece) => {
			pieces.push(piece);
		},
		setMarker(text) {
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
		endNestedCell() {
			nestedCells.push(takeLine().text);
		},
		endNestedRow() {
			const nonEmptyCells = nestedCells.filter((cell) => cell !== "");
			if (nonEmptyCells.length > 0) lines.push(nonEmptyCells.join("; "));
			nestedCells = [];
		},
		close() {
			if (cells.length > 0) this.endRow({ isHeader: false, merges: [] });
			for (const line of lines) pieces.push({ text: `${line}\n` });
			lines = [];
			endParagraph(defaultProperties);
			endTable();
		},
		toText: () => outline.blocks.map(({ text }) => text).join("\n"),
	};
}
