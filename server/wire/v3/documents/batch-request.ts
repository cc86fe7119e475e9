/** Parses the body of `POST /v3/documents/batch`. Each item becomes a request or an error. */

import { Type } from "@sinclair/typebox";
import { asServiceError, fail, type ServiceError } from "../../../../core/errors/fail.ts";
import type { AddRequest } from "../../../../core/ingest/receive.ts";
import type { Caller } from "../../../../core/model/caller.ts";
import type { Metadata } from "../../../../core/model/metadata.ts";
import type { MediaTypes } from "../../../../core/ports/media-types.ts";
import { withDefaultContainer } from "../../requests/fields.ts";
import { isRecord } from "../../requests/is-record.ts";
import { addBody, parseAdd } from "./add-request.ts";

/** The limit of the API contract. */
const documentsMax = 600;

const { content: _content, customId: _customId, ...shared } = addBody.properties;
export const batchBody = Type.Object({
	documents: Type.Array(Type.Union([addBody, Type.String()]), {
		minItems: 1,
		maxItems: documentsMax,
		description: "Either all objects, as for adding one document, or all strings.",
	}),
	...shared,
});

export type BatchItem = { readonly request: AddRequest } | { readonly error: ServiceError };

/** Fields beside `documents` are defaults for every item. @throws ServiceError `INPUT_INVALID` for the batch as a whole */
export function parseBatch(raw: unknown, mediaTypes: MediaTypes, caller: Caller, origin: Metadata = {}): readonly BatchItem[] {
	if (!isRecord(raw) || !Array.isArray(raw["documents"])) throw fail("INPUT_INVALID", "documents should be a list");
	const { documents, content: _ignored, customId: _alsoIgnored, ...defaults } = raw;
	if (!Array.isArray(documents) || documents.length < 1 || documents.length > documentsMax)
		throw fail("INPUT_INVALID", `documents should have 1 to ${documentsMax} items`);
	if (new Set(documents.map((item) => typeof item)).size > 1) throw fail("INPUT_INVALID", "documents should be all objects or all strings");
	return documents.map((item: unknown) => {
		try {
			const merged = { ...defaults, ...(typeof item === "string" ? { content: item } : isRecord(item) ? item : {}) };
			return { request: parseAdd(withDefaultContainer(merged, caller), mediaTypes, origin) };
		} catch (thrown) {
			return { error: asServiceError(thrown) };
		}
	});
}
