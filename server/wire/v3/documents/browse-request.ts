/** Parses the bodies of `/v3/documents/documents…`. */

import { Type } from "@sinclair/typebox";
import type { DocumentIdKind } from "../../../../core/browse/browse-service.ts";
import { limits } from "../../../../core/model/limits.ts";
import { type Scope, wholeOrganisation } from "../../../../core/model/scope.ts";
import { containerTags, filepath, mergeTags } from "../../requests/fields.ts";
import { parseFilter } from "../../requests/filter.ts";
import { pagingFields, type RequestedPage, toPage } from "../../requests/paging.ts";
import { reader } from "../../requests/reader.ts";
import { filters } from "../search.ts";
import { sources, withSources } from "./list-request.ts";

/** The most documents on a page. All their memories are returned too, so larger pages would delay other requests. */
const documentsMax = 500;

const anyContainers = Type.Optional(containerTags);

export const browseBody = Type.Object({
	...pagingFields,
	containerTags: anyContainers,
	sources: Type.Optional(sources),
	filters: Type.Optional(filters),
	filepath: Type.Optional(filepath),
	includeContent: Type.Boolean({ default: false, description: "Also return each document's content." }),
});

export const byIdsBody = Type.Object({
	ids: Type.Array(Type.String({ minLength: 1, maxLength: limits.customIdCharactersMax }), {
		minItems: 1,
		maxItems: documentsMax,
		description: "Ids or customIds. Unknown ones are left out.",
	}),
	by: Type.Optional(
		Type.Union([Type.Literal("id"), Type.Literal("customId")], { description: "Whether `ids` are ids or customIds; when absent, both are tried." }),
	),
	containerTags: anyContainers,
});

export const facetsBody = Type.Object({ containerTags: anyContainers, filters: Type.Optional(filters), filepath: Type.Optional(filepath) });

const readBrowse = reader(browseBody);
const readByIds = reader(byIdsBody);
const readFacets = reader(facetsBody);

export interface BrowseRequest {
	readonly scope: Scope;
	readonly page: RequestedPage;
	readonly includeContent: boolean;
}

export interface ByIdsRequest {
	/** Ids or customIds, see `by`. */
	readonly ids: readonly string[];
	readonly by: DocumentIdKind;
	readonly scope: Scope;
}

/** A document matches if it is in any of the containers, since clients show several containers in one graph. @throws ServiceError of kind `invalid` */
export function parseBrowse(raw: unknown): BrowseRequest {
	const body = readBrowse(raw);
	const page = toPage({ ...body, limit: Math.min(Number(body.limit), documentsMax) });
	const scope = scopeOf({ ...body, filter: withSources(body.sources, parseFilter(body.filters)) });
	return { scope, page, includeContent: body.includeContent };
}

export function parseByIds(raw: unknown): ByIdsRequest {
	const { ids, by, containerTags: tags } = readByIds(raw);
	return { ids: [...new Set(ids)], by: by ?? null, scope: scopeOf({ containerTags: tags }) };
}

export function parseFacets(raw: unknown): Scope {
	const body = readFacets(raw);
	return scopeOf({ ...body, filter: parseFilter(body.filters) });
}

interface ScopeFields {
	readonly containerTags?: Parameters<typeof mergeTags>[1];
	readonly filter?: Scope["filter"];
	readonly filepath?: string;
}

function scopeOf({ containerTags: tags, filter = null, filepath: path }: ScopeFields): Scope {
	return { ...wholeOrganisation, containerTags: mergeTags(undefined, tags), tagsMatch: "any", filter, filepath: path ?? null };
}
