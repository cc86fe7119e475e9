/** Metadata → configuration by a schema; errors name the key. Keys that the schema does not name are left out. */

import { fail } from "cairn-memory";
import type { z } from "zod";

/**
 * `null` counts as not given.
 * @throws CONNECTION_INVALID for the first invalid key. The message never contains the value, which may be a secret.
 */
export function readConfig<Schema extends z.ZodType>(provider: string, schema: Schema, given: Readonly<Record<string, unknown>>): z.infer<Schema> {
	const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));
	const read = schema.safeParse(said);
	if (read.success) return read.data;
	const [issue] = read.error.issues;
	throw fail("CONNECTION_INVALID", provider, issue?.path.join(".") || "metadata", issue?.message ?? "it cannot be read");
}
