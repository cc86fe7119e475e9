/** Pages: how clients ask for them, and the object that tells where one stands. */

import { type Static, Type } from "@sinclair/typebox";
import { fail } from "../../core/errors/fail.ts";
import type { Page } from "../../core/ports/document-store.ts";

/** The contract's bounds. */
const limitMax = 1_100;
const limitDefault = 10;

/** Clients send numbers as text as well. */
const whole = (description: string, fallback: number) =>
	Type.Union([Type.Integer(), Type.String({ pattern: "^[0-9]{1,9}$" })], { default: fallback, description });

export const pagingFields = {
	page: whole("Which page, from 1.", 1),
	limit: whole(`How many on a page, 1 to ${limitMax}.`, limitDefault),
	sort: Type.Union([Type.Literal("createdAt"), Type.Literal("updatedAt")], { default: "createdAt", description: "By which time." }),
	order: Type.Union([Type.Literal("asc"), Type.Literal("desc")], { default: "desc", description: "`desc`: the newest first." }),
};

type Paging = { readonly [Name in keyof typeof pagingFields]: Static<(typeof pagingFields)[Name]> };

/** @throws ServiceError `INPUT_INVALID` */
export function toPage({ page, limit, sort, order }: Paging): Page {
	const size = Number(limit);
	const number = Number(page);
	if (size < 1 || size > limitMax) throw fail("INPUT_INVALID", `limit: should be from 1 to ${limitMax}`);
	if (number < 1) throw fail("INPUT_INVALID", "page: should be 1 or more");
	return { offset: (number - 1) * size, limit: size, sort, order };
}

export const paginationSchema = Type.Object(
	{ currentPage: Type.Integer(), limit: Type.Integer(), totalItems: Type.Integer(), totalPages: Type.Integer() },
	{ $id: "Pagination" },
);

export function toPagination({ offset, limit }: Page, totalItems: number) {
	return { currentPage: Math.floor(offset / limit) + 1, limit, totalItems, totalPages: Math.ceil(totalItems / limit) };
}
