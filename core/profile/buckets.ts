/** The buckets of a container's profile: the organisation's, then the container's own, else the default one. */

import type { ProfileBucket } from "../model/container.ts";
import type { TenantStore } from "../ports/storage.ts";
import { organisationBuckets } from "../settings/profile-buckets.ts";

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
