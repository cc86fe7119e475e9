/** Parses the query of `GET /v3/documents/processing` to a page. */

import { type Static, Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import { readCursor } from "../../requests/list-cursor.ts";
import { cursorField, type RequestedPage } from "../../requests/paging.ts";
import { reader } from "../../requests/reader.ts";

/** Both the default and the maximum. A client that needs only the number reads the total. */
const limitMax = 500;

export const processingQuery = Type.Object({
	cursor: Type.Optional(cursorField),
	limit: Type.Integer({ minimum: 1, maximum: limitMax, default: limitMax, description: "The most documents to return." }),
});

const read = reader(processingQuery);

export type ProcessingPage = Omit<RequestedPage, "offset">;

/** @throws ServiceError `INPUT_INVALID`, `CURSOR_INVALID` */
export function parseProcessing(raw: unknown): ProcessingPage {
	const { cursor, limit }: Static<typeof processingQuery> = read(raw);
	const firstPage = { sort: "createdAt", order: "desc", number: 1 } as const;
	if (cursor === undefined) return { limit, ...firstPage };
	const position = readCursor(cursor);
	// This list has a fixed order, so a cursor with another order comes from another list.
	if (position.sort !== firstPage.sort || position.order !== firstPage.order) throw fail("CURSOR_INVALID");
	return { limit, ...position };
}
