/** Containers and their merges as `/v3/container-tags` shows them. */

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
		id: Type.String({ description: "The tag: a container is named by nothing else." }),
		name: Type.String({ description: "The tag, where it was given no name." }),
		containerTag: Type.String(),
		description: textOrNull("What its documents keep coming back to, found by itself."),
		createdAt: instant,
		updatedAt: instant,
		visibility: Type.Literal("public", { description: "Every key that is not bound to other containers reaches it: there are no owners." }),
		isExperimental: Type.Boolean(),
		isNova: Type.Boolean({ description: "Whether the tag begins with `sm_project_`." }),
		documentCount: Type.Integer(),
		memoryCount: Type.Integer({ description: "The latest that are not forgotten." }),
		lastActivityAt: Type.Union([instant, Type.Null()]),
		mergeStatus: Type.Optional(Type.Union([Type.Literal("source"), Type.Literal("target")], { description: "While it is merged." })),
		mergeId: Type.Optional(Type.String()),
		mergeTargetTag: Type.Optional(Type.String({ description: "Where a source goes." })),
	}),
	{ $id: "ContainerTags" },
);

const containerFields = {
	containerTag: Type.String(),
	name: textOrNull("What people call it."),
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
		sourceTags: Type.Array(Type.String(), { description: "Gone when it is done." }),
		documentCount: Type.Integer({ description: "What there was to move when it began." }),
		memoryCount: Type.Integer(),
		error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()]),
		createdAt: instant,
		updatedAt: instant,
	},
	{ $id: "Merge" },
);

export function toListedContainer({ container, counts, merge }: ListedContainer) {
	const { tag, name, description, createdAt, updatedAt } = container;
	return {
		id: tag,
		name: name ?? tag,
		containerTag: tag,
		description,
		createdAt: createdAt.toISOString(),
		updatedAt: updatedAt.toISOString(),
		visibility: "public",
		isExperimental: false,
		isNova: tag.startsWith("sm_project_"),
		documentCount: counts.documents,
		memoryCount: counts.memories,
		lastActivityAt: counts.lastActivityAt?.toISOString() ?? null,
		...(merge === null ? {} : toPartInMerge(merge, tag)),
	};
}

function toPartInMerge({ id, targetTag }: Merge, tag: string) {
	return tag === targetTag ? { mergeStatus: "target", mergeId: id } : { mergeStatus: "source", mergeId: id, mergeTargetTag: targetTag };
}

export function toContainer(container: Container) {
	return { ...toChangedContainer(container), createdAt: container.createdAt.toISOString() };
}

export function toChangedContainer({ tag, name, entityContext, memoryFilesystemPaths, profileBuckets, updatedAt }: Container) {
	return { containerTag: tag, name, entityContext, memoryFilesystemPaths, profileBuckets, updatedAt: updatedAt.toISOString() };
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
