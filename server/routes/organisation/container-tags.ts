/** `/v3/container-tags`: list, describe, delete and merge containers. */

import type { ContainerService } from "../../../core/containers/container-service.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { changeContainerBody, mergeBody, parseChangeContainer, parseMerge } from "../../wire/v3/organisation/container-request.ts";
import {
	toChangedContainer,
	toContainer,
	toListedContainer,
	toMerge,
	toQueuedMerge,
	toRemovedContainer,
} from "../../wire/v3/organisation/container-response.ts";
import { adminAccess, readAccess, writeAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Container tags");

export function containerTagRoutes(containers: ContainerService): readonly Operation[] {
	return [
		operation(
			"GET /v3/container-tags/list",
			{
				access: readAccess,
				summary: "List container tags",
				description: "All container tags, oldest first, with the number of documents and memories and the state of a merge.",
				operationId: "listContainerTags",
				responses: { 200: "ContainerTags" },
				errors: [],
			},
			async ({ caller }) => (await containers.list(caller)).map(toListedContainer),
		),
		operation(
			"POST /v3/container-tags/merge",
			{
				access: adminAccess,
				summary: "Merge container tags",
				description:
					"Moves the documents and memories of two container tags into the target, then deletes those of the two that are not the target. The target may be one of the two or a third. For administrators.",
				operationId: "mergeContainerTags",
				body: mergeBody,
				example: { containerTags: ["user_123_old", "user_123"], targetContainerTag: "user_123" },
				responses: { 202: "QueuedMerge" },
				errors: ["INPUT_INVALID", "CONTAINER_MISSING"],
			},
			async ({ request, caller }) => {
				const { tags: pair, target } = parseMerge(await readJson(request));
				const merge = await containers.merge(caller, pair, target);
				return toQueuedMerge(merge);
			},
		),
		operation(
			"GET /v3/container-tags/merge/:mergeId",
			{
				access: readAccess,
				summary: "Get the status of a merge",
				operationId: "getContainerTagMerge",
				responses: { 200: "Merge" },
				errors: ["MERGE_MISSING"],
			},
			async ({ params, caller }) => toMerge(await containers.mergeStatus(caller, params.mergeId)),
		),
		operation(
			"GET /v3/container-tags/:containerTag",
			{
				access: readAccess,
				summary: "Read the description of a container tag",
				operationId: "getContainerTag",
				responses: { 200: "ContainerTag" },
				errors: ["CONTAINER_FORBIDDEN", "CONTAINER_MISSING"],
			},
			async ({ params, caller }) => toContainer(await containers.get(caller, params.containerTag)),
		),
		operation(
			"PATCH /v3/container-tags/:containerTag",
			{
				access: writeAccess,
				summary: "Change the description of a container tag",
				description: "Creates it if it does not exist. Absent fields are unchanged. The change applies to documents that are added later.",
				operationId: "changeContainerTag",
				body: changeContainerBody,
				example: { name: "Ada", entityContext: "Ada Lovelace, mathematician, keeps her letters here." },
				responses: { 200: "ChangedContainerTag" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, params, caller }) => {
				const { tag, change } = parseChangeContainer(params.containerTag, await readJson(request));
				return toChangedContainer(await containers.change(caller, tag, change));
			},
		),
		operation(
			"DELETE /v3/container-tags/:containerTag",
			{
				access: adminAccess,
				summary: "Delete a container tag",
				description: "Deletes it permanently, with the documents that are in no other container. Its memories are forgotten. For administrators.",
				operationId: "deleteContainerTag",
				responses: { 200: "DeletedContainerTag" },
				errors: ["CONTAINER_MISSING", "CONTAINER_MERGING"],
			},
			async ({ params, caller }) => toRemovedContainer(params.containerTag, await containers.remove(caller, params.containerTag)),
		),
	];
}
