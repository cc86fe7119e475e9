/** `DELETE /v3/documents/bulk` and its undo. */

import { Elysia } from "elysia";
import type { RemovalService } from "../../core/removals/removal-service.ts";
import type { Authenticate } from "../app.ts";
import { readJson } from "../wire/read-body.ts";
import { bulkBody, parseBulk } from "../wire/v3/bulk-request.ts";
import { parseRestoreDocuments, restoreDocumentsBody, toBulkReceipt, toRestoreReceipt } from "../wire/v3/removals.ts";
import { operation } from "./operation.ts";

const tags = ["Documents"] as const;

export function removalRoutes(removals: RemovalService, authenticate: Authenticate) {
	return new Elysia()
		.delete(
			"/v3/documents/bulk",
			async ({ request }) => {
				const caller = await authenticate(request);
				const wanted = parseBulk(await readJson(request));
				return toBulkReceipt("scope" in wanted ? await removals.removeAll(caller, wanted.scope) : await removals.removeNamed(caller, wanted.ids), wanted);
			},
			{
				parse: "none",
				detail: operation({
					summary: "Delete many",
					description:
						"By ids, by containers or by path. Unknown ids are reported and do not fail the call. The `removalId` brings all of them back for some days.",
					tags,
					operationId: "deleteDocuments",
					body: bulkBody,
					example: { ids: ["an-id"] },
					answers: { 200: "BulkReceipt" },
					errors: ["INPUT_INVALID", "ROLE_MISSING", "CONTAINER_FORBIDDEN"],
				}),
			},
		)
		.post(
			"/v3/documents/restore",
			async ({ request }) => {
				const caller = await authenticate(request);
				return toRestoreReceipt(await removals.restore(caller, parseRestoreDocuments(await readJson(request))));
			},
			{
				parse: "none",
				detail: operation({
					summary: "Undo a bulk deletion",
					description: "The documents come back under their ids, with their chunks and memories.",
					tags,
					operationId: "restoreDocuments",
					body: restoreDocumentsBody,
					example: { removalId: "a-removal-id" },
					answers: { 200: "RestoreReceipt" },
					errors: ["INPUT_INVALID", "ROLE_MISSING", "UNDO_EXPIRED"],
				}),
			},
		);
}
