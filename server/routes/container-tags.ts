/** `/v3/container-tags`: what containers there are, what is said of them, deleting and merging them. */

import { Elysia } from "elysia";
import type { ContainerService } from "../../core/containers/container-service.ts";
import type { Authenticate } from "../app.ts";
import { readJson } from "../wire/read-body.ts";
import { changeContainerBody, mergeBody, parseChangeContainer, parseMerge } from "../wire/v3/container-request.ts";
import { toChangedContainer, toContainer, toListedContainer, toMerge, toQueuedMerge, toRemovedContainer } from "../wire/v3/container-response.ts";
import { operation } from "./operation.ts";

const tags = ["Container tags"] as const;

export function containerTagRoutes(containers: ContainerService, authenticate: Authenticate) {
	return new Elysia()
		.get("/v3/container-tags/list", async ({ request }) => (await containers.list(await authenticate(request))).map(toListedContainer), {
			detail: operation({
				summary: "List container tags",
				description: "All, oldest first, with how much is in each. Those that are being merged say so.",
				tags,
				operationId: "listContainerTags",
				answers: { 200: "ContainerTags" },
				errors: [],
			}),
		})
		.post(
			"/v3/container-tags/merge",
			async ({ request, set }) => {
				const caller = await authenticate(request);
				const { tags: pair, target } = parseMerge(await readJson(request));
				const merge = await containers.merge(caller, pair, target);
				set.status = 202;
				return toQueuedMerge(merge);
			},
			{
				parse: "none",
				detail: operation({
					summary: "Merge container tags",
					description:
						"Moves documents and memories into the target, then deletes the sources: those of the two that are not the target. The target may be one of them or a third. For administrators.",
					tags,
					operationId: "mergeContainerTags",
					body: mergeBody,
					example: { containerTags: ["user_123_old", "user_123"], targetContainerTag: "user_123" },
					answers: { 202: "QueuedMerge" },
					errors: ["INPUT_INVALID", "ROLE_MISSING", "CONTAINER_MISSING"],
				}),
			},
		)
		.get(
			"/v3/container-tags/merge/:mergeId",
			async ({ request, params }) => toMerge(await containers.mergeStatus(await authenticate(request), params.mergeId)),
			{
				detail: operation({
					summary: "Ask how a merge goes",
					tags,
					operationId: "getContainerTagMerge",
					answers: { 200: "Merge" },
					errors: ["MERGE_MISSING"],
				}),
			},
		)
		.get(
			"/v3/container-tags/:containerTag",
			async ({ request, params }) => toContainer(await containers.get(await authenticate(request), params.containerTag)),
			{
				detail: operation({
					summary: "Read what is said of a container tag",
					tags,
					operationId: "getContainerTag",
					answers: { 200: "ContainerTag" },
					errors: ["CONTAINER_FORBIDDEN", "CONTAINER_MISSING"],
				}),
			},
		)
		.patch(
			"/v3/container-tags/:containerTag",
			async ({ request, params }) => {
				const caller = await authenticate(request);
				const { tag, change } = parseChangeContainer(params.containerTag, await readJson(request));
				return toChangedContainer(await containers.change(caller, tag, change));
			},
			{
				parse: "none",
				detail: operation({
					summary: "Say something of a container tag",
					description: "Makes it where it is missing. What is left out stays; it holds for what is added from now on.",
					tags,
					operationId: "changeContainerTag",
					body: changeContainerBody,
					example: { name: "Ada", entityContext: "Ada Lovelace, mathematician, keeps her letters here." },
					answers: { 200: "ChangedContainerTag" },
					errors: ["INPUT_INVALID", "ROLE_MISSING", "CONTAINER_FORBIDDEN"],
				}),
			},
		)
		.delete(
			"/v3/container-tags/:containerTag",
			async ({ request, params }) => toRemovedContainer(params.containerTag, await containers.remove(await authenticate(request), params.containerTag)),
			{
				parse: "none",
				detail: operation({
					summary: "Delete a container tag",
					description: "For good, with the documents that are in no other container; the others only leave it. Its memories are forgotten. For administrators.",
					tags,
					operationId: "deleteContainerTag",
					answers: { 200: "DeletedContainerTag" },
					errors: ["ROLE_MISSING", "CONTAINER_MISSING", "CONTAINER_MERGING"],
				}),
			},
		);
}
