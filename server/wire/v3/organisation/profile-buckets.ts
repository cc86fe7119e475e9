/** Profile buckets as settings and containers carry them. */

import { type Static, Type } from "@sinclair/typebox";
import { fail } from "../../../../core/errors/fail.ts";
import type { ProfileBucket } from "../../../../core/model/container.ts";
import { limits } from "../../../../core/model/limits.ts";

export const profileBucket = Type.Object({
	key: Type.String({
		pattern: "^[a-z0-9][a-z0-9_-]*$",
		minLength: 1,
		maxLength: 64,
		expected: "a text of 1 to 64 small letters, digits, _ and -, the first a letter or digit",
		examples: ["travel"],
	}),
	description: Type.String({ maxLength: 2_000, default: "", description: "What belongs into it.", examples: ["Journeys made and planned"] }),
});

export const profileBuckets = Type.Array(profileBucket, {
	maxItems: limits.profileBucketsMax,
	description: "Named parts of a profile. The list takes the place of the one before.",
});

/** @throws ServiceError `INPUT_INVALID` when a key is there twice */
export function toBuckets(sent: Static<typeof profileBuckets>): readonly ProfileBucket[] {
	const twice = sent.find(({ key }, i) => sent.findIndex((other) => other.key === key) !== i);
	if (twice !== undefined) throw fail("INPUT_INVALID", `profileBuckets: the key ${twice.key} is there twice`);
	return sent.map(({ key, description }) => ({ key, description }));
}
