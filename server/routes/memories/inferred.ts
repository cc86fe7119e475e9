/** `/v3/container-tags/{tag}/inferred`: the review of inferred memories by people. */

import type { ReviewService } from "../../../core/review/review-service.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { parseReview, parseTag, reviewBody, toInferred, toReviewed } from "../../wire/v3/documents/inferred.ts";
import { readAccess, writeAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Memories");

export function inferredRoutes(reviews: ReviewService): readonly Operation[] {
	return [
		operation(
			"GET /v3/container-tags/:containerTag/inferred",
			{
				access: readAccess,
				summary: "List inferred memories that wait for a review",
				description: "At most 50: those inferred from most memories first, then the newest.",
				operationId: "listInferredMemories",
				responses: { 200: "InferredMemories" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN"],
			},
			async ({ params, caller }) => {
				const { shown, total } = await reviews.pending(caller, parseTag(params.containerTag));
				return toInferred(shown, total);
			},
		),
		operation(
			"POST /v3/container-tags/:containerTag/inferred/:memoryId/review",
			{
				access: writeAccess,
				summary: "Approve or decline an inferred memory",
				operationId: "reviewInferredMemory",
				body: reviewBody,
				example: { action: "approve" },
				responses: { 200: "ReviewedMemory" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN", "MEMORY_MISSING", "MEMORY_NOT_REVIEWABLE"],
			},
			async ({ request, params, caller }) => {
				const tag = parseTag(params.containerTag);
				return toReviewed(await reviews.review(caller, tag, params.memoryId, parseReview(await readJson(request))));
			},
		),
	];
}
