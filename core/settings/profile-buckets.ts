/** The organisation's own profile buckets, read from its settings. */

import type { ProfileBucket } from "../model/container.ts";
import type { Json } from "../model/json.ts";
import type { RecordStore } from "../ports/record-store.ts";

/** In their order; none when nothing is configured. Settings are checked when they are written; a malformed value is skipped here. */
export async function organisationBuckets(records: Pick<RecordStore, "get">, now: Date): Promise<readonly ProfileBucket[]> {
	const kept = await records.get("settings", "settings", now);
	const listed = memberOf(kept?.value ?? null, "profileBuckets");
	if (!Array.isArray(listed)) return [];
	return listed.flatMap((each: Json) => {
		const [key, description] = [memberOf(each, "key"), memberOf(each, "description")];
		return typeof key === "string" ? [{ key, description: typeof description === "string" ? description : "" }] : [];
	});
}

function memberOf(value: Json, name: string): Json {
	return typeof value === "object" && value !== null && name in value ? ((value as Readonly<Record<string, Json>>)[name] ?? null) : null;
}
