/** Finds the place that an address means, and the backup in it if it names one: `FILE`, `FOLDER`, `s3://bucket/prefix` or a backup below one of them. */

import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fail } from "../../../core/errors/fail.ts";
import type { World } from "../../../core/ports/world.ts";
import type { Settings } from "../../settings/settings.ts";
import { folderPlace } from "./folder-place.ts";
import type { BackupPlace } from "./place.ts";
import { isS3Address, parseS3Address, s3Expected } from "./s3-address.ts";
import { createS3Client } from "./s3-client.ts";
import { s3Place } from "./s3-place.ts";

export interface Located {
	readonly place: BackupPlace;
	/** The file that is named; null if the address is that of the place. */
	readonly name: string | null;
}

/** The place that a setting names. A folder need not be there yet. @throws ServiceError `BACKUP_TARGET_FAILED` */
export function placeAt(address: string, settings: Pick<Settings, "s3">, world: Pick<World, "now" | "sleep">): BackupPlace {
	return isS3Address(address) ? locateInBucket(address, settings, world).place : folderPlace(address);
}

/** @throws ServiceError `COMMAND_INVALID`, `BACKUP_TARGET_FAILED` */
export function locate(address: string, settings: Pick<Settings, "s3">, world: Pick<World, "now" | "sleep">): Located {
	if (isS3Address(address)) return locateInBucket(address, settings, world);
	const path = resolve(address);
	const isFolder = /[/\\]$/.test(address) || (existsSync(path) && statSync(path).isDirectory());
	return isFolder ? { place: folderPlace(path), name: null } : { place: folderPlace(dirname(path)), name: basename(path) };
}

function locateInBucket(address: string, { s3 }: Pick<Settings, "s3">, world: Pick<World, "now" | "sleep">): Located {
	const parsed = parseS3Address(address);
	if (parsed === null) throw fail("COMMAND_INVALID", `${JSON.stringify(address)} should be ${s3Expected}`);
	const client = createS3Client(parsed, s3, world);
	const [, prefix = "", name = null] = /^(?:(.*)\/)?([^/]+\.(?:tar|json))$/.exec(parsed.path) ?? [null, parsed.path];
	return { place: s3Place(parsed.bucket, prefix, client), name };
}
