/** Suggests profile buckets from the common topics of an organisation's documents and memories. */

import type { ProfileBucket } from "../model/container.ts";
import { wholeOrganisation } from "../model/scope.ts";
import type { TenantStore } from "../ports/storage.ts";
import { type Topic, topicsOf } from "../ranking/topics.ts";
import { normalize } from "../ranking/words.ts";
import type { Settings } from "../settings/settings.ts";

/** Limits of the API contract. */
const suggestionsMin = 3;
const suggestionsMax = 6;
const keyPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/;
/** More topics than buckets are read, because some cannot be a key, exist already, or overlap. */
const topicsMax = 40;
const documentsMax = 200;
const memoriesMax = 500;
/** A prompt in the settings counts as much as this many documents. */
const promptWeight = 3;

/** @returns an empty list if no topic is found. */
export async function suggestBuckets(settings: Settings, tenant: TenantStore): Promise<readonly ProfileBucket[]> {
	const prompts = [settings.filterPrompt, settings.workspacePrompt].filter((prompt) => prompt !== null);
	const texts = [...prompts.flatMap((prompt) => Array.from({ length: promptWeight }, () => prompt)), ...(await textsOf(tenant))];
	const existingKeys = new Set(settings.profileBuckets.map(({ key }) => key));
	const topics = topicsOf(texts, topicsMax).filter(({ word }) => keyPattern.test(normalize(word)) && !existingKeys.has(normalize(word)));
	return withoutOverlap(topics).map(({ word, companions }) => ({ key: normalize(word), description: `What concerns ${[word, ...companions].join(", ")}` }));
}

/** Keeps one of several topics that mostly occur together, unless there are few topics. */
function withoutOverlap(topics: readonly Topic[]): readonly Topic[] {
	const covered = new Set<string>();
	const distinct = topics.filter(({ word, companions }) => {
		if (covered.has(word)) return false;
		for (const each of [word, ...companions]) covered.add(each);
		return true;
	});
	const rest = topics.filter((topic) => !distinct.includes(topic));
	return [...distinct.slice(0, suggestionsMax), ...rest.slice(0, Math.max(0, suggestionsMin - distinct.length))];
}

/** One text for each document, with its memories, so that facts are not counted twice. */
async function textsOf({ documents, memories }: TenantStore): Promise<readonly string[]> {
	const newest = (limit: number) => ({ offset: 0, limit, sort: "createdAt", order: "desc" }) as const;
	const [newDocuments, newMemories] = await Promise.all([
		documents.list(wholeOrganisation, ["done"], newest(documentsMax), false),
		memories.list(wholeOrganisation, true, newest(memoriesMax)),
	]);
	const texts = new Map<string, string>(newDocuments.documents.map(({ id, findings }) => [id, `${findings.title ?? ""}\n${findings.summary ?? ""}`]));
	for (const { id, text, evidence, isForgotten } of newMemories.memories) {
		const source = evidence[0]?.document ?? id;
		if (!isForgotten) texts.set(source, `${texts.get(source) ?? ""}\n${text}`);
	}
	return [...texts.values()];
}
