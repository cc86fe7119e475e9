/** Pages: how clients ask for them, and the object that tells where one stands. */

import { type Static, Type } from "@sinclair/typebox";
import { fail } from "../../core/errors/fail.ts";
import type { Page } from "../../core/ports/document-store.ts";

/** The contract's bounds. */
const limitMax = 1_100;
const limitDefault = 10;

/** Beyond it there is nothing, and a storage could not count so far. */
const pageMax = 999_999_999;

/** Clients send numbers as text as well. */
const whole = (description: string, fallback: number, maximum: number) =>
	Type.Union([Type.Integer({ minimum: 1, maximum }), Type.String({ pattern: "^[0-9]{1,9}$" })], {
		default: fallback,
		expected: `a whole number from 1 to ${maximum}`,
		description,
	});

export const pagingFields = {
	page: whole("Which page, from 1.", 1, pageMax),
	limit: whole(`How many on a page; more than ${limitMax} count as ${limitMax}.`, limitDefault, pageMax),
	sort: Type.Union([Type.Literal("createdAt"), Type.Literal("updatedAt")], { default: "createdAt", description: "By which time." }),
	order: Type.Union([Type.Literal("asc"), Type.Literal("desc")], { default: "desc", description: "`desc`: the newest first." }),
};

type Paging = { readonly [Name in keyof typeof pagingFields]: Static<(typeof pagingFields)[Name]> };

/** @throws ServiceError `INPUT_INVALID` */
export function toPage({ page, limit, sort, order }: Paging): Page {
	const size = Math.min(Number(limit), limitMax);
	const number = Number(page);
	if (size < 1) throw fail("INPUT_INVALID", `limit should be a whole number from 1, not ${size}`);
	if (number < 1) throw fail("INPUT_INVALID", `page should be a whole number from 1 to ${pageMax}, not ${number}`);
	return { offset: (number - 1) * size, limit: size, sort, order };
}

export const paginationSchema = Type.Object(
	{ currentPage: Type.Integer(), limit: Type.Integer(), totalItems: Type.Integer(), totalPages: Type.Integer() },
	{ $id: "Pagination" },
);

export function toPagination({ offset, limit }: Page, totalItems: number) {
	return { currentPage: Math.floor(offset / limit) + 1, limit, totalItems, totalPages: Math.ceil(totalItems / limit) };
}
