/** Reads what is known about a user for the prompt of a chat: the profile, and the memories that match the last message. */

import type { Caller } from "../../core/model/caller.ts";
import { limits } from "../../core/model/limits.ts";
import { wholeOrganisation } from "../../core/model/scope.ts";
import { memoryPrompt } from "../../core/profile/memory-prompt.ts";
import { type ProfileService, profileSections } from "../../core/profile/profile-service.ts";
import type { FoundItem } from "../../core/search/search-memories.ts";
import type { Service } from "../../core/service.ts";
import type { ChatRequest } from "../wire/v1/chat-request.ts";
import { thresholdDefault } from "../wire/v4/search-request.ts";

export interface UserContextParts {
	readonly service: Pick<Service, "searchMemories">;
	readonly profiles: Pick<ProfileService, "profile">;
	/** The maximum length of the text, in tokens. */
	readonly tokensMax: number;
}

/** Buckets are left out, because their memories are in the other sections too. */
const withoutBuckets = profileSections.filter((section) => section !== "buckets");

/** @returns null if nothing is known */
export async function readUserContext(caller: Caller, { user, messages }: ChatRequest, signal: AbortSignal, parts: UserContextParts): Promise<string | null> {
	const { service, profiles, tokensMax } = parts;
	const question = messages.findLast(({ role }) => role === "user")?.content;
	const [{ static: lasting = [], dynamic: recent = [] }, matching] = await Promise.all([
		profiles.profile(caller, { containerTag: user, include: withoutBuckets, buckets: null }, signal),
		question === undefined ? [] : service.searchMemories(caller, matchingQuery(question, user), signal),
	]);
	return memoryPrompt({ matching: matching.map(textOf), lasting, recent }, tokensMax);
}

/** Searches only memories: chunks of old documents may contain facts that newer memories have replaced. */
function matchingQuery(question: string, user: string) {
	return {
		query: question.slice(0, limits.queryCharactersMax),
		scope: { ...wholeOrganisation, containerTags: [user], tagsMatch: "any" },
		mode: "memories",
		limit: limits.searchResultsDefault,
		threshold: thresholdDefault,
		...{ rerank: false, rewriteQuery: false, includeForgotten: false, includeRelatives: false, includeChunks: false },
	} as const;
}

function textOf(item: FoundItem): string {
	return item.kind === "memory" ? item.memory.text : item.chunk.text;
}
