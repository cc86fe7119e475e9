/** Parses the bodies of `/v4/memories`. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../core/errors/fail.ts";
import type { ClientMemory } from "../../../core/memories/create.ts";
import type { MemoryReference } from "../../../core/memories/find.ts";
import type { MatchRequest } from "../../../core/memories/forget.ts";
import type { RestoreRequest } from "../../../core/memories/restore.ts";
import type { MemoryRevision } from "../../../core/memories/revise.ts";
import { limits } from "../../../core/model/limits.ts";
import { type Scope, wholeOrganisation } from "../../../core/model/scope.ts";
import { asMetadata, containerTag, containerTags, instant, mergeTags, metadata, toInstant } from "../requests/fields.ts";
import { parseFilter } from "../requests/filter.ts";
import { pagingFields, type RequestedPage, toPage } from "../requests/paging.ts";
import { reader } from "../requests/reader.ts";
import { filters } from "../v3/search.ts";
import { fromTemporal, temporalContext } from "./temporal.ts";

const text = Type.String({ minLength: 1, maxLength: limits.memoryCharactersMax, description: "One small fact.", examples: ["John prefers dark mode"] });
const reason = Type.Optional(Type.String({ maxLength: 1_000, description: "Why." }));
const clearable = <Schema extends typeof instant>(schema: Schema, description?: string) =>
	Type.Optional(Type.Union([schema, Type.Null()], { nullable: true, ...(description && { description }) }));
const referenceFields = {
	containerTag,
	id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "The id of any version of the memory." })),
	content: Type.Optional(Type.String({ minLength: 1, maxLength: limits.memoryCharactersMax, description: "Its exact text, in place of the id." })),
};

export const createMemoriesBody = Type.Object({
	containerTag,
	memories: Type.Array(
		Type.Object({
			content: text,
			isStatic: Type.Optional(Type.Boolean({ description: "A lasting trait." })),
			metadata: Type.Optional(metadata),
			forgetAfter: Type.Optional(Type.Union([instant, Type.Null()])),
			forgetReason: Type.Optional(Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()], { description: "Why it will be forgotten then." })),
			temporalContext: Type.Optional(temporalContext),
		}),
		{ minItems: 1, maxItems: 100, description: "The memories to write." },
	),
});

export const forgetMemoryBody = Type.Object({ ...referenceFields, reason });

export const reviseMemoryBody = Type.Object({
	...referenceFields,
	newContent: text,
	isStatic: Type.Optional(Type.Boolean({ description: "Whether it is a lasting trait; left out, that stays as it was." })),
	metadata: Type.Optional(metadata),
	forgetAfter: clearable(instant),
	forgetReason: clearable(Type.String({ maxLength: 1_000 }), "Why it will be forgotten then."),
	temporalContext: Type.Optional(temporalContext),
	reason,
});

export const forgetMatchingBody = Type.Object({
	containerTag,
	query: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, description: "What to forget, in words." })),
	ids: Type.Optional(
		Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 500, description: "Ids of memories to forget; they take precedence over the query." }),
	),
	dryRun: Type.Boolean({ default: false, description: "Only return what would be forgotten." }),
	threshold: Type.Number({ minimum: 0, maximum: 1, default: 0.5, description: "The minimum relevance." }),
	maxForget: Type.Integer({ minimum: 1, maximum: 500, default: 100, description: "The most memories that a query forgets." }),
	reason,
});

export const restoreMemoriesBody = Type.Object({
	containerTag,
	id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "One memory." })),
	ids: Type.Optional(
		Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 500, description: "Several memories; those that are not forgotten are ignored." }),
	),
	forgetBatchId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "All memories that one request has forgotten." })),
});

export const listMemoriesBody = Type.Object({
	...pagingFields,
	containerTags,
	filters: Type.Optional(filters),
	include: Type.Optional(
		Type.Object(
			{ forgottenMemories: Type.Boolean({ default: true, description: "Also memories that are forgotten or expired." }) },
			{ description: "What to list besides current memories." },
		),
	),
});

const readCreate = reader(createMemoriesBody);
const readForget = reader(forgetMemoryBody);
const readRevise = reader(reviseMemoryBody);
const readMatching = reader(forgetMatchingBody);
const readRestore = reader(restoreMemoriesBody);
const readList = reader(listMemoriesBody);

/** @throws ServiceError of kind `invalid` */
export function parseCreateMemories(raw: unknown): { readonly containerTag: string; readonly memories: readonly ClientMemory[] } {
	const body = readCreate(raw);
	return {
		containerTag: body.containerTag,
		memories: body.memories.map((memory) => ({
			text: memory.content,
			isStatic: memory.isStatic ?? false,
			metadata: { ...asMetadata(memory.metadata), ...fromTemporal(memory.temporalContext) },
			forgetAfter: toInstant(memory.forgetAfter, "forgetAfter"),
			forgetReason: memory.forgetReason ?? null,
		})),
	};
}

export function parseForgetMemory(raw: unknown): { readonly containerTag: string; readonly name: MemoryReference; readonly reason: string | null } {
	const body = readForget(raw);
	return { containerTag: body.containerTag, name: toReference(body), reason: body.reason ?? null };
}

export function parseReviseMemory(raw: unknown): { readonly containerTag: string; readonly name: MemoryReference; readonly revision: MemoryRevision } {
	const body = readRevise(raw);
	const revision: MemoryRevision = {
		text: body.newContent,
		furtherMetadata: fromTemporal(body.temporalContext),
		...(body.isStatic === undefined ? {} : { isStatic: body.isStatic }),
		...(body.metadata === undefined ? {} : { metadata: asMetadata(body.metadata) }),
		...(body.forgetAfter === undefined ? {} : { forgetAfter: toInstant(body.forgetAfter, "forgetAfter") }),
		...(body.forgetReason === undefined ? {} : { forgetReason: body.forgetReason }),
	};
	return { containerTag: body.containerTag, name: toReference(body), revision };
}

export function parseForgetMatching(raw: unknown): { readonly request: MatchRequest; readonly dryRun: boolean; readonly reason: string | null } {
	const { containerTag: tag, query, ids, dryRun, threshold, maxForget, reason: why } = readMatching(raw);
	if (query === undefined && ids === undefined) throw fail("INPUT_INVALID", "either query or ids should be given");
	return { request: { containerTag: tag, ids: ids ?? null, query: query ?? "", threshold, limit: maxForget }, dryRun, reason: why ?? null };
}

export function parseRestoreMemories(raw: unknown): { readonly containerTag: string; readonly request: RestoreRequest } {
	const { containerTag: tag, id, ids, forgetBatchId } = readRestore(raw);
	if (forgetBatchId !== undefined) return { containerTag: tag, request: { kind: "batch", batch: forgetBatchId } };
	if (ids !== undefined) return { containerTag: tag, request: { kind: "several", ids } };
	if (id !== undefined) return { containerTag: tag, request: { kind: "one", id } };
	throw fail("INPUT_INVALID", "id, ids or forgetBatchId should be given");
}

export function parseListMemories(raw: unknown): { readonly scope: Scope; readonly page: RequestedPage; readonly includeForgotten: boolean } {
	const body = readList(raw);
	const tags = mergeTags(undefined, body.containerTags);
	if (tags.length === 0) throw fail("INPUT_INVALID", "containerTags are required");
	return {
		scope: { ...wholeOrganisation, containerTags: tags, tagsMatch: "any", filter: parseFilter(body.filters) },
		page: toPage(body),
		includeForgotten: body.include?.forgottenMemories ?? true,
	};
}

function toReference({ id, content }: { readonly id?: string; readonly content?: string }): MemoryReference {
	if (id === undefined && content === undefined) throw fail("INPUT_INVALID", "either id or content should be given");
	return { id: id ?? null, text: content ?? null };
}
