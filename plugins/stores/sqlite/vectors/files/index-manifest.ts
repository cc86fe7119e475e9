/** The manifest of an index: facts about the index file, each of which is checked before the file is used. */

import { z } from "zod";
import { checksum, generation, readSealed, sealedText } from "../../index-files/seal.ts";
import { addressKey, type PartitionAddress } from "../partition-address.ts";

/** Increased whenever the layout of the files or the meaning of a field changes. Files of another version are rebuilt. */
const formatVersion = 2;

const count = z.int().min(0);

const fields = z.strictObject({
	version: z.literal(formatVersion),
	/** `addressKey` of the partition, which shows if the files of two organisations were swapped on the disk. */
	address: z.string(),
	dimensions: z.int().min(1),
	generation,
	/** How many vectors the file has, and the newest key among them. */
	rows: count,
	lastKey: count,
	rowsChecksum: checksum,
});

export type IndexManifest = z.infer<typeof fields>;

export type BuiltIndex = Omit<IndexManifest, "version" | "address" | "generation">;

export function manifestText(address: PartitionAddress, generation: string, built: BuiltIndex): string {
	return sealedText(fields.parse({ version: formatVersion, address: addressKey(address), generation, ...built }));
}

/** @returns the manifest, or as a string why it cannot be used. */
export function readManifest(text: string, address: PartitionAddress): IndexManifest | string {
	const manifest = readSealed(text, fields, addressKey(address));
	if (typeof manifest === "string" || manifest.dimensions === address.space.dimensions) return manifest;
	return "the manifest is of other dimensions";
}
