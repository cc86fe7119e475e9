/** Finds the place that an address means, and the backup in it if it names one: `FILE`, `FOLDER`, `s3://bucket/prefix` or a backup below one of them. */

import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { fail, ServiceError } from "../../../core/errors/fail.ts";
import type { World } from "../../../core/ports/world.ts";
import { isS3Address, parseS3Address } from "../../../plugins/s3-client/address.ts";
import { type S3Location, s3Location } from "../../../plugins/s3-client/location.ts";
import type { Settings } from "../../settings/settings.ts";
import { folderPlace } from "./folder-place.ts";
import type { BackupPlace } from "./place.ts";
import { bucketFailure, s3Place } from "./s3-place.ts";

type Parts = Pick<World, "now" | "sleep" | "random">;

export interface Located {
	readonly place: BackupPlace;
	/** The file that is named; null if the address is that of the place. */
	readonly name: string | null;
}

/** The place that a setting names. A folder need not be there yet. @throws ServiceError `BACKUP_TARGET_FAILED` */
export function placeAt(address: string, settings: Pick<Settings, "plugins">, world: Parts): BackupPlace {
	return isS3Address(address) ? locateInBucket(address, settings, world).place : folderPlace(address);
}

/** @throws ServiceError `COMMAND_INVALID`, `BACKUP_TARGET_FAILED` */
export function locate(address: string, settings: Pick<Settings, "plugins">, world: Parts): Located {
	if (isS3Address(address)) return locateInBucket(address, settings, world);
	const path = resolve(address);
	const isFolder = /[/\\]$/.test(address) || (existsSync(path) && statSync(path).isDirectory());
	return isFolder ? { place: folderPlace(path), name: null } : { place: folderPlace(dirname(path)), name: basename(path) };
}

function locateInBucket(text: string, settings: Pick<Settings, "plugins">, world: Parts): Located {
	const location = locationOf(text, settings);
	const [, folder = "", name = null] = /^(.*\/)?([^/]+\.(?:tar|json))\/$/.exec(location.prefix) ?? [null, location.prefix];
	return { place: s3Place({ ...location, prefix: folder }, world), name };
}

function locationOf(text: string, { plugins }: Pick<Settings, "plugins">): S3Location {
	const address = parseS3Address(text);
	if ("expected" in address) throw fail("COMMAND_INVALID", `${JSON.stringify(text)} should ${address.expected}`);
	try {
		return s3Location(text, text, plugins);
	} catch (thrown) {
		throw thrown instanceof ServiceError ? bucketFailure(address.bucket, thrown) : thrown;
	}
}
