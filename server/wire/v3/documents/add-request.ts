/** Parses the bodies of `POST /v3/documents` and `PATCH /v3/documents/{id}`, and creates the response. */

import { type Static, Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import type { AddRequest } from "../../../../core/ingest/receive.ts";
import type { Revision } from "../../../../core/ingest/revise.ts";
import type { Content } from "../../../../core/model/content.ts";
import type { Document } from "../../../../core/model/document.ts";
import type { Filter } from "../../../../core/model/filter.ts";
import { limits } from "../../../../core/model/limits.ts";
import type { Metadata } from "../../../../core/model/metadata.ts";
import type { MediaTypes } from "../../../../core/ports/media-types.ts";
import { asMetadata, containerTag, containerTags, customId, entityContext, filepath, mergeTags, metadata, userId } from "../../requests/fields.ts";
import { reader } from "../../requests/reader.ts";

const content = Type.String({
	minLength: 1,
	maxLength: limits.contentCharactersMax,
	description: "A text to store, or an http(s) URL to fetch: a page, a PDF, an image.",
	examples: ["Ada wrote the first program in 1843.", "https://example.com/article"],
});

const taskType = Type.Union([Type.Literal("memory"), Type.Literal("superrag")], {
	description:
		"`memory` also extracts memories from the document; `superrag` only makes it searchable. If it is absent, a new document has memories, and a known one keeps its own.",
});

const filterByMetadata = Type.Record(
	Type.String({ minLength: 1, maxLength: limits.filterKeyCharactersMax }),
	Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String(), { maxItems: limits.filterConditionsMax })]),
	{
		maxProperties: limits.filterConditionsMax,
		description:
			"The memories of this document are only compared with memories from sources with this metadata. Every key must match; for a list, any element. Memories from other sources are neither updated nor extended.",
		examples: [{ department: "engineering" }],
	},
);

const optionalFields = {
	containerTag: Type.Optional(containerTag),
	containerTags: Type.Optional(containerTags),
	customId: Type.Optional(customId),
	metadata: Type.Optional(metadata),
	filepath: Type.Optional(filepath),
	taskType: Type.Optional(taskType),
	filterByMetadata: Type.Optional(filterByMetadata),
};

export const addBody = Type.Object({
	content,
	...optionalFields,
	userId: Type.Optional(userId),
	documentDate: Type.Optional(
		Type.String({
			maxLength: 100,
			description:
				"When it was written, in ISO 8601: the day that `today` refers to in it. Without it, a text counts as written when it is added; in a file or a page `today` stays as it is. Stored in the metadata.",
		}),
	),
	title: Type.Optional(Type.String({ maxLength: limits.titleCharactersMax, description: "A title to use in place of the document's own." })),
	dreaming: Type.Optional(
		Type.Union([Type.Literal("dynamic"), Type.Literal("instant")], {
			description: "When memories are extracted: `dynamic` after the document is done, `instant` before.",
		}),
	),
	entityContext: Type.Optional(entityContext),
});

export const changeBody = Type.Object({ content: Type.Optional(content), ...optionalFields });

const readAdd = reader(addBody);
const readChange = reader(changeBody);

/** @param origin metadata about the sending client, see `originOf`. @throws ServiceError of kind `invalid` */
export function parseAdd(raw: unknown, mediaTypes: MediaTypes, origin: Metadata = {}): AddRequest {
	const body = readAdd(raw);
	const received = toContent(body.content, mediaTypes);
	return addRequest(received, body, { ...origin, ...(received.kind === "address" ? { source: "url", url: received.url } : {}) });
}

export type AddFields = Omit<Static<typeof addBody>, "content">;

/** @param sourceMetadata metadata about the source; that of the request takes precedence */
export function addRequest(received: Content, fields: AddFields, sourceMetadata: Metadata): AddRequest {
	return {
		content: received,
		customId: fields.customId ?? null,
		containerTags: mergeTags(fields.containerTag, fields.containerTags, fields.userId),
		metadata: { ...sourceMetadata, ...titleAndDate(fields), ...asMetadata(fields.metadata) },
		filepath: fields.filepath ?? null,
		taskType: fields.taskType ?? null,
		dreaming: fields.dreaming ?? "dynamic",
		...neighbourFilterOf(fields.filterByMetadata),
		...(fields.entityContext === undefined ? {} : { entityContext: fields.entityContext }),
	};
}

function neighbourFilterOf(required: Static<typeof filterByMetadata> | undefined): { readonly neighbourFilter?: Filter } {
	if (required === undefined) return {};
	const condition = (key: string, value: unknown): Filter => ({ kind: "equals", key, value: String(value), ignoreCase: false, negate: false });
	const parts = Object.entries(required).map(
		([key, value]): Filter => (Array.isArray(value) ? { kind: "or", parts: value.map((element) => condition(key, element)) } : condition(key, value)),
	);
	return { neighbourFilter: { kind: "and", parts } };
}

/** Title and date are stored in the metadata, where the pipeline reads them. */
function titleAndDate({ title, documentDate }: AddFields): Metadata {
	if (documentDate !== undefined && Number.isNaN(Date.parse(documentDate))) throw fail("INPUT_INVALID", "documentDate should be a date or a time in ISO 8601");
	return { ...(title === undefined ? {} : { title }), ...(documentDate === undefined ? {} : { documentDate }) };
}

/** @throws ServiceError of kind `invalid` */
export function parseChange(raw: unknown, mediaTypes: MediaTypes): Revision {
	const body = readChange(raw);
	const tags = mergeTags(body.containerTag, body.containerTags);
	return {
		...(body.content === undefined ? {} : { content: toContent(body.content, mediaTypes) }),
		...(body.customId === undefined ? {} : { customId: body.customId }),
		...(tags.length === 0 ? {} : { containerTags: tags }),
		...(body.metadata === undefined ? {} : { metadata: asMetadata(body.metadata) }),
		...(body.filepath === undefined ? {} : { filepath: body.filepath }),
		...(body.taskType === undefined ? {} : { taskType: body.taskType }),
		...neighbourFilterOf(body.filterByMetadata),
	};
}

/** A text without whitespace that begins with `http://` or `https://` is a URL to fetch; other schemes are rejected. */
function toContent(text: string, mediaTypes: MediaTypes): Content {
	const trimmed = text.trim();
	if (trimmed === "") throw fail("INPUT_INVALID", "content should not be blank");
	if (/^(file|ftp|gopher|data|blob|jar|javascript):\S*$/i.test(trimmed)) throw fail("ADDRESS_MALFORMED", quoted(trimmed));
	if (!/^https?:\/\/\S+$/i.test(trimmed)) return { kind: "text", text, mediaType: mediaTypes.ofText(text) };
	if (trimmed.length > limits.addressCharactersMax || !URL.canParse(trimmed)) throw fail("ADDRESS_MALFORMED", quoted(trimmed));
	return { kind: "address", url: trimmed };
}

function quoted(url: string): string {
	return JSON.stringify(url.length > 200 ? `${url.slice(0, 200)}…` : url);
}

/** The response to an added document, which is processed afterwards. */
export function toReceipt({ id, status }: Document) {
	return { id, status };
}
