/** The cursor of a list: opaque to clients, a place, the order it belongs to, and how many pages went before. */

import { fail } from "../../../core/errors/fail.ts";
import { isId } from "../../../core/model/id.ts";
import type { Page, Position } from "../../../core/ports/document-store.ts";

export interface ListCursor extends Pick<Page, "sort" | "order"> {
	readonly after: Position;
	/** The number of the page that begins here. */
	readonly number: number;
}

/** Changes when old cursors could be misread. */
const format = 1;
/** Longer than any that was ever given out. */
export const cursorCharactersMax = 200;

export function writeCursor({ sort, order, after, number }: ListCursor): string {
	return Buffer.from(JSON.stringify([format, sort, order, after.at.getTime(), after.id, number])).toString("base64url");
}

/** It is not signed: a made-up cursor shows no more than the list itself. @throws ServiceError `CURSOR_INVALID` */
export function readCursor(cursor: string): ListCursor {
	const [version, sort, order, time, id, number, ...more] = parsed(cursor);
	const isOurs =
		version === format &&
		(sort === "createdAt" || sort === "updatedAt") &&
		(order === "asc" || order === "desc") &&
		typeof time === "number" &&
		Number.isFinite(new Date(time).getTime()) &&
		typeof id === "string" &&
		isId(id) &&
		typeof number === "number" &&
		Number.isSafeInteger(number) &&
		number > 0 &&
		more.length === 0;
	if (!isOurs) throw fail("CURSOR_INVALID");
	return { sort, order, after: { at: new Date(time), id }, number };
}

function parsed(cursor: string): readonly unknown[] {
	// The decoder ignores invalid characters, so a corrupted cursor could be read as another one.
	if (cursor.length > cursorCharactersMax || !/^[A-Za-z0-9_-]+$/.test(cursor)) return [];
	try {
		const value: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
		return Array.isArray(value) ? value : [];
	} catch {
		return [];
	}
}
