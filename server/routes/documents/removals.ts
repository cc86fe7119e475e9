/** `DELETE /v3/documents/bulk` and its undo. */

import type { RemovalService } from "../../../core/removals/removal-service.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { bulkBody, parseBulk } from "../../wire/v3/documents/bulk-request.ts";
import { parseRestoreDocuments, restoreDocumentsBody, toBulkReceipt, toRestoreReceipt } from "../../wire/v3/documents/removals.ts";
import { writes } from "../access.ts";
import { type Operation, operation } from "../operation.ts";

const tags = ["Documents"] as const;

export function removalRoutes(removals: RemovalService): readonly Operation[] {
	return [
		operation(
			"DELETE /v3/documents/bulk",
			{
				access: writes,
				summary: "Delete many",
				description:
					"By ids, by containers or by path. Unknown ids are reported and do not fail the call. The `removalId` brings all of them back for some days.",
				tags,
				operationId: "deleteDocuments",
				body: bulkBody,
				example: { ids: ["an-id"] },
				responses: { 200: "BulkReceipt" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => {
				const wanted = parseBulk(await readJson(request));
				return toBulkReceipt("scope" in wanted ? await removals.removeAll(caller, wanted.scope) : await removals.removeNamed(caller, wanted.ids), wanted);
			},
		),
		operation(
			"POST /v3/documents/restore",
			{
				access: writes,
				summary: "Undo a bulk deletion",
				description: "The documents come back under their ids, with their chunks and memories.",
				tags,
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
