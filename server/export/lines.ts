/** The schemas of the lines of an export, each a JSON object. `docs/export.md` describes them field by field. */

import { z } from "zod";
import { documentTypes } from "../../core/model/extraction.ts";
import type { Filter } from "../../core/model/filter.ts";
import { type AnyId, type ChunkId, type DocumentId, isId, type MemoryId } from "../../core/model/id.ts";
import type { Json } from "../../core/model/json.ts";
import { limits } from "../../core/model/limits.ts";
import { type MediaType, parseMediaType } from "../../core/model/media-type.ts";
import { relations } from "../../core/model/memory.ts";
import type { Metadata } from "../../core/model/metadata.ts";
import { documentStatuses } from "../../core/model/status.ts";
import { modelUses } from "../../core/settings/model-uses.ts";
import { appNames } from "../../core/settings/settings.ts";

export const exportFormat = 1;

const id = <Id extends AnyId>() => z.custom<Id>((value) => typeof value === "string" && isId(value), "is not an id");
/** A time, which is an ISO 8601 string in the file. */
const time = z.codec(z.iso.datetime(), z.date(), { decode: (boundedString) => new Date(boundedString), encode: (date) => date.toISOString() });
const text = (charactersMax: number) => z.string().max(charactersMax);
const containerTag = text(limits.containerTagCharactersMax).min(1);
const nonNegativeInteger = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const mediaType = z.custom<MediaType>((value) => typeof value === "string" && parseMediaType(value) === value, "is not a media type");
/** A stored customId. Those that Cairn makes itself are longer than those that clients may set. */
const storedCustomId = text(4 * limits.filepathCharactersMax);
const json = z.custom<Json>((value) => value !== undefined);

/** Metadata is checked without copying it, since a copy would lose keys such as `__proto__`. */
const metadata = z.custom<Metadata>((value) => {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
	return Object.values(value).every(
		(entry) => ["string", "number", "boolean"].includes(typeof entry) || (Array.isArray(entry) && entry.every((element) => typeof element === "string")),
	);
}, "is not metadata: each value should be a string, a number, a boolean or a list of strings");

const conditionFields = { key: z.string(), negate: z.boolean() };
const filter: z.ZodType<Filter> = z.lazy(() =>
	z.discriminatedUnion("kind", [
		z.strictObject({ kind: z.literal("and"), parts: z.array(filter).max(limits.filterConditionsMax) }),
		z.strictObject({ kind: z.literal("or"), parts: z.array(filter).max(limits.filterConditionsMax) }),
		z.strictObject({ ...conditionFields, kind: z.literal("numeric"), value: z.number(), operator: z.enum([">", "<", ">=", "<=", "="]) }),
		...(["equals", "contains-element", "contains-text"] as const).map((kind) =>
			z.strictObject({ ...conditionFields, kind: z.literal(kind), value: z.string(), ignoreCase: z.boolean() }),
		),
	]),
);

const place = z.strictObject({
	page: nonNegativeInteger.exactOptional(),
	box: z.tuple([z.number(), z.number(), z.number(), z.number()]).exactOptional(),
	slide: nonNegativeInteger.exactOptional(),
	sheet: z.string().exactOptional(),
	row: nonNegativeInteger.exactOptional(),
	seconds: z.tuple([z.number(), z.number()]).exactOptional(),
	span: z.tuple([nonNegativeInteger, nonNegativeInteger]).exactOptional(),
	headings: z.array(z.string()).max(limits.headingsShownMax).exactOptional(),
	caption: z.string().exactOptional(),
});

const content = z.discriminatedUnion("kind", [
	z.strictObject({ kind: z.literal("text"), text: text(limits.extractedCharactersMax), mediaType }),
	z.strictObject({ kind: z.literal("address"), url: text(limits.addressCharactersMax) }),
	z.strictObject({
		kind: z.literal("file"),
		blob: id<DocumentId>(),
		fileName: z.string().nullable(),
		claimedMediaType: mediaType.nullable(),
		byteLength: nonNegativeInteger,
		sha256: z.hash("sha256"),
		charset: z.string().exactOptional(),
		address: z.string().exactOptional(),
		member: z.strictObject({ parent: id<DocumentId>(), path: z.string(), depth: nonNegativeInteger }).exactOptional(),
	}),
]);

const failure = z.strictObject({
	code: z.string(),
	message: z.string(),
	stage: z.enum(documentStatuses),
	hint: z.string().nullable(),
	retryAt: time.nullable(),
});

export const firstLineSchema = z.strictObject({ type: z.literal("cairn-export"), format: z.literal(exportFormat), version: z.string(), createdAt: time });

const buckets = z
	.array(z.strictObject({ key: z.string(), description: z.string() }))
	.max(limits.profileBucketsMax)
	.readonly();
const perApp = <Name extends "CustomKeyEnabled" | "ClientId", Schema extends z.ZodType>(name: Name, schema: Schema) =>
	Object.fromEntries(appNames.map((app) => [`${app}${name}`, schema])) as Record<`${(typeof appNames)[number]}${Name}`, Schema>;

/** Settings are exported without secrets. Those of an older version may lack newer fields. */
const settings = z.strictObject({
	shouldLLMFilter: z.boolean().nullable(),
	filterPrompt: z.string().nullable(),
	includeItems: json,
	excludeItems: json,
	categories: z.array(z.string()).nullable(),
	chunkSize: z.number().nullable(),
	profileBuckets: buckets,
	workspacePrompt: z.string().nullable(),
	modelUses: z.array(z.enum(modelUses)).nullable(),
	...perApp("CustomKeyEnabled", z.boolean().nullable()),
	...perApp("ClientId", z.string().nullable()),
});

export const settingsLine = z.strictObject({ type: z.literal("settings"), value: settings.partial() });

export const containerLine = z.strictObject({
	type: z.literal("container"),
	tag: containerTag,
	name: z.string().nullable(),
	description: z.string().nullable(),
	entityContext: z.string().nullable(),
	emoji: z.string().nullable().default(null),
	memoryFilesystemPaths: z.array(z.string()).max(limits.memoryPathsMax).readonly().nullable(),
	profileBuckets: buckets,
	createdAt: time,
	updatedAt: time,
});

export const documentLine = z.strictObject({
	type: z.literal("document"),
	id: id<DocumentId>(),
	customId: storedCustomId.nullable(),
	containerTags: z.array(containerTag).min(1).max(limits.containerTagsPerDocumentMax),
	title: z.string().nullable(),
	status: z.enum(["queued", "done", "failed"]),
	dreamingStatus: z.enum(["dreaming", "done"]),
	isPublished: z.boolean(),
	revision: nonNegativeInteger.min(1),
	content,
	text: text(limits.extractedCharactersMax).nullable(),
	documentType: z.enum(documentTypes),
	summary: z.string().nullable(),
	language: z.string().nullable(),
	about: z.strictObject({
		author: z.string().exactOptional(),
		publishedAt: z.string().exactOptional(),
		canonical: z.string().exactOptional(),
		image: z.string().exactOptional(),
		siteName: z.string().exactOptional(),
	}),
	warnings: z.array(z.strictObject({ code: z.string(), message: z.string(), place: place.exactOptional() })).max(10 * limits.warningsMax),
	metadata,
	filepath: z.string().nullable(),
	taskType: z.enum(["memory", "superrag"]),
	dreaming: z.enum(["dynamic", "instant"]),
	neighbourFilter: filter.nullable(),
	writtenBy: z.string().nullable(),
	extractedBy: z.string().exactOptional(),
	failure: failure.nullable(),
	createdAt: time,
	updatedAt: time,
});

export const fileLine = z.strictObject({ type: z.literal("file"), document: id<DocumentId>(), part: nonNegativeInteger, data: z.base64() });

export const chunkLine = z.strictObject({
	type: z.literal("chunk"),
	id: id<ChunkId>(),
	document: id<DocumentId>(),
	position: nonNegativeInteger,
	text: z.string(),
	indexedText: z.string().exactOptional(),
	place,
});

export const memoryLine = z.strictObject({
	type: z.literal("memory"),
	id: id<MemoryId>(),
	containerTag,
	text: z.string().min(1),
	indexedText: z.string().exactOptional(),
	isStatic: z.boolean(),
	isInference: z.boolean(),
	confidence: z.number(),
	subject: z.string().nullable(),
	version: nonNegativeInteger.min(1),
	parent: id<MemoryId>().nullable(),
	root: id<MemoryId>().nullable(),
	isLatest: z.boolean(),
	isForgotten: z.boolean(),
	forgetReason: z.string().nullable(),
	forgetAfter: time.nullable(),
	eventTime: time.nullable(),
	saidAt: time.exactOptional(),
	reviewAfter: time.exactOptional(),
	metadata,
	extractor: z.string().nullable(),
	evidence: z.array(
		z.strictObject({
			document: id<DocumentId>(),
			chunk: id<ChunkId>(),
			span: z.tuple([nonNegativeInteger, nonNegativeInteger]),
			words: z.string().exactOptional(),
		}),
	),
	createdAt: time,
	updatedAt: time,
});

export const edgeLine = z.strictObject({ type: z.literal("edge"), from: id<MemoryId>(), to: id<MemoryId>(), relation: z.enum(relations) });

export const countedTypes = ["container", "document", "file", "chunk", "memory", "edge"] as const;
export type Counts = { readonly [Type in (typeof countedTypes)[number]]: number };

export const lastLineSchema = z.strictObject({
	type: z.literal("end"),
	counts: z.strictObject({
		container: nonNegativeInteger,
		document: nonNegativeInteger,
		file: nonNegativeInteger,
		chunk: nonNegativeInteger,
		memory: nonNegativeInteger,
		edge: nonNegativeInteger,
	}),
	sha256: z.hash("sha256"),
});

/** The lines that may come between the first and the last. */
export const bodyLine = z.discriminatedUnion("type", [settingsLine, containerLine, documentLine, fileLine, chunkLine, memoryLine, edgeLine]);

export type BodyLine = z.output<typeof bodyLine>;
export type DocumentLine = z.output<typeof documentLine>;
export type MemoryLine = z.output<typeof memoryLine>;
export type ContainerLine = z.output<typeof containerLine>;
