/** The answers of `/v3/documents/documents…` as schemas. */

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
	sourceRelevanceScore: Type.Integer({ minimum: 0, maximum: 100, description: "How sure the memory is of it, in hundredths." }),
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
				content: Type.Union([Type.String(), Type.Null()], { description: "Null unless it was asked for." }),
				memoryEntries: Type.Array(memoryEntry, { description: "Of every version, the newest first; forgotten ones are marked." }),
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
		facets: Type.Array(Type.Object({ category: Type.String(), label: Type.String(), count: Type.Integer() }), { description: "Types in groups." }),
		types: counts("How many documents of which type."),
		statuses: counts("With which status."),
		taskTypes: counts("For memories too, or only to be searched."),
		dreamingStatuses: counts("Documents whose memories are extracted or still to be extracted."),
		sources: counts("By `source` in the metadata."),
		containerTags: counts("In which container; what is in several counts in each."),
	},
	{ $id: "DocumentFacets" },
);
