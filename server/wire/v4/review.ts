/** Requests and responses about memories that are due for review. */

import { Type } from "@sinclair/typebox";
import type { Memory } from "../../../core/model/memory.ts";
import type { Position } from "../../../core/ports/document-store.ts";
import type { DueMemories, DuePage } from "../../../core/review/review-service.ts";
import { containerTag } from "../requests/fields.ts";
import { readCursor, writeCursor } from "../requests/list-cursor.ts";
import { cursorField } from "../requests/paging.ts";
import { reader } from "../requests/reader.ts";
import { toWireMetadata } from "./temporal.ts";

const limitMax = 100;

export const dueQuery = Type.Object({
	containerTag,
	limit: Type.Integer({ minimum: 1, maximum: limitMax, default: 10, description: "The most memories to return." }),
	cursor: Type.Optional(cursorField),
});

export const confirmBody = Type.Object({
	containerTag,
	id: Type.String({ minLength: 1, maxLength: 100, description: "The memory's id." }),
});

const readDue = reader(dueQuery);
const readConfirm = reader(confirmBody);

/** @throws ServiceError of kind `invalid` */
export function parseDue(raw: unknown): DuePage {
	const { containerTag: tag, limit, cursor } = readDue(raw);
	return { containerTag: tag, limit, after: cursor === undefined ? null : readCursor(cursor).after };
}

/** @throws ServiceError `INPUT_INVALID` */
export function parseConfirm(raw: unknown): { readonly containerTag: string; readonly id: string } {
	return readConfirm(raw);
}

export function toDue({ memories, next }: DueMemories) {
	return { memories: memories.map(toAged), nextCursor: next === null ? null : cursorTo(next) };
}

/** The list has a fixed order; cursors with another order are invalid. */
function cursorTo(after: Position): string {
	return writeCursor({ sort: "createdAt", order: "asc", after, number: 1 });
}

export function toAged(memory: Memory) {
	const { id, text, version, isStatic, reviewAfter, createdAt, updatedAt, metadata } = memory;
	return {
		...{ id, memory: text, version, isStatic },
		reviewAfter: reviewAfter?.toISOString() ?? null,
		createdAt: createdAt.toISOString(),
		updatedAt: updatedAt.toISOString(),
		metadata: toWireMetadata(metadata),
	};
}

const instant = Type.String({ format: "date-time" });

const agedFields = {
	id: Type.String(),
	memory: Type.String(),
	version: Type.Integer(),
	isStatic: Type.Boolean(),
	reviewAfter: Type.Union([instant, Type.Null()], { description: "When somebody should check whether it is still true." }),
	createdAt: instant,
	updatedAt: instant,
	metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
};

export const agedMemorySchema = Type.Object(agedFields, { $id: "AgedMemory" });

export const dueMemoriesSchema = Type.Object(
	{
		memories: Type.Array(Type.Object(agedFields)),
		nextCursor: Type.Union([Type.String(), Type.Null()], { description: "The cursor of the next page; null on the last page." }),
	},
	{ $id: "DueMemories" },
);
