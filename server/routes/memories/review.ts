/** `/v4/memories/review` and `/v4/memories/confirm`: the review of memories that may have become outdated. */

import type { ReviewService } from "../../../core/review/review-service.ts";
import { withDefaultContainer } from "../../wire/requests/fields.ts";
import { bodyFromQuery } from "../../wire/requests/query-string.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { confirmBody, dueQuery, parseConfirm, parseDue, toAged, toDue } from "../../wire/v4/review.ts";
import { readAccess, writeAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Memories");

export function reviewRoutes(reviews: ReviewService): readonly Operation[] {
	return [
		operation(
			"GET /v4/memories/review",
			{
				access: readAccess,
				summary: "List memories that are due for a review",
				description: "Facts that age, such as a job, an address or a plan, whose review date has passed, the longest overdue first.",
				operationId: "listDueMemories",
				query: dueQuery,
				responses: { 200: "DueMemories" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => toDue(await reviews.due(caller, parseDue(withDefaultContainer(bodyFromQuery(new URL(request.url), dueQuery), caller)))),
		),
		operation(
			"POST /v4/memories/confirm",
			{
				access: writeAccess,
				summary: "Confirm that a memory is still true",
				description: "It gets a new review date, after the same interval as before. A memory that is no longer true is to be changed or forgotten instead.",
				operationId: "confirmMemory",
				body: confirmBody,
				example: { containerTag: "user_123", id: "an-id" },
				responses: { 200: "AgedMemory" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN", "MEMORY_MISSING", "MEMORY_NOT_REVIEWABLE"],
			},
			async ({ request, caller }) => {
				const { containerTag, id } = parseConfirm(withDefaultContainer(await readJson(request), caller));
				return toAged(await reviews.confirm(caller, containerTag, id));
			},
		),
	];
}
