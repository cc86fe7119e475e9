/** `/v4/sources/rollback`: removes all documents of a source, with the memories based on them alone, in one call. */

import type { RemovalService } from "../../../core/removals/removal-service.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { parseRollback, rollbackBody, toRollbackReceipt } from "../../wire/v4/rollback.ts";
import { rehearses } from "../access.ts";
import { type Operation, operation } from "../operation.ts";

export function sourceRoutes(removals: RemovalService): readonly Operation[] {
	return [
		operation(
			"POST /v4/sources/rollback",
			{
				access: rehearses,
				summary: "Roll back a source",
				description:
					"Deletes all documents of a source, the memories based on them alone, and memories inferred from these. Memories that they had replaced become current again; a memory with another source stays and loses this one. `/v3/documents/restore` undoes it.",
				tags: ["Memories"],
				operationId: "rollBackSource",
				body: rollbackBody,
				example: { customIdPrefix: "newsletter-", dryRun: true },
				responses: { 200: "RollbackReceipt" },
				errors: ["INPUT_INVALID", "ROLE_MISSING"],
			},
			async ({ request, caller }) => {
				const asked = parseRollback(await readJson(request));
				return toRollbackReceipt(await removals.rollBack(caller, asked.source, asked.scope, asked.options), asked);
			},
		),
	];
}
