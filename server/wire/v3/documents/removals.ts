/** Requests and responses of bulk deletion and its undo. */

import { Type } from "@sinclair/typebox";
import type { RemovalResult, RestoreResult } from "../../../../core/removals/removal-service.ts";
import { reader } from "../../requests/reader.ts";
import type { BulkRequest } from "./bulk-request.ts";

export const restoreDocumentsBody = Type.Object({
	removalId: Type.String({ minLength: 1, maxLength: 100, description: "The `removalId` that `DELETE /v3/documents/bulk` has returned." }),
});

const read = reader(restoreDocumentsBody);

/** @throws ServiceError `INPUT_INVALID` */
export function parseRestoreDocuments(raw: unknown): string {
	return read(raw).removalId;
}

export function toBulkReceipt({ removal, count, refused }: RemovalResult, request: BulkRequest) {
	const errors = refused.map(({ id, error }) => ({ id, error: error.message }));
	const tags = "scope" in request ? request.containerTags : [];
	return {
		success: true,
		deletedCount: count,
		removalId: removal,
		...(errors.length > 0 ? { errors } : {}),
		...(tags.length > 0 ? { containerTags: tags } : {}),
	};
}

export function toRestoreReceipt({ documents, refused }: RestoreResult) {
	const errors = refused.map(({ id, customId, error }) => ({ id, customId, error: error.message, code: error.code }));
	return {
		success: refused.length === 0,
		restoredCount: documents.length,
		documents: documents.map(({ id, customId, status }) => ({ id, customId, status })),
		...(errors.length > 0 ? { errors } : {}),
	};
}

const nullableText = Type.Union([Type.String(), Type.Null()]);

export const restoreReceiptSchema = Type.Object(
	{
		success: Type.Boolean({ description: "Whether all were restored." }),
		restoredCount: Type.Integer(),
		documents: Type.Array(Type.Object({ id: Type.String(), customId: nullableText, status: Type.String() })),
		errors: Type.Optional(
			Type.Array(Type.Object({ id: Type.String(), customId: nullableText, error: Type.String(), code: Type.String() }), {
				description: "Those that could not be restored, because another document has their customId now. The request can be repeated later.",
			}),
		),
	},
	{ $id: "RestoreReceipt" },
);
