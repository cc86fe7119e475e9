/**
 * The buckets of a container's profile: the organisation's from its settings, then the container's own, else the default one; and which
 * memories are not sorted into them yet. A memory keeps the name of its sorting, so new buckets sort it again.
 */

import { mayAsk } from "../language/may-ask.ts";
import type { ProfileBucket } from "../model/container.ts";
import type { Json } from "../model/json.ts";
import type { EmbeddingSpace } from "../model/vector.ts";
import type { Parts } from "../parts.ts";
import type { Step } from "../plugin/contract.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { TenantStore } from "../ports/storage.ts";
import { type SortingParts, sortedByRules } from "./sorting.ts";

export const defaultBuckets: readonly ProfileBucket[] = [{ key: "preferences", description: "What somebody prefers, likes and dislikes, wants or avoids." }];

/** @param records the unrestricted records of the organisation: its settings apply to every key, even one that may not read them */
export async function bucketsOf(
	containerTag: string,
	containers: TenantStore["containers"],
	records: TenantStore["records"],
	now: Date,
): Promise<readonly ProfileBucket[]> {
	const [shared, container] = await Promise.all([organisationBuckets(records, now), containers.get(containerTag)]);
	const keys = new Set(shared.map(({ key }) => key));
	const containerBuckets = (container?.profileBuckets ?? []).filter(({ key }) => !keys.has(key));
	const buckets = [...shared, ...containerBuckets];
	return buckets.length > 0 ? buckets : defaultBuckets;
}

/** The buckets in the settings, in their order. Settings are checked when they are written; a malformed value is skipped here. */
async function organisationBuckets(records: Pick<RecordStore, "get">, now: Date): Promise<readonly ProfileBucket[]> {
	const stored = await records.get("settings", "settings", now);
	const items = memberOf(stored?.value ?? null, "profileBuckets");
	if (!Array.isArray(items)) return [];
	return items.flatMap((each: Json) => {
		const [key, description] = [memberOf(each, "key"), memberOf(each, "description")];
		return typeof key === "string" ? [{ key, description: typeof description === "string" ? description : "" }] : [];
	});
}

function memberOf(value: Json, name: string): Json {
	return typeof value === "object" && value !== null && name in value ? ((value as Readonly<Record<string, Json>>)[name] ?? null) : null;
}

/** Must be incremented when the rules change; then all memories are sorted again. */
const rulesVersion = 1;
/** Must be incremented when the prompt changes. */
const promptVersion = 1;

export function sortingName(buckets: readonly ProfileBucket[], space: EmbeddingSpace): string {
	return fingerprint(JSON.stringify([rulesVersion, space.name, buckets.map(({ key, description }) => [key, description])]));
}

/** The name of the language model's sorting, or an empty list if the model is not used. The default bucket alone needs no model. */
export async function modelSorting(
	buckets: readonly ProfileBucket[],
	{ tenant: { records }, modelGateway, world }: Pick<Parts, "modelGateway" | "world"> & { readonly tenant: Pick<TenantStore, "records"> },
): Promise<readonly string[]> {
	if (modelGateway === null || buckets === defaultBuckets || !(await mayAsk("buckets", modelGateway, records, world.now()))) return [];
	return [fingerprint(JSON.stringify(["model", promptVersion, modelGateway.name, buckets.map(({ key, description }) => [key, description])]))];
}

/** Memories that are sorted together: it blocks the thread for about 8 ms. */
const sortedTogether = 200;

/**
 * Sorts memories by rules, the newest first, unless they are sorted already.
 * @param limit the most that are sorted: to find some takes as long as looking through all that are unsorted
 * @param parts.others names of sortings that are valid as well. @returns how many were found to be sorted; fewer than `limit` if none are left.
 */
export async function sortMemories(
	containerTag: string,
	buckets: readonly ProfileBucket[],
	limit: number,
	{ tenant, embedder, others }: SortingParts & { readonly others: readonly string[] },
	step: Step,
): Promise<number> {
	const name = sortingName(buckets, embedder.space);
	const unsorted = await tenant.profiles.unsorted(containerTag, [name, ...others], limit);
	for (let start = 0; start < unsorted.length && !step.signal.aborted; start += sortedTogether) {
		const part = unsorted.slice(start, start + sortedTogether);
		await tenant.profiles.sort(name, await sortedByRules(part, buckets, { tenant, embedder }, step));
	}
	return unsorted.length;
}

/** The cyrb53 hash (public domain). 53 bits are enough for the few sets of buckets that a container ever has. */
function fingerprint(text: string): string {
	let [high, low] = [0xdeadbeef, 0x41c6ce57];
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		high = Math.imul(high ^ code, 2_654_435_761);
		low = Math.imul(low ^ code, 1_597_334_677);
	}
	high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
	low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
	return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36);
}
