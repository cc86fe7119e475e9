/** `/v3/backups`: the backups of this server, and taking one now. */

import { fail } from "../../../core/errors/fail.ts";
import type { ApiKey } from "../../../core/ports/account-store.ts";
import type { Storage } from "../../../core/ports/storage.ts";
import type { BackupRun, BackupService } from "../../backup/backup-service.ts";
import { toBackupRun, toBackups } from "../../wire/v3/organisation/backups.ts";
import { operatorAccess, operatorReadAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Backups");

export function backupRoutes(backups: BackupService, storage: Storage): readonly Operation[] {
	/** Those on schedule have no caller, and are in the log of the server alone. */
	async function recordStart({ id, startedAt }: BackupRun, caller: ApiKey): Promise<void> {
		const facts = { by: caller.id, place: backups.configured?.place.address ?? null };
		await storage.organisation(caller.organisation).events.append({ type: "backup.started", at: startedAt, subject: id, containerTags: [], facts });
	}

	return [
		operation(
			"GET /v3/backups",
			{
				access: operatorReadAccess,
				summary: "List backups",
				description: "Newest first: the backups in the folder or bucket that the operator has configured, and when the next is taken. For operators.",
				operationId: "listBackups",
				responses: { 200: "Backups" },
				errors: ["BACKUP_TARGET_FAILED", "STORAGE_UNREACHABLE"],
			},
			async () => toBackups(backups, await backups.list()),
		),
		operation(
			"POST /v3/backups",
			{
				access: operatorAccess,
				summary: "Take a backup now",
				description: "Of all data of the server, as those on schedule. It goes on in the background; `GET /v3/backups/{id}` reports its progress.",
				operationId: "startBackup",
				responses: { 202: "BackupRun" },
				errors: ["BACKUPS_OFF", "BACKUP_RUNNING"],
			},
			async ({ caller }) => {
				const { run } = backups.start();
				await recordStart(run, caller);
				return toBackupRun(run);
			},
		),
		operation(
			"GET /v3/backups/:id",
			{
				access: operatorReadAccess,
				summary: "Read the progress of a backup",
				description: "Of a backup since the last start of the server.",
				operationId: "getBackup",
				responses: { 200: "BackupRun" },
				errors: ["BACKUP_MISSING"],
			},
			({ params }) => {
				const run = backups.runs().find(({ id }) => id === params.id);
				if (run === undefined) throw fail("BACKUP_MISSING");
				return toBackupRun(run);
			},
		),
	];
}
