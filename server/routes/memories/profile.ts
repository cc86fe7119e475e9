/** `/v4/profile`: what is known about the person that a container is for. */

import type { Caller } from "../../../core/model/caller.ts";
import type { ProfileService } from "../../../core/profile/profile-service.ts";
import type { Service } from "../../../core/service.ts";
import { withDefaultContainer } from "../../wire/requests/fields.ts";
import { readJson } from "../../wire/requests/read-body.ts";
import {
	type ParsedProfile,
	parseProfile,
	parseProfileBuckets,
	profileBody,
	profileBucketsBody,
	type SearchOutcome,
	toProfile,
	toProfileBuckets,
} from "../../wire/v4/profile.ts";
import { readAccess } from "../access.ts";
import { type Operation, operationsOf } from "../operation.ts";

const operation = operationsOf("Memories");
const example = { containerTag: "user_123" } as const;

export function profileRoutes(profiles: ProfileService, service: Service): readonly Operation[] {
	return [
		operation(
			"POST /v4/profile",
			{
				access: readAccess,
				summary: "Read a profile",
				description: "Lasting traits, recent memories and buckets of a container, and with `q` the results of a search in it. Empty for an unknown container.",
				operationId: "readProfile",
				body: profileBody,
				example: { ...example, q: "dark mode" },
				responses: { 200: "Profile" },
				errors: ["INPUT_INVALID", "FILTER_MALFORMED", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => {
				const parsed = parseProfile(withDefaultContainer(await readJson(request), caller));
				const [profile, searchOutcome] = await Promise.all([
					profiles.profile(caller, parsed.profile, request.signal),
					search(parsed.search, service, caller, request.signal),
				]);
				return toProfile(profile, searchOutcome);
			},
		),
		operation(
			"POST /v4/profile/buckets",
			{
				access: readAccess,
				summary: "List the buckets of a profile",
				description: "Those of the organisation, then those of the container.",
				operationId: "listProfileBuckets",
				body: profileBucketsBody,
				example,
				responses: { 200: "ProfileBuckets" },
				errors: ["INPUT_INVALID", "CONTAINER_FORBIDDEN"],
			},
			async ({ request, caller }) => {
				const { containerTag } = parseProfileBuckets(withDefaultContainer(await readJson(request), caller));
				return toProfileBuckets(await profiles.buckets(caller, containerTag));
			},
		),
	];
}

async function search(request: ParsedProfile["search"], service: Service, caller: Caller, signal: AbortSignal): Promise<SearchOutcome | null> {
	if (request === null) return null;
	const startedAt = performance.now();
	const found = await service.searchMemories(caller, request.query, signal);
	return { request, found, timingMs: Math.round((performance.now() - startedAt) * 100) / 100 };
}
