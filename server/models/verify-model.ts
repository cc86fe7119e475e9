/** Verifies the files of a model against the lock file. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { hashesOf } from "./fetch-file.ts";
import type { LockedModel } from "./lock-file.ts";

/** @returns descriptions of all differences. */
export async function verifyModel(folder: string, { files }: LockedModel): Promise<readonly string[]> {
	const differences: string[] = [];
	for (const { path, bytes, sha256 } of files) {
		const file = join(folder, path);
		const size = await stat(file).then(
			(found) => found.size,
			() => null,
		);
		if (size === null) differences.push(`${path} is missing`);
		else if (size !== bytes) differences.push(`${path} has ${size} bytes instead of ${bytes}`);
		else if ((await hashesOf(file, bytes)).sha256 !== sha256) differences.push(`${path} differs from the downloaded file`);
	}
	return differences;
}
