/** Parses the bodies of `/v3/container-tags`. */

import { Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import { limits } from "../../../../core/model/limits.ts";
import type { ContainerChange } from "../../../../core/ports/container-store.ts";
import { containerTag, displayName } from "../../requests/fields.ts";
import { isRecord } from "../../requests/is-record.ts";
import { reader } from "../../requests/reader.ts";
import { profileBuckets, toBuckets } from "./profile-buckets.ts";

const path = Type.String({ minLength: 1, maxLength: limits.filepathCharactersMax, examples: ["/memory/"] });

export const changeContainerBody = Type.Object({
	name: Type.Optional(displayName(limits.containerNameCharactersMax, "A display name. The tag does not change.", "Research notes")),
	emoji: Type.Optional(
		Type.Union([Type.String({ maxLength: limits.containerEmojiCharactersMax }), Type.Null()], {
			nullable: true,
			description: "Shown beside the name. `null` clears it.",
			examples: ["📚"],
		}),
	),
	entityContext: Type.Optional(
		Type.Union([Type.String({ maxLength: limits.entityContextCharactersMax }), Type.Null()], {
			nullable: true,
			description: "Who or what its documents are about. It is given to the memory extractors of later documents. `null` clears it.",
		}),
	),
	memoryFilesystemPaths: Type.Optional(
		Type.Union([Type.Array(path, { maxItems: limits.memoryPathsMax }), Type.Null()], {
			nullable: true,
			description:
				"Memories are only extracted from documents at these paths: at the path itself, or below it if it ends in `/`. Other documents are only searchable. `null` means all.",
		}),
	),
	profileBuckets: Type.Optional(profileBuckets),
});

const readChange = reader(changeContainerBody);
const readTag = reader(Type.Object({ containerTag }));

/** @throws ServiceError `INPUT_INVALID` */
export function parseChangeContainer(tag: string, raw: unknown): { readonly tag: string; readonly change: ContainerChange } {
	const { containerTag: validTag } = readTag({ containerTag: tag });
	const name = isRecord(raw) ? raw["name"] : undefined;
	const body = readChange(isRecord(raw) && typeof name === "string" ? { ...raw, name: name.trim() } : raw);
	const { emoji, entityContext, memoryFilesystemPaths, profileBuckets: buckets } = body;
	return {
		tag: validTag,
		change: {
			...(body.name === undefined ? {} : { name: body.name }),
			...(emoji === undefined ? {} : { emoji: emoji === "" ? null : emoji }),
			...(entityContext === undefined ? {} : { entityContext: entityContext === "" ? null : entityContext }),
			...(memoryFilesystemPaths === undefined ? {} : { memoryFilesystemPaths }),
			...(buckets === undefined ? {} : { profileBuckets: toBuckets(buckets) }),
		},
	};
}

export const mergeBody = Type.Object({
	containerTags: Type.Array(containerTag, { minItems: 2, maxItems: 2, description: "Exactly two, both existing." }),
	targetContainerTag: containerTag,
});

const readMerge = reader(mergeBody);

/** @throws ServiceError `INPUT_INVALID` */
export function parseMerge(raw: unknown): { readonly tags: readonly string[]; readonly target: string } {
	const { containerTags: tags, targetContainerTag: target } = readMerge(raw);
	if (new Set(tags).size < tags.length) throw fail("INPUT_INVALID", "containerTags should be two different tags");
	return { tags, target };
}
