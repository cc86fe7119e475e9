/** Parses the query of `GET /v3/documents/processing` to a page. */

import { type Static, Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import { readCursor } from "../../requests/list-cursor.ts";
import { cursorField, type RequestedPage } from "../../requests/paging.ts";
import { reader } from "../../requests/reader.ts";

/** The default is also the maximum: nobody reads more, and the response has the total. */
const limitDefault = 500;

export const processingQuery = Type.Object({
	cursor: Type.Optional(cursorField),
	limit: Type.Integer({ minimum: 1, maximum: limitDefault, default: limitDefault, description: "Most documents to return." }),
});

const read = reader(processingQuery);

export type ProcessingPage = Omit<RequestedPage, "offset">;

/** @throws ServiceError `INPUT_INVALID`, `CURSOR_INVALID` */
export function parseProcessing(raw: unknown): ProcessingPage {
	const { cursor, limit }: Static<typeof processingQuery> = read(raw);
	const firstPage = { sort: "createdAt", order: "desc", number: 1 } as const;
	if (cursor === undefined) return { limit, ...firstPage };
	const position = readCursor(cursor);
	// This list has one order, so a cursor with another order belongs to another list.
	if (position.sort !== firstPage.sort || position.order !== firstPage.order) throw fail("CURSOR_INVALID");
	return { limit, ...position };
}
