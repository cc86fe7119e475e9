/** The manifest of an index: facts about the index file, each of which is checked before the file is used. */

import { z } from "zod";
import { addressKey, type PartitionAddress } from "../partition-address.ts";

/** Increased whenever the layout of the files or the meaning of a field changes. Files of another version are rebuilt. */
const formatVersion = 2;

const count = z.int().min(0);
const checksum = z.string().regex(/^[0-9a-f]{16}$/);

const fields = z.strictObject({
	version: z.literal(formatVersion),
	/** `addressKey` of the partition, which shows if the files of two organisations were swapped on the disk. */
	address: z.string(),
	dimensions: z.int().min(1),
	/** Part of the name of the data file, so that a new build never overwrites a file in use. */
	generation: z.string().regex(/^[0-9a-z]{1,24}$/),
	/** How many vectors the file has, and the newest key among them. */
	rows: count,
	lastKey: count,
	rowsChecksum: checksum,
});

export type IndexManifest = z.infer<typeof fields>;

export type BuiltIndex = Omit<IndexManifest, "version" | "address" | "generation">;

const sealed = z.strictObject({ ...fields.shape, seal: checksum });

export function manifestText(address: PartitionAddress, generation: string, built: BuiltIndex): string {
	const manifest = fields.parse({ version: formatVersion, address: addressKey(address), generation, ...built });
	return JSON.stringify({ ...manifest, seal: sealOf(manifest) });
}

/** @returns the manifest, or as a string why it cannot be used. */
export function readManifest(text: string, address: PartitionAddress): IndexManifest | string {
	const parsed = sealed.safeParse(parseJson(text));
	if (!parsed.success) return "the manifest is malformed or of another version";
	const { seal, ...manifest } = parsed.data;
	if (seal !== sealOf(manifest)) return "the manifest was changed";
	if (manifest.address !== addressKey(address)) return "the manifest is of another index";
	if (manifest.dimensions !== address.space.dimensions) return "the manifest is of other dimensions";
	return manifest;
}

/** A checksum of the values in the order of the schema, so that their order in the file does not matter. */
function sealOf(manifest: IndexManifest): string {
	const values = Object.keys(fields.shape).map((name) => manifest[name as keyof IndexManifest]);
	return hex(Bun.hash.xxHash64(JSON.stringify(values)));
}

export function hex(hash: bigint): string {
	return hash.toString(16).padStart(16, "0");
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}
