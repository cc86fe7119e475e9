/** If a data folder cannot be used: a line for the operator with the newest backup and the command that restores it. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ErrorCode } from "../../core/errors/catalog.ts";
import type { ServiceError } from "../../core/errors/fail.ts";
import { isS3Address } from "../../plugins/s3-client/address.ts";
import type { Settings } from "../settings/settings.ts";

/** The errors after which a backup may help. If the folder is in use, its server is well, and moving the folder away would harm it. */
const codes: ReadonlySet<ErrorCode> = new Set([
	"STORAGE_DAMAGED",
	"STORAGE_FOREIGN",
	"STORAGE_FULL",
	"STORAGE_LOST",
	"STORAGE_READ_ONLY",
	"STORAGE_UNREACHABLE",
]);
/** The names of scheduled backups, and of those made before an upgrade. */
const scheduledName = /^cairn-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)Z\.(?:tar|json)$/;
const upgradeName = /^schema-\d+-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)-\d{3}Z$/;

interface Backup {
	readonly path: string;
	readonly at: string;
	/** Whether it is a folder that was copied before an upgrade, inside the data folder. */
	readonly isFolder: boolean;
}

/** @param program how the user calls the program. @returns a line for the user; null if there is no backup, or none is of use */
export function adviseBackup({ code }: ServiceError, { dataDir, backups }: Pick<Settings, "dataDir" | "backups">, program: string): string | null {
	if (!codes.has(code)) return null;
	const upgradeFolder = join(dataDir, "backups");
	const place = backups?.place ?? null;
	const isRemote = place !== null && isS3Address(place);
	const found = [...backupsIn(isRemote ? null : place, scheduledName, false), ...backupsIn(upgradeFolder, upgradeName, true)];
	const newest = found.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1);
	// A bucket is not listed, so that a failed start reports at once. `restore` uses its newest backup.
	if (isRemote) return `backups are in ${place}; to go back to the newest: ${commandOf({ path: place, isFolder: false }, dataDir, program)}`;
	if (newest === undefined) return null;
	return `the newest backup is ${newest.path} of ${newest.at}; to go back to it: ${commandOf(newest, dataDir, program)}`;
}

function backupsIn(folder: string | null, pattern: RegExp, isFolder: boolean): readonly Backup[] {
	if (folder === null) return [];
	return namesIn(folder).flatMap((name) => {
		const [, day, hour, minute, second] = pattern.exec(name) ?? [];
		return day === undefined ? [] : [{ path: join(folder, name), at: `${day}${hour}:${minute}:${second}Z`, isFolder }];
	});
}

function namesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch {
		return []; // not there, or its disk fails as well
	}
}

/** The command that restores a backup. It renames the data folder and does not delete it, because it may have more than the backup. */
function commandOf({ path, isFolder }: Pick<Backup, "path" | "isFolder">, dataDir: string, program: string): string {
	const [target, aside] = [quoted(dataDir), quoted(`${dataDir}.before`)];
	const away = `mv ${target} ${aside}`;
	if (isFolder) return `${away} && mv ${quoted(path.replace(dataDir, `${dataDir}.before`))} ${target}`;
	return `${away} && CAIRN_DATA_DIR=${target} ${program} restore ${quoted(path)}`;
}

function quoted(path: string): string {
	return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
