/** The bodies of `/v3/documents/documents…` → scopes, pages and names. */

import { Type } from "@sinclair/typebox";
import type { NamedBy } from "../../../../core/browse/browse-service.ts";
import { limits } from "../../../../core/model/limits.ts";
import { type Scope, wholeOrganisation } from "../../../../core/model/scope.ts";
import { containerTags, filepath, unitedTags } from "../../requests/fields.ts";
import { parseFilter } from "../../requests/filter.ts";
import { type AskedPage, pagingFields, toPage } from "../../requests/paging.ts";
import { reader } from "../../requests/reader.ts";
import { filters } from "../search.ts";
import { fromSources, sources } from "./list-request.ts";

/** Every document brings its memories along: more at once would keep others waiting. */
const documentsMax = 500;

const anyContainers = Type.Optional(containerTags);

export const browseBody = Type.Object({
	...pagingFields,
	containerTags: anyContainers,
	sources: Type.Optional(sources),
	filters: Type.Optional(filters),
	filepath: Type.Optional(filepath),
	includeContent: Type.Boolean({ default: false, description: "Also answer each document's content." }),
});

export const namedBody = Type.Object({
	ids: Type.Array(Type.String({ minLength: 1, maxLength: limits.customIdCharactersMax }), {
		minItems: 1,
		maxItems: documentsMax,
		description: "Ids or customIds. What is unknown is left out.",
	}),
	by: Type.Optional(Type.Union([Type.Literal("id"), Type.Literal("customId")], { description: "Which of the two they are; left out, both are tried." })),
	containerTags: anyContainers,
});

export const facetsBody = Type.Object({ containerTags: anyContainers, filters: Type.Optional(filters), filepath: Type.Optional(filepath) });

const readBrowse = reader(browseBody);
const readNamed = reader(namedBody);
const readFacets = reader(facetsBody);

export interface BrowseRequest {
	readonly scope: Scope;
	readonly page: AskedPage;
	readonly includeContent: boolean;
}

export interface NamedRequest {
	readonly names: readonly string[];
	readonly by: NamedBy;
	readonly scope: Scope;
}

/** Several containers mean any of them, since a graph shows several. @throws ServiceError of kind `invalid` */
export function parseBrowse(raw: unknown): BrowseRequest {
	const body = readBrowse(raw);
	const page = toPage({ ...body, limit: Math.min(Number(body.limit), documentsMax) });
	const scope = scopeOf({ ...body, filter: fromSources(body.sources, parseFilter(body.filters)) });
	return { scope, page, includeContent: body.includeContent };
}

export function parseNamed(raw: unknown): NamedRequest {
	const { ids, by, containerTags: tags } = readNamed(raw);
	return { names: [...new Set(ids)], by: by ?? null, scope: scopeOf({ containerTags: tags }) };
}

export function parseFacets(raw: unknown): Scope {
	const body = readFacets(raw);
	return scopeOf({ ...body, filter: parseFilter(body.filters) });
}

interface ScopeFields {
	readonly containerTags?: Parameters<typeof unitedTags>[1];
	readonly filter?: Scope["filter"];
	readonly filepath?: string;
}

function scopeOf({ containerTags: tags, filter = null, filepath: path }: ScopeFields): Scope {
	return { ...wholeOrganisation, containerTags: unitedTags(undefined, tags), tagsMatch: "any", filter, filepath: path ?? null };
}
