/** Schemas of the responses of `/v3`: for the OpenAPI description, and for the tests that check responses against it. */

import { Type } from "@sinclair/typebox";
import { documentTypes } from "../../../core/model/extraction.ts";
import { documentStatuses } from "../../../core/model/status.ts";
import { nextCursorSchema } from "../requests/paging.ts";
import { extractedMemoryFields } from "../v4/schemas.ts";

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()]);
const instant = Type.String({ format: "date-time" });
const status = Type.Union(
	documentStatuses.map((name) => Type.Literal(name)),
	{ description: "`done` and `failed` are final: stop polling then." },
);

export const errorSchema = Type.Object(
	{
		error: Type.String({ description: "What is wrong." }),
		details: Type.String({ description: "The code, and how to fix it." }),
		code: Type.String({ description: "Stable; listed in docs/errors.md.", examples: ["DOCUMENT_MISSING"] }),
		requestId: Type.String({ description: "The log lines of this request have the same id." }),
	},
	{ $id: "Error" },
);

export const receiptSchema = Type.Object({ id: Type.String(), status }, { $id: "Receipt" });

export const conversationReceiptSchema = Type.Object({ id: Type.String(), conversationId: Type.String(), status }, { $id: "ConversationReceipt" });

export const listedFields = {
	id: Type.String(),
	customId: nullable(Type.String()),
	connectionId: nullable(Type.String()),
	parentId: Type.Optional(nullable(Type.String({ description: "The document that contains it: an archive, a mail." }))),
	title: nullable(Type.String()),
	summary: nullable(Type.String()),
	type: Type.Union(documentTypes.map((name) => Type.Literal(name))),
	taskType: Type.Union([Type.Literal("memory"), Type.Literal("superrag")]),
	status,
	dreamingStatus: Type.Union([Type.Literal("dreaming"), Type.Literal("done")], { description: "Whether the document's memories have been extracted." }),
	progress: nullable(Type.Object({ done: Type.Number(), total: Type.Number(), unit: Type.String() })),
	metadata: Type.Record(Type.String(), Type.Unknown()),
	filepath: nullable(Type.String()),
	url: nullable(Type.String({ description: "The URL that it was fetched from, or that the uploader gave." })),
	containerTags: Type.Array(Type.String()),
	container_tags: Type.Array(Type.String()),
	createdAt: instant,
	created_at: instant,
	updatedAt: instant,
	updated_at: instant,
};

export const listedDocumentSchema = Type.Object(listedFields, { $id: "ListedDocument" });

export const documentSchema = Type.Object(
	{
		...listedFields,
		content: nullable(Type.String({ description: "The text of the request, or the text extracted from the file or URL." })),
		raw: Type.Null(),
		spatialPoint: Type.Null(),
		source: nullable(Type.String()),
		ogImage: nullable(Type.String()),
		memories: Type.Optional(
			Type.Array(Type.Object(extractedMemoryFields), {
				description: "Extracted from it: all versions, newest first; forgotten ones are marked. Absent when there are none.",
			}),
		),
		language: nullable(Type.String()),
		author: nullable(Type.String({ description: "The author that the page, post or video names." })),
		publishedAt: nullable(Type.String({ description: "When it was published: a date or a time in ISO 8601." })),
		canonicalUrl: nullable(Type.String({ description: "The canonical URL that the page declares, otherwise the URL after redirects, without its query." })),
		siteName: nullable(Type.String()),
		error: nullable(
			Type.Object({
				code: Type.String(),
				message: Type.String(),
				stage: status,
				hint: nullable(Type.String()),
				retryAt: nullable(instant),
			}),
		),
		failedStage: nullable(status),
		remarks: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
		members: Type.Object(
			{ total: Type.Integer(), statuses: Type.Record(Type.String(), Type.Integer()) },
			{ description: "The documents inside it, at any depth: attachments, entries of an archive." },
		),
	},
	{ $id: "Document" },
);

export const processingSchema = Type.Object(
	{ documents: Type.Array(Type.Ref("ListedDocument")), total: Type.Integer(), totalCount: Type.Integer(), nextCursor: nextCursorSchema },
	{ $id: "Processing" },
);

export const documentListSchema = Type.Object(
	{
		memories: Type.Array(Type.Object({ ...listedFields, content: Type.Optional(nullable(Type.String())) })),
		pagination: Type.Ref("Pagination"),
		nextCursor: nextCursorSchema,
	},
	{ $id: "DocumentList" },
);

export const batchReceiptSchema = Type.Object(
	{
		results: Type.Array(
			Type.Object({
				id: Type.String({ description: "Empty when the item was refused." }),
				status: Type.String({ description: "`error` when the item was refused." }),
				error: Type.Optional(Type.String()),
				details: Type.Optional(Type.String()),
			}),
		),
		failed: Type.Integer(),
		success: Type.Integer(),
	},
	{ $id: "BatchReceipt" },
);

export const bulkReceiptSchema = Type.Object(
	{
		success: Type.Boolean(),
		deletedCount: Type.Integer(),
		removalId: nullable(
			Type.String({ description: "For undoing the deletion, see `/v3/documents/restore`. Null when nothing was deleted, or deletions are final." }),
		),
		errors: Type.Optional(Type.Array(Type.Object({ id: Type.String(), error: Type.String() }))),
		containerTags: Type.Optional(Type.Array(Type.String())),
	},
	{ $id: "BulkReceipt" },
);

export const placeSchema = Type.Object(
	{
		page: Type.Optional(Type.Integer()),
		box: Type.Optional(Type.Array(Type.Number())),
		slide: Type.Optional(Type.Integer()),
		sheet: Type.Optional(Type.String()),
		row: Type.Optional(Type.Integer()),
		seconds: Type.Optional(Type.Array(Type.Number())),
		span: Type.Optional(Type.Array(Type.Integer())),
		headings: Type.Optional(Type.Array(Type.String(), { description: "The headings above it, outermost first." })),
		caption: Type.Optional(Type.String({ description: "The caption of its table." })),
	},
	{ $id: "Place", description: "Where it is in its source; only known members are present." },
);

export const documentResultsSchema = Type.Object(
	{
		results: Type.Array(
			Type.Object({
				documentId: Type.String(),
				customId: nullable(Type.String()),
				title: nullable(Type.String()),
				type: Type.String(),
				score: Type.Number({ minimum: 0, maximum: 1 }),
				chunks: Type.Array(
					Type.Object({
						content: Type.String(),
						score: Type.Number({ minimum: 0, maximum: 1 }),
						isRelevant: Type.Boolean({
							description: "False for a neighbouring chunk that is returned as context, and for all chunks where nothing that was found answers the query.",
						}),
						position: Type.Integer(),
						place: Type.Ref("Place"),
						scoreParts: Type.Optional(nullable(Type.Ref("ScoreParts"))),
					}),
					{ description: "The matching chunks, best first, then those of the context, in reading order." },
				),
				scoreParts: Type.Optional(nullable(Type.Ref("ScoreParts"))),
				metadata: Type.Record(Type.String(), Type.Unknown()),
				createdAt: instant,
				updatedAt: instant,
				summary: Type.Optional(nullable(Type.String())),
				content: Type.Optional(nullable(Type.String())),
			}),
		),
		timing: Type.Number({ description: "Milliseconds." }),
		total: Type.Integer(),
		explanation: Type.Optional(Type.Ref("Explanation")),
	},
	{ $id: "DocumentResults" },
);

export const fileUrlSchema = Type.Object({ url: Type.String() }, { $id: "FileUrl" });

export const chunksSchema = Type.Object(
	{
		documentId: Type.String(),
		chunks: Type.Array(
			Type.Object({
				id: Type.String(),
				position: Type.Integer(),
				content: Type.String(),
				type: Type.Union([Type.Literal("text"), Type.Literal("image")]),
				metadata: nullable(Type.Record(Type.String(), Type.Unknown())),
				place: Type.Ref("Place"),
				createdAt: instant,
			}),
		),
		total: Type.Integer(),
	},
	{ $id: "Chunks" },
);
