/** Looks through the whole file before anything is imported of it: lines, their order, their number, and the checksum. */

import type { z } from "zod";
import { fail } from "../../core/errors/fail.ts";
import type { DocumentId } from "../../core/model/id.ts";
import { cleanTexts } from "../wire/requests/reader.ts";
import { readLines } from "./line-file.ts";
import { type BodyLine, bodyLine, type Counts, counted, endLine, exportFormat, headLine } from "./lines.ts";

export interface Checked {
	readonly version: string;
	readonly createdAt: Date;
	readonly counts: Counts;
}

/** @throws ServiceError `EXPORT_INVALID` */
export async function checkExport(path: string, tell: (readTo: number) => void): Promise<Checked> {
	const counts: Record<string, number> = Object.fromEntries(counted.map((type) => [type, 0]));
	const order = orderChecker();
	let head: z.output<typeof headLine> | null = null;
	let end: z.output<typeof endLine> | null = null;
	for await (const { value, number, readTo, checksumBefore } of readLines(path)) {
		if (end !== null) throw fail("EXPORT_INVALID", `line ${number} comes behind the end`);
		if (head === null) head = headOf(value);
		else if (typeOf(value) === "end") {
			end = parsed(endLine, value, number);
			if (end.sha256 !== checksumBefore()) throw fail("EXPORT_INVALID", "its checksum is another: something in it was changed");
		} else {
			const line = bodyLineOf(value, number);
			order(line, number);
			counts[line.type] = (counts[line.type] ?? 0) + 1;
		}
		tell(readTo);
	}
	if (head === null) throw fail("EXPORT_INVALID", "it is empty");
	if (end === null) throw fail("EXPORT_INVALID", "it is cut off: its last line is missing");
	for (const type of counted)
		if (counts[type] !== end.counts[type]) throw fail("EXPORT_INVALID", `it should have ${end.counts[type]} lines of type ${type}, and has ${counts[type]}`);
	return { version: head.version, createdAt: head.createdAt, counts: end.counts };
}

/** A line between the first and the last. @throws ServiceError `EXPORT_INVALID` */
export function bodyLineOf(value: unknown, number: number): BodyLine {
	return parsed(bodyLine, cleanTexts(value), number);
}

export function typeOf(value: unknown): unknown {
	return typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
}

function headOf(value: unknown): z.output<typeof headLine> {
	if (typeOf(value) !== "cairn-export") throw fail("EXPORT_INVALID", "its first line does not say that it is one");
	const { format } = value as { readonly format?: unknown };
	if (typeof format === "number" && format > exportFormat)
		throw fail("EXPORT_INVALID", `it is of format ${format}, and this version reads ${exportFormat}; a newer version of Cairn has made it`);
	return parsed(headLine, value, 1);
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, number: number): z.output<Schema> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const { path = [], message = "" } = result.error.issues[0] ?? {};
	throw fail("EXPORT_INVALID", `line ${number}${path.length === 0 ? "" : `, ${path.join(".")}`}: ${message.slice(0, 200)}`);
}

const sections: Readonly<Record<BodyLine["type"], number>> = { settings: 0, container: 1, document: 2, file: 2, chunk: 2, memory: 3, edge: 4 };

/** Files and chunks follow their document, numbered without a gap: so the import needs to remember nothing. */
function orderChecker(): (line: BodyLine, number: number) => void {
	let section = 0;
	let document: DocumentId | null = null;
	let hasFile = false;
	let isPublished = false;
	let [parts, chunks] = [0, 0];
	return (line, number) => {
		if (sections[line.type] < section) throw fail("EXPORT_INVALID", `line ${number}: ${line.type} comes too late`);
		section = sections[line.type];
		if (line.type === "document") {
			[document, hasFile, isPublished, parts, chunks] = [line.id, line.content.kind === "file", line.isPublished, 0, 0];
		} else if (line.type === "file") {
			if (line.document !== document || !hasFile || line.part !== parts++ || chunks > 0)
				throw fail("EXPORT_INVALID", `line ${number} is no part of the file before it`);
		} else if (line.type === "chunk" && (line.document !== document || !isPublished || line.position !== chunks++)) {
			throw fail("EXPORT_INVALID", `line ${number} is no chunk of the document before it`);
		}
	};
}
