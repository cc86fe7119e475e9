/** The profile of a container, usually a person: lasting traits, recent memories, and buckets. */

import { authorize } from "../access/authorize.ts";
import { createStep } from "../language/step.ts";
import type { Caller } from "../model/caller.ts";
import type { ProfileBucket } from "../model/container.ts";
import { limits } from "../model/limits.ts";
import type { Parts } from "../parts.ts";
import type { TenantStore } from "../ports/storage.ts";
import { newJob } from "../runtime/new-job.ts";
import { bucketsOf, modelSorting, sortingName, sortMemories } from "./buckets.ts";

export const profileSections = ["static", "dynamic", "buckets"] as const;
export type ProfileSection = (typeof profileSections)[number];

export interface ProfileRequest {
	readonly containerTag: string;
	readonly include: readonly ProfileSection[];
	/** Keys of the wanted buckets; null for all. */
	readonly buckets: readonly string[] | null;
	/** The profile as it was known at that time; null or absent for now. Buckets only exist for the present. */
	readonly asOf?: Date | null;
}

/** The texts of memories, newest first. A section that was not requested is absent. */
export interface Profile {
	readonly static?: readonly string[];
	readonly dynamic?: readonly string[];
	readonly buckets?: Readonly<Record<string, readonly string[]>>;
}

export interface ProfileService {
	/** Empty for a container without memories, even if the container does not exist. */
	readonly profile: (caller: Caller, request: ProfileRequest, signal: AbortSignal) => Promise<Profile>;
	readonly buckets: (caller: Caller, containerTag: string) => Promise<readonly ProfileBucket[]>;
}

/** The most memories sorted before responding, which takes about 10 ms. A job sorts the others. */
const sortedAtOnce = 200;

export function createProfileService(parts: Parts): ProfileService {
	const { storage, world } = parts;
	const bucketsFor = (caller: Caller, containerTag: string, { containers }: TenantStore) =>
		bucketsOf(containerTag, containers, storage.organisation(caller.organisation).records, world.now());

	async function sectionOf(part: "static" | "dynamic", { containerTag, asOf }: ProfileRequest, { profiles }: TenantStore): Promise<readonly string[]> {
		const limit = part === "static" ? limits.profileStaticMax : limits.profileDynamicMax;
		const moment = asOf == null ? undefined : { knownAt: asOf, trueAt: null };
		return (await profiles.recent(containerTag, part, limit, world.now(), moment)).map(({ text }) => text);
	}

	async function bucketSection(
		caller: Caller,
		{ containerTag, buckets: wanted }: ProfileRequest,
		tenant: TenantStore,
		signal: AbortSignal,
	): Promise<Readonly<Record<string, readonly string[]>>> {
		const buckets = await bucketsFor(caller, containerTag, tenant);
		const { records } = storage.organisation(caller.organisation);
		const modelSortings = await modelSorting(buckets, { ...parts, tenant: { ...tenant, records } });
		const sorted = await sortMemories(containerTag, buckets, sortedAtOnce, { ...parts, tenant, others: modelSortings }, createStep(world, signal));
		if (sorted === sortedAtOnce) await storage.jobs.add(newJob("remember", containerTag, caller.organisation, world));
		const sortings = [sortingName(buckets, parts.embedder.space), ...modelSortings];
		const requested = buckets.filter(({ key }) => wanted === null || wanted.includes(key));
		const texts = await Promise.all(
			requested.map(async ({ key }) => {
				const memories = await tenant.profiles.inBucket(containerTag, sortings, key, limits.memoriesPerProfileBucketMax, world.now());
				return [key, memories.map(({ text }) => text)] as const;
			}),
		);
		return Object.fromEntries(texts);
	}

	return {
		profile: async (caller, request, signal) => {
			const tenant = authorize(storage, caller);
			const includes = (section: ProfileSection) => request.include.includes(section);
			const [lasting, recent, buckets] = await Promise.all([
				includes("static") ? sectionOf("static", request, tenant) : null,
				includes("dynamic") ? sectionOf("dynamic", request, tenant) : null,
				includes("buckets") && request.asOf == null ? bucketSection(caller, request, tenant, signal) : null,
			]);
			return { ...(lasting && { static: lasting }), ...(recent && { dynamic: recent }), ...(buckets && { buckets }) };
		},
		buckets: (caller, containerTag) => bucketsFor(caller, containerTag, authorize(storage, caller)),
	};
}
