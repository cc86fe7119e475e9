/** Parses the body of `POST /v3/documents/list` to a scope, statuses and a page. */

import { type Static, Type } from "@sinclair/typebox";
import type { Filter } from "../../../../core/model/filter.ts";
import type { Scope } from "../../../../core/model/scope.ts";
import { type DocumentStatus, documentStatuses } from "../../../../core/model/status.ts";
import { containerTags, filepath, mergeTags } from "../../requests/fields.ts";
import { parseFilter } from "../../requests/filter.ts";
import { isRecord } from "../../requests/is-record.ts";
import { pagingFields, type RequestedPage, toPage } from "../../requests/paging.ts";
import { reader } from "../../requests/reader.ts";
import { filters } from "../search.ts";

/** The API contract has a status, `unknown`, that no document ever has. */
const statusNames = ["unknown", ...documentStatuses] as const;
const status = Type.Union(statusNames.map((name) => Type.Literal(name)));
const source = Type.String({ minLength: 1, maxLength: 255 });

export const sources = Type.Union([Type.Array(source, { maxItems: 100 }), source], {
	description: "Only documents whose `source` in the metadata is this, or any of these.",
});

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
		Type.Union([Type.Array(status, { minItems: 1, maxItems: statusNames.length }), status], {
			expected: `one of ${statusNames.join(", ")}, or a list of them`,
			description: "Only documents with this status, or any of these.",
		}),
	),
	source: Type.Optional(sources),
	includeContent: Type.Boolean({ default: false, description: "Also return each document's content." }),
});

const read = reader(listBody);

export interface ListRequest {
	readonly scope: Scope;
	readonly statuses: readonly DocumentStatus[];
	readonly page: RequestedPage;
	readonly includeContent: boolean;
}

/** @throws ServiceError of kind `invalid` */
export function parseList(raw: unknown): ListRequest {
	const body = read(isRecord(raw) && typeof raw["operator"] === "string" ? { ...raw, operator: raw["operator"].toLowerCase() } : raw);
	return {
		scope: {
			containerTags: mergeTags(undefined, body.containerTags),
			tagsMatch: body.operator === "or" ? "any" : "all",
			filter: withSources(body.source, parseFilter(body.filters)),
			document: null,
			filepath: body.filepath ?? null,
		},
		statuses: toStatuses(body.status),
		page: toPage(body),
		includeContent: body.includeContent,
	};
}

/** Joins the requested sources and the filter to one filter. */
export function withSources(sourceNames: Static<typeof sources> | undefined, filter: Filter | null): Filter | null {
	if (sourceNames === undefined || sourceNames.length === 0) return filter;
	const parts = [sourceNames].flat().map((value): Filter => ({ kind: "equals", key: "source", value, ignoreCase: false, negate: false }));
	return { kind: "and", parts: [{ kind: "or", parts }, ...(filter === null ? [] : [filter])] };
}

function toStatuses(requested: Static<typeof listBody>["status"]): readonly DocumentStatus[] {
	return requested === undefined ? documentStatuses : documentStatuses.filter((name) => [requested].flat().includes(name));
}
