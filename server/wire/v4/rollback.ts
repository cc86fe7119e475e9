/** The request and the response of a rollback, which removes the documents of a source and their memories. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../core/errors/fail.ts";
import { asId, isId, type RemovalId } from "../../../core/model/id.ts";
import { limits } from "../../../core/model/limits.ts";
import { type Scope, wholeOrganisation } from "../../../core/model/scope.ts";
import type { RollbackOptions } from "../../../core/removals/removal-service.ts";
import type { RollbackResult } from "../../../core/removals/roll-back.ts";
import type { RemovalSource } from "../../../core/removals/source.ts";
import { containerTag, containerTags, filepath, mergeTags } from "../requests/fields.ts";
import { parseFilter } from "../requests/filter.ts";
import { reader } from "../requests/reader.ts";
import { filters } from "../v3/search.ts";

const id = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

export const rollbackBody = Type.Object({
	ids: Type.Optional(
		Type.Array(Type.String({ minLength: 1, maxLength: limits.customIdCharactersMax }), {
			minItems: 1,
			maxItems: 1_000,
			description: "Ids or customIds of documents.",
		}),
	),
	customIdPrefix: Type.Optional(
		Type.String({ minLength: 1, maxLength: limits.customIdCharactersMax, description: "All documents whose customId begins with this." }),
	),
	connectionId: Type.Optional(id("All documents that a connection has synced.")),
	keyId: Type.Optional(id("All documents whose content was added with this key.")),
	filters: Type.Optional(filters),
	filepath: Type.Optional(filepath),
	containerTag: Type.Optional(containerTag),
	containerTags: Type.Optional(containerTags),
	dryRun: Type.Boolean({ default: false, description: "Only return what would be removed." }),
	removalId: Type.Optional(
		Type.String({
			maxLength: 100,
			description: "An id of your own for the removal. An interrupted request can be repeated with the same id, and one undo then restores everything.",
		}),
	),
});

const read = reader(rollbackBody);

export interface ParsedRollback {
	readonly source: RemovalSource;
	readonly scope: Scope;
	readonly options: RollbackOptions;
}

/** @throws ServiceError of kind `invalid` */
export function parseRollback(raw: unknown): ParsedRollback {
	const { ids, customIdPrefix, connectionId, keyId, filters: filterFields, filepath: path, dryRun, removalId, ...tags } = read(raw);
	if (removalId !== undefined && !isId(removalId))
		throw fail("INPUT_INVALID", "removalId should have the format of an id: 22 letters and digits without 0, O, I and l");
	const isScoped = filterFields !== undefined || (path !== undefined && path !== "");
	const sources: RemovalSource[] = [
		...(ids === undefined ? [] : [{ kind: "named", names: ids } as const]),
		...(customIdPrefix === undefined ? [] : [{ kind: "prefix", prefix: customIdPrefix } as const]),
		...(connectionId === undefined ? [] : [{ kind: "connection", connection: connectionId } as const]),
		...(keyId === undefined ? [] : [{ kind: "key", key: keyId } as const]),
		...(isScoped ? [{ kind: "scope" } as const] : []),
	];
	const [source, ...others] = sources;
	if (source === undefined || others.length > 0)
		throw fail("INPUT_INVALID", "exactly one source should be named: ids, customIdPrefix, connectionId, keyId, or filters and/or filepath");
	const scope: Scope = {
		...wholeOrganisation,
		containerTags: mergeTags(tags.containerTag, tags.containerTags),
		tagsMatch: "any",
		filter: parseFilter(filterFields),
		filepath: path ?? null,
	};
	return { source, scope, options: { dryRun, removal: removalId === undefined ? null : asId<RemovalId>(removalId) } };
}

export function toRollbackReceipt({ removal, count, refused, memories }: RollbackResult, { options: { dryRun } }: ParsedRollback) {
	const errors = refused.map((each) => ({ id: each.id, error: each.error.message, code: each.error.code }));
	return {
		dryRun,
		documentCount: count,
		memoryCount: memories.going,
		sharedMemoryCount: memories.staying,
		removalId: removal,
		...(errors.length > 0 ? { errors } : {}),
	};
}

export const rollbackReceiptSchema = Type.Object(
	{
		dryRun: Type.Boolean(),
		documentCount: Type.Integer({ description: "Removed documents, including those inside others." }),
		memoryCount: Type.Integer({ description: "Removed memories: those with no other source, and those inferred from such, all versions counted." }),
		sharedMemoryCount: Type.Integer({ description: "Memories that are kept because they have another source." }),
		removalId: Type.Union([Type.String(), Type.Null()], { description: "For undoing the rollback, see `/v3/documents/restore`." }),
		errors: Type.Optional(Type.Array(Type.Object({ id: Type.String(), error: Type.String(), code: Type.String() }))),
	},
	{ $id: "RollbackReceipt" },
);
