/** Parses the metadata of a connection into its configuration, by a schema. Keys that the schema does not have are left out. */

import { fail } from "cairn-memory";
import type { z } from "zod";

/**
 * Values that are `null` are ignored.
 * @throws CONNECTION_INVALID, which names the first invalid key. The message never contains its value, which may be a secret.
 */
export function readConfig<Schema extends z.ZodType>(provider: string, schema: Schema, metadata: Readonly<Record<string, unknown>>): z.infer<Schema> {
	const present = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null && value !== undefined));
	const result = schema.safeParse(present);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	throw fail("CONNECTION_INVALID", provider, issue?.path.join(".") || "metadata", issue?.message ?? "it cannot be read");
}

/** The configuration of a connection that may have so many documents. @throws CONNECTION_INVALID */
export function configureWith<Schema extends z.ZodType>(
	provider: string,
	schema: Schema,
	metadata: Readonly<Record<string, unknown>>,
	documentsMax: number,
): z.infer<Schema> & { readonly documentsMax: number } {
	if (!Number.isInteger(documentsMax) || documentsMax < 1)
		throw fail("CONNECTION_INVALID", provider, "documentLimit", "it should be a whole number of at least 1");
	return Object.assign({}, readConfig(provider, schema, metadata), { documentsMax });
}
