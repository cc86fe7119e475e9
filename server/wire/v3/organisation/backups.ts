/** `/v3/backups`: the list of backups, and the progress of one. */

import { Type } from "@sinclair/typebox";
import type { BackupRun, BackupService } from "../../../backup/backup-service.ts";
import { backupKinds, type KeptBackup } from "../../../backup/kept-backups.ts";

const kind = Type.Union(
	backupKinds.map((name) => Type.Literal(name)),
	{ description: "`full`: one archive. `incremental`: what was not stored by an earlier one." },
);
const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const runFields = {
	id: Type.String(),
	status: Type.Union([Type.Literal("running"), Type.Literal("done"), Type.Literal("failed")]),
	name: nullable("The name of its file; null until it is written."),
	startedAt: Type.String(),
	endedAt: nullable("Null while it is running."),
	bytesDone: Type.Integer(),
	bytesTotal: Type.Integer({ description: "0 until the tables are copied." }),
	error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()], { description: "Why it failed." }),
};

export const backupRunSchema = Type.Object(runFields, { $id: "BackupRun" });

export const backupsSchema = Type.Object(
	{
		place: nullable("The folder or bucket; null if this server takes no backups."),
		kind: Type.Union([kind, Type.Null()]),
		everyHours: Type.Union([Type.Integer(), Type.Null()]),
		kept: Type.Union([Type.Integer(), Type.Null()], { description: "How many are kept." }),
		running: Type.Union([Type.Object(runFields), Type.Null()], { description: "The one that is being taken." }),
		lastFailure: Type.Union([Type.Object(runFields), Type.Null()], { description: "The last one, if it failed." }),
		backups: Type.Array(
			Type.Object({
				name: Type.String(),
				createdAt: Type.String(),
				kind,
				bytes: Type.Integer({ description: "Of the archive; of an incremental one only of its list of files." }),
			}),
		),
	},
	{ $id: "Backups" },
);

export function toBackups({ configured, runs }: BackupService, kept: readonly KeptBackup[]) {
	const [last] = runs();
	return {
		place: configured?.place.address ?? null,
		kind: configured?.schedule.kind ?? null,
		everyHours: configured?.schedule.everyHours ?? null,
		kept: configured?.schedule.kept ?? null,
		running: last?.status === "running" ? toBackupRun(last) : null,
		lastFailure: last?.status === "failed" ? toBackupRun(last) : null,
		backups: kept.toReversed().map(({ name, at, kind, bytes }) => ({ name, createdAt: at.toISOString(), kind, bytes })),
	};
}

export function toBackupRun({ id, status, name, startedAt, endedAt, bytesDone, bytesTotal, error }: BackupRun) {
	return {
		id,
		status,
		name,
		startedAt: startedAt.toISOString(),
		endedAt: endedAt?.toISOString() ?? null,
		bytesDone,
		bytesTotal,
		error: error === null ? null : { code: error.code, message: error.message },
	};
}
