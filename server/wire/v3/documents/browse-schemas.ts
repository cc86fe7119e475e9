/** Schemas of the responses of `/v3/documents/documents…`. */

import { Type } from "@sinclair/typebox";
import { nextCursorSchema } from "../../requests/paging.ts";
import { memoryRowFields } from "../../v4/schemas.ts";
import { listedFields } from "../schemas.ts";

const textOrNull = Type.Union([Type.String(), Type.Null()]);
const counts = (description: string) => Type.Record(Type.String(), Type.Integer(), { description });

const memoryEntry = Type.Object({
	...memoryRowFields,
	documentId: Type.String(),
	sourceAddedAt: Type.String({ format: "date-time" }),
	sourceRelevanceScore: Type.Integer({ minimum: 0, maximum: 100, description: "The confidence of the memory, in hundredths." }),
	sourceMetadata: Type.Object({ evidence: Type.Array(Type.Object({ chunkId: Type.String(), span: Type.Array(Type.Integer()) })) }),
});

export const browsedSchema = Type.Object(
	{
		documents: Type.Array(
			Type.Object({
				...listedFields,
				raw: Type.Null(),
				source: textOrNull,
				ogImage: textOrNull,
				orgId: Type.String(),
				content: Type.Union([Type.String(), Type.Null()], { description: "Null unless `includeContent` is set." }),
				memoryEntries: Type.Array(memoryEntry, { description: "All versions of the memories, newest first; forgotten ones are marked." }),
			}),
		),
		pagination: Type.Ref("Pagination"),
		nextCursor: nextCursorSchema,
	},
	{ $id: "DocumentsWithMemories" },
);

export const facetsSchema = Type.Object(
	{
		total: Type.Integer(),
		facets: Type.Array(Type.Object({ category: Type.String(), label: Type.String(), count: Type.Integer() }), { description: "Document types in groups." }),
		types: counts("Documents by type."),
		statuses: counts("Documents by status."),
		taskTypes: counts("Documents by task type: with memories, or only searchable."),
		dreamingStatuses: counts("Documents by whether their memories are extracted yet."),
		sources: counts("Documents by `source` in the metadata."),
		containerTags: counts("Documents by container; a document in several is counted in each."),
	},
	{ $id: "DocumentFacets" },
);
