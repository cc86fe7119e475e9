/** `DELETE /v3/documents/bulk`, and `POST /v3/documents/restore`, which undoes it. */

import type { RemovalService } from "../../../core/removals/removal-service.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { bulkBody, parseBulk } from "../../wire/v3/documents/bulk-request.ts";
import { parseRestoreDocuments, restoreDocumentsBody, toBulkReceipt, toRestoreReceipt } from "../../wire/v3/documents/removals.ts";
import { writeAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Documents");

export function removalRoutes(removals: RemovalService): readonly Operation[] {
	return [
		operation(
			"DELETE /v3/documents/bulk",
			{
				access: writeAccess,
				summary: "Delete several documents",
				description:
					"By ids, by containers or by path. Unknown ids are reported and do not fail the call. For some days, all of them can be restored with the `removalId`.",
				operationId: "deleteDocuments",
				body: bulkBody,
				example: { ids: ["an-id"] },
				responses: { 200: "BulkReceipt" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => {
				const selection = parseBulk(await readJson(request));
				return toBulkReceipt(
					"scope" in selection ? await removals.removeAll(caller, selection.scope) : await removals.removeNamed(caller, selection.ids),
					selection,
				);
			},
		),
		operation(
			"POST /v3/documents/restore",
			{
				access: writeAccess,
				summary: "Undo a bulk deletion",
				description: "The documents are restored with the same ids, chunks and memories.",
				operationId: "restoreDocuments",
				body: restoreDocumentsBody,
				example: { removalId: "a-removal-id" },
				responses: { 200: "RestoreReceipt" },
				errors: ["INPUT_INVALID", "UNDO_EXPIRED"],
			},
			async ({ request, caller }) => toRestoreReceipt(await removals.restore(caller, parseRestoreDocuments(await readJson(request)))),
		),
	];
}
