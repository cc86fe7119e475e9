/** `/v3/documents`: add a batch, list, and the chunks of a document. */

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
import { reads, writes } from "../access.ts";
import { type Operation, operation } from "../operation.ts";

const tags = ["Documents"] as const;
const listWords = {
	summary: "List documents",
	description: "Of every status, failed ones included. Page by page, or from cursor to cursor while others add and delete.",
	tags,
	responses: { 200: "DocumentList" },
	errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CURSOR_INVALID", "CONTAINER_FORBIDDEN"],
} as const;

export function documentListRoutes(service: Service, mediaTypes: MediaTypes): readonly Operation[] {
	return [
		operation(
			"POST /v3/documents/batch",
			{
				access: writes,
				summary: "Add many at once",
				description: "Up to 600. What is wrong with one does not keep the others out; the answers come in the order of the items.",
				tags,
				operationId: "addDocuments",
				body: batchBody,
				example: { documents: [{ content: "The first note." }, { content: "The second note." }], containerTag: "user_123" },
				responses: { 200: "BatchReceipt" },
				errors: ["INPUT_INVALID"],
			},
			async ({ request, caller }) => addAll(parseBatch(await readJson(request), mediaTypes, caller, originOf(request.headers)), caller, service),
		),
		operation("GET /v3/documents", { access: reads, ...listWords, operationId: "listDocumentsByGet", query: listBody }, async ({ request, caller }) =>
			listAs(parseList(bodyFromQuery(new URL(request.url), listBody)), caller, service),
		),
		operation(
			"POST /v3/documents/list",
			{ access: reads, ...listWords, operationId: "listDocuments", body: listBody, example: { limit: 10, page: 1 } },
			async ({ request, caller }) => listAs(parseList(await readJson(request)), caller, service),
		),
		operation(
			"GET /v3/documents/:id/chunks",
			{
				access: reads,
				summary: "Read a document's chunks",
				tags,
				operationId: "listChunks",
				responses: { 200: "Chunks" },
				errors: ["DOCUMENT_MISSING", "CUSTOM_ID_AMBIGUOUS"],
			},
			async ({ params, caller }) => {
				const { document, pages } = await service.chunks(caller, params.id);
				return chunksAs(document, pages);
			},
		),
	];
}

async function listAs({ scope, statuses, page, includeContent }: ListRequest, caller: Caller, service: Service) {
	const answer = createLongResponse();
	const contentOf = includeContent ? contentReader(answer, (document) => service.text(caller, document)) : null;
	return answer.finish(toDocumentList(await service.list(caller, scope, statuses, page, includeContent), page, contentOf));
}

/** Page by page; the total is known at the end. */
async function chunksAs(document: Document, pages: AsyncIterable<readonly Chunk[]>) {
	const reading = pages[Symbol.asyncIterator]();
	const [first, second] = [await reading.next(), await reading.next()];
	const firstChunks = first.done ? [] : first.value;
	if (second.done) return toChunks(document, firstChunks);
	let total = 0;
	const counted = (chunks: readonly Chunk[]) => {
		total += chunks.length;
		return chunks.map((chunk) => toChunk(document, chunk));
	};
	async function* all() {
		yield counted(firstChunks);
		yield counted(second.done ? [] : second.value);
		for (let page = await reading.next(); !page.done; page = await reading.next()) yield counted(page.value);
	}
	async function* count() {
		yield String(total);
	}
	const { placeholderFor, finish } = createLongResponse();
	return finish({ documentId: document.id, chunks: placeholderFor(jsonList(all())), total: placeholderFor(count()) });
}

/** Items under one customId one after another, so that the later wins; all others side by side. */
async function addAll(items: readonly BatchItem[], caller: Caller, service: Service) {
	const lines = new Map<string, number[]>();
	for (const [i, item] of items.entries()) {
		const customId = "request" in item ? item.request.customId : null;
		const line = customId ?? `item ${i}`;
		lines.set(line, [...(lines.get(line) ?? []), i]);
	}
	const results: ({ readonly id: string; readonly status: string; readonly error?: string; readonly details?: string } | undefined)[] = [];
	await Promise.all(
		[...lines.values()].map(async (line) => {
			for (const i of line) results[i] = await addOne(items[i], caller, service);
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
