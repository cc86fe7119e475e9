/** Schemas of the responses of `/v4`: for the OpenAPI description, and for the tests that check responses against it. */

import { Type } from "@sinclair/typebox";
import { nextCursorSchema } from "../requests/paging.ts";

const instant = Type.String({ format: "date-time" });
const attributes = Type.Record(Type.String(), Type.Unknown());
const nullableAttributes = Type.Union([attributes, Type.Null()]);
const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const relative = Type.Object({
	id: Type.String(),
	memory: Type.String(),
	relation: Type.Union([Type.Literal("updates"), Type.Literal("extends"), Type.Literal("derives")]),
	version: Type.Integer({ description: "The distance in generations: -1 for a parent, +1 for a child." }),
	absoluteVersion: Type.Integer(),
	metadata: nullableAttributes,
	updatedAt: instant,
});

export const memoryResultsSchema = Type.Object(
	{
		results: Type.Array(
			Type.Object({
				id: Type.String(),
				memory: Type.Optional(Type.String({ description: "Present for a memory." })),
				chunk: Type.Optional(Type.String({ description: "Present for a chunk of a document." })),
				similarity: Type.Number({ minimum: 0, maximum: 1 }),
				metadata: nullableAttributes,
				updatedAt: instant,
				version: Type.Integer(),
				rootMemoryId: optionalText,
				resultType: Type.Union([Type.Literal("memory"), Type.Literal("chunk")]),
				isInference: Type.Optional(Type.Boolean()),
				isForgotten: Type.Optional(Type.Literal(true, { description: "Present for a memory that was forgotten." })),
				isLatest: Type.Optional(Type.Literal(false, { description: "Present for a memory that a newer version has replaced." })),
				isAggregated: Type.Optional(
					Type.Literal(true, { description: "The language model has merged it from the memories in `memoryIds`; it is not stored." }),
				),
				memoryIds: Type.Optional(Type.Array(Type.String())),
				scoreParts: Type.Optional(Type.Union([Type.Ref("ScoreParts"), Type.Null()])),
				title: optionalText,
				type: optionalText,
				filepath: optionalText,
				place: Type.Optional(Type.Ref("Place")),
				evidence: Type.Optional(Type.Array(Type.Object({ documentId: Type.String(), chunkId: Type.String(), span: Type.Array(Type.Integer()) }))),
				documents: Type.Optional(
					Type.Array(
						Type.Object({
							id: Type.String(),
							title: Type.Union([Type.String(), Type.Null()]),
							type: Type.String(),
							metadata: attributes,
							createdAt: instant,
							updatedAt: instant,
							summary: optionalText,
						}),
					),
				),
				chunks: Type.Optional(Type.Array(Type.Object({ content: Type.String(), score: Type.Number(), position: Type.Integer(), documentId: Type.String() }))),
				context: Type.Optional(
					Type.Object({
						parents: Type.Array(relative),
						children: Type.Array(relative),
						related: Type.Array(Type.Omit(relative, ["version", "absoluteVersion"])),
					}),
				),
			}),
		),
		timing: Type.Number({ description: "Milliseconds." }),
		total: Type.Integer(),
		explanation: Type.Optional(Type.Ref("Explanation")),
	},
	{ $id: "MemoryResults" },
);

const textOrNull = Type.Union([Type.String(), Type.Null()]);
const forgetting = { forgetAfter: textOrNull, forgetReason: textOrNull };
const idOrNull = Type.Union([Type.String(), Type.Null()]);

export const writtenMemoriesSchema = Type.Object(
	{
		documentId: idOrNull,
		memories: Type.Array(
			Type.Object({ id: Type.String(), memory: Type.String(), isStatic: Type.Boolean(), createdAt: instant, ...forgetting, metadata: nullableAttributes }),
		),
	},
	{ $id: "WrittenMemories" },
);

export const revisedMemorySchema = Type.Object(
	{
		id: Type.String(),
		memory: Type.String(),
		version: Type.Integer(),
		parentMemoryId: idOrNull,
		rootMemoryId: idOrNull,
		createdAt: instant,
		...forgetting,
		metadata: nullableAttributes,
	},
	{ $id: "RevisedMemory" },
);

export const forgottenMemorySchema = Type.Object(
	{
		id: Type.String(),
		forgotten: Type.Literal(true),
		forgetBatchId: Type.String({ description: "For undoing it, see `/v4/memories/restore`." }),
	},
	{ $id: "ForgottenMemory" },
);

export const restoredMemoriesSchema = Type.Object(
	{ count: Type.Integer(), restored: Type.Array(Type.Object({ id: Type.String(), memory: Type.String() })) },
	{ $id: "RestoredMemories" },
);

const match = Type.Object({ id: Type.String(), memory: Type.String(), score: Type.Number() });

export const matchingMemoriesSchema = Type.Object(
	{
		dryRun: Type.Boolean(),
		count: Type.Integer(),
		forgetBatchId: idOrNull,
		summary: Type.String(),
		candidates: Type.Optional(Type.Array(match)),
		forgotten: Type.Optional(Type.Array(match)),
	},
	{ $id: "MatchingMemories" },
);

const version = {
	id: Type.String(),
	memory: Type.String(),
	version: Type.Integer(),
	createdAt: instant,
	updatedAt: instant,
	parentMemoryId: idOrNull,
	rootMemoryId: idOrNull,
	isLatest: Type.Boolean(),
	isForgotten: Type.Boolean(),
};

export const extractedMemoryFields = {
	...version,
	isStatic: Type.Boolean(),
	isInference: Type.Boolean(),
	sourceCount: Type.Integer({ description: "How many documents support it." }),
	metadata: nullableAttributes,
};

const origin = {
	documentIds: Type.Array(Type.String()),
	isWritten: Type.Boolean({ description: "A client wrote this version; else it was extracted from a document." }),
};

export const memoryRowFields = {
	...extractedMemoryFields,
	spaceId: Type.String(),
	spaceContainerTag: Type.String(),
	orgId: Type.String(),
	...origin,
	...forgetting,
	temporalContext: nullableAttributes,
	memoryRelations: nullableAttributes,
};

export const memoryListSchema = Type.Object(
	{
		memoryEntries: Type.Array(Type.Object({ ...memoryRowFields, history: Type.Array(Type.Object({ ...version, ...origin })) })),
		pagination: Type.Ref("Pagination"),
		nextCursor: nextCursorSchema,
	},
	{ $id: "MemoryList" },
);
