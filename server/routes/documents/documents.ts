/** `/v3/documents`: add, read, change, reprocess and delete documents, and list those being processed. */

import type { MediaTypes } from "../../../core/ports/media-types.ts";
import type { Service } from "../../../core/service.ts";
import { originOf, withDefaultContainer } from "../../wire/requests/fields.ts";
import { bodyFromQuery } from "../../wire/requests/query-string.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { contentReader, createLongResponse } from "../../wire/responses/long-response.ts";
import { addBody, changeBody, parseAdd, parseChange, toReceipt } from "../../wire/v3/documents/add-request.ts";
import { toDocument, toProcessing } from "../../wire/v3/documents/document.ts";
import { parseProcessing, processingQuery } from "../../wire/v3/documents/processing-request.ts";
import { readAccess, writeAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Documents");

export function documentRoutes(service: Service, mediaTypes: MediaTypes): readonly Operation[] {
	return [
		operation(
			"POST /v3/documents",
			{
				access: writeAccess,
				summary: "Add a text or a URL",
				description:
					"Responds as soon as the content is durably stored. Poll the document until its status is `done` or `failed`. If the container has a document with the same customId, that document is updated. The header `x-sm-source` is stored as `sm_source` in the metadata.",
				operationId: "addDocument",
				body: addBody,
				example: { content: "Ada Lovelace wrote the first program in 1843.", containerTag: "user_123", metadata: { author: "Ada" } },
				responses: { 200: "Receipt" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN", "CUSTOM_ID_AMBIGUOUS", "CUSTOM_ID_TAKEN", "QUOTA_DOCUMENTS", "QUOTA_BYTES"],
			},
			async ({ request, caller }) =>
				toReceipt(await service.add(caller, parseAdd(withDefaultContainer(await readJson(request), caller), mediaTypes, originOf(request.headers)))),
		),
		operation(
			"GET /v3/documents/processing",
			{
				access: readAccess,
				summary: "List documents being processed",
				description: "Documents that are neither done nor failed, newest first.",
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
				access: readAccess,
				summary: "Read one document",
				description: "By id or customId. Includes all versions of the memories extracted from it, newest first.",
				operationId: "getDocument",
				responses: { 200: "Document" },
				errors: ["DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS"],
			},
			async ({ params, caller }) => {
				const document = await service.get(caller, params.id);
				const response = createLongResponse();
				const contentOf = contentReader(response, (shown) => service.text(caller, shown));
				const [attachmentStatuses, memories] = await Promise.all([service.descendants(caller, document), service.memories(caller, document)]);
				return response.finish(toDocument(document, { attachmentStatuses, memories, longResponse: response, contentOf }));
			},
		),
		operation(
			"PATCH /v3/documents/:id",
			{
				access: writeAccess,
				summary: "Change a document",
				description:
					"New content is processed while the old content stays searchable; other changes take effect at once. Metadata keys that are sent are replaced, other keys are unchanged.",
				operationId: "changeDocument",
				body: changeBody,
				example: { metadata: { reviewed: true } },
				responses: { 200: "Receipt" },
				errors: [
					"INPUT_INVALID",
					"CONTAINER_FORBIDDEN",
					"DOCUMENT_MISSING",
					"CUSTOM_ID_AMBIGUOUS",
					"CUSTOM_ID_TAKEN",
					"DOCUMENT_INSIDE",
					"DOCUMENT_SYNCED",
					"QUOTA_BYTES",
				],
			},
			async ({ request, params, caller }) => toReceipt(await service.revise(caller, params.id, parseChange(await readJson(request), mediaTypes))),
		),
		operation(
			"POST /v3/documents/:id/reprocess",
			{
				access: writeAccess,
				summary: "Process a document again",
				description:
					"Reads the stored content again: after a failure whose cause was removed, or with an extractor, a caption source or an OCR language that was installed since. The old text stays searchable until the new one is ready. A document that is being processed is not changed.",
				operationId: "reprocessDocument",
				responses: { 200: "Receipt" },
				errors: ["CONTAINER_FORBIDDEN", "DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS"],
			},
			async ({ params, caller }) => toReceipt(await service.reprocess(caller, params.id)),
		),
		operation(
			"DELETE /v3/documents/:id",
			{
				access: writeAccess,
				summary: "Delete a document",
				description: "Permanently, with its chunks, its file and the memories that have no other source.",
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
