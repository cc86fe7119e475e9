/** Fields that several requests share: their schema, and how they become values of core. */

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

/** A time as ISO 8601 writes it; with "Z" or an offset it means the same everywhere. */
export const instant = Type.String({ maxLength: 100, description: "ISO 8601.", examples: ["2026-03-04T12:00:00Z"] });

/** @throws ServiceError `INPUT_INVALID` */
export function toInstant(given: string | null | undefined, name: string): Date | null {
	if (given == null) return null;
	const date = new Date(given);
	if (Number.isNaN(date.getTime())) throw fail("INPUT_INVALID", `${name} should be a time as ISO 8601 writes it`);
	return date;
}

/** A single tag is accepted where a list is meant. */
export const containerTags = Type.Union([Type.Array(containerTag, { maxItems: limits.containerTagsPerDocumentMax }), containerTag], {
	description: "Several containers, or one.",
});

/** Clients of 2025 named a user where a container is meant today. */
export const userId = Type.Union([containerTag, Type.Integer({ minimum: 0 })], {
	expected: `a text of 1 to ${limits.containerTagCharactersMax} letters, digits, _ : . and -`,
	deprecated: true,
	description: "The old name of `containerTag`; counts only where no container is named.",
});

export const customId = Type.String({
	pattern: "^[a-zA-Z0-9_.:-]+$",
	minLength: 1,
	maxLength: limits.customIdCharactersMax,
	expected: `a text of 1 to ${limits.customIdCharactersMax} letters, digits, _ : . and -`,
	description: "Your own id for the document, unique in its container. Adding under a customId that the container knows updates that document.",
	examples: ["report-2026"],
});

export const metadata = Type.Record(
	// Spelled out, as a record's keys are held to a pattern and to nothing else: "." would let a key with a line break pass unread.
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

/** The singular first, then the plural, each tag once; a user's name where there is neither. */
export function unitedTags(one: string | undefined, several: Static<typeof containerTags> | undefined, user?: Static<typeof userId>): readonly string[] {
	const rest = typeof several === "string" ? [several] : (several ?? []);
	const tags = [...new Set(one === undefined ? rest : [one, ...rest])];
	return tags.length === 0 && user !== undefined ? [String(user)] : tags;
}

const containerNames = ["containerTag", "containerTags", "container_tag", "container_tags"];

/** For a key with grants, a request that names no container means the key's own. Where one is meant: the first that the key may write to, or the first if it may write to none. */
export function withOwnContainer(raw: unknown, { grants }: Caller): unknown {
	const own = grants?.find(({ permission }) => permission === "write") ?? grants?.[0];
	return own === undefined || !isRecord(raw) || namesContainer(raw) ? raw : { ...raw, containerTag: own.containerTag };
}

/** The same where several may be meant: all of them. */
export function withOwnContainers(raw: unknown, { grants }: Caller): unknown {
	return grants === null || !isRecord(raw) || namesContainer(raw) ? raw : { ...raw, containerTags: grants.map(({ containerTag }) => containerTag) };
}

/** Null and an empty list name nothing. */
function namesContainer(raw: Readonly<Record<string, unknown>>): boolean {
	return containerNames.some((name) => {
		const given = raw[name];
		return given !== undefined && given !== null && !(Array.isArray(given) && given.length === 0);
	});
}

/** All numbers are finite, since JSON has no others. */
export function asMetadata(value: Static<typeof metadata> | undefined): Metadata {
	for (const [key, member] of Object.entries(value ?? {})) {
		if (typeof member === "number" && !Number.isFinite(member)) throw fail("INPUT_INVALID", `metadata.${key} should be a finite number`);
	}
	return value ?? {};
}

/** A label; a longer value is something else. */
const originCharactersMax = 255;

/** The header `x-sm-source`, in which clients name themselves, as metadata of what they add. The client's own metadata takes precedence. */
export function originOf(headers: Headers): Metadata {
	const given = cleanTexts(headers.get("x-sm-source")?.trim() ?? "");
	return typeof given === "string" && given !== "" ? { sm_source: given.slice(0, originCharactersMax) } : {};
}
