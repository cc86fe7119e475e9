/** `/v3/documents`: add several documents, list documents, and list the chunks of one. */

import { asServiceError } from "../../../core/errors/fail.ts";
import type { Caller } from "../../../core/model/caller.ts";
import type { Chunk } from "../../../core/model/chunk.ts";
import type { Document } from "../../../core/model/document.ts";
import type { MediaTypes } from "../../../core/ports/media-types.ts";
import type { Service } from "../../../core/service.ts";
import { originOf } from "../../wire/requests/fields.ts";
import { bodyFromQuery } from "../../wire/requests/query-string.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { errorDetails } from "../../wire/responses/error.ts";
import { contentReader, createLongResponse, jsonList } from "../../wire/responses/long-response.ts";
import { toReceipt } from "../../wire/v3/documents/add-request.ts";
import { type BatchItem, batchBody, parseBatch } from "../../wire/v3/documents/batch-request.ts";
import { toChunk, toChunks, toDocumentList } from "../../wire/v3/documents/document.ts";
import { type ListRequest, listBody, parseList } from "../../wire/v3/documents/list-request.ts";
import { readAccess, writeAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Documents");
const listDescription = {
	summary: "List documents",
	description: "Documents of every status, failed ones included. Use page numbers, or cursors if documents are added or deleted meanwhile.",
	responses: { 200: "DocumentList" },
	errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CURSOR_INVALID", "CONTAINER_FORBIDDEN"],
} as const;

export function documentListRoutes(service: Service, mediaTypes: MediaTypes): readonly Operation[] {
	return [
		operation(
			"POST /v3/documents/batch",
			{
				access: writeAccess,
				summary: "Add several documents",
				description: "Up to 600. An invalid document does not affect the others; the results are in the order of the items.",
				operationId: "addDocuments",
				body: batchBody,
				example: { documents: [{ content: "The first note." }, { content: "The second note." }], containerTag: "user_123" },
				responses: { 200: "BatchReceipt" },
				errors: ["INPUT_INVALID"],
			},
			async ({ request, caller }) => addAll(parseBatch(await readJson(request), mediaTypes, caller, originOf(request.headers)), caller, service),
		),
		operation(
			"GET /v3/documents",
			{ access: readAccess, ...listDescription, operationId: "listDocumentsByGet", query: listBody },
			async ({ request, caller }) => listResponse(parseList(bodyFromQuery(new URL(request.url), listBody)), caller, service),
		),
		operation(
			"POST /v3/documents/list",
			{ access: readAccess, ...listDescription, operationId: "listDocuments", body: listBody, example: { limit: 10, page: 1 } },
			async ({ request, caller }) => listResponse(parseList(await readJson(request)), caller, service),
		),
		operation(
			"GET /v3/documents/:id/chunks",
			{
				access: readAccess,
				summary: "Read a document's chunks",
				operationId: "listChunks",
				responses: { 200: "Chunks" },
				errors: ["DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS"],
			},
			async ({ params, caller }) => {
				const { document, pages } = await service.chunks(caller, params.id);
				return chunksResponse(document, pages);
			},
		),
	];
}

async function listResponse({ scope, statuses, page, includeContent }: ListRequest, caller: Caller, service: Service) {
	const response = createLongResponse();
	const contentOf = includeContent ? contentReader(response, (document) => service.text(caller, document)) : null;
	return response.finish(toDocumentList(await service.list(caller, scope, statuses, page, includeContent), page, contentOf));
}

/** Several pages of chunks are streamed, so that they are not all in memory. The total comes at the end, when it is known. */
async function chunksResponse(document: Document, pages: AsyncIterable<readonly Chunk[]>) {
	const iterator = pages[Symbol.asyncIterator]();
	const [first, second] = [await iterator.next(), await iterator.next()];
	const firstChunks = first.done ? [] : first.value;
	if (second.done) return toChunks(document, firstChunks);
	let total = 0;
	const countAndConvert = (chunks: readonly Chunk[]) => {
		total += chunks.length;
		return chunks.map((chunk) => toChunk(document, chunk));
	};
	async function* chunkPages() {
		yield countAndConvert(firstChunks);
		yield countAndConvert(second.done ? [] : second.value);
		for (let page = await iterator.next(); !page.done; page = await iterator.next()) yield countAndConvert(page.value);
	}
	async function* totalAsText() {
		yield String(total);
	}
	const { placeholderFor, finish } = createLongResponse();
	return finish({ documentId: document.id, chunks: placeholderFor(jsonList(chunkPages())), total: placeholderFor(totalAsText()) });
}

/** Adds items with the same customId one after another, so that the last one wins; all others are added concurrently. */
async function addAll(items: readonly BatchItem[], caller: Caller, service: Service) {
	const indexesByCustomId = new Map<string, number[]>();
	for (const [i, item] of items.entries()) {
		const customId = "request" in item ? item.request.customId : null;
		const indexes = customId ?? `item ${i}`;
		indexesByCustomId.set(indexes, [...(indexesByCustomId.get(indexes) ?? []), i]);
	}
	const results: ({ readonly id: string; readonly status: string; readonly error?: string; readonly details?: string } | undefined)[] = [];
	await Promise.all(
		[...indexesByCustomId.values()].map(async (indexes) => {
			for (const i of indexes) results[i] = await addOne(items[i], caller, service);
		}),
	);
	const failed = results.filter((result) => result?.status === "error").length;
	return { results, failed, success: results.length - failed };
}

async function addOne(item: BatchItem | undefined, caller: Caller, service: Service) {
	try {
		if (item === undefined || "error" in item) throw item?.error;
		return toReceipt(await service.add(caller, item.request));
	} catch (thrown) {
		const error = asServiceError(thrown);
		return { id: "", status: "error", error: error.message, details: errorDetails(error) };
	}
}
