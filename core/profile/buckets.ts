/** The buckets of a container's profile: the organisation's from its settings, then the container's own, else the default one. */

import type { ProfileBucket } from "../model/container.ts";
import type { Json } from "../model/json.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { TenantStore } from "../ports/storage.ts";

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

export const defaultBuckets: readonly ProfileBucket[] = [{ key: "preferences", description: "What somebody prefers, likes and dislikes, wants or avoids." }];

/** Settings belong to the whole organisation and hold for every key, so they are read with all rights and not with those of the key. */
export async function bucketsOf(
	containerTag: string,
	containers: TenantStore["containers"],
	records: TenantStore["records"],
	now: Date,
): Promise<readonly ProfileBucket[]> {
	const [shared, container] = await Promise.all([organisationBuckets(records, now), containers.get(containerTag)]);
	const keys = new Set(shared.map(({ key }) => key));
	const own = (container?.profileBuckets ?? []).filter(({ key }) => !keys.has(key));
	const buckets = [...shared, ...own];
	return buckets.length > 0 ? buckets : defaultBuckets;
}
