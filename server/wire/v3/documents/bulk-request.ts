/** Parses the body of `DELETE /v3/documents/bulk`: ids, or the scope to delete. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import { limits } from "../../../../core/model/limits.ts";
import { type Scope, wholeOrganisation } from "../../../../core/model/scope.ts";
import { containerTag, filepath } from "../../requests/fields.ts";
import { reader } from "../../requests/reader.ts";

/** The limit of the API contract. */
const idsMax = 100;

export const bulkBody = Type.Object({
	ids: Type.Optional(
		Type.Array(Type.String({ minLength: 1, maxLength: limits.customIdCharactersMax }), { minItems: 1, maxItems: idsMax, description: "Ids or customIds." }),
	),
	containerTags: Type.Optional(
		Type.Array(containerTag, { minItems: 1, maxItems: limits.containerTagsPerDocumentMax, description: "Delete everything in any of these containers." }),
	),
	filepath: Type.Optional(filepath),
});

const read = reader(bulkBody);

export type BulkRequest = { readonly ids: readonly string[] } | { readonly scope: Scope; readonly containerTags: readonly string[] };

/** @throws ServiceError `INPUT_INVALID` */
export function parseBulk(raw: unknown): BulkRequest {
	const { ids, containerTags = [], filepath: path = null } = read(raw);
	if (ids !== undefined) return { ids };
	if (containerTags.length === 0 && (path === null || path === "")) throw fail("INPUT_INVALID", "Either 'ids' or 'containerTags' must be provided");
	return { scope: { ...wholeOrganisation, containerTags, tagsMatch: "any", filepath: path }, containerTags };
}
