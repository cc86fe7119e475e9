/** Requests and responses of `/v4/profile`. */

import { Type } from "@sinclair/typebox";
import type { ProfileBucket } from "../../../core/model/container.ts";
import { limits } from "../../../core/model/limits.ts";
import { wholeOrganisation } from "../../../core/model/scope.ts";
import { type Profile, type ProfileRequest, profileSections } from "../../../core/profile/profile-service.ts";
import type { FoundItem } from "../../../core/search/search-memories.ts";
import { containerTag, instant, toInstant } from "../requests/fields.ts";
import { parseFilter } from "../requests/filter.ts";
import { reader } from "../requests/reader.ts";
import { filters } from "../v3/search.ts";
import { type MemorySearchRequest, thresholdDefault } from "./search-request.ts";
import { toMemoryResults } from "./search-response.ts";

export const profileBody = Type.Object({
	containerTag,
	q: Type.Optional(Type.String({ minLength: 1, maxLength: limits.queryCharactersMax, description: "Also search the container's memories." })),
	threshold: Type.Number({ minimum: 0, maximum: 1, default: thresholdDefault, description: "The minimum relevance of search results." }),
	filters: Type.Optional(filters),
	include: Type.Optional(
		Type.Array(Type.Union(profileSections.map((section) => Type.Literal(section))), {
			maxItems: 20,
			expected: `some of ${profileSections.join(", ")}`,
			description: "Only these sections; all if absent.",
		}),
	),
	asOf: Type.Optional({ ...instant, description: "The profile as it was known at this time. Buckets are left out then." }),
	buckets: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 100, description: "Only the buckets with these keys." })),
});

export const profileBucketsBody = Type.Object({ containerTag });

const read = reader(profileBody);
const readBuckets = reader(profileBucketsBody);

export interface ParsedProfile {
	readonly profile: ProfileRequest;
	/** Null if the request has no query. */
	readonly search: MemorySearchRequest | null;
}

/** @throws ServiceError of kind `invalid` */
export function parseProfile(raw: unknown): ParsedProfile {
	const body = read(raw);
	const asOf = toInstant(body.asOf, "asOf");
	const profile = { containerTag: body.containerTag, include: body.include ?? profileSections, buckets: body.buckets ?? null, asOf };
	const filter = parseFilter(body.filters);
	if (body.q === undefined) return { profile, search: null };
	const query = {
		query: body.q,
		scope: { ...wholeOrganisation, containerTags: [body.containerTag], tagsMatch: "any", filter },
		mode: "memories",
		limit: limits.searchResultsDefault,
		threshold: body.threshold,
		rerank: false,
		rewriteQuery: false,
		includeForgotten: false,
		includeRelatives: false,
		includeChunks: false,
		asOf,
	} as const;
	return { profile, search: { query, docId: null, explain: false, show: { documents: false, summaries: false, context: false, chunks: false } } };
}

export function parseProfileBuckets(raw: unknown): { readonly containerTag: string } {
	return readBuckets(raw);
}

export interface SearchOutcome {
	readonly request: MemorySearchRequest;
	readonly found: readonly FoundItem[];
	readonly timingMs: number;
}

export function toProfile(profile: Profile, searched: SearchOutcome | null) {
	return { profile, ...(searched === null ? {} : { searchResults: toMemoryResults(searched.found, searched.timingMs, searched.request) }) };
}

export function toProfileBuckets(buckets: readonly ProfileBucket[]) {
	return { buckets: buckets.map(({ key, description }) => ({ key, description })) };
}

const texts = Type.Array(Type.String());

export const profileSchema = Type.Object(
	{
		profile: Type.Object({
			static: Type.Optional(texts),
			dynamic: Type.Optional(texts),
			buckets: Type.Optional(Type.Record(Type.String(), texts, { description: "All buckets by key, including empty ones." })),
		}),
		searchResults: Type.Optional(Type.Ref("MemoryResults")),
	},
	{ $id: "Profile" },
);

export const profileBucketsSchema = Type.Object(
	{ buckets: Type.Array(Type.Object({ key: Type.String(), description: Type.String() })) },
	{ $id: "ProfileBuckets" },
);
