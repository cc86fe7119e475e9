/** Fields that several requests share: their schemas, and their conversion to core's types. */

import { type Static, Type } from "@sinclair/typebox";
import { fail } from "../../../core/errors/fail.ts";
import type { Caller } from "../../../core/model/caller.ts";
import { limits } from "../../../core/model/limits.ts";
import type { Metadata } from "../../../core/model/metadata.ts";
import { isRecord } from "./is-record.ts";
import { cleanTexts } from "./reader.ts";

const tagPattern = "^[a-zA-Z0-9_:.-]+$";

export function isContainerTag(text: string): boolean {
	return text.length <= limits.containerTagCharactersMax && new RegExp(tagPattern).test(text);
}

export const containerTag = Type.String({
	pattern: tagPattern,
	minLength: 1,
	maxLength: limits.containerTagCharactersMax,
	expected: `a text of 1 to ${limits.containerTagCharactersMax} letters, digits, _ : . and -`,
	description: "The container: letters, digits, `_`, `:`, `.` and `-`.",
	examples: ["user_123"],
});

/** A name that people see, in lists and in terminals, where control characters would act. */
export function displayName(charactersMax: number, description: string, example: string) {
	return Type.String({
		pattern: "^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]+$",
		minLength: 1,
		maxLength: charactersMax,
		expected: `a text of 1 to ${charactersMax} characters that is not blank and has no control characters`,
		description,
		examples: [example],
	});
}

/** A date or a time in ISO 8601. A time without "Z" or an offset is in the server's time zone. */
export const instant = Type.String({ maxLength: 100, description: "ISO 8601.", examples: ["2026-03-04T12:00:00Z"] });

/** @throws ServiceError `INPUT_INVALID` */
export function toInstant(text: string | null | undefined, name: string): Date | null {
	if (text == null) return null;
	const date = new Date(text);
	if (Number.isNaN(date.getTime())) throw fail("INPUT_INVALID", `${name} should be a time in ISO 8601`);
	return date;
}

/** A list of tags; a single tag is accepted as well. */
export const containerTags = Type.Union([Type.Array(containerTag, { maxItems: limits.containerTagsPerDocumentMax }), containerTag], {
	description: "Several containers, or one.",
});

/** Clients of 2025 sent `userId` instead of `containerTag`. */
export const userId = Type.Union([containerTag, Type.Integer({ minimum: 0 })], {
	expected: `a text of 1 to ${limits.containerTagCharactersMax} letters, digits, _ : . and -`,
	deprecated: true,
	description: "The old name of `containerTag`; used only when no container is named.",
});

export const customId = Type.String({
	pattern: "^[a-zA-Z0-9_.:-]+$",
	minLength: 1,
	maxLength: limits.customIdCharactersMax,
	expected: `a text of 1 to ${limits.customIdCharactersMax} letters, digits, _ : . and -`,
	description: "Your own id for the document, unique in its container. Adding with a customId that exists in the container updates that document.",
	examples: ["report-2026"],
});

export const metadata = Type.Record(
	// A record's keys are only checked against a pattern, and "." would not match a key with a line break, which would then not be checked.
	Type.String({ pattern: `^[^\\u0000-\\u001f\\u007f]{1,${limits.metadataKeyCharactersMax}}$` }),
	Type.Union(
		[
			Type.String({ maxLength: limits.metadataTextCharactersMax }),
			Type.Number(),
			Type.Boolean(),
			Type.Array(Type.String({ maxLength: limits.metadataTextCharactersMax }), { maxItems: limits.metadataListMax }),
		],
		{
			expected: `a text of at most ${limits.metadataTextCharactersMax} characters, a number, true or false, or a list of at most ${limits.metadataListMax} such texts`,
		},
	),
	{
		additionalProperties: false,
		maxProperties: limits.metadataKeysMax,
		description: "Flat attributes to filter by: text, number, boolean or a list of texts.",
		examples: [{ author: "Ada", year: 1843 }],
	},
);

export const entityContext = Type.String({
	maxLength: limits.entityContextCharactersMax,
	description: "Who or what the container is about. Stored with it and given to the memory extractors of its documents.",
	examples: ["Ada Lovelace, mathematician, and her letters."],
});

export const filepath = Type.String({
	maxLength: limits.filepathCharactersMax,
	description: "A virtual path. In a search it is exact, or a prefix when it ends in `/`.",
});

/** `containerTag` first, then `containerTags`, each tag once. `userId` is used only when both are absent. */
export function mergeTags(single: string | undefined, list: Static<typeof containerTags> | undefined, user?: Static<typeof userId>): readonly string[] {
	const rest = typeof list === "string" ? [list] : (list ?? []);
	const tags = [...new Set(single === undefined ? rest : [single, ...rest])];
	return tags.length === 0 && user !== undefined ? [String(user)] : tags;
}

const containerNames = ["containerTag", "containerTags", "container_tag", "container_tags"];

/** If a request names no container and its key has grants, it uses the first container that the key may write to, otherwise the first one. */
export function withDefaultContainer(raw: unknown, { grants }: Caller): unknown {
	const granted = grants?.find(({ permission }) => permission === "write") ?? grants?.[0];
	return granted === undefined || !isRecord(raw) || namesContainer(raw) ? raw : { ...raw, containerTag: granted.containerTag };
}

/** The same for requests that accept several containers: they use all containers of the key. */
export function withDefaultContainers(raw: unknown, { grants }: Caller): unknown {
	return grants === null || !isRecord(raw) || namesContainer(raw) ? raw : { ...raw, containerTags: grants.map(({ containerTag }) => containerTag) };
}

/** Whether the request names a container; null and an empty list do not count. */
function namesContainer(raw: Readonly<Record<string, unknown>>): boolean {
	return containerNames.some((name) => {
		const value = raw[name];
		return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
	});
}

/** @throws ServiceError `INPUT_INVALID` for a number too large for JavaScript, which is parsed as `Infinity` */
export function asMetadata(value: Static<typeof metadata> | undefined): Metadata {
	for (const [key, member] of Object.entries(value ?? {})) {
		if (typeof member === "number" && !Number.isFinite(member)) throw fail("INPUT_INVALID", `metadata.${key} should be a finite number`);
	}
	return value ?? {};
}

/** A longer value is cut; it should be a short label. */
const originCharactersMax = 255;

/** The header `x-sm-source`, in which clients name themselves, as metadata of the added document. Metadata in the body takes precedence. */
export function originOf(headers: Headers): Metadata {
	const origin = cleanTexts(headers.get("x-sm-source")?.trim() ?? "");
	return typeof origin === "string" && origin !== "" ? { sm_source: origin.slice(0, originCharactersMax) } : {};
}
