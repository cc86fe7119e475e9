/** Profile buckets in the requests and responses of settings and containers. */

import { type Static, Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import type { ProfileBucket } from "../../../../core/model/container.ts";
import { limits } from "../../../../core/model/limits.ts";

export const profileBucket = Type.Object({
	key: Type.String({
		pattern: "^[a-z0-9][a-z0-9_-]*$",
		minLength: 1,
		maxLength: 64,
		expected: "a text of 1 to 64 lower-case letters, digits, _ and -, the first a letter or digit",
		description: "The name of the bucket.",
		examples: ["travel"],
	}),
	description: Type.String({ maxLength: 2_000, default: "", description: "Which memories belong into it.", examples: ["Journeys made and planned"] }),
});

export const profileBuckets = Type.Array(profileBucket, {
	maxItems: limits.profileBucketsMax,
	description: "Named parts of a profile. The list replaces the previous one.",
});

/** @throws ServiceError `INPUT_INVALID` for a duplicate key */
export function toBuckets(buckets: Static<typeof profileBuckets>): readonly ProfileBucket[] {
	const duplicate = buckets.find(({ key }, i) => buckets.findIndex((other) => other.key === key) !== i);
	if (duplicate !== undefined) throw fail("INPUT_INVALID", `profileBuckets: the key ${duplicate.key} is used twice`);
	return buckets.map(({ key, description }) => ({ key, description }));
}
