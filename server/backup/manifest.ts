/** The manifest of a backup. It is the last file of the archive, so a truncated archive has none. */

import { z } from "zod";
import { fail } from "../../core/errors/fail.ts";

export const manifestName = "manifest.json";
const filesMax = 10_000_000;

const schema = z.object({
	format: z.literal(1),
	/** The version of Cairn that wrote the backup. */
	version: z.string(),
	createdAt: z.string(),
	storage: z.string(),
	files: z.array(z.object({ path: z.string(), bytes: z.number().int().min(0), sha256: z.string() })).max(filesMax),
});

export type Manifest = z.output<typeof schema>;

/** @throws ServiceError `BACKUP_INVALID` */
export function parseManifest(text: string): Manifest {
	try {
		return schema.parse(JSON.parse(text));
	} catch (thrown) {
		throw fail("BACKUP_INVALID", "its manifest cannot be read; a newer version of Cairn may have made it").because(thrown);
	}
}
