/** Checks a whole export file before anything is imported from it: the lines, their order, their number, and the checksum. */

import type { z } from "zod";
import { fail } from "../../core/errors/fail.ts";
import type { DocumentId } from "../../core/model/id.ts";
import { cleanTexts } from "../wire/requests/reader.ts";
import { readLines } from "./line-file.ts";
import { type BodyLine, bodyLine, type Counts, countedTypes, exportFormat, firstLineSchema, lastLineSchema } from "./lines.ts";

export interface CheckedExport {
	readonly version: string;
	readonly createdAt: Date;
	readonly counts: Counts;
}

/** @throws ServiceError `EXPORT_INVALID` */
export async function checkExport(path: string, onProgress: (endOffset: number) => void): Promise<CheckedExport> {
	const counts: Record<string, number> = Object.fromEntries(countedTypes.map((type) => [type, 0]));
	const checkOrder = orderChecker();
	let firstLine: z.output<typeof firstLineSchema> | null = null;
	let lastLine: z.output<typeof lastLineSchema> | null = null;
	for await (const { value, number, endOffset, checksumBefore } of readLines(path)) {
		if (lastLine !== null) throw fail("EXPORT_INVALID", `line ${number} comes after the line of type "end"`);
		if (firstLine === null) firstLine = parseFirstLine(value);
		else if (typeOf(value) === "end") {
			lastLine = parseLine(lastLineSchema, value, number);
			if (lastLine.sha256 !== checksumBefore()) throw fail("EXPORT_INVALID", "its checksum is wrong: the file was changed");
		} else {
			const line = parseBodyLine(value, number);
			checkOrder(line, number);
			counts[line.type] = (counts[line.type] ?? 0) + 1;
		}
		onProgress(endOffset);
	}
	if (firstLine === null) throw fail("EXPORT_INVALID", "it is empty");
	if (lastLine === null) throw fail("EXPORT_INVALID", "it is incomplete: its last line is missing");
	for (const type of countedTypes)
		if (counts[type] !== lastLine.counts[type])
			throw fail("EXPORT_INVALID", `it should have ${lastLine.counts[type]} lines of type ${type}, but has ${counts[type]}`);
	return { version: firstLine.version, createdAt: firstLine.createdAt, counts: lastLine.counts };
}

/** Parses a line between the first and the last. @throws ServiceError `EXPORT_INVALID` */
export function parseBodyLine(value: unknown, number: number): BodyLine {
	return parseLine(bodyLine, cleanTexts(value), number);
}

export function typeOf(value: unknown): unknown {
	return typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
}

function parseFirstLine(value: unknown): z.output<typeof firstLineSchema> {
	if (typeOf(value) !== "cairn-export") throw fail("EXPORT_INVALID", "its first line is not that of an export");
	const { format } = value as { readonly format?: unknown };
	if (typeof format === "number" && format > exportFormat)
		throw fail("EXPORT_INVALID", `it has format ${format}, but this version of Cairn reads format ${exportFormat}: use a newer version`);
	return parseLine(firstLineSchema, value, 1);
}

function parseLine<Schema extends z.ZodType>(schema: Schema, value: unknown, number: number): z.output<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const { path = [], message = "" } = result.error.issues[0] ?? {};
	throw fail("EXPORT_INVALID", `line ${number}${path.length === 0 ? "" : `, ${path.join(".")}`}: ${message.slice(0, 200)}`);
}

const sectionOfType: Readonly<Record<BodyLine["type"], number>> = { settings: 0, container: 1, document: 2, file: 2, chunk: 2, memory: 3, edge: 4 };

/** Checks that file parts and chunks follow their document and are numbered without gaps, so that the import can process one line at a time. */
function orderChecker(): (line: BodyLine, number: number) => void {
	let section = 0;
	let document: DocumentId | null = null;
	let hasFile = false;
	let isPublished = false;
	let [nextPart, nextChunk] = [0, 0];
	return (line, number) => {
		if (sectionOfType[line.type] < section) throw fail("EXPORT_INVALID", `line ${number}: ${line.type} comes too late`);
		section = sectionOfType[line.type];
		if (line.type === "document") {
			[document, hasFile, isPublished, nextPart, nextChunk] = [line.id, line.content.kind === "file", line.isPublished, 0, 0];
		} else if (line.type === "file") {
			if (line.document !== document || !hasFile || line.part !== nextPart++ || nextChunk > 0)
				throw fail("EXPORT_INVALID", `line ${number} is not the next part of the file before it`);
		} else if (line.type === "chunk" && (line.document !== document || !isPublished || line.position !== nextChunk++)) {
			throw fail("EXPORT_INVALID", `line ${number} is not the next chunk of the document before it`);
		}
	};
}
