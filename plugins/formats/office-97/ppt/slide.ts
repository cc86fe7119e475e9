/** Adds one slide: its title, its shapes in their order, its notes and comments. */

import type { Place } from "cairn-memory";
import type { Outline } from "../../blocks/outline.ts";
import { type PptRecord, recordOf, recordsIn, topmostRecords, types } from "./records.ts";
import { type PptLine, type PptText, textsIn } from "./text.ts";

export interface PptSlide {
	readonly record: PptRecord;
	readonly notes: PptRecord | null;
	/** Texts stored in the presentation's outline and not in the slide. */
	readonly outlineTexts: readonly PptText[];
	readonly isHidden: boolean;
}

const titleKinds = new Set([0, 6]);
const notesKind = 2;
/** Placeholders that are repeated on every slide: date, slide number, footer, header. */
const boilerplate = new Set([7, 8, 9, 10]);
const depthMax = 40;

/** @returns the title; null if the slide has none. */
export function addSlide({ record, notes, outlineTexts, isHidden }: PptSlide, outline: Outline, place: Place): string | null {
	const parts = shapesIn(recordOf(record.data, types.drawing)?.data ?? Buffer.alloc(0), outlineTexts, 0);
	const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
	// Outline texts without a shape are added as well.
	const remaining = outlineTexts.filter((text) => !texts.includes(text));
	const title = [...texts, ...remaining].find(({ kind, lines }) => titleKinds.has(kind) && lines.length > 0);
	const titleText = joinLines(title?.lines ?? [], " ");
	outline.heading(1, `${titleText} ${isHidden ? "(hidden slide)" : ""}`.trim(), { place });
	for (const part of parts) {
		if (part.kind === "table") addTable(part.rows, outline, place);
		else if (part.text !== title) addLines(part.text.lines, outline, place);
	}
	for (const text of remaining) if (text !== title) addLines(text.lines, outline, place);
	if (notes !== null) addNotes(notes, outline, place);
	for (const comment of topmostRecords(record.data, types.comment)) addComment(comment, outline, place);
	return titleText === "" ? null : titleText;
}

type Part = { readonly kind: "text"; readonly text: PptText } | { readonly kind: "table"; readonly rows: readonly (readonly string[])[] };

function shapesIn(data: Buffer, outlineTexts: readonly PptText[], depth: number): readonly Part[] {
	if (depth > depthMax) return [];
	const parts: Part[] = [];
	for (const record of recordsIn(data)) {
		const table = record.type === types.shapeGroup ? tableIn(record.data, outlineTexts) : null;
		if (table !== null) parts.push({ kind: "table", rows: table });
		else if (record.type === types.shape) parts.push(...textsOn(record.data, outlineTexts).map((text): Part => ({ kind: "text", text })));
		else if (record.isContainer) parts.push(...shapesIn(record.data, outlineTexts, depth + 1));
	}
	return parts;
}

function textsOn(shape: Buffer, outlineTexts: readonly PptText[]): readonly PptText[] {
	const client = recordOf(shape, types.shapeClient);
	const placeholder = client === null ? null : recordOf(client.data, types.placeholder);
	if (placeholder !== null && placeholder.data.length >= 5 && boilerplate.has(placeholder.data.readUInt8(4))) return [];
	const box = recordOf(shape, types.shapeText);
	if (box === null) return [];
	const reference = recordOf(box.data, types.outlineText);
	const outlineText = reference === null || reference.data.length < 4 ? undefined : outlineTexts[reference.data.readUInt32LE(0)];
	return outlineText === undefined ? textsIn(box.data).filter(({ lines }) => lines.length > 0) : [outlineText];
}

/** Reads a group that is marked as a table: its shapes are the cells, ordered by position. Null for any other group. */
function tableIn(group: Buffer, outlineTexts: readonly PptText[]): readonly (readonly string[])[] | null {
	const shapes = [...recordsIn(group)].filter(({ type }) => type === types.shape);
	const [frame, ...cells] = shapes;
	if (frame === undefined || !isTable(frame.data)) return null;
	const positionedCells = cells.flatMap(({ data }) => {
		const anchor = recordOf(data, types.childAnchor)?.data;
		const lines = textsOn(data, outlineTexts).flatMap((text) => text.lines);
		const hasBox = recordOf(data, types.shapeText) !== null;
		if (anchor === undefined || anchor.length < 16 || !hasBox) return [];
		return [
			{ left: anchor.readInt32LE(0), top: anchor.readInt32LE(4), right: anchor.readInt32LE(8), bottom: anchor.readInt32LE(12), text: joinLines(lines, "\n") },
		];
	});
	const tops = [...new Set(positionedCells.map(({ top }) => top))].sort((a, b) => a - b);
	const lefts = [...new Set(positionedCells.map(({ left }) => left))].sort((a, b) => a - b);
	// Merged cells are repeated in every cell they cover.
	return tops.map((top) =>
		lefts.map((left) => positionedCells.find((cell) => cell.top <= top && top < cell.bottom && cell.left <= left && left < cell.right)?.text ?? ""),
	);
}

const tableProperty = 0x039f;

function isTable(frame: Buffer): boolean {
	const properties = recordOf(frame, types.moreProperties);
	if (properties === null) return false;
	for (let index = 0, offset = 0; index < properties.instance && offset + 6 <= properties.data.length; index++, offset += 6) {
		if ((properties.data.readUInt16LE(offset) & 0x3fff) === tableProperty) return (properties.data.readUInt32LE(offset + 2) & 1) !== 0;
	}
	return false;
}

function addTable(rows: readonly (readonly string[])[], outline: Outline, place: Place): void {
	const [header = [], ...body] = rows;
	outline.table(
		header.map((cell) => cell.replace(/\s+/g, " ")),
		body.map((cells) => ({ cells, place })),
	);
}

function addLines(lines: readonly PptLine[], outline: Outline, place: Place): void {
	for (const { text, level, isItem } of lines) {
		if (isItem) outline.item(level, text, { place });
		else outline.paragraph(text, { place });
	}
}

function addNotes(notes: PptRecord, outline: Outline, place: Place): void {
	const drawing = recordOf(notes.data, types.drawing)?.data ?? Buffer.alloc(0);
	const parts = shapesIn(drawing, [], 0);
	const lines = parts.flatMap((part) => (part.kind === "text" && part.text.kind === notesKind ? part.text.lines : []));
	for (const [index, { text }] of lines.entries()) outline.paragraph(index === 0 ? `Notes: ${text}` : text, { place });
}

function addComment(comment: PptRecord, outline: Outline, place: Place): void {
	const textOf = (instance: number) => {
		for (const record of recordsIn(comment.data))
			if (record.type === types.words && record.instance === instance) return record.data.toString("utf16le").trim();
		return "";
	};
	const [author, text] = [textOf(0), textOf(1)];
	if (text !== "") outline.paragraph(author === "" ? `Comment: ${text}` : `Comment by ${author}: ${text}`, { place });
}

function joinLines(lines: readonly PptLine[], separator: string): string {
	return lines.map(({ text }) => text.replace(/\n/g, separator)).join(separator);
}
