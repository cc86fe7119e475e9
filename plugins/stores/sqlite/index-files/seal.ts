/** The manifest of an index file: it names the file and its facts, and a checksum of its own values shows whether it was changed. */

import { z } from "zod";

export const checksum = z.string().regex(/^[0-9a-f]{16}$/);

/** Part of the name of the data file, so that a new build never overwrites a file in use. */
export const generation = z.string().regex(/^[0-9a-z]{1,24}$/);

/** @param manifest as its schema gives it, with the values in the order of the schema. */
export function sealedText(manifest: object): string {
	return JSON.stringify({ ...manifest, seal: sealOf(manifest) });
}

/** @returns the manifest, or as a string why it cannot be used. */
export function readSealed<Manifest extends { readonly address: string }>(text: string, fields: z.ZodType<Manifest>, address: string): Manifest | string {
	const { seal, ...values } = parseObject(text);
	const parsed = fields.safeParse(values);
	if (!parsed.success) return "the manifest is malformed or of another version";
	if (seal !== sealOf(parsed.data)) return "the manifest was changed";
	return parsed.data.address === address ? parsed.data : "the manifest is of another index";
}

/** Zod gives values in the order of the schema, so their order in the file does not matter. */
function sealOf(manifest: object): string {
	return hex(Bun.hash.xxHash64(JSON.stringify(Object.values(manifest))));
}

export function hex(hash: bigint): string {
	return hash.toString(16).padStart(16, "0");
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
	try {
		return { ...JSON.parse(text) };
	} catch {
		return {};
	}
}
