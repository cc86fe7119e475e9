/** `/v4/sources/rollback`: removes all documents of a source in one call, with the memories that are based only on them. */

import type { RemovalService } from "../../../core/removals/removal-service.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import { parseRollback, rollbackBody, toRollbackReceipt } from "../../wire/v4/rollback.ts";
import { dryRunAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Memories");

export function sourceRoutes(removals: RemovalService): readonly Operation[] {
	return [
		operation(
			"POST /v4/sources/rollback",
			{
				access: dryRunAccess,
				summary: "Roll back a source",
				description:
					"Deletes all documents of a source, the memories that are based only on them, and memories inferred from those. Memories that they had replaced become current again; a memory with another source is kept without this source. `/v3/documents/restore` undoes it.",
				operationId: "rollBackSource",
				body: rollbackBody,
				example: { customIdPrefix: "newsletter-", dryRun: true },
				responses: { 200: "RollbackReceipt" },
				errors: ["INPUT_INVALID", "ROLE_MISSING"],
			},
			async ({ request, caller }) => {
				const rollback = parseRollback(await readJson(request));
				return toRollbackReceipt(await removals.rollBack(caller, rollback.source, rollback.scope, rollback.options), rollback);
			},
		),
	];
}
