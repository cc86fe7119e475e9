/** The cursor of a list: a position, the sort order, and the page number. It is opaque to clients. */

import { fail } from "../../../core/errors/fail.ts";
import { isId } from "../../../core/model/id.ts";
import type { Page, Position } from "../../../core/ports/document-store.ts";

export interface ListCursor extends Pick<Page, "sort" | "order"> {
	readonly after: Position;
	/** The number of the page that begins here. */
	readonly number: number;
}

/** Incremented if older cursors could be misread. */
const formatVersion = 1;
/** Longer than any valid cursor. */
export const cursorCharactersMax = 200;

export function writeCursor({ sort, order, after, number }: ListCursor): string {
	return Buffer.from(JSON.stringify([formatVersion, sort, order, after.at.getTime(), after.id, number])).toString("base64url");
}

/** Cursors are not signed: a forged one gives access only to items of the list. @throws ServiceError `CURSOR_INVALID` */
export function readCursor(cursor: string): ListCursor {
	const [version, sort, order, time, id, number, ...extra] = parseCursor(cursor);
	const isValid =
		version === formatVersion &&
		(sort === "createdAt" || sort === "updatedAt") &&
		(order === "asc" || order === "desc") &&
		typeof time === "number" &&
		Number.isFinite(new Date(time).getTime()) &&
		typeof id === "string" &&
		isId(id) &&
		typeof number === "number" &&
		Number.isSafeInteger(number) &&
		number > 0 &&
		extra.length === 0;
	if (!isValid) throw fail("CURSOR_INVALID");
	return { sort, order, after: { at: new Date(time), id }, number };
}

function parseCursor(cursor: string): readonly unknown[] {
	// The decoder ignores invalid characters, so a corrupted cursor could be read as another one.
	if (cursor.length > cursorCharactersMax || !/^[A-Za-z0-9_-]+$/.test(cursor)) return [];
	try {
		const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
		return Array.isArray(value) ? value : [];
	} catch {
		return [];
	}
}
