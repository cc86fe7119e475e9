/** The body of `POST /v3/documents/list` → a scope, the statuses and a page. */

import { Type } from "@sinclair/typebox";
import type { Scope } from "../../../core/model/scope.ts";
import { type DocumentStatus, documentStatuses } from "../../../core/model/status.ts";
import type { Page } from "../../../core/ports/document-store.ts";
import { containerTags, filepath, unitedTags } from "../fields.ts";
import { parseFilter } from "../filter.ts";
import { isRecord } from "../is-record.ts";
import { pagingFields, toPage } from "../paging.ts";
import { reader } from "../reader.ts";
import { filters } from "./search-request.ts";

export const listBody = Type.Object({
	...pagingFields,
	containerTags: Type.Optional(containerTags),
	operator: Type.Union([Type.Literal("and"), Type.Literal("or")], {
		default: "and",
		description: "Whether a document has to be in all of the containers, or in any.",
	}),
	filters: Type.Optional(filters),
	filepath: Type.Optional(filepath),
	status: Type.Optional(
		Type.Union(
			documentStatuses.map((status) => Type.Literal(status)),
			{ description: "Only documents with this status." },
		),
	),
	includeContent: Type.Boolean({ default: false, description: "Also answer each document's content." }),
});

const read = reader(listBody);

export interface ListRequest {
	readonly scope: Scope;
	readonly statuses: readonly DocumentStatus[];
	readonly page: Page;
	readonly includeContent: boolean;
}

/** @throws ServiceError of kind `invalid` */
export function parseList(raw: unknown): ListRequest {
	const body = read(isRecord(raw) && typeof raw["operator"] === "string" ? { ...raw, operator: raw["operator"].toLowerCase() } : raw);
	return {
		scope: {
			containerTags: unitedTags(undefined, body.containerTags),
			tagsMatch: body.operator === "or" ? "any" : "all",
			filter: parseFilter(body.filters),
			document: null,
			filepath: body.filepath ?? null,
		},
		statuses: body.status === undefined ? documentStatuses : [body.status as DocumentStatus],
		page: toPage(body),
		includeContent: body.includeContent,
	};
}
