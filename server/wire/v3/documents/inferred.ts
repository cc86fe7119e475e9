/** Requests and responses of the review of inferred memories. */

import { Type } from "@sinclair/typebox";
import type { Memory } from "../../../../core/model/memory.ts";
import { type InferredMemory, type ReviewAction, reviewActions, reviewStatusOf } from "../../../../core/review/review-service.ts";
import { containerTag } from "../../requests/fields.ts";
import { reader } from "../../requests/reader.ts";
import { toWireMetadata } from "../../v4/temporal.ts";

export const reviewBody = Type.Object({
	action: Type.Union(
		reviewActions.map((action) => Type.Literal(action)),
		{ expected: reviewActions.join(", "), description: "`approve` makes it a memory like any other, `decline` forgets it, `undo` undoes either." },
	),
});

const readReview = reader(reviewBody);
const readTag = reader(Type.Object({ containerTag }));

/** @throws ServiceError `INPUT_INVALID` */
export function parseReview(raw: unknown): ReviewAction {
	return readReview(raw).action;
}

/** A container tag from the path of a URL. @throws ServiceError `INPUT_INVALID` */
export function parseTag(raw: string): string {
	return readTag({ containerTag: raw }).containerTag;
}

export function toInferred(inferred: readonly InferredMemory[], total: number) {
	return {
		memories: inferred.map(({ memory, parents }) => ({
			id: memory.id,
			memory: memory.text,
			parentCount: parents,
			createdAt: memory.createdAt.toISOString(),
			updatedAt: memory.updatedAt.toISOString(),
			metadata: toWireMetadata(memory.metadata),
		})),
		total,
	};
}

export function toReviewed(memory: Memory) {
	return { id: memory.id, isInference: memory.isInference, isForgotten: memory.isForgotten, reviewStatus: reviewStatusOf(memory) };
}

export const inferredSchema = Type.Object(
	{
		memories: Type.Array(
			Type.Object({
				id: Type.String(),
				memory: Type.String(),
				parentCount: Type.Integer({ description: "How many memories it was inferred from." }),
				createdAt: Type.String({ format: "date-time" }),
				updatedAt: Type.String({ format: "date-time" }),
				metadata: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
			}),
		),
		total: Type.Integer(),
	},
	{ $id: "InferredMemories" },
);

export const reviewedSchema = Type.Object(
	{
		id: Type.String(),
		isInference: Type.Boolean(),
		isForgotten: Type.Boolean(),
		reviewStatus: Type.Union([Type.Literal("approved"), Type.Literal("declined"), Type.Null()]),
	},
	{ $id: "ReviewedMemory" },
);
