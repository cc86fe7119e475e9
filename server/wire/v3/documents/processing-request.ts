/** The query of `GET /v3/documents/processing` → a page. */

import { type Static, Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import { readCursor } from "../../requests/list-cursor.ts";
import { type AskedPage, cursorField } from "../../requests/paging.ts";
import { reader } from "../../requests/reader.ts";

/** Also the maximum: a person reads no more, and the total is beside it. */
const limitDefault = 500;

export const processingQuery = Type.Object({
	cursor: Type.Optional(cursorField),
	limit: Type.Integer({ minimum: 1, maximum: limitDefault, default: limitDefault, description: "How many to show." }),
});

const read = reader(processingQuery);

export type ProcessingPage = Omit<AskedPage, "offset">;

/** @throws ServiceError `INPUT_INVALID`, `CURSOR_INVALID` */
export function parseProcessing(raw: unknown): ProcessingPage {
	const { cursor, limit }: Static<typeof processingQuery> = read(raw);
	const begin = { sort: "createdAt", order: "desc", number: 1 } as const;
	if (cursor === undefined) return { limit, ...begin };
	const asked = readCursor(cursor);
	// This list has one order; a cursor of another belongs to another list.
	if (asked.sort !== begin.sort || asked.order !== begin.order) throw fail("CURSOR_INVALID");
	return { limit, ...asked };
}
