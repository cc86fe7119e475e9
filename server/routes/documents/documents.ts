/** `/v3/documents`: add, change, read, remove, and what is being processed. */

import type { MediaTypes } from "../../../core/ports/media-types.ts";
import type { Service } from "../../../core/service.ts";
import { originOf, withDefaultContainer } from "../../wire/requests/fields.ts";
import { bodyFromQuery } from "../../wire/requests/query-string.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { contentReader, createLongResponse } from "../../wire/responses/long-response.ts";
import { addBody, changeBody, parseAdd, parseChange, toReceipt } from "../../wire/v3/documents/add-request.ts";
import { toDocument, toProcessing } from "../../wire/v3/documents/document.ts";
import { parseProcessing, processingQuery } from "../../wire/v3/documents/processing-request.ts";
import { reads, writes } from "../access.ts";
import { type Operation, operation } from "../operation.ts";

const tags = ["Documents"] as const;

export function documentRoutes(service: Service, mediaTypes: MediaTypes): readonly Operation[] {
	return [
		operation(
			"POST /v3/documents",
			{
				access: writes,
				summary: "Add a text or an address",
				description:
					"Answers as soon as the content is durably stored. Poll the document until its status is `done` or `failed`. Adding under a customId that the container knows updates that document. What the header `x-sm-source` says is kept as `sm_source` in the metadata.",
				tags,
				operationId: "addDocument",
				body: addBody,
				example: { content: "Ada Lovelace wrote the first program in 1843.", containerTag: "user_123", metadata: { author: "Ada" } },
				responses: { 200: "Receipt" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN", "CUSTOM_ID_AMBIGUOUS", "CUSTOM_ID_TAKEN"],
			},
			async ({ request, caller }) =>
				toReceipt(await service.add(caller, parseAdd(withDefaultContainer(await readJson(request), caller), mediaTypes, originOf(request.headers)))),
		),
		operation(
			"GET /v3/documents/processing",
			{
				access: reads,
				summary: "List what is being processed",
				description: "Neither done nor failed, newest first.",
				tags,
				operationId: "listProcessing",
				query: processingQuery,
				responses: { 200: "Processing" },
				errors: ["INPUT_INVALID", "CURSOR_INVALID"],
			},
			async ({ request, caller }) => {
				const page = parseProcessing(bodyFromQuery(new URL(request.url), processingQuery));
				return toProcessing(await service.processing(caller, page), page);
			},
		),
		operation(
			"GET /v3/documents/:id",
			{
				access: reads,
				summary: "Read one document",
				description: "By id or customId. With the memories extracted from it, of every version, the newest first.",
				tags,
				operationId: "getDocument",
				responses: { 200: "Document" },
				errors: ["DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS"],
			},
			async ({ params, caller }) => {
				const document = await service.get(caller, params.id);
				const answer = createLongResponse();
				const contentOf = contentReader(answer, (shown) => service.text(caller, shown));
				const [inside, memories] = await Promise.all([service.descendants(caller, document), service.memories(caller, document)]);
				return answer.finish(toDocument(document, { attachmentStatuses: inside, memories, longResponse: answer, contentOf }));
			},
		),
		operation(
			"PATCH /v3/documents/:id",
			{
				access: writes,
				summary: "Change a document",
				description:
					"New content is processed again while the old stays searchable; anything else takes effect at once. Sent metadata keys replace those keys, other keys stay.",
				tags,
				operationId: "changeDocument",
				body: changeBody,
				example: { metadata: { reviewed: true } },
				responses: { 200: "Receipt" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN", "DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS", "CUSTOM_ID_TAKEN", "DOCUMENT_INSIDE", "DOCUMENT_SYNCED"],
			},
			async ({ request, params, caller }) => toReceipt(await service.revise(caller, params.id, parseChange(await readJson(request), mediaTypes))),
		),
		operation(
			"POST /v3/documents/:id/reprocess",
			{
				access: writes,
				summary: "Process a document again",
				description:
					"Reads the content it has once more: after a failure whose cause is gone, or with an extractor, a caption source or an OCR language that was not there before. The old text stays searchable until the new one is. One that is being processed is left alone.",
				tags,
				operationId: "reprocessDocument",
				responses: { 200: "Receipt" },
				errors: ["CONTAINER_FORBIDDEN", "DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS"],
			},
			async ({ params, caller }) => toReceipt(await service.reprocess(caller, params.id)),
		),
		operation(
			"DELETE /v3/documents/:id",
			{
				access: writes,
				summary: "Delete a document",
				description: "With its chunks, its file and the memories that have no other source, for good.",
				tags,
				operationId: "deleteDocument",
				responses: { 204: null },
				errors: ["CONTAINER_FORBIDDEN", "DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS"],
			},
			async ({ params, caller }) => {
				await service.remove(caller, params.id);
			},
		),
	];
}
