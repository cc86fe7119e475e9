/** `/v3/container-tags/{tag}/inferred`: people look over what was inferred rather than said. */

import { Elysia } from "elysia";
import type { ReviewService } from "../../core/review/review-service.ts";
import type { Authenticate } from "../app.ts";
import { readJson } from "../wire/read-body.ts";
import { parseReview, parseTag, reviewBody, toInferred, toReviewed } from "../wire/v3/inferred.ts";
import { operation } from "./operation.ts";

const tags = ["Memories"] as const;

export function inferredRoutes(reviews: ReviewService, authenticate: Authenticate) {
	return new Elysia()
		.get(
			"/v3/container-tags/:containerTag/inferred",
			async ({ request, params }) => {
				const caller = await authenticate(request);
				const { shown, total } = await reviews.waiting(caller, parseTag(params.containerTag));
				return toInferred(shown, total);
			},
			{
				detail: operation({
					summary: "List inferred memories that wait for a review",
					description: "At most 50: those inferred from most memories first, then the newest.",
					tags,
					operationId: "listInferredMemories",
					answers: { 200: "InferredMemories" },
					errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN"],
				}),
			},
		)
		.post(
			"/v3/container-tags/:containerTag/inferred/:memoryId/review",
			async ({ request, params }) => {
				const caller = await authenticate(request);
				const tag = parseTag(params.containerTag);
				return toReviewed(await reviews.review(caller, tag, params.memoryId, parseReview(await readJson(request))));
			},
			{
				parse: "none",
				detail: operation({
					summary: "Approve or decline an inferred memory",
					tags,
					operationId: "reviewInferredMemory",
					body: reviewBody,
					example: { action: "approve" },
					answers: { 200: "ReviewedMemory" },
					errors: ["INPUT_INVALID", "ROLE_MISSING", "CONTAINER_FORBIDDEN", "MEMORY_MISSING", "MEMORY_NOT_REVIEWABLE"],
				}),
			},
		);
}
