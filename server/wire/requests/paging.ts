/** Pagination: the request fields, and the object in a response that describes the page. */

import { type Static, type TObject, Type } from "@sinclair/typebox";
import { fail } from "../../../core/errors/fail.ts";
import type { Page, Position } from "../../../core/ports/document-store.ts";
import { readCursor, writeCursor } from "./list-cursor.ts";

/** Limits of the API contract. */
const limitMax = 1_100;
const limitDefault = 10;

/** No list is that long, and larger offsets would exceed what a storage can handle. */
const pageMax = 999_999_999;

/** Some clients send numbers as strings. */
const wholeNumber = (description: string, fallback: number, maximum: number) =>
	Type.Union([Type.Integer({ minimum: 1, maximum }), Type.String({ pattern: "^[0-9]{1,9}$" })], {
		default: fallback,
		expected: `a whole number from 1 to ${maximum}`,
		description,
	});

export const cursorField = Type.String({
	minLength: 1,
	description:
		"The `nextCursor` of the previous page: continues right after it, even if items were added or removed. `page`, `sort` and `order` are then ignored.",
});

export const pagingFields = {
	cursor: Type.Optional(cursorField),
	page: wholeNumber("The page number, from 1.", 1, pageMax),
	limit: wholeNumber(`Items per page; more than ${limitMax} count as ${limitMax}.`, limitDefault, pageMax),
	sort: Type.Union([Type.Literal("createdAt"), Type.Literal("updatedAt")], { default: "createdAt", description: "The time to sort by." }),
	order: Type.Union([Type.Literal("asc"), Type.Literal("desc")], { default: "desc", description: "`desc`: the newest first." }),
};

type Paging = Static<TObject<typeof pagingFields>>;

/** A page as core expects it, with the page number for the response. */
export interface RequestedPage extends Page {
	readonly number: number;
}

/** @throws ServiceError `INPUT_INVALID`, `CURSOR_INVALID` */
export function toPage({ cursor, page, limit, sort, order }: Paging): RequestedPage {
	const size = Math.min(Number(limit), limitMax);
	const number = Number(page);
	if (size < 1) throw fail("INPUT_INVALID", `limit should be a whole number from 1, not ${size}`);
	if (number < 1) throw fail("INPUT_INVALID", `page should be a whole number from 1 to ${pageMax}, not ${number}`);
	if (cursor !== undefined) return { offset: 0, limit: size, ...readCursor(cursor) };
	return { offset: (number - 1) * size, limit: size, sort, order, number };
}

export const paginationSchema = Type.Object(
	{ currentPage: Type.Integer(), limit: Type.Integer(), totalItems: Type.Integer(), totalPages: Type.Integer() },
	{ $id: "Pagination" },
);

export const nextCursorSchema = Type.Union([Type.String(), Type.Null()], { description: "The cursor of the next page; null on the last page." });

export function toNextCursor({ sort, order, number }: Pick<RequestedPage, "sort" | "order" | "number">, next: Position | null): string | null {
	return next === null ? null : writeCursor({ sort, order, after: next, number: number + 1 });
}

export function toPagination({ number, limit }: Pick<RequestedPage, "number" | "limit">, totalItems: number) {
	return { currentPage: number, limit, totalItems, totalPages: Math.ceil(totalItems / limit) };
}
