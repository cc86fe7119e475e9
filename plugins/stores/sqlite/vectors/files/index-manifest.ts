/** What an index file claims about itself: read and believed only when every claim can be checked. */

import { z } from "zod";
import { addressKey, type PartitionAddress } from "../partition-address.ts";

/** Raised whenever the layout of the files or the meaning of a field changes: files of another version are built anew. */
const formatVersion = 1;

const count = z.int().min(0);
const checksum = z.string().regex(/^[0-9a-f]{16}$/);

const fields = z.strictObject({
	version: z.literal(formatVersion),
	/** `addressKey` of the partition: it reveals two organisations' files that were swapped on disk. */
	address: z.string(),
	dimensions: z.int().min(1),
	/** Part of the data files' names: a new build never writes over a file that is in use. */
	generation: z.string().regex(/^[0-9a-z]{1,24}$/),
	/** How many vectors the files cover, and the newest key among them. */
	rows: count,
	lastKey: count,
	/** How many of them are in the graph; the others are duplicates of one that is. None where all are scanned. */
	graphRows: count,
	twins: count,
	graphBytes: count,
	graphChecksum: checksum,
	rowsChecksum: checksum,
});

export type IndexClaims = z.infer<typeof fields>;

export type BuiltClaims = Omit<IndexClaims, "version" | "address" | "generation">;

const sealed = z.strictObject({ ...fields.shape, seal: checksum });

export function manifestText(address: PartitionAddress, generation: string, built: BuiltClaims): string {
	const claims = fields.parse({ version: formatVersion, address: addressKey(address), generation, ...built });
	return JSON.stringify({ ...claims, seal: sealOf(claims) });
}

/** @returns the claims, or in words why they are not to be trusted. */
export function readManifest(text: string, address: PartitionAddress): IndexClaims | string {
	const parsed = sealed.safeParse(parseJson(text));
	if (!parsed.success) return "the manifest is malformed or of another version";
	const { seal, ...claims } = parsed.data;
	if (seal !== sealOf(claims)) return "the manifest was changed";
	if (claims.address !== addressKey(address)) return "the manifest is of another index";
	if (claims.dimensions !== address.space.dimensions) return "the manifest is of other dimensions";
	const inGraph = claims.graphRows + claims.twins;
	if (inGraph !== claims.rows && inGraph !== 0) return "the manifest contradicts itself";
	return claims;
}

/** Over the values in the order of the schema, so that it does not depend on the order of the file. */
function sealOf(claims: IndexClaims): string {
	const values = Object.keys(fields.shape).map((name) => claims[name as keyof IndexClaims]);
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
