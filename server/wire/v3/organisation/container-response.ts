/** Containers and their merges as `/v3/container-tags` returns them. */

import { Type } from "@sinclair/typebox";
import type { ListedContainer } from "../../../../core/containers/container-service.ts";
import type { Merge } from "../../../../core/containers/merge.ts";
import type { RemovedContainer } from "../../../../core/containers/remove-container.ts";
import type { Container } from "../../../../core/model/container.ts";
import { profileBucket } from "./profile-buckets.ts";

const instant = Type.String({ format: "date-time" });
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const mergeStates = Type.Union([Type.Literal("queued"), Type.Literal("running"), Type.Literal("done"), Type.Literal("failed")]);

export const listedContainersSchema = Type.Array(
	Type.Object({
		id: Type.String({ description: "The tag; containers have no other id." }),
		name: Type.String({ description: "The tag, if the container has no name." }),
		containerTag: Type.String(),
		emoji: Type.Optional(Type.String({ description: "Only if the container has one." })),
		description: textOrNull("Frequent topics of its documents, found automatically."),
		createdAt: instant,
		updatedAt: instant,
		visibility: Type.Literal("public", { description: "Containers have no owners: every key that is not limited to other containers can use it." }),
		isExperimental: Type.Boolean(),
		isNova: Type.Boolean({ description: "Whether the tag begins with `sm_project_`." }),
		documentCount: Type.Integer(),
		memoryCount: Type.Integer({ description: "Memories in their latest version that are not forgotten." }),
		lastActivityAt: Type.Union([instant, Type.Null()]),
		mergeStatus: Type.Optional(Type.Union([Type.Literal("source"), Type.Literal("target")], { description: "Only while it is being merged." })),
		mergeId: Type.Optional(Type.String()),
		mergeTargetTag: Type.Optional(Type.String({ description: "The container that a source is merged into." })),
	}),
	{ $id: "ContainerTags" },
);

const containerFields = {
	containerTag: Type.String(),
	name: textOrNull("The display name."),
	emoji: textOrNull("Shown beside the name."),
	entityContext: textOrNull("Who or what its documents are about."),
	memoryFilesystemPaths: Type.Union([Type.Array(Type.String()), Type.Null()], { description: "Null means all." }),
	profileBuckets: Type.Array(profileBucket),
};

export const containerSchema = Type.Object({ ...containerFields, createdAt: instant, updatedAt: instant }, { $id: "ContainerTag" });

export const changedContainerSchema = Type.Object({ ...containerFields, updatedAt: instant }, { $id: "ChangedContainerTag" });

export const removedContainerSchema = Type.Object(
	{ success: Type.Literal(true), containerTag: Type.String(), deletedDocumentsCount: Type.Integer(), deletedMemoriesCount: Type.Integer() },
	{ $id: "DeletedContainerTag" },
);

export const queuedMergeSchema = Type.Object(
	{
		success: Type.Literal(true),
		status: Type.Literal("queued"),
		mergeId: Type.String(),
		targetTag: Type.String(),
		sourceTags: Type.Array(Type.String()),
	},
	{ $id: "QueuedMerge" },
);

export const mergeSchema = Type.Object(
	{
		id: Type.String(),
		status: mergeStates,
		targetTag: Type.String(),
		sourceTags: Type.Array(Type.String(), { description: "They no longer exist when the merge is done." }),
		documentCount: Type.Integer({ description: "How many documents were to be moved when it began." }),
		memoryCount: Type.Integer(),
		error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
		createdAt: instant,
		updatedAt: instant,
	},
	{ $id: "Merge" },
);

export function toListedContainer({ container, counts, merge }: ListedContainer) {
	const { tag, name, emoji, description, createdAt, updatedAt } = container;
	return {
		id: tag,
		name: name ?? tag,
		containerTag: tag,
		...(emoji === null ? {} : { emoji }),
		description,
		createdAt: createdAt.toISOString(),
		updatedAt: updatedAt.toISOString(),
		visibility: "public",
		isExperimental: false,
		isNova: tag.startsWith("sm_project_"),
		documentCount: counts.documents,
		memoryCount: counts.memories,
		lastActivityAt: counts.lastActivityAt?.toISOString() ?? null,
		...(merge === null ? {} : toMergeFields(merge, tag)),
	};
}

function toMergeFields({ id, targetTag }: Merge, tag: string) {
	return tag === targetTag ? { mergeStatus: "target", mergeId: id } : { mergeStatus: "source", mergeId: id, mergeTargetTag: targetTag };
}

export function toContainer(container: Container) {
	return { ...toChangedContainer(container), createdAt: container.createdAt.toISOString() };
}

export function toChangedContainer({ tag, name, emoji, entityContext, memoryFilesystemPaths, profileBuckets, updatedAt }: Container) {
	return { containerTag: tag, name, emoji, entityContext, memoryFilesystemPaths, profileBuckets, updatedAt: updatedAt.toISOString() };
}

export function toRemovedContainer(containerTag: string, { documents, memories }: RemovedContainer) {
	return { success: true, containerTag, deletedDocumentsCount: documents, deletedMemoriesCount: memories };
}

export function toQueuedMerge({ id, targetTag, sourceTags }: Merge) {
	return { success: true, status: "queued", mergeId: id, targetTag, sourceTags };
}

export function toMerge({ id, status, targetTag, sourceTags, documents, memories, error, createdAt, updatedAt }: Merge) {
	return { id, status, targetTag, sourceTags, documentCount: documents, memoryCount: memories, error, createdAt, updatedAt };
}
